import { assertEquals, assertMatch } from "@std/assert";
import { type ChangeKind, changeKindOf } from "../../../../cli/dev/watch.ts";
import { messagesIn } from "../../../../cli/messages/catalog.ts";
import { ErrorOutput } from "../../../../cli/project/process/error_output.ts";
import {
  type DeathReport,
  endFailure,
  parseDeathReport,
} from "../../../../cli/project/process/failure.ts";
import { inScratch, writeFiles } from "../../support.ts";

const reports: readonly (readonly [name: string, text: string, report: DeathReport])[] = [
  ["an empty report", "", { message: "", stack: [] }],
  [
    "a syntax error",
    "error: SyntaxError: Expression expected\n  |\n2 | const b = = 2;\n  |           ~\n" +
    "    at file:///p/lib/m.ts:2:11\n\nStack backtrace:\n   0: <unknown>\n",
    {
      message: "SyntaxError: Expression expected",
      place: { file: "lib/m.ts", line: 2, column: 11 },
      stack: [],
    },
  ],
  [
    "a message of two lines, with a cause",
    "error: Uncaught (in promise) TypeError: Cannot use: bad\nsecond line\n  throw new TypeError()\n        ^\n" +
    "    at s (file:///p/m.ts:2:18)\n    at async file:///p/fw_gen.ts:4:43\n    at f (ext:core/01.js:1:1)\n" +
    "Caused by: Error: inner\n    at s (file:///p/m.ts:2:72)\n",
    {
      message: "TypeError: Cannot use: bad\nsecond line",
      place: { file: "m.ts", line: 2, column: 18 },
      stack: ["at s (m.ts:2:18)", "Caused by: Error: inner", "at s (m.ts:2:72)"],
    },
  ],
  ["a thrown null", "error: Uncaught (in promise) null\n", { message: "null", stack: [] }],
  [
    "an error in a package: the first place in the project",
    "error: Uncaught Error: deep\n    at a (https://jsr.io/@x/y/1.0.0/mod.ts:1:1)\n    at b (file:///p/node_modules/z/i.js:3:3)\n    at c (file:///p/app/setup.ts:9:5)\n",
    {
      message: "Error: deep",
      place: { file: "app/setup.ts", line: 9, column: 5 },
      stack: [
        "at a (https://jsr.io/@x/y/1.0.0/mod.ts:1:1)",
        "at b (node_modules/z/i.js:3:3)",
        "at c (app/setup.ts:9:5)",
      ],
    },
  ],
  [
    "a missing module in a folder with an encoded name",
    'error: Module not found "file:///p/lib/a%20b.ts".\n    at file:///p/app/my%20page/page.ts:1:8\n',
    {
      message: 'Module not found "lib/a b.ts".',
      place: { file: "app/my page/page.ts", line: 1, column: 8 },
      stack: [],
    },
  ],
  [
    "a place outside the project",
    "error: Uncaught Error: far\n    at file:///q/m.ts:1:1\n",
    { message: "Error: far", stack: [] },
  ],
  [
    "a message that contains a place: only a call counts",
    "error: Uncaught (in promise) Error: boom at file:///p/.env:1:1\n" +
    "    at f (file:///p/app/setup.ts:3:9)\n",
    {
      message: "Error: boom at .env:1:1",
      place: { file: "app/setup.ts", line: 3, column: 9 },
      stack: [],
    },
  ],
  [
    "a call whose name resembles a place: the place comes last",
    "error: Uncaught Error: x\n    at file:///p/lib/keys.ts:1:1 (file:///p/m.ts:2:2)\n",
    { message: "Error: x", place: { file: "m.ts", line: 2, column: 2 }, stack: [] },
  ],
];

for (const [name, text, report] of reports) {
  Deno.test(`parseDeathReport reads ${name}`, () =>
    assertEquals(parseDeathReport(text, "/p"), report));
  // Deno prints the folders of a stack unescaped.
  if (text.includes("%20")) continue;
  const spaced = text.replaceAll("file:///p/", "file:///my (own) p/");
  Deno.test(`parseDeathReport in a folder with spaces reads ${name}`, () =>
    assertEquals(parseDeathReport(spaced, "/my (own) p"), report));
}

const fixes: readonly (readonly [message: string, fix: RegExp])[] = [
  ["error: Top-level await promise never resolved\n", /^Find a promise that never settles/],
  [
    "error: Uncaught ReferenceError: Cannot access 'db' before initialization\n",
    /^Declare db above .* into a module that imports neither/,
  ],
  [
    'error: Uncaught (in promise) TypeError: Cannot schedule "digest": list it under jobs as well.\n',
    /^Correct the schedule/,
  ],
  [
    'error: Import "react/jsx-runtime" not a dependency and not in import map from "file:///p/m.tsx"\n',
    /^Set "jsxImportSource": "@fw\/fw" in compilerOptions of deno\.json/,
  ],
  ["error: Uncaught Error: no db\n", /^Do what the message says, or correct the code that throws/],
];

