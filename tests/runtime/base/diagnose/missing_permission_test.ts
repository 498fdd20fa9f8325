import { join } from "@std/path";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  explainBootError,
  isTestFile,
  permissionFix,
} from "../../../../runtime/base/diagnose/error_text.ts";

function refused(message: string): Error {
  return new Deno.errors.NotCapable(message);
}

function lookup(hostname: string): Error {
  const fields = { errno: -1, code: "EPERM", syscall: "getaddrinfo", hostname };
  return Object.assign(new Error(`getaddrinfo EPERM ${hostname}`), fields);
}

const again = "run again with the --allow-x flag";

const ownData =
  "Tests should not touch the application's data: put the variable that names its place " +
  "before the test task in deno.json, such as FW_DB=:memory: for a database.";

const here = Deno.cwd();

const refusals: readonly [access: string, fix: string][] = [
  ['read access to "data/app.db"', ownData],
  ['write access to "/srv/x/app.sqlite3"', ownData],
  ['write access to "app.db"', ownData],
  [`read access to "${join(here, "data/prices.json")}"`, "--allow-read=data/prices.json"],
  [`write access to "${join(here, "data/app.db-wal")}"`, ownData],
  [`read access to "${here}"`, "--allow-read=."],
  ['read access to "/etc/hostname"', "--allow-read=/etc/hostname"],
  ['read access to "a,b"', "--allow-read=a,,b"],
  ['read access to "a b"', '"--allow-read=a b"'],
  ['read access to "a"b"', '"--allow-read=a\\"b"'],
  ['net access to "db:5432"', "--allow-net=db:5432"],
  ['net access to "[::1]:80"', "--allow-net=[::1]:80"],
  ['env access to "DB_URL"', "--allow-env=DB_URL"],
  ["env access", "--allow-env"],
  ['run access to "git"', "--allow-run=git"],
  ['sys access to "hostname"', "--allow-sys=hostname"],
  ["write access to <TMP>", "--allow-write"],
];

const rows: readonly [name: string, error: unknown, flag: string | undefined][] = [
  ...refusals.map(([access, fix]): [string, Error, string] => [
    access,
    refused(`Requires ${access}, ${again}`),
    fix,
  ]),
  [
    "an import",
    new TypeError(`Requires import access to "x.y:80", ${again}`),
    "--allow-import=x.y:80",
  ],
  [
    "a place without a name, explained by the outer error",
    new TypeError("outer", { cause: refused(`Requires write access to <TMP>, ${again}`) }),
    undefined,
  ],
  [
    "a compiled application",
    refused('Requires env access to "A", specify the required permissions during compilation'),
    "--allow-env=A",
  ],
  [
    "a cause",
    new Error("no database", { cause: refused(`Requires read access to "a", ${again}`) }),
    "--allow-read=a",
  ],
  ["a look-up by a driver", lookup("db.example"), "--allow-net=db.example"],
  ["another EPERM", Object.assign(new Error("x"), { code: "EPERM", syscall: "open" }), undefined],
  ["another error", new Error("Requires more thought"), undefined],
  ["a refusal of another kind", refused("operation not permitted"), undefined],
  ["no error", `Requires read access to "a", ${again}`, undefined],
  ["nothing", undefined, undefined],
];

for (const [name, error, flag] of rows) {
  Deno.test(`permissionFix: ${name}`, () => {
    const isFlag = flag?.startsWith("--") || flag?.startsWith('"');
    const found = permissionFix(error);
    assertEquals(found, isFlag ? `Add ${flag} to the test task in deno.json.` : flag);
  });
}

Deno.test("permissionFix: stops at a circular chain of causes", () => {
  const circle = new Error("a");
  circle.cause = circle;
  assertEquals(permissionFix(circle), undefined);
});

Deno.test("explainBootError: names the flag and keeps the cause, and keeps other errors unchanged", () => {
  const cause = refused(`Requires read access to "a", ${again}`);
  const explained = explainBootError(cause);
  assert(explained instanceof Error);
  assertStringIncludes(
    explained.message,
    'Cannot start: Deno did not allow read access to "a". Add --allow-read=a to the test task',
  );
  assertEquals(explained.cause, cause);
  const other = new Error("x");
  assertEquals(explainBootError(other), other);
});

const mains: [url: string, isTest: boolean][] = [
  ["file:///p/app/page_test.ts", true],
  ["file:///p/app/page.test.tsx", true],
  ["file:///p/test.js", true],
  ["file:///p/fw_gen.ts", false],
  ["file:///p/latest.ts", false],
  ["file:///p/test/serve.ts", false],
];

for (const [url, isTest] of mains) {
  Deno.test(`isTestFile ${url}: ${isTest}`, () => assertEquals(isTestFile(url), isTest));
}
