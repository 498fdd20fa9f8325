import { EventEmitter } from "node:events";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { BusyError, ConstraintError, type Db, int, type TxOptions } from "../../data/mod.ts";
import { EngineDb } from "../../data/db.ts";
import type { Result } from "../../data/engine.ts";
import type {
  Driver,
  PgPool,
  PostgresPending,
  RawTransaction,
} from "../../data/postgres/driver.ts";
import { postgresDriver } from "../../data/postgres/postgres_driver.ts";
import { pgDriver } from "../../data/postgres/pg_driver.ts";
import { PostgresEngine } from "../../data/postgres/engine.ts";
import { Scope } from "../../data/scope.ts";
import { openSqlite } from "../../data/sqlite/mod.ts";
import { replaceClock } from "../clock.ts";
import { openFile } from "./file_db.ts";

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
        // The other one waits until this one ends.
        throw new BusyError("over");
      });
    for (const error of [cross(0), cross(1)].map((each) => assertRejects(() => each, BusyError))) {
      assertEquals((await error).status, 503);
    }
    // If one gave up in time, the other one continued; a refused write is not applied later.
    const counts = await Promise.all(both.map((db) => db.one(int())`select count(*) from notes`));
    assert(counts.reduce((sum, count) => sum + count) <= 1);
  });
}

Deno.test("tx: an asynchronous context that outlives its transaction does not keep it", async () => {
  await using db = await openSqlite(":memory:");
  let kept: Scope | undefined;
  const begun = await db.tx(() => {
    kept = Scope.find(db);
    return Promise.resolve(kept?.transaction);
  });
  assert(begun !== undefined && kept?.transaction !== begun);
  await assertRejects(async () => await kept?.transaction.save(), Error, "has ended");
});

Deno.test("tx: one deadline covers all attempts", async () => {
  await using db = await openSqlite(":memory:");
  assert(db instanceof EngineDb);
  db.internals.isRetryable = () => true;
  let last: Promise<unknown> = Promise.resolve();
  const work = async (): Promise<void> => {
    await (last = new Promise((resolve) => setTimeout(resolve, 20)));
    throw new Error("again");
  };
  const run = () => db.tx(work, { timeoutMs: 100, attempts: 30 });
  const error = await assertRejects(run, DOMException);
  // The deadline does not wait for the attempt it ends.
  await last;
  assertEquals(error.name, "TimeoutError");
});

const repeated: readonly [options: TxOptions, isRetryable: boolean, runs: number][] = [
  [{}, true, 1],
  [{ attempts: 3 }, true, 3],
  [{ attempts: 3 }, false, 1],
  [{ isolation: "serializable" }, true, 3],
];
for (const [options, isRetryable, expected] of repeated) {
  const kind = isRetryable ? "a conflict" : "another error";
  Deno.test(`tx with ${JSON.stringify(options)}: ${kind} ends it after ${expected} runs`, async () => {
    await using db = await openSqlite(":memory:");
    assert(db instanceof EngineDb);
    db.internals.isRetryable = () => isRetryable;
    let runs = 0;
    const work = (): Promise<void> => Promise.reject(new RangeError(String(++runs)));
    await assertRejects(() => db.tx(work, options), RangeError);
    assertEquals(runs, expected);
  });
}

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

