import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";
import process from "node:process";
import { steps } from "../../../../cli/check/steps.ts";
import { parseFailures } from "../../../../cli/check/tests.ts";
import { createProject } from "../../../../cli/project/project.ts";
import { type Files, inProject, inScratch, runCli, writeFiles } from "../../support.ts";

interface Report {
  readonly ok: boolean;
  readonly problems: readonly {
    readonly code: string;
    readonly severity: string;
    readonly place?: { readonly file: string; readonly line?: number };
    readonly message: string;
    readonly fix?: string;
  }[];
  readonly steps: readonly { readonly name: string; readonly ok: boolean }[];
  readonly skipped: readonly string[];
}

async function check(cwd: string, ...flags: string[]): Promise<Report> {
  const { code, stdout, stderr } = await runCli(["check", "--json", ...flags], { cwd });
  assertEquals(stderr, "");
  const report: Report = JSON.parse(stdout);
  assertEquals(code, report.ok ? 0 : 1);
  return report;
}

const page = (text: string): string =>
  `import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";

export function Page(c: Ctx): Node {
${text}
}
`;

const wrongTest = `Deno.test("one and one", () => {
  const sum = [1, 1].reduce((a, b) => a + b);
  if (sum !== 3) throw new Error("not three");
});
`;

/** Consecutive mistakes in one project: the step that finds each one, its code and its line. */
const mistakes: [name: string, step: string, code: string, place: string, files: Files][] = [[
  "a page missing from the generated file",
  "gen",
  "E_STALE",
  "fw_gen.ts:1",
  {
    "app/x/page.ts": page("  c.title = 'X';\n  return h.p('x');").replaceAll("'", '"'),
  },
], ["an unformatted file", "fmt", "E_FORMAT", "app/x/page.ts:1", {
  "app/x/page.ts": page('  c.title  = "X"\n  return h.p("x");'),
}], ["an unused variable", "lint", "E_LINT", "app/x/page.ts:5", {
  "app/x/page.ts": page('  const y = 1;\n  c.title = "X";\n  return h.p("x");'),
}], ["a link to a missing page", "types", "E_TYPES", "app/x/page.ts:6", {
  "app/x/page.ts": page('  c.title = "X";\n  return h.p(h.a(h.href(c.href("/nowhere"))));'),
}], ["a test that fails", "test", "E_TEST", "app/x/sum_test.ts:1", {
  "app/x/page.ts": page('  c.title = "X";\n  return h.p("x");'),
  "app/x/sum_test.ts": wrongTest,
}]];

Deno.test("check stops at the first failing step and prints file, line and fix", (t) =>
  inScratch(async (folder) => {
    await runCli(["new", "app"], { cwd: folder });
    const cwd = join(folder, "app");
    for (const [name, step, code, place, files] of mistakes) {
      await t.step(name, async () => {
        await writeFiles(cwd, files);
        const report = await check(cwd);
        assertEquals(report.steps.at(-1), { ...report.steps.at(-1), name: step, ok: false });
        const [problem] = report.problems.filter(({ severity }) => severity === "error");
        assertEquals(problem?.code, code, JSON.stringify(report.problems));
        assertEquals(`${problem?.place?.file}:${problem?.place?.line}`, place);
        assert((problem?.fix ?? "") !== "");
        if (step === "gen") await runCli(["gen"], { cwd });
      });
    }
    await t.step(
      "check reports one cause of two failing tests as one problem with two places",
      async () => {
        await writeFiles(cwd, {
          "app/x/sum_test.ts": wrongTest + wrongTest.replace("one and one", "again"),
        });
        const { stdout, stderr } = await runCli(["check"], { cwd });
        assertMatch(
          stdout + stderr,
          /sum_test\.ts:1:6 E_TEST: Error: not three\n {4}also app\/x\/sum_test\.ts:5:6\n/,
        );
      },
    );
    await t.step("check --fix writes the generated file and formats the project", async () => {
      await Deno.remove(join(cwd, "app/x/sum_test.ts"));
      await writeFiles(cwd, {
        "app/x/page.ts": page('  c.title  = "X"\n  return h.p("x");'),
        // Faults that --fix cannot repair end the run before the types, which the rows above have
        // checked.
        "app/y/page.ts": page('  const y = 1;\n  c.title = "Y";\n  return h.p("y");'),
      });
      const { steps, problems } = await check(cwd, "--fix");
      assertEquals(steps.at(-1)?.name, "lint", JSON.stringify(problems));
      for (const name of ["gen", "fmt"]) {
        assert(steps.some((step) => step.name === name && step.ok), JSON.stringify(problems));
      }
    });
  }, { name: "check" }));

