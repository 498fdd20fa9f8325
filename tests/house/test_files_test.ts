// test: child, runs `deno test`
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { join } from "@std/path";
import {
  isTestFile,
  kindByFolder,
  kindOf,
  listTestFiles,
  parseKindMark,
  type TestKind,
  testKinds,
} from "../../tools/test_files.ts";
import { slowestFirst, slowTests, waitingTests } from "../../tools/slow_tests.ts";
import { testSteps } from "../../tools/test_steps.ts";
import { listFiles, root, runDeno } from "../../tools/workspace.ts";
import { findKindFaults } from "./test_files.ts";

const files = await Promise.all(
  (await listTestFiles()).map(async ({ path, kind }) => {
    return { path, kind, source: await Deno.readTextFile(join(root, path)) };
  }),
);

Deno.test("test files: none does what its kind may not", () => {
  const faults = files.flatMap(({ path, kind, source }) =>
    findKindFaults(source, kind).map((fault) => `${path}:${fault} in a test of kind "${kind}"`)
  );
  assertEquals(faults, []);
});

Deno.test("test files: each line that names a kind gives the reason and is needed", () => {
  const idle = files.flatMap(({ path, source }) => {
    const mark = parseKindMark(source);
    if (mark === undefined) return [];
    return mark.reason === "" || mark.kind === kindByFolder(path) ? [path] : [];
  });
  assertEquals(idle, []);
});

Deno.test("test files: each that is said to be slow is there, and starts before the others", () => {
  const paths = files.map(({ path }) => path);
  assertEquals([...slowTests, ...waitingTests].filter((path) => !paths.includes(path)), []);
  assertEquals(slowestFirst(paths).slice(0, slowTests.length), [...slowTests]);
  const steps = testSteps(files, { cores: 2 });
  const step = steps.find(({ jobs, env }) => jobs > 0 && env?.TEST_KIND === "child");
  assertEquals(step?.groups?.[0], slowTests.slice(0, 1));
});

Deno.test("testSteps: waiting files take no worker and all start at once", () => {
  const steps = testSteps(files, { cores: 2 });
  const waiting = steps.filter(({ jobs }) => jobs === 0);
  assertEquals(
    waiting.flatMap(({ groups = [] }) => groups).flat().sort(),
    [...waitingTests].sort(),
  );
  for (const { title, args, groups = [], env } of waiting) {
    assert(groups.every(({ length }) => length === 1), title);
    assert(args.includes("--parallel"), title);
    assertEquals(env?.DENO_JOBS, String(groups.length), title);
  }
});

Deno.test("testSteps: each file runs once, in a worker of its kind", () => {
  // What waits today may become of another kind tomorrow.
  const moved = testKinds.map((kind) => waitingTests.map((path) => ({ path, kind })));
  for (const some of [files, ...moved]) {
    const found = testSteps(some, { cores: 2 }).flatMap(({ groups = [], env }) =>
      groups.flat().map((path) => `${env?.TEST_KIND} ${path}`)
    );
    assertEquals(found.sort(), some.map(({ path, kind }) => `${kind} ${path}`).sort());
  }
});

Deno.test("test files: every file that defines tests is found", async () => {
  const found = new Set(files.map(({ path }) => path));
  const lost = (await listFiles("", [".ts", ".tsx"])).filter((path) =>
    /^(?:tests|examples)\/(?!fixtures\/)/.test(path) && /(?:^|[/.])test\.tsx?$/.test(path)
  );
  assertEquals(lost, [], "name it after its subject and end the name in _test.ts");
  for (const path of ["tests/house/test_files_test.ts", "examples/events/tests/api_test.ts"]) {
    assert(found.has(path), path);
  }
});

