import { assert, assertEquals, assertRejects } from "@std/assert";
import { BusyError, int, int64, RowError, text } from "../../../data/mod.ts";
import { openSqlite } from "../../../data/sqlite/mod.ts";
import { openFile } from "../file_db.ts";

const slow = (n: number): readonly [strings: TemplateStringsArray, n: number] => {
  const strings = [
    "with recursive c (i) as (select 1 union all select i + 1 from c where i < ",
    ") select max(i) from c",
  ];
  return [Object.assign(strings, { raw: strings }), n];
};

Deno.test("background: a long read blocks neither the event loop nor other statements", async () => {
  await using db = await openFile();
  await db.run`create table a (n integer, t text) strict`;
  await db.run`insert into a values (${2n ** 60n}, ${"é"})`;
  let isDone = false;
  const long = db.background.one(int())(...slow(3_000_000)).finally(() => void (isDone = true));
  assertEquals(await db.background.one(int64())`select n from a`, 2n ** 60n);
  assertEquals(await db.background.all(text())`select fw_plain(t) from a`, ["e"]);
  for (let read = 0; read < 20; read++) {
    assertEquals(await db.one(int())`select count(*) from a`, 1);
  }
  assert(!isDone);
  assertEquals(await long, 3_000_000);
  const wrong = db.background.all(int())`select nothing from a`;
  await assertRejects(() => wrong, Error, 'Cannot run "select nothing from a"');
  await assertRejects(() => db.background.all(int())`select n from a`, RowError, '"n"');
});

Deno.test("background: reads beyond two Workers wait, and beyond 32 waiting ones are refused", async () => {
  await using db = await openFile();
  await db.run`create table a (n integer) strict`;
  const reads = Array.from({ length: 60 }, () => db.background.one(int())(...slow(50_000)));
  const ends = await Promise.allSettled(reads);
  const refused = ends.filter((end) => end.status === "rejected");
  assertEquals(refused.length, 60 - 34);
  assert(refused.every(({ reason }) => reason instanceof BusyError));
});

Deno.test("background: closing ends running and waiting reads", async () => {
  const db = await openFile();
  await db.run`create table a (n integer) strict`;
  const reads = Promise.allSettled([1, 2, 3].map(() => db.background.one(int())(...slow(20_000))));
  await db.close();
  assert((await reads).every(({ status }) => status === "rejected"));
});

Deno.test("background: an in-memory database reads on its own connection", async () => {
  await using db = await openSqlite(":memory:");
  assertEquals(await db.background.one(int())`select 1`, 1);
});