const output = `running 2 tests from ./a_test.ts
one ... FAILED (1ms)

 ERRORS 

one => ./a_test.ts:3:6
error: AssertionError: Values are not equal.


    [Diff] Actual / Expected


-   2
+   3

  throw new AssertionError(message);
        ^
    at file:///x/a_test.ts:4:3

two => a => ./lib/b_test.ts:10:6
error: Error: no
    at file:///x/lib/b_test.ts:11:9

 FAILURES 

one => ./a_test.ts:3:6
two => a => ./lib/b_test.ts:10:6

FAILED | 0 passed | 2 failed (5ms)
`;

Deno.test("parseFailures finds the name, place and reason of every failed test", () => {
  assertEquals(parseFailures(output), [
    {
      name: "one",
      file: "a_test.ts",
      line: 3,
      column: 6,
      reason: "AssertionError: Values are not equal.\n    [Diff] Actual / Expected\n-   2\n+   3",
    },
    { name: "two => a", file: "lib/b_test.ts", line: 10, column: 6, reason: "Error: no" },
  ]);
  assertEquals(parseFailures("ok | 3 passed"), []);
});

Deno.test("parseFailures takes time linear in the length of the output", () => {
  const costOf = (text: string): number => {
    const before = process.cpuUsage();
    parseFailures(` ERRORS \n\nx => ./a_test.ts:1:2\nerror: ${text}z`);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  for (const piece of ["\n", "a => b:", "\n => ", "\nerror: ", "\n at"]) {
    const ms = costOf(piece.repeat(100_000));
    assert(ms < 2_000, `${JSON.stringify(piece)}: ${ms} ms`);
  }
});

for (const [what, key, want] of [["assumes", undefined, ""], ["refuses", "x", "secret"]] as const) {
  Deno.test(`check: the audit ${what} ${key ? "a short" : "a missing"} FW_SECRET`, async () => {
    const signing = 'export function Page(c: Ctx): void {\n  c.setSigned("a", "b");\n}\n';
    const files = { "app/page.ts": `import type { Ctx } from "@fw/fw";\n${signing}` };
    await inProject(files, async (root) => {
      const project = createProject(root, { env: key === undefined ? {} : { FW_SECRET: key } });
      const { signal } = new AbortController();
      const options = { fix: false, isOwn: true, signal, pages: root };
      const { problems } = await steps.audit(project, options);
      const critical = problems.filter(({ severity }) => severity === "critical");
      assertEquals(critical.map(({ code }) => code).join(), want);
    });
  });
}

for (const [command, done] of [["check", /^(gen +ok.*\n)?$/], ["jobs", /^$/]] as const) {
  Deno.test(`${command}: a stop is not reported as a fault of the application`, () =>
    inProject({ "app/page.ts": page('  return h.p("x");') }, async (cwd) => {
      await runCli(["gen"], { cwd });
      const { code, stdout, stderr } = await runCli([command], {
        cwd,
        signal: AbortSignal.abort(),
      });
      assertEquals([code, stderr], [1, "Stopped.\n"]);
      assertMatch(stdout, done);
    }));
}
