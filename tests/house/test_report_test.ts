import { assertEquals } from "@std/assert";
import { parseSkipReason } from "../../tools/skip.ts";
import {
  countsText,
  cutFailures,
  cutGroupPaths,
  parseDurations,
  parseFailedFiles,
  parseSkips,
  parseSummary,
  readReport,
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

Deno.test("parseDurations: sums the tests of each file, in which steps are counted", () => {
  const output = `
running 2 tests from ./tests/a_test.ts
one ... ok (2s)
two ...
  step ... ok (700ms)
two ... FAILED (due to 1 failed step) (1m1s)
running 1 test from ./tests/b_test.ts
a => b ... ok (500ms)
./tests/c_test.ts => one ... ok (1s)
./tests/c_test.ts => two ... step ... ok (1s)
./tests/c_test.ts => two ... ok (250ms)
./tests/c_test.ts => three ... ignored (1ms)
`;
  assertEquals([...parseDurations(output)], [
    ["tests/a_test.ts", 63],
    ["tests/b_test.ts", 0.5],
    ["tests/c_test.ts", 1.25],
  ]);
});

const cuts: [name: string, output: string, cut: string][] = [
  ["a gate", "one\ntwo\nthree\nfour\n", "two\nthree\nfour"],
  [
    "errors of tests, not of a run that a test printed",
    "x\n ERRORS \n\ninner => a:1:1\n\n FAILURES \n\nx\n ERRORS \n\nouter => ./a.ts:3:4\nerror: no\n\n" +
    " FAILURES \n\nouter => ./a.ts:3:4\n\nFAILED | 0 passed | 1 failed (1s)\n",
    "outer => ./a.ts:3:4\nerror: no",
  ],
  [
    "a long error, and one after it",
    " ERRORS \n\na => ./a.ts:3:4\n1\n2\n3\n4\nb => ./a.ts:5:6\n5\n\n FAILURES \n",
    "a => ./a.ts:3:4\n1\n2\n(2 more lines above)\nb => ./a.ts:5:6\n5",
  ],
];

for (const [name, output, cut] of cuts) {
  Deno.test(`cutFailures: ${name}`, () => assertEquals(cutFailures(output, { maxLines: 3 }), cut));
}

const runs: [name: string, output: string, failed: string[]][] = [
  [
    "files beside each other",
    "./a_test.ts => one ... FAILED (1ms)\n./b_test.ts => two ... ok (1ms)\n",
    [
      "a_test.ts",
    ],
  ],
  [
    "files one after another",
    "running 1 test from ./a_test.ts\none ... ok (1ms)\nrunning 1 test from ./b_test.ts\n" +
    "two ...\n  step ... FAILED (1ms)\ntwo ... FAILED (due to 1 failed step) (1ms)\n",
    ["b_test.ts"],
  ],
  ["an error outside every test", "Uncaught error from ./b_test.ts FAILED\n", ["b_test.ts"]],
  [
    "an error outside every test of a group: nobody knows which of its tests never ran",
    "Uncaught error from ../tmp/group_1_test.ts FAILED\n./b_test.ts => two ... FAILED (1ms)\n",
    [],
  ],
  ["a run that a test printed", "./other_test.ts => one ... FAILED (1ms)\n", []],
  ["nothing failed", "./a_test.ts => says ... FAILED ... ok (1ms)\n", []],
];

for (const [name, output, failed] of runs) {
  Deno.test(`parseFailedFiles: ${name}`, () => {
    assertEquals(parseFailedFiles(output, ["a_test.ts", "b_test.ts"]), failed);
  });
}

Deno.test("readReport: the text of the file of a run, none of one that died", async () => {
  const folder = await Deno.makeTempDir({ prefix: "fw_report_" });
  try {
    const path = `${folder}/junit.xml`;
    assertEquals(await readReport(path), "");
    await Deno.writeTextFile(path, "<testsuites/>");
    assertEquals(await readReport(path), "<testsuites/>");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

const printed: [line: string, cut: string][] = [
  [
    "../../fw_tests_0a1/group_0_test.ts => tests/a_test.ts => b ... ok (1ms)",
    "tests/a_test.ts => b ... ok (1ms)",
  ],
  [
    "/tmp/fw_tests_0a1/group_12_test.ts => tests/a_test.tsx => b => ./tests/a_test.tsx:1:2",
    "tests/a_test.tsx => b => ./tests/a_test.tsx:1:2",
  ],
  ["running 2 tests from ../../fw_tests_0a1/group_0_test.ts", ""],
  ["tests/a_test.ts => b ... ok (1ms)", ""],
  ["a fw_tests_0a1/group_0_test.ts => tests/a_test.ts => b", ""],
];

for (const [line, cut] of printed) {
  Deno.test(`cutGroupPaths: ${line}`, () => {
    const output = `${line}\n${line}\n`;
    assertEquals(cutGroupPaths(output), cut === "" ? output : `${cut}\n${cut}\n`);
  });
}
