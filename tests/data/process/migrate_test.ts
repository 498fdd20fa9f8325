import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { migrate, type Migration, MigrationError, readMigrationStatus } from "../../../data/mod.ts";
import { engineDb } from "../../../data/db.ts";
import { openSqlite, type SqliteDb } from "../../../data/sqlite/mod.ts";
import { root } from "../../../tools/workspace.ts";
import { deno, inScratch } from "../../cli/support.ts";

const first: Migration = { name: "0001_notes", sql: "create table notes (text text) strict;" };
const second: Migration = { name: "0002_time", sql: "alter table notes add column at integer;" };

function tables(db: SqliteDb): unknown[] {
  return db.raw.prepare("select name from sqlite_schema order by name").all().map(({ name }) =>
    name
  );
}

const failures: [code: string, given: Migration[], line: number | undefined, message: string][] = [
  ["name", [{ name: "notes", sql: "select 1" }], undefined, '"notes": a name is four digits'],
  ["name", [{ name: "0001_../x", sql: "select 1" }], undefined, '"0001_../x": a name is four'],
  ["number", [first, { name: "0003_x", sql: "select 1" }], undefined, "this should be number 0002"],
  ["number", [first, { name: "0001_x", sql: "select 1" }], undefined, "this should be number 0002"],
  ["empty", [first, { name: "0002_x", sql: "-- later\n" }], undefined, '"0002_x.sql": it has no'],
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
    '"0002_x.sql:5": near "7": syntax error. Nothing of it stays',
  ],
  ["failed", [first, { name: "0002_x", sql: "create table a (x);\0drop table a" }], 1, "U+0000"],
  // SQLite and the search for statements may disagree about where one ends.
  ...["attach ':memory:' as b", "commit", "savepoint s"].map((sql): typeof failures[number] => [
    "failed",
    [first, { name: "0002_x", sql: `select $a('); ${sql}; --'` }],
    1,
    "not authorized",
  ]),
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
  Deno.test(`migrate refuses and changes nothing: ${code}, ${message}`, async () => {
    await using db = await openSqlite(":memory:");
    const error = await assertRejects(() => migrate(db, migrations), MigrationError);
    assertEquals([error.code, error.line], [code, line]);
    assertStringIncludes(error.message, message);
    assertEquals(tables(db), []);
    assertEquals(db.raw.prepare("pragma foreign_keys").get()?.["foreign_keys"], 1);
    assert(!db.raw.isTransaction);
  });
}

Deno.test("migrate: rejects on a closed connection, and the work behind it is not left waiting", async () => {
  const db = await openSqlite(":memory:");
  db.raw.close();
  const { internals } = engineDb(db, "migrate");
  const work = [
    internals.migrate(() => Promise.resolve(), { alone: true }),
    db.run`create table guests (name text) strict`,
  ];
  const ends = await Promise.allSettled(work);
  assertEquals(ends.map(({ status }) => status), ["rejected", "rejected"]);
});

Deno.test("migrate names no key that the server hides from a role", async () => {
  await using db = await openSqlite(":memory:");
  db.raw.function("hidden", () => {
    throw Object.assign(new Error("not unique"), { code: "23505", detail: undefined });
  });
  const run = () => migrate(db, [{ name: "0001_x", sql: "select hidden()" }]);
  await assertRejects(run, MigrationError, '"0001_x.sql:1": not unique. ');
});

Deno.test("migrate refuses an applied migration that was changed, renamed or removed", async () => {
  await using db = await openSqlite(":memory:", { migrations: [first, second] });
  const changed = { ...first, sql: `${first.sql} select 1` };
  const third = { name: "0003_x", sql: "select 1" };
  const rows: readonly [code: string, list: readonly Migration[], states: readonly string[]][] = [
    ["changed", [changed, second], ["changed", "applied"]],
    ["changed", [changed, second, third], ["changed", "applied", "pending"]],
    ["missing", [{ ...first, name: "0001_other" }, second], ["pending", "applied", "missing"]],
    ["missing", [first, { ...second, name: "0002_x" }], ["applied", "pending", "missing"]],
  ];
  for (const [code, list, states] of rows) {
    assertEquals((await assertRejects(() => migrate(db, list), MigrationError)).code, code);
    assertEquals((await readMigrationStatus(db, list)).map(({ state }) => state), states);
  }
});

Deno.test("migrate writes no other file than the database", async () => {
  await using db = await openSqlite(":memory:");
  const sql = "-- fw: alone\nvacuum into 'other.sqlite'";
  const run = () => migrate(db, [{ name: "0001_x", sql }]);
  assertStringIncludes((await assertRejects(run, MigrationError)).message, "authorization denied");
  assertEquals(await migrate(db, [{ name: "0001_x", sql: "-- fw: alone\nvacuum" }]), ["0001_x"]);
  db.raw.exec("attach ':memory:' as b");
});

Deno.test("migrate accepts a checkout's line endings and a newer database", async () => {
  const lines = { ...first, sql: "create table notes (\n  text text\n) strict;\n" };
  await using db = await openSqlite(":memory:", { migrations: [lines, second] });
  const windows = { ...lines, sql: `\uFEFF${lines.sql.replaceAll("\n", "\r\n")}` };
  assertEquals(await migrate(db, [windows]), []);
  const status = await readMigrationStatus(db, [windows]);
  assertEquals(status.map(({ state }) => state), ["applied", "newer"]);
});

Deno.test("migrate can rebuild a table that others reference", async () => {
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
  await using db = await openSqlite(":memory:", { migrations: [people, rebuild] });
  assertEquals(db.raw.prepare("select count(*) as n from pets").get()?.["n"], 1);
});

Deno.test("openSqlite creates the folder, and closes the file if a migration fails", async () => {
  await inScratch(async (folder) => {
    const path = join(folder, "a/b/c.sqlite");
    const opening = openSqlite(path, { migrations: [{ name: "0001_x", sql: "selec 1" }] });
    await assertRejects(() => opening, MigrationError, "syntax error");
    await using db = await openSqlite(path, { migrations: [first] });
    assertEquals(db.raw.prepare("pragma journal_mode").get()?.["journal_mode"], "wal");
  });
});

for (const busyTimeoutMs of [-1, 1.5, NaN]) {
  Deno.test(`openSqlite refuses a busyTimeoutMs of ${busyTimeoutMs}`, async () => {
    const opening = openSqlite(":memory:", { busyTimeoutMs });
    await assertRejects(() => opening, RangeError, "busyTimeoutMs");
  });
}

Deno.test("migrate applies everything once if processes start together", async () => {
  await inScratch(async (folder) => {
    const program = `import { openSqlite } from ${JSON.stringify(join(root, "data/sqlite/mod.ts"))};
const migrations = [
  { name: "0001_a", sql: "create table a (x integer); insert into a values (1);" },
  { name: "0002_b", sql: "insert into a values (2);" },
];
const db = await openSqlite("data/app.sqlite", { migrations });
console.log(db.raw.prepare("select sum(x) as n from a").get()?.["n"]);
await db.close();
`;
    await Deno.writeTextFile(join(folder, "open.ts"), program);
    const runs = [1, 2, 3, 4].map(() =>
      deno(["run", "-A", "--no-check", `--config=${join(root, "deno.json")}`, "open.ts"], folder)
    );
    const outputs = (await Promise.all(runs)).map(({ output }) => output);
    assertEquals(outputs, Array(4).fill("3\n"));
  });
});