Deno.test("writes that arrive together share transactions of at most 200, between which others read", async () => {
  await using db = await openFile();
  await db.run`create table notes (n integer) strict`;
  let isDone = false;
  const writes = Array.from({ length: 1_000 }, (_, n) => db.run`insert into notes values (${n})`);
  const done = Promise.all(writes).then(() => isDone = true);
  const seen = new Set<number>();
  while (!isDone) {
    seen.add(await db.one(int())`select count(*) from notes`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await done;
  assert(seen.has(200) && seen.has(800), [...seen].join());
});

Deno.test("tx: writes nothing after SQLite itself has rolled back", async () => {
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

const none = (): Promise<void> => Promise.resolve();

/** Opens a database over a driver without a server. */
function openFake(
  query: Driver["query"],
  transaction: Partial<RawTransaction> = {},
  driver: Partial<Driver> = {},
): EngineDb {
  const own = { query, keep: none, undo: none, cancel: () => {}, ...transaction };
  const begin = (): Promise<RawTransaction> => Promise.resolve(own);
  return new EngineDb(
    new PostgresEngine({ query, begin, listen: () => () => {}, close: none, ...driver }, {}),
  );
}

Deno.test("Postgres: close waits for a transaction whose connection opens after its abort", async () => {
  const abort = new AbortController();
  const opening = Promise.withResolvers<RawTransaction>();
  const steps: string[] = [];
  const note = (step: string) => () => Promise.resolve(void steps.push(step));
  const query = (): Promise<never> => Promise.reject(new Error("not here"));
  const begin = (): Promise<RawTransaction> => {
    setTimeout(() => abort.abort(), 1);
    return opening.promise;
  };
  const db = openFake(query, {}, { begin, close: note("close") });
  await assertRejects(() => db.tx(none, { signal: abort.signal }), DOMException);
  const closed = db.close();
  await new Promise((resolve) => setTimeout(resolve, 5));
  steps.push("open");
  opening.resolve({ query, keep: note("keep"), undo: note("undo"), cancel: () => {} });
  await closed;
  assertEquals(steps, ["open", "undo", "close"]);
});

const refusals = {
  "28000": "correct the user",
  "28P01": "correct the user",
  "3D000": "create the",
};
for (const [code, fix] of Object.entries(refusals)) {
  Deno.test(`Postgres: a connection refused by ${code} names the fix`, async () => {
    const db = openFake(() => Promise.reject(Object.assign(new Error("refused"), { code })));
    await assertRejects(() => db.run`select 1`, Error, `refused. Fix: ${fix}`);
  });
}

for (const broken of ["savepoint", "rollback", "release"]) {
  Deno.test(`Postgres: a transaction whose ${broken} failed does not commit`, async () => {
    const steps: string[] = [];
    const note = (step: string) => () => Promise.resolve(void steps.push(step));
    const query = ({ text }: { readonly text: string }): Promise<Result> =>
      text.startsWith(broken)
        ? Promise.reject(new Error("broken"))
        : Promise.resolve({ columns: [], rows: [], count: 0 });
    const undone = (): Promise<never> => Promise.reject(new Error("undone"));
    const db = openFake(query, { keep: note("keep"), undo: note("undo") });
    const child = broken === "release" ? none : undone;
    await assertRejects(() => db.tx(() => db.tx(child).catch(() => {})), Error, "broken");
    assertEquals(steps, ["undo"]);
  });
}

for (const broken of ["release", "rollback"]) {
  Deno.test(`Postgres: a savepoint is undone after an inner one whose ${broken} failed`, async () => {
    const saved: { readonly name: string; readonly count: number }[] = [];
    let count = 0;
    let isBroken = false;
    let faults = 0;
    const query = ({ text }: { readonly text: string }): Promise<Result> => {
      const [verb = "", name = ""] = text.replace("rollback to", "rollback").split(" ");
      const at = saved.findLastIndex((each) => each.name === name);
      isBroken = (isBroken && verb !== "rollback") || (verb === broken && faults++ === 0);
      if (isBroken) return Promise.reject(new Error("broken"));
      if (verb === "savepoint") saved.push({ name, count });
      if (verb === "insert") count++;
      if (verb === "rollback") count = saved[at]?.count ?? NaN;
      if (verb === "release") saved.length = at;
      else if (verb === "rollback") saved.length = at + 1;
      return Promise.resolve({ columns: [], rows: [], count: 0 });
    };
    const db = openFake(query);
    const add = (): Promise<number> => db.run`insert into notes values (1)`;
    const undone = async (work: () => Promise<unknown>): Promise<void> => {
      await work();
      throw new Error("undone");
    };
    const inner = (): Promise<unknown> => broken === "release" ? add() : undone(add);
    const outer = (): Promise<void> =>
      undone(async () => {
        await add();
        await db.tx(inner).catch(() => {});
      });
    await db.tx(() => db.tx(outer).catch(() => {}));
    assertEquals(count, 0);
  });
}

Deno.test("Postgres: a statement that the server ends at the deadline rejects with a TimeoutError", async () => {
  using clock = replaceClock();
  const db = openFake(() => {
    clock.advance(60_000);
    return Promise.reject(Object.assign(new Error("canceling statement"), { code: "57014" }));
  });
  const work = db.tx(() => db.run`select 1`, { timeoutMs: 60_000 });
  assertEquals((await assertRejects(() => work, DOMException)).name, "TimeoutError");
});

for (
  const [name, routine, type] of [
    ["PgBouncer", undefined, BusyError],
    ["a value of the wrong length", "pq_copymsgbytes", ConstraintError],
  ] as const
) {
  Deno.test(`Postgres: the protocol error of ${name} is a ${type.name}`, async () => {
    const fault = Object.assign(new Error("query_wait_timeout"), { code: "08P01", routine });
    const db = openFake(() => Promise.reject(fault));
    const add = () => db.run`insert into notes values (1)`;
    assert(await assertRejects(add, Error) instanceof type);
  });
}

Deno.test("npm:postgres: the next statement waits for a late cancellation", async () => {
  using server = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const statement = Promise.withResolvers<unknown[]>();
  const secret = 2 ** 32 - 2;
  const unsafe = (): PostgresPending => {
    const pending = statement.promise;
    return Object.assign(pending, { state: { pid: 7, secret }, values: () => pending });
  };
  const driver = postgresDriver({
    begin: (_, work) => Promise.resolve().then(() => work({ unsafe })),
    unsafe,
    end: () => Promise.resolve(),
    options: {
      parsers: {},
      serializers: {},
      host: ["127.0.0.1"],
      port: [server.addr.transport === "tcp" ? server.addr.port : 0],
      ssl: false,
    },
  });
  const steps: string[] = [];
  const transaction = await driver.begin("", "");
  const first = transaction.query({ text: "select 1", values: [], name: "fw_1" })
    .then(() => steps.push("ended"));
  transaction.cancel();
  const asked = await server.accept();
  const bytes = new Uint8Array(17);
  assertEquals(await asked.read(bytes), 16);
  const numbers = [0, 4, 8, 12].map((at) => new DataView(bytes.buffer).getUint32(at));
  assertEquals(numbers, [16, 80_877_102, 7, secret]);
  statement.resolve([]);
  await new Promise((resolve) => setTimeout(resolve, 5));
  steps.push("cancelled");
  asked.close();
  await first;
  await transaction.undo();
  assertEquals(steps, ["cancelled", "ended"]);
});

Deno.test("npm:pg: a connection lost while it starts to listen is reopened once", async () => {
  const { setTimeout } = globalThis;
  const retries: (() => void)[] = [];
  const clients: EventEmitter[] = [];
  let ended = 0;
  const lost = new Error("lost");
  class Client extends EventEmitter {
    constructor() {
      super();
      clients.push(this);
    }
    readonly connect = (): Promise<void> => Promise.resolve();
    readonly end = (): Promise<void> => Promise.resolve(void ended++);
    query(): Promise<void> {
      if (clients.length > 1) return Promise.resolve();
      this.emit("error", lost);
      return Promise.reject(lost);
    }
  }
  const pool = Object.assign(new EventEmitter(), { Client });
  const changed = Promise.withResolvers<void>();
  const note: unknown = (run: () => void) => retries.push(run);
  globalThis.setTimeout = note as typeof setTimeout;
  try {
    const stop = pgDriver(pool as unknown as PgPool).listen("fw", () => changed.resolve());
    while (retries.length === 0) await Promise.resolve();
    for (let turn = 0; turn < 9; turn++) await Promise.resolve();
    for (const retry of retries) retry();
    await changed.promise;
    stop();
    while (ended < 2) await Promise.resolve();
    assertEquals([retries.length, clients.length, ended], [1, 2, 2]);
  } finally {
    globalThis.setTimeout = setTimeout;
  }
});
