import { assertEquals } from "@std/assert";
import { parseSkipReason } from "../../tools/skip.ts";
import {
  countsText,
  parseDurations,
  parseSkips,
  parseSummary,
  sumCounts,
  type TestCounts,
} from "../../tools/test_report.ts";

const summaries: [output: string, counts: TestCounts | undefined][] = [
  ["ok | 3 passed | 0 failed (2ms)\n", { passed: 3, failed: 0, skipped: 0 }],
  ["FAILED | 1 passed (1 step) | 2 failed (1 step) | 1 ignored (1 step) (204ms)\n", {
    passed: 1,
    failed: 2,
    skipped: 1,
  }],
  ["ok | 0 passed | 0 failed | 4 ignored (2ms)\n", { passed: 0, failed: 0, skipped: 4 }],
  ["ok | 9 passed | 0 failed (2ms)\n\nok | 3 passed | 0 failed (1s)\n", {
    passed: 3,
    failed: 0,
    skipped: 0,
  }],
  ["error: Type checking failed.\n", undefined],
];

for (const [output, counts] of summaries) {
  Deno.test(`parseSummary: ${JSON.stringify(output)}`, () => {
    assertEquals(parseSummary(output), counts);
  });
}

Deno.test("parseSkips: gives the reasons of the ignored tests only", () => {
  const junit = `
    <testcase name="a" line="1">
    </testcase>
    <testcase name="b &quot;c&quot; (skipped: no &lt;x&gt;)" line="2">
        <skipped/>
    </testcase>
    <testcase name="d" line="3">
        <skipped/>
    </testcase>`;
  assertEquals(parseSkips(junit), ["no <x>", '"d" gives no reason']);
});

const names: [name: string, reason: string | undefined][] = [
  ["a (skipped: no browser (yet))", "no browser (yet)"],
  ["a", undefined],
  ["a (skipped: ) b", undefined],
];

for (const [name, reason] of names) {
  Deno.test(`parseSkipReason: ${name}`, () => assertEquals(parseSkipReason(name), reason));
}

Deno.test("sumCounts: adds each count up", () => {
  const one = { passed: 1, failed: 2, skipped: 3 };
  assertEquals(sumCounts([one, one]), { passed: 2, failed: 4, skipped: 6 });
});

const lines: [counts: TestCounts, line: string][] = [
  [{ passed: 2, failed: 1, skipped: 0 }, "2 passed, 1 failed"],
  [{ passed: 2, failed: 0, skipped: 3 }, "2 passed, 0 failed, 3 skipped"],
];

for (const [counts, line] of lines) {
  Deno.test(`countsText: ${line}`, () => assertEquals(countsText(counts), line));
}

Deno.test("parseDurations: sums the tests of each file, whose steps are parts of them", () => {
  const junit = `
    <testsuites name="deno test" tests="4" time="9.9">
      <testsuite name="./tests/a_test.ts" tests="3">
        <testcase name="one" classname="./tests/rows.ts" time="1.5" line="1">
        </testcase>
        <testcase name="one &gt; step" classname="./tests/rows.ts" time="1.25" line="2">
        </testcase>
        <testcase name="one &amp; more" classname="./tests/a_test.ts" time="0.250" line="3">
        </testcase>
      </testsuite>
      <testsuite name="./tests/b_test.ts" tests="0">
      </testsuite>`;
  assertEquals([...parseDurations(junit)], [["tests/a_test.ts", 1.75], ["tests/b_test.ts", 0]]);
});
