import { assert, assertEquals, assertRejects } from "@std/assert";
import { BusyError, ConstraintError, type Db, int } from "../../data/mod.ts";
import { EngineDb } from "../../data/db.ts";
import { openSqlite } from "../../data/sqlite/mod.ts";

const inside: readonly [name: string, work: (db: Db) => Promise<unknown>][] = [
  ["a transaction", (db) => db.tx(() => db.run`insert into notes values (1)`)],
  ["a write", (db) => db.run`insert into notes values (1)`],
  ["a read", (db) => db.one(int())`select count(*) from notes`],
  ["a read in the background", (db) => db.background.one(int())`select count(*) from notes`],
];
for (const [name, work] of inside) {
  Deno.test(`tx: ${name} in each other's database ends with a BusyError`, async () => {
    await using one = await openSqlite(":memory:", { busyTimeoutMs: 20 });
    await using other = await openSqlite(":memory:", { busyTimeoutMs: 20 });
    const both = [one, other] as const;
    for (const db of both) await db.run`create table notes (n integer) strict`;
    const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const cross = (from: 0 | 1): Promise<unknown> =>
      both[from].tx(async () => {
        begun[from].resolve();
        await Promise.all(begun.map(({ promise }) => promise));
        await work(both[from === 0 ? 1 : 0]);
        // The other one waits until this has ended.
        throw new BusyError("over");
      });
    for (const error of [cross(0), cross(1)].map((each) => assertRejects(() => each, BusyError))) {
      assertEquals((await error).status, 503);
    }
    // Where one of both gave up in time, the other one went on; what was refused does not land later.
    const counts = await Promise.all(both.map((db) => db.one(int())`select count(*) from notes`));
    assert(counts.reduce((sum, count) => sum + count) <= 1);
  });
}

Deno.test("tx: one deadline holds for all attempts", async () => {
  await using db = await openSqlite(":memory:");
  assert(db instanceof EngineDb);
  db.internals.isRetryable = () => true;
  let last: Promise<unknown> = Promise.resolve();
  const work = async (): Promise<void> => {
    await (last = new Promise((resolve) => setTimeout(resolve, 20)));
    throw new Error("again");
  };
  const error = await assertRejects(
    () => db.tx(work, { timeoutMs: 100, attempts: 30 }),
    DOMException,
  );
  // The deadline leaves the attempt that it ends to itself.
  await last;
  assertEquals(error.name, "TimeoutError");
});

for (
  const options of [{ timeoutMs: NaN }, { timeoutMs: 0 }, { timeoutMs: -1 }, { attempts: NaN }, {
    attempts: 0,
  }, { attempts: 1.5 }]
) {
  const [[name, value] = []] = Object.entries(options);
  Deno.test(`tx refuses: ${name} ${value}`, async () => {
    await using db = await openSqlite(":memory:");
    const work = (): Promise<unknown> => db.tx(() => Promise.resolve(), options);
    await assertRejects(work, RangeError, "Cannot begin");
    await assertRejects(() => db.tx(work), RangeError, "Cannot begin");
  });
}

Deno.test("openSqlite refuses a slowMs that is not a number", async () => {
  await assertRejects(() => openSqlite(":memory:", { slowMs: NaN }), RangeError, "slowMs");
});

Deno.test("tx: requests pass a long row of transactions", async () => {
  await using db = await openSqlite(":memory:");
  await db.run`create table notes (n integer) strict`;
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  const endMs = performance.now() + 10_000;
  while (ticks < 5 && performance.now() < endMs) {
    await db.tx(() => db.run`insert into notes values (1)`);
  }
  clearInterval(timer);
  assertEquals(ticks, 5);
});

Deno.test("tx: nothing stays where SQLite has rolled back by itself", async () => {
  await using db = await openSqlite(":memory:");
  await db.run`create table notes (n integer unique) strict`;
  const work = async (): Promise<void> => {
    await db.run`insert into notes values (1)`;
    await db.run`insert or rollback into notes values (1)`.catch(() => {});
    await db.run`insert into notes values (2)`.catch(() => {});
  };
  await assertRejects(() => db.tx(work), ConstraintError);
  await assertRejects(() => db.tx(() => db.tx(work)), ConstraintError);
  assertEquals(await db.one(int())`select count(*) from notes`, 0);
  await db.tx(() => db.run`insert into notes values (3)`);
});
