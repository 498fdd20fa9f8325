import { Queue, Worker } from "npm:bullmq@6.7.0";
import { Redis } from "npm:ioredis@6.0.0";
import pg from "npm:pg@8.23.1";
import { PgBoss } from "npm:pg-boss@12.38.0";
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { Db } from "../../../data/mod.ts";
import { openPostgres, type PgPool } from "../../../data/postgres/mod.ts";
import { openSqlite } from "../../../data/sqlite/mod.ts";
import { bullJobs, enqueue, job, pgBossJobs, provideJobs } from "../../../jobs/mod.ts";
import { drainJobs } from "../../../jobs/testing.ts";
import { struct } from "../../../mod.ts";
import { testUnless } from "../../../tools/skip.ts";
import { noPostgres, type PostgresServer, startPostgres } from "../../data/postgres_server.ts";
import { noRedis, type RedisServer, startRedis } from "../../data/redis_server.ts";
import { engineTests, noting, quietApp, startWorker } from "../suite.ts";
import { until } from "../../until.ts";

let postgres: PostgresServer | undefined;
let redis: RedisServer | undefined;
let count = 0;

Deno.test.beforeAll(async () => {
  [postgres, redis] = await Promise.all([
    noPostgres === undefined ? startPostgres() : undefined,
    noRedis === undefined ? startRedis() : undefined,
  ]);
});
Deno.test.afterAll(async () => {
  await Promise.all([postgres?.[Symbol.asyncDispose](), redis?.[Symbol.asyncDispose]()]);
});

/** Starts pg-boss, passes it on and stops it. The test runs its supervision. */
async function withBoss(run: (boss: PgBoss) => Promise<void>): Promise<void> {
  const url = postgres?.url ?? "";
  const options = { schedule: false, supervise: false, registerInstance: false };
  const given = { connectionString: url, max: 4, monitorIntervalSeconds: 1, ...options };
  const boss = await new PgBoss(given).start();
  try {
    await run(boss);
  } finally {
    await boss.stop({ graceful: false });
  }
}

// npm:pg closes its sockets shortly after the pool has ended.
const sanitizers = { sanitizeOps: false, sanitizeResources: false };

for (const [name, run] of engineTests) {
  testUnless(noPostgres, {
    name: `pgBossJobs: ${name}`,
    ...sanitizers,
    fn: () =>
      withBoss((boss) => run(pgBossJobs(boss, { prefix: `suite_${count++}.`, pollMs: 20 }))),
  });
  testUnless(noRedis, {
    name: `bullJobs: ${name}`,
    ...sanitizers,
    fn: async () => {
      // BullMQ does not find its own ioredis under Deno. A worker uses a second connection to wait.
      const connection = new Redis({ port: redis?.port ?? 0, maxRetriesPerRequest: null });
      const engine = bullJobs({ Queue, Worker, connection, prefix: `suite_${count++}-` });
      try {
        await run(engine);
      } finally {
        await engine.close();
        await connection.quit();
      }
    },
  });
}

testUnless(noPostgres, {
  name: "pgBossJobs: several processes can open a new database concurrently",
  ...sanitizers,
  fn: () =>
    withBoss(async (boss) => {
      for (let round = 0; round < 20; round++) {
        await boss.getDb().executeSql("drop table if exists fw_schedules");
        await Promise.all(Array.from({ length: 4 }, () => pgBossJobs(boss).open([])));
      }
    }),
});

testUnless(noPostgres, {
  name: "pgBossJobs: a job takes part in the transaction of the data",
  ...sanitizers,
  fn: () =>
    withBoss(async (boss) => {
      const pool: unknown = new pg.Pool({ connectionString: postgres?.url, max: 2 });
      await using db: Db = await openPostgres(pool as PgPool);
      const { job: note, seen } = noting();
      const app = quietApp();
      const engine = pgBossJobs(boss, { db, prefix: "tx.", pollMs: 20 });
      await provideJobs(app, engine, { jobs: [note] });
      const undone = db.tx(async () => {
        await enqueue(app, note, { n: 1 });
        throw new Error("undo");
      });
      await assertRejects(() => undone, Error, "undo");
      await db.tx(async () => void await enqueue(app, note, { n: 2 }));
      await drainJobs(app);
      assertEquals(seen, [2]);
    }),
});

