import { join } from "@std/path";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  explainBootError,
  isTestFile,
  permissionFix,
} from "../../../../runtime/base/diagnose/missing_permission.ts";

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

const rows: readonly [name: string, error: unknown, flag: string | undefined][] = [
  ["a database", refused(`Requires read access to "data/app.db", ${again}`), ownData],
  [
    "a database, which writes beside itself",
    refused(`Requires write access to "/srv/x/app.sqlite3", ${again}`),
    ownData,
  ],
  ["a database in the folder", refused(`Requires write access to "app.db", ${again}`), ownData],
  [
    "a file below the working directory",
    refused(`Requires read access to "${join(Deno.cwd(), "data/prices.json")}", ${again}`),
    "--allow-read=data/prices.json",
  ],
  [
    "a database below the working directory",
    refused(`Requires write access to "${join(Deno.cwd(), "data/app.db-wal")}", ${again}`),
    ownData,
  ],
  ["this folder", refused(`Requires read access to "${Deno.cwd()}", ${again}`), "--allow-read=."],
  [
    "a file elsewhere",
    refused(`Requires read access to "/etc/hostname", ${again}`),
    "--allow-read=/etc/hostname",
  ],
  ["a comma in a path", refused(`Requires read access to "a,b", ${again}`), "--allow-read=a,,b"],
  ["a space in a path", refused(`Requires read access to "a b", ${again}`), '"--allow-read=a b"'],
  ["a quote in a path", refused(`Requires read access to "a"b", ${again}`), '"--allow-read=a\\"b"'],
  ["a host", refused(`Requires net access to "db:5432", ${again}`), "--allow-net=db:5432"],
  ["an IPv6 host", refused(`Requires net access to "[::1]:80", ${again}`), "--allow-net=[::1]:80"],
  ["a variable", refused(`Requires env access to "DB_URL", ${again}`), "--allow-env=DB_URL"],
  ["every variable", refused(`Requires env access, ${again}`), "--allow-env"],
  ["a program", refused(`Requires run access to "git", ${again}`), "--allow-run=git"],
  ["the machine", refused(`Requires sys access to "hostname", ${again}`), "--allow-sys=hostname"],
  [
    "an import",
    new TypeError(`Requires import access to "x.y:80", ${again}`),
    "--allow-import=x.y:80",
  ],
  ["a place without a name", refused(`Requires write access to <TMP>, ${again}`), "--allow-write"],
  [
    "a place without a name, explained by the error around it",
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
    assertEquals(
      permissionFix(error),
      isFlag ? `Add ${flag} to the test task in deno.json.` : flag,
    );
  });
}

Deno.test("permissionFix: a chain of causes that leads back to itself ends", () => {
  const circle = new Error("a");
  circle.cause = circle;
  assertEquals(permissionFix(circle), undefined);
});

Deno.test("explainBootError: names the flag and keeps the cause; other errors stay as they are", () => {
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