for (const [message, fix] of fixes) {
  Deno.test(`endFailure: the fix of ${message.split("\n")[0]}`, () => {
    const end = { code: 1, signal: undefined, message };
    const options = { root: "/p", hasServed: false, messages: messagesIn("en") };
    assertMatch(endFailure(end, options).problems[0]?.fix ?? "", fix);
  });
}

/** Messages that name the cause, although the stack leads to another file. */
const causes: readonly (readonly [name: string, message: string, file: string, at: string])[] = [
  [
    "the line of setup.ts that sets an invalid setting",
    "TypeError: Cannot set config.corss: there is no such setting. Did you mean cors?",
    "app/setup.ts",
    "2:5",
  ],
  [
    "the line of a migration that failed",
    'MigrationError: Cannot apply the migration "0002_add.sql:2": near "tabel": syntax error.',
    "migrations/0002_add.sql",
    "2:1",
  ],
  [
    "a migration that was changed",
    'MigrationError: Cannot apply the migration "0002_add.sql": it was changed after it was applied.',
    "migrations/0002_add.sql",
    "1:1",
  ],
  [
    "the call, if the migration is outside of its folder",
    'MigrationError: Cannot apply the migration "../app/setup.sql:2": near "tabel": syntax error.',
    "fw_gen.ts",
    "125:43",
  ],
];

for (const [name, message, file, at] of causes) {
  Deno.test(`endFailure: points to ${name}`, () =>
    inScratch(async (root) => {
      await writeFiles(root, { [file]: "export function Config(c) {\n  c.corss = {};\n}\n" });
      const stack = `\n    at async file://${root}/fw_gen.ts:125:43\n`;
      const end = {
        code: 1,
        signal: undefined,
        message: `error: Uncaught (in promise) ${message}${stack}`,
      };
      const options = { root, hasServed: false, messages: messagesIn("en") };
      const place = endFailure(end, options).problems[0]?.place;
      assertEquals(`${place?.file}:${place?.line}:${place?.column}`, `${file}:${at}`);
    }));
}

/** Paths by the effect of their change. */
const kinds: Readonly<Record<ChangeKind | "none", string>> = {
  source: `app/page.ts app/page.tsx lib/deep/words.js lib/query.sql lib/note.md styles/base.css
    deno.json deno.jsonc .env .env.local app/fw_gen.ts lib/islands/counter.ts
    app/.well-known/x_/route.ts`,
  data: `lib/data.json app/photo.png`,
  style: `public/style.css public/deep/a.CSS`,
  asset: `public/app.js public/islands/counter.js public/.well-known/x.txt`,
  none:
    `deno.lock fw_gen.ts public/islands/.gitignore islands/counter_test.ts .git/index .vscode/settings.json
    node_modules/a/b.ts lib/node_modules/a/b.ts vendor/a.ts coverage/a.json app/page_test.ts
    app/page.test.tsx app/page.ts~ app/.page.ts.swp app/#page.ts# app/4913
    app/page.ts.tmp.123.456 app/page.ts___jb_tmp___ public/.DS_Store public/style.css.tmp
    data.db data.sqlite3 data.db-wal data.db-journal`,
  island: `islands/counter.ts islands/lib/deep.ts islands/deno.json islands/counter.css`,
};

for (const [kind, paths] of Object.entries(kinds)) {
  for (const path of paths.split(/\s+/)) {
    Deno.test(`changeKindOf ${path} is ${kind}`, () =>
      assertEquals(changeKindOf(path) ?? "none", kind));
  }
}

const encoder = new TextEncoder();

Deno.test("ErrorOutput prints everything except a fatal error", () => {
  const output = new ErrorOutput();
  const show = (text: string): string => output.push(encoder.encode(text));
  assertEquals(show("one\ntw"), "one\ntw");
  assertEquals(show("o\nerr"), "o\n");
  assertEquals(show("ata\nerror: a log line\n"), "errata\n");
  assertEquals(show("more\n\u001b[31merror\u001b[0m: Uncaught Error: x\n    at y\n"), "");
  const { message, rest } = output.finish();
  assertEquals(message, "error: Uncaught Error: x\n    at y\n");
  assertEquals(rest, "error: a log line\nmore\n");
});

Deno.test("ErrorOutput prints held output once the process serves requests", () => {
  const output = new ErrorOutput();
  assertEquals(output.push(encoder.encode("error: a log line\n")), "");
  assertEquals(output.release(), "error: a log line\n");
  assertEquals(output.push(encoder.encode("error: shown\n")), "error: shown\n");
  assertEquals(output.finish().message, "error: shown\n");
  const quiet = new ErrorOutput();
  assertEquals(quiet.push(encoder.encode("one\nerr")), "one\n");
  assertEquals(quiet.finish(), { message: "", rest: "err" });
});

Deno.test("ErrorOutput limits the output it holds", () => {
  const output = new ErrorOutput();
  const long = encoder.encode("error: long\n" + "x\n".repeat(100_000));
  assertEquals(output.push(long).length, long.length);
});