testUnless(noPostgres, {
  name: "pgBossJobs: a job of a process without a sign of life runs again, and is finally dead",
  ...sanitizers,
  fn: () =>
    withBoss(async (boss) => {
      const { job: note, seen } = noting();
      const [app, other] = [quietApp(), quietApp()];
      const engine = pgBossJobs(boss, { prefix: "lost.", pollMs: 20 });
      await provideJobs(app, engine, { jobs: [note] });
      await enqueue(app, note, { n: 1 });
      const lose = async (): Promise<void> => {
        await boss.fetch("lost.default");
        const text =
          "update pgboss.job set heartbeat_on = now() - interval '1 hour' where name = $1";
        await boss.getDb().executeSql(text, ["lost.default"]);
        await boss.supervise("lost.default");
      };
      await lose();
      await until(async () => {
        await drainJobs(app);
        return seen.length === 1;
      });
      const last = job("last", struct({}), () => {}, { attempts: 1 });
      await provideJobs(other, engine, { jobs: [last] });
      await enqueue(other, last, {});
      await until(async () => {
        await lose();
        return (await engine.counts()).dead === 1;
      });
      assertEquals((await engine.list("dead")).map(({ error }) => error), [
        "job heartbeat timeout",
      ]);
      assertEquals(seen, [1]);
    }),
});

testUnless(noRedis, {
  name: "bullJobs: a job of a process whose lease expires runs again, and is finally dead",
  ...sanitizers,
  fn: async () => {
    const connection = new Redis({ port: redis?.port ?? 0, maxRetriesPerRequest: null });
    const options = { Queue, Worker, connection, prefix: "lost-", leaseMs: 100 };
    const engine = bullJobs(options);
    let runs = 0;
    // The job ignores its signal, so its process abandons it at shutdown.
    const started = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const deaf = job("deaf", struct({}), () => {
      started[runs++]?.resolve();
      return new Promise(() => {});
    }, { attempts: 2 });
    const lose = async (at: number): Promise<void> => {
      const { stop } = await startWorker(engine, { jobs: [deaf], graceMs: 1 });
      if (at === 0) await enqueue(app, deaf, {});
      await started[at]?.promise;
      await stop();
    };
    const app = quietApp();
    await provideJobs(app, engine, { jobs: [deaf] });
    await lose(0);
    await lose(1);
    const last = await startWorker(engine, { jobs: [deaf] });
    await until(async () => (await engine.counts()).dead === 1);
    await last.stop();
    const found = [runs, (await engine.list("dead"))[0]?.error];
    assertEquals(found, [2, "the process ended while the job ran"]);
    await engine.close();
    await connection.quit();
  },
});

Deno.test("pgBossJobs: an error of the instance does not end the process", () => {
  const boss = new PgBoss("postgres://127.0.0.1:1/x");
  pgBossJobs(boss);
  boss.emit("error", new Error("ECONNRESET"));
});

Deno.test("pgBossJobs refuses names that are not identifiers, and a SQLite database", async () => {
  const boss = new PgBoss("postgres://127.0.0.1:1/x");
  await using db = await openSqlite(":memory:");
  assertThrows(() => pgBossJobs(boss, { schema: "a; drop" }), TypeError, "a; drop");
  assertThrows(() => pgBossJobs(boss, { prefix: "a b" }), TypeError, "a b");
  assertThrows(() => pgBossJobs(boss, { db }), TypeError, "openPostgres");
  assertThrows(() => pgBossJobs(boss, { pollMs: 0 }), RangeError, "pollMs");
  assertThrows(() => bullJobs({ Queue, Worker, connection: {}, leaseMs: NaN }), RangeError);
});