const refused: [source: string, kind: TestKind, faults: string[]][] = [
  ["new Deno.Command('git');", "inside", ["1: Deno.Command"]],
  ["\nnew Deno.Command('git');", "alone", ["2: Deno.Command"]],
  ["new Deno.Command('git');", "child", []],
  ["'new Deno.Command()'; // Deno.Command", "inside", []],
  ['import { spawn } from "node:child_process";', "inside", ["1: node:child_process"]],
  ['import { withPage } from "./browser.ts";', "child", ["1: ./browser.ts"]],
  ['import { withPage } from "../browser/browser.ts";', "browser", []],
  ['Deno.env.set("A", "b");', "inside", ["1: Deno.env.set"]],
  ['Deno.env.delete("A");', "child", ["1: Deno.env.delete"]],
  ['Deno.env.set("A", "b");', "alone", []],
  ['Deno.env.get("A");', "inside", []],
  ['Deno.chdir("/");', "browser", ["1: Deno.chdir"]],
];

for (const [source, kind, faults] of refused) {
  Deno.test(`findKindFaults: ${JSON.stringify(source)} in a test of kind "${kind}"`, () => {
    assertEquals(findKindFaults(source, kind), faults);
  });
}

const kinds: [path: string, source: string, kind: TestKind][] = [
  ["tests/html/a_test.ts", "", "inside"],
  ["tests/e2e/a_test.ts", "", "child"],
  ["tests/browser/a_test.ts", "", "browser"],
  ["tests/new_folder/a_test.ts", "", "inside"],
  ["tests/html/a_test.ts", "/** A. */\n// test: child, runs git\n", "child"],
  ["tests/e2e/a_test.ts", "// test: inside, it only looks so", "inside"],
  ["tests/html/a_test.ts", "  // test: child, in the middle of the code", "inside"],
];

for (const [path, source, kind] of kinds) {
  Deno.test(`kindOf: ${path} with ${JSON.stringify(source)} is ${kind}`, () => {
    assertEquals(kindOf(path, source), kind);
  });
}

Deno.test("kindOf: refuses a kind that there is not", () => {
  assertThrows(() => kindOf("a_test.ts", "// test: children, x\n"), Error, '"a_test.ts"');
});

const names: [path: string, isTest: boolean][] = [
  ["tests/a_test.ts", true],
  ["examples/a/tests/b_test.tsx", true],
  ["tools/test.ts", false],
  ["tests/a.test.ts", false],
  ["tests/latest.ts", false],
  ["tests/a_test.md", false],
];

for (const [path, isTest] of names) {
  Deno.test(`isTestFile: ${path} is ${isTest}`, () => assertEquals(isTestFile(path), isTest));
}

const attempts: [call: string, kinds: TestKind[]][] = [
  ['new Deno.Command("true")', ["child", "browser"]],
  ['Deno.env.set("A_TEST", "b")', ["alone"]],
  ['Deno.env.delete("TEST_KIND")', ["alone"]],
  ['Deno.env.delete("A_TEST_THAT_IS_NOT_SET")', ["inside", "alone", "child", "browser"]],
  ["Deno.chdir(Deno.cwd())", ["alone"]],
  ['Deno.env.get("PATH")', ["inside", "alone", "child", "browser"]],
];

for (const kind of ["inside", "alone", "child", "browser"] as const) {
  Deno.test(`test guard: what a test of kind "${kind}" may do`, async () => {
    const folder = await Deno.makeTempDir({ prefix: "fw_kinds_" });
    try {
      const path = join(folder, "a_test.ts");
      const tests = attempts.map(([call], at) => `Deno.test("try ${at}", () => void ${call});`);
      await Deno.writeTextFile(path, tests.join("\n"));
      const [step] = testSteps([{ path, kind }], { cores: 1 });
      assert(step);
      const { stdout } = await runDeno([...step.args, path], { cwd: folder, env: { ...step.env } });
      for (const [at, [call, allowed]] of attempts.entries()) {
        const outcome = allowed.includes(kind) ? "ok" : "FAILED";
        assertStringIncludes(stdout, `try ${at} ... ${outcome}`, `${call}\n${stdout}`);
      }
      if (kind !== "alone") assertStringIncludes(stdout, '"// test: alone, <why>"');
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}
