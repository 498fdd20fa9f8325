// test: child, processes that start at once
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { join } from "@std/path";
import {
  inTransaction,
  migrate,
  type Migration,
  MigrationError,
  openSqlite,
  readMigrationStatus,
} from "../../../data/sqlite/mod.ts";
import { root } from "../../../tools/workspace.ts";
import { deno, inScratch } from "../../cli/support.ts";

const first: Migration = { name: "0001_notes", sql: "create table notes (text text) strict;" };
const second: Migration = { name: "0002_time", sql: "alter table notes add column at integer;" };

function tables(db: ReturnType<typeof openSqlite>): unknown[] {
  return db.prepare("select name from sqlite_schema order by name").all().map(({ name }) => name);
}

Deno.test("migrate applies what is missing, in order and once", () => {
  using db = openSqlite(":memory:", { migrations: [first] });
  assertEquals(migrate(db, [first, second]), ["0002_time"]);
  assertEquals(migrate(db, [first, second]), []);
  db.exec("insert into notes (text, at) values ('a', 1)");
  const status = readMigrationStatus(db, [first, second]);
  assertEquals(status.map(({ state }) => state), ["applied", "applied"]);
  assert(Math.abs(Date.now() - Number(status[0]?.appliedAt)) < 5_000);
});

const failures: readonly [
  code: string,
  migrations: readonly Migration[],
  line: number | undefined,
  message: string,
][] = [
  ["name", [{ name: "notes", sql: "select 1" }], undefined, '"notes": a name is four digits'],
  ["name", [{ name: "0001_../x", sql: "select 1" }], undefined, '"0001_../x": a name is four'],
  ["number", [first, { name: "0003_x", sql: "select 1" }], undefined, "number 0002 is expected"],
  ["number", [first, { name: "0001_x", sql: "select 1" }], undefined, "number 0002 is expected"],
  ["empty", [first, { name: "0002_x", sql: "-- later\n" }], undefined, '"0002_x.sql": it has no'],
  [
    "transaction",
    [first, { name: "0002_x", sql: "select 1;\nCommit" }],
    2,
    '"0002_x.sql:2": remove',
  ],
  [
    "transaction",
    [first, { name: "0002_x", sql: "/* other */ ATTACH 'other.sqlite' as other" }],
    1,
    '"0002_x.sql:1": remove "attach"',
  ],
  [
    "failed",
    [first, {
      name: "0002_x",
      sql: "create table a (x text);\n\ncreate table b (\n  é text,\n  7 text\n);",
    }],
    5,
    '"0002_x.sql:5": near "7": syntax error. Nothing of it stays.',
  ],
  [
    "failed",
    [first, { name: "0002_x", sql: "\ninsert into notes values (1, 2)" }],
    2,
    "has 1 column",
  ],
  ["failed", [first, { name: "0002_x", sql: "create table a (x);\0drop table notes" }], 1, "NUL"],
  [
    "foreign-key",
    [first, {
      name: "0002_x",
      sql: `create table a (id integer primary key, up integer references a (id));
        insert into a values (1, 7)`,
    }],
    undefined,
    'row 1 of "a" points at a row of "a"',
  ],
];

for (const [code, migrations, line, message] of failures) {
  Deno.test(`migrate refuses, and changes nothing: ${code}, ${message}`, () => {
    using db = openSqlite(":memory:");
    const error = assertThrows(() => migrate(db, migrations), MigrationError);
    assertEquals([error.code, error.line], [code, line]);
    assertStringIncludes(error.message, message);
    assertEquals(tables(db), []);
    assertEquals(db.prepare("pragma foreign_keys").get()?.["foreign_keys"], 1);
    assert(!db.isTransaction);
  });
}

