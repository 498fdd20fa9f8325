import { assertEquals } from "@std/assert";
import { readOutcome } from "../../tools/test.ts";
import { groupFiles } from "../../tools/test_groups.ts";

const ok = "ok | 2 passed (3 steps) | 0 failed | 1 ignored (1s)\n";
const bad = "FAILED | 2 passed | 1 failed (1s)\n";

const rows: [name: string, isTest: boolean, code: number, output: string, counts: number[]][] = [
  ["a passing run", true, 0, ok, [2, 0, 1]],
  ["a failing run", true, 1, bad, [2, 1, 0]],
  ["a run inside a test comes first", true, 0, bad + ok, [2, 0, 1]],
  ["a run that ends without a summary", true, 1, "", [0, 1, 0]],
  ["a run of no test", true, 0, "ok | 0 passed | 0 failed (1s)\n", [0, 1, 0]],
  ["a run that fails outside every test", true, 1, ok, [2, 1, 1]],
  ["a check that passes", false, 0, "Checked 3 files\n", [0, 0, 0]],
  ["a check that fails", false, 1, "error\n", [0, 1, 0]],
];
for (const [name, isTest, code, output, [passed, failed, skipped]] of rows) {
  Deno.test(`readOutcome: ${name}`, () => {
    const outcome = readOutcome({ title: "a", args: [], isTest }, code, output);
    assertEquals([outcome.passed, outcome.failed, outcome.skipped], [passed, failed, skipped]);
    assertEquals(outcome.failure !== "", failed !== 0);
  });
}

Deno.test("readOutcome: lists the reasons of skipped tests", () => {
  const output = `a_test.ts => a (skipped: no nginx) ... ignored (0ms)\n${ok}`;
  assertEquals(readOutcome({ title: "a", args: [], isTest: true }, 0, output).skips, ["no nginx"]);
});

Deno.test("groupFiles: no worker is shared by two packages, and each file runs once", () => {
  const paths = ["tests/ui/a_test.ts", "tests/ui/b_test.ts", "tests/ai/a_test.ts"];
  const groups = groupFiles(paths, "inside");
  assertEquals(groups, [paths.slice(0, 2), paths.slice(2)]);
  assertEquals(groupFiles(paths, "alone").length, 3);
});
