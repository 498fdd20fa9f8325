import { assertEquals } from "@std/assert";
import { setTimeout as pause } from "node:timers/promises";
import { EngineDb } from "../../data/db.ts";
import { readMigrationStatus } from "../../data/migrate.ts";
import { openSqlite } from "../../data/sqlite/mod.ts";
import { int, text } from "../../mod.ts";

const rows: readonly [sql: string, stepMs: number, isLogged: boolean][] = [
  ["select name from guests", 40, false],
  ["select name from guests", 100, true],
];

for (const [sql, stepMs, isLogged] of rows) {
  Deno.test(`slowMs of 50: "${sql}" in ${stepMs} ms ${isLogged ? "is logged" : "is not"}`, async () => {
    await using db = await openSqlite(":memory:");
    db.raw.exec("create table guests (name text)");
    const { warn } = console;
    const lines: string[] = [];
    console.warn = (line: string): void => void lines.push(JSON.parse(line).msg);
    const now = performance.now();
    let calls = 0;
    // A statement reads the clock before and after it runs.
    performance.now = () => now + stepMs * calls++;
    try {
      await db.all(text())(Object.assign([sql], { raw: [sql] }));
      // The line is logged after the statement's plan.
      await new Promise((resolve) => setTimeout(resolve));
      assertEquals(lines, isLogged ? ["slow statement"] : []);
    } finally {
      console.warn = warn;
      Reflect.deleteProperty(performance, "now");
    }
  });
}

for (const [env, start] of [["dev", "W"], ["prod", "{"], ["", "{"]] as const) {
  Deno.test(`slowMs: with FW_ENV "${env}" the line has the format of the application's log`, async () => {
    const { warn } = console;
    const { get } = Deno.env;
    const lines: string[] = [];
    console.warn = (line: string): void => void lines.push(line);
    Deno.env.get = (name) => name === "FW_ENV" ? env : get.call(Deno.env, name);
    try {
      const db = await openSqlite(":memory:", { slowMs: 0 });
      await db.run`select 1`;
      await db.close();
      const shown = env === "dev" ? lines[0]?.replace(/^[\d:.]+ /, "") : lines[0];
      assertEquals([lines.length, shown?.slice(0, start.length)], [1, start]);
    } finally {
      [console.warn, Deno.env.get] = [warn, get];
    }
  });
}

Deno.test("slowMs: of a long statement the first 500 characters are logged", async () => {
  const { warn } = console;
  const lines: string[] = [];
  console.warn = (line: string): void => void lines.push(JSON.parse(line).sql);
  try {
    const db = await openSqlite(":memory:", { slowMs: 0 });
    const sql = `select ${"1 + ".repeat(200)}1 as n`;
    await db.all(int())(Object.assign([sql], { raw: [sql] }));
    await db.close();
    assertEquals(lines, [`${sql.slice(0, 500)}…`]);
  } finally {
    console.warn = warn;
  }
});

Deno.test("slowMs: the reads of migrations, the first of which opens a connection, are not logged", async () => {
  const { warn } = console;
  const lines: string[] = [];
  console.warn = (line: string): void => void lines.push(line);
  try {
    const migrations = [{ name: "0001_add_guests", sql: "create table guests (name text)" }];
    const db = await openSqlite(":memory:", { slowMs: 0, migrations });
    await readMigrationStatus(db, migrations);
    await db.close();
    assertEquals(lines, []);
  } finally {
    console.warn = warn;
  }
});

Deno.test("close waits for the plan of a slow statement, which uses its own connection on Postgres", async () => {
  const db = await openSqlite(":memory:", { slowMs: 0 });
  const { warn } = console;
  const events: string[] = [];
  console.warn = (): void => void events.push("told");
  if (!(db instanceof EngineDb)) throw new TypeError("not a database of an engine");
  db.internals.explain = async () => {
    await pause(5);
    return [];
  };
  try {
    await db.all(text())`select 'Ada' as name`;
    await db.close();
    assertEquals(events, ["told"]);
  } finally {
    console.warn = warn;
  }
});
