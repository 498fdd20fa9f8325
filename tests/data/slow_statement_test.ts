import { assertEquals } from "@std/assert";
import { setTimeout as pause } from "node:timers/promises";
import { EngineDb } from "../../data/db.ts";
import { readMigrationStatus } from "../../data/migrate.ts";
import { openSqlite, type OpenSqliteOptions, type SqliteDb } from "../../data/sqlite/mod.ts";
import { text } from "../../mod.ts";

/** Returns the lines that a database logs until it is closed. */
async function findLines(
  work: (db: SqliteDb) => Promise<unknown>,
  options: OpenSqliteOptions = { slowMs: 0 },
): Promise<readonly string[]> {
  const { warn } = console;
  const lines: string[] = [];
  console.warn = (line: string): void => void lines.push(line);
  try {
    await using db = await openSqlite(":memory:", options);
    await work(db);
  } finally {
    console.warn = warn;
  }
  return lines;
}

function run(db: SqliteDb, sql: string): Promise<readonly string[]> {
  return db.all(text())(Object.assign([sql], { raw: [sql] }));
}

const rows: readonly [sql: string, stepMs: number, isLogged: boolean][] = [
  ["select name from guests", 40, false],
  ["select name from guests", 100, true],
  ["select fw_plain(name) from guests", 100, true],
  ['select "fw_total" from (select name as "fw_total" from guests) p', 100, true],
  ["select name from guests where name = 'fw_guest'", 100, true],
  ["select name from fw_jobs", 100, false],
  ["update or ignore fw_jobs set name = '' returning name", 100, false],
  ['select name from guests join\n  "fw_jobs" using (name)', 100, false],
];
for (const [sql, stepMs, isLogged] of rows) {
  Deno.test(`slowMs of 50: "${sql}" in ${stepMs} ms ${isLogged ? "is logged" : "is not"}`, async () => {
    const now = performance.now();
    let calls = 0;
    const lines = await findLines(async (db) => {
      db.raw.exec("create table guests (name text); create table fw_jobs (name text)");
      // A statement reads the clock before and after it runs.
      performance.now = () => now + stepMs * calls++;
      try {
        await run(db, sql);
      } finally {
        Reflect.deleteProperty(performance, "now");
      }
    }, {});
    assertEquals(lines.map((line) => JSON.parse(line).msg), isLogged ? ["slow statement"] : []);
  });
}

for (const [env, start] of [["dev", "W"], ["prod", "{"], ["", "{"]] as const) {
  Deno.test(`slowMs: with FW_ENV "${env}" the line has the format of the application's log`, async () => {
    const { get } = Deno.env;
    Deno.env.get = (name) => name === "FW_ENV" ? env : get.call(Deno.env, name);
    try {
      const lines = await findLines((db) => run(db, "select 'Ada'"));
      const shown = lines.map((line) => line.replace(/^[\d:.]+ /, "").slice(0, 1));
      assertEquals(shown, [start]);
    } finally {
      Deno.env.get = get;
    }
  });
}

Deno.test("slowMs: 500 statements are logged, of a long one the first 500 characters", async () => {
  const sql = `select ${"'' || ".repeat(200)}'1' as n`;
  const lines = await findLines(async (db) => {
    await run(db, sql);
    for (let at = 0; at < 501; at++) await run(db, `select '${at}'`);
  });
  assertEquals([lines.length, JSON.parse(lines[0] ?? "").sql], [500, `${sql.slice(0, 500)}…`]);
});

Deno.test("slowMs: the reads of migrations, the first of which opens a connection, are not logged", async () => {
  const migrations = [{ name: "0001_add_guests", sql: "create table guests (name text)" }];
  const read = (db: SqliteDb): Promise<unknown> => readMigrationStatus(db, migrations);
  assertEquals(await findLines(read, { slowMs: 0, migrations }), []);
});

Deno.test("close waits for the plan of a slow statement, which uses its own connection on Postgres", async () => {
  const lines = await findLines(async (db) => {
    if (!(db instanceof EngineDb)) throw new TypeError("not a database of an engine");
    db.internals.explain = () => pause(5, []);
    await run(db, "select 'Ada'");
  });
  assertEquals(lines.length, 1);
});
