import { assert, assertEquals } from "@std/assert";
import { paintFor } from "../../cli/io.ts";
import { messagesIn } from "../../cli/messages/catalog.ts";
import { formatProblems, printJson } from "../../cli/printer.ts";
import type { Problem } from "../../cli/problem.ts";
import { testIo } from "./support.ts";

const plain = { messages: messagesIn("en"), paint: paintFor(testIo({ cwd: "/" })) };

const base: Problem = {
  code: "E_PARSE",
  severity: "error",
  place: { file: "app/page.ts", line: 2, column: 3 },
  message: "it does not parse",
  fix: "Correct it.",
};

const rows: readonly [name: string, problems: readonly Problem[], want: string][] = [
  ["an error", [base], "app/page.ts:2:3 E_PARSE: it does not parse\n    Fix: Correct it.\n"],
  [
    "another severity",
    [{ ...base, severity: "warning" }],
    "app/page.ts:2:3 warning E_PARSE: it does not parse\n    Fix: Correct it.\n",
  ],
  [
    "a whole file",
    [{ ...base, place: { file: "deno.json" } }],
    "deno.json E_PARSE: it does not parse\n    Fix: Correct it.\n",
  ],
  [
    "neither place nor fix",
    [{ code: "secret", severity: "critical", message: "no key" }],
    "critical secret: no key\n",
  ],
  [
    "a problem with several places is printed once",
    [base, { ...base, code: "E_TYPES" }, { ...base, place: { file: "b.ts", line: 1, column: 1 } }],
    "app/page.ts:2:3 E_PARSE: it does not parse\n    also b.ts:1:1\n    Fix: Correct it.\n" +
    "app/page.ts:2:3 E_TYPES: it does not parse\n    Fix: Correct it.\n",
  ],
  [
    "several lines stay below their problem",
    [{ ...base, message: "a\nb.ts:1:1 E_X: c", fix: "d\ne" }],
    "app/page.ts:2:3 E_PARSE: a\n    b.ts:1:1 E_X: c\n    Fix: d\n    e\n",
  ],
  [
    "control characters and line breaks in a name are escaped",
    [{ ...base, place: { file: "a\n\u001b[2Jb.ts", line: 1, column: 1 }, message: "x\u0007" }],
    "a\\u000a\\u001b[2Jb.ts:1:1 E_PARSE: x\\u0007\n    Fix: Correct it.\n",
  ],
  [
    "a long name in a message and a fix is cut",
    [{ ...base, message: "x".repeat(20_000), fix: "y".repeat(20_000) }],
    `app/page.ts:2:3 E_PARSE: ${"x".repeat(9_999)}…\n    Fix: ${"y".repeat(9_999)}…\n`,
  ],
];
for (const [name, problems, want] of rows) {
  Deno.test(`formatProblems: ${name}`, () => assertEquals(formatProblems(problems, plain), want));
}

Deno.test("formatProblems: counts the places that it omits", () => {
  const problems = [1, 2, 3, 4].map((line) => ({ ...base, place: { file: "a.ts", line } }));
  assertEquals(
    formatProblems(problems, { ...plain, maxPlaces: 2 }),
    "a.ts:1 E_PARSE: it does not parse\n    also a.ts:2\n    and 2 more places\n" +
      "    Fix: Correct it.\n",
  );
});

Deno.test("formatProblems: prints details between the message and the fix", () => {
  assertEquals(
    formatProblems([{ ...base, details: ["> 2 | x", "at f"] }], plain),
    "app/page.ts:2:3 E_PARSE: it does not parse\n    > 2 | x\n    at f\n    Fix: Correct it.\n",
  );
});

Deno.test("formatProblems: a terminal shows the place in bold, critical in red and the label in green", () => {
  const paint = paintFor(testIo({ cwd: "/", isTerminal: true }));
  assertEquals(
    formatProblems([{ ...base, severity: "critical" }], { ...plain, paint }),
    "\u001b[1mapp/page.ts:2:3\u001b[22m \u001b[31mcritical\u001b[39m E_PARSE: it does not parse\n" +
      "    \u001b[32mFix\u001b[39m: Correct it.\n",
  );
});

Deno.test("printJson cuts a long name in a message", () => {
  const io = testIo({ cwd: "/" });
  printJson({ ok: false, problems: [{ ...base, message: "x".repeat(20_000) }] }, io);
  assertEquals(JSON.parse(io.printed.stdout).problems[0].message, `${"x".repeat(9_999)}…`);
});

Deno.test("printJson prints the defined members of a problem in one order", () => {
  const io = testIo({ cwd: "/" });
  const problem = { frame: "secret", fix: "b", message: "a", code: "E_BOOT", severity: "error" };
  printJson({ ok: false, problems: [problem as Problem], more: 1 }, io);
  assertEquals(JSON.parse(io.printed.stdout), {
    ok: false,
    problems: [{ code: "E_BOOT", severity: "error", message: "a", fix: "b" }],
    more: 1,
  });
  const { stdout } = io.printed;
  assert(stdout.indexOf('"code"') < stdout.indexOf('"severity"'));
});
