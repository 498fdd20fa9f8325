// test: child, runs `deno test`
import { assertEquals, assertStringIncludes } from "@std/assert";
import { join, relative } from "@std/path";
import { slowTests } from "../../tools/slow_tests.ts";
import type { TestKind } from "../../tools/test_files.ts";
import { groupFiles, writeGroups } from "../../tools/test_groups.ts";
import { parseDurations, parseFailedFiles } from "../../tools/test_report.ts";
import { root, runDeno } from "../../tools/workspace.ts";

const [slow = ""] = slowTests;
const many = Array.from({ length: 50 }, (_, index) => `tests/a/${index}_test.ts`);

const rows: [name: string, kind: TestKind, paths: readonly string[], groups: string[][]][] = [
  ["files of one package share a worker", "child", ["tests/a/b_test.ts", "tests/a/c/d_test.ts"], [
    ["tests/a/b_test.ts", "tests/a/c/d_test.ts"],
  ]],
  ["those of two do not", "inside", ["tests/a/b_test.ts", "tests/b/b_test.ts"], [
    ["tests/a/b_test.ts"],
    ["tests/b/b_test.ts"],
  ]],
  ["those of two do where they share a Chromium", "browser", [
    "tests/a/b_test.ts",
    "tests/b/b_test.ts",
  ], [["tests/a/b_test.ts", "tests/b/b_test.ts"]]],
  ["a slow file stays by itself there too", "browser", [slow, "tests/e2e/b_test.ts"], [[slow], [
    "tests/e2e/b_test.ts",
  ]]],
  ["a slow file stays by itself", "child", [slow, "tests/e2e/b_test.ts"], [[slow], [
    "tests/e2e/b_test.ts",
  ]]],
  ["it starts first, then the groups of the most files", "child", [
    "tests/a/a_test.ts",
    "tests/b/a_test.ts",
    "tests/b/b_test.ts",
    slow,
  ], [[slow], ["tests/b/a_test.ts", "tests/b/b_test.ts"], ["tests/a/a_test.ts"]]],
  ["a file that writes what all share does too", "alone", many.slice(0, 2), [
    many.slice(0, 1),
    many.slice(1, 2),
  ]],
  ["a group has an end", "inside", many, [many.slice(0, 48), many.slice(48)]],
  ["no files", "inside", [], []],
];

for (const [name, kind, paths, groups] of rows) {
  Deno.test(`groupFiles: ${name}`, () => assertEquals(groupFiles(paths, kind), groups));
}

const files: Readonly<Record<string, string>> = {
  "good_test.ts": `Deno.test("text", () => {});
Deno.test("text and options", { permissions: "inherit" }, () => {});
Deno.test({ name: "definition", fn: () => {} });
Deno.test({ name: "options" }, () => {});
Deno.test({ sanitizeOps: true }, function named() {});
Deno.test({ fn: function own() {} });
Deno.test(function plain() {});
Deno.test.ignore("ignored", () => {});
`,
  "wrong_test.ts": 'Deno.test("fails", () => { throw new Error("no"); });\n',
  "broken_test.ts": 'throw new Error("at once");\n',
  "last_test.ts": 'Deno.test("leaks", () => void setInterval(() => {}, 1_000));\n',
};

Deno.test("writeGroups: each test of a group has the path of its file, and each file its own faults", async () => {
  const folder = await Deno.makeTempDir({ prefix: "fw_groups_" });
  try {
    const paths: string[] = [];
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(join(folder, name), text);
      paths.push(relative(root, join(folder, name)));
    }
    const modules = await writeGroups([paths], folder);
    const args = ["test", "-A", "--no-check", "--parallel", ...modules];
    // In the workspace, whose `deno.json` switches the sanitizers on.
    const { code, stdout } = await runDeno(args, { env: { NO_COLOR: "1" } });
    assertEquals(code, 1);
    assertEquals([...parseDurations(stdout).keys()], paths, stdout);
    assertEquals(parseFailedFiles(stdout, paths), paths.slice(1), stdout);
    const [good = "", , broken = ""] = paths;
    const names = ["text", "text and options", "definition", "options", "named", "own", "plain"];
    for (const name of names) assertStringIncludes(stdout, `${good} => ${name} ... ok`);
    assertStringIncludes(stdout, `${good} => ignored ... ignored`);
    assertStringIncludes(stdout, `${broken} => the file loads ... FAILED`);
    assertStringIncludes(stdout, "7 passed | 3 failed | 1 ignored");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("writeGroups: groups start in their order, whatever their folders", async () => {
  const folder = await Deno.makeTempDir({ prefix: "fw_groups_" });
  try {
    const paths: string[] = [];
    // More than ten: sorted by name, the module of the eleventh would come third.
    const others = Array.from({ length: 9 }, (_, index) => `f${index}`);
    for (const name of ["z", "a/b", "m", ...others]) {
      const path = join(folder, name, "one_test.ts");
      await Deno.mkdir(join(folder, name), { recursive: true });
      await Deno.writeTextFile(path, 'Deno.test("one", () => {});');
      paths.push(relative(root, path));
    }
    const modules = await writeGroups(paths.map((path) => [path]), folder);
    const { stdout } = await runDeno(
      ["test", "-A", "--no-check", "--parallel", ...modules],
      { env: { NO_COLOR: "1", DENO_JOBS: "1" } },
    );
    assertEquals([...stdout.matchAll(/^(.*) => one \.\.\. ok/gm)].map(([, path]) => path), paths);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