Deno.test("migrate refuses a migration that was changed, renamed or removed since", () => {
  using db = openSqlite(":memory:", { migrations: [first, second] });
  const changed = { ...first, sql: `${first.sql} select 1` };
  const third = { name: "0003_x", sql: "select 1" };
  const rows: readonly [code: string, list: readonly Migration[], states: readonly string[]][] = [
    ["changed", [changed, second], ["changed", "applied"]],
    ["changed", [changed, second, third], ["changed", "applied", "pending"]],
    ["missing", [{ ...first, name: "0001_other" }, second], ["pending", "applied", "missing"]],
  ];
  for (const [code, list, states] of rows) {
    assertEquals(assertThrows(() => migrate(db, list), MigrationError).code, code);
    assertEquals(readMigrationStatus(db, list).map(({ state }) => state), states);
  }
});

Deno.test("migrate: line ends of a checkout are no change, and a newer database is fine", () => {
  const lines = { ...first, sql: "create table notes (\n  text text\n) strict;\n" };
  using db = openSqlite(":memory:", { migrations: [lines, second] });
  const windows = { ...lines, sql: `\uFEFF${lines.sql.replaceAll("\n", "\r\n")}` };
  assertEquals(migrate(db, [windows]), []);
  assertEquals(readMigrationStatus(db, [windows]).map(({ state }) => state), ["applied", "newer"]);
});

Deno.test("migrate can rebuild a table that others point at", () => {
  const people = {
    name: "0001_people",
    sql: `create table people (id integer primary key, name text);
      create table pets (owner integer not null references people (id) on delete cascade);
      insert into people values (1, 'Ada'); insert into pets values (1);`,
  };
  const rebuild = {
    name: "0002_rebuild",
    sql: `create table new_people (id integer primary key, name text not null) strict;
      insert into new_people select id, name from people;
      drop table people;
      alter table new_people rename to people;`,
  };
  using db = openSqlite(":memory:", { migrations: [people, rebuild] });
  assertEquals(db.prepare("select count(*) as n from pets").get()?.["n"], 1);
});

Deno.test("openSqlite makes the folder, and closes the file when a migration fails", async () => {
  await inScratch((folder) => {
    const path = join(folder, "a/b/c.sqlite");
    const bad = { name: "0001_x", sql: "selec 1" };
    assertThrows(() => openSqlite(path, { migrations: [bad] }), MigrationError, "syntax error");
    using db = openSqlite(path, { migrations: [first] });
    assertEquals(db.prepare("pragma journal_mode").get()?.["journal_mode"], "wal");
    return Promise.resolve();
  });
});

for (const busyTimeoutMs of [-1, 1.5, NaN]) {
  Deno.test(`openSqlite refuses a timeout of ${busyTimeoutMs}`, () => {
    assertThrows(() => openSqlite(":memory:", { busyTimeoutMs }), RangeError, "busyTimeoutMs");
  });
}

Deno.test("inTransaction refuses a promise, and rolls back", () => {
  using db = openSqlite(":memory:", { migrations: [first] });
  const error = new Error("late");
  assertThrows(
    () =>
      inTransaction(db, () => {
        db.exec("insert into notes values ('a')");
        return Promise.reject(error);
      }),
    TypeError,
    "Make it synchronous",
  );
  assertEquals(db.prepare("select * from notes").all(), []);
  assertEquals(inTransaction(db, () => 7), 7);
});

Deno.test("migrate: of processes that start at once each finds everything applied once", async () => {
  await inScratch(async (folder) => {
    const program = `import { openSqlite } from ${JSON.stringify(join(root, "data/sqlite/mod.ts"))};
const migrations = [
  { name: "0001_a", sql: "create table a (x integer); insert into a values (1);" },
  { name: "0002_b", sql: "insert into a values (2);" },
];
const db = openSqlite("data/app.sqlite", { migrations });
console.log(db.prepare("select sum(x) as n from a").get()?.["n"]);
db.close();
`;
    await Deno.writeTextFile(join(folder, "open.ts"), program);
    const runs = [1, 2, 3, 4].map(() => deno(["run", "-A", "--no-check", "open.ts"], folder));
    const outputs = (await Promise.all(runs)).map(({ output }) => output);
    assertEquals(outputs, Array(4).fill("3\n"));
  });
});
