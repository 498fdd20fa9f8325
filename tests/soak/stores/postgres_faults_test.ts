/** Postgres restarts, a connection dies inside a transaction, the pool is exhausted. */
import pg from "npm:pg@8.23.1";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { BusyError, type Db, int } from "../../../data/mod.ts";
import { openPostgres, type PgPool, postgresStores } from "../../../data/postgres/mod.ts";
import { publish } from "../../../mod.ts";
import { testUnless } from "../../../tools/skip.ts";
import { Counts, lastCount, readCounts } from "./messages.ts";
import { newSession } from "../../auth/store_suite.ts";
import { noPostgres, type PostgresServer, startPostgres } from "../../data/postgres_server.ts";
import { replica } from "../../runtime/base/stores/channel_suite.ts";

async function open(server: PostgresServer, settings: pg.PoolConfig = {}): Promise<Db> {
  const pool: unknown = new pg.Pool({
    connectionString: server.url,
    max: 4,
    idleTimeoutMillis: 0,
    ...settings,
  });
  return await openPostgres(pool as PgPool, { slowMs: 60_000 });
}

function testFault(name: string, fn: (server: PostgresServer) => Promise<void>): void {
  testUnless(noPostgres, {
    name,
    fn: async () => {
      await using server = await startPostgres();
      await fn(server);
    },
    // The clients close their connections and timers after they report the end.
    sanitizeOps: false,
    sanitizeResources: false,
  });
}

for (const signal of ["SIGINT", "SIGQUIT"] as const) {
  testFault(
    `Postgres restarts (${signal}): requests get 503 meanwhile, and no acknowledged write is lost`,
    async (server) => {
      await using db = await open(server);
      await db.run`create table written (n integer primary key)`;
      const stores = postgresStores(db);
      const app = replica(stores);
      const first = await publish(app, Counts, 0);
      await stores.sessions.create({ ...newSession("kept"), expiresAtMs: Date.now() + 600_000 });
      const published: number[] = [];
      const read = readCounts(app, first);
      const acknowledged: number[] = [];
      const failures = new Map<string, number>();
      const at: { state: "before" | "restarting" | "after" } = { state: "before" };
      let afterwards = 0;
      let restarted: Promise<number> | undefined;
      const startMs = performance.now();
      for (let n = 0; afterwards < 50; n++) {
        try {
          await db.run`insert into written values (${n})`;
          acknowledged.push(n);
          await publish(app, Counts, n + 1);
          published.push(n + 1);
          if (at.state === "after") afterwards++;
          if (n === 50) {
            at.state = "restarting";
            const downAt = performance.now();
            restarted = server.restart(signal).then(() => {
              at.state = "after";
              return performance.now() - downAt;
            });
          }
        } catch (error) {
          assert(error instanceof BusyError, String(error));
          assertEquals([error.status, error.headers["retry-after"]], [503, "1"]);
          failures.set(at.state, (failures.get(at.state) ?? 0) + 1);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        assert(performance.now() - startMs < 60_000);
      }
      const downMs = await restarted ?? 0;
      assert(!failures.has("before"));
      const rows = await db.all(int())`select n from written order by n`;
      const lost = acknowledged.filter((n) => !rows.includes(n));
      assertEquals(lost, []);
      assert(await stores.sessions.read("kept"));
      await publish(app, Counts, lastCount);
      const seen = await read;
      // A message without a response may exist; no acknowledged one is missing, and none is
      // duplicated.
      assertEquals(published.filter((n) => !seen.includes(n)), []);
      assertEquals(new Set(seen).size, seen.length);
      console.log(
        `${signal}: down for ${downMs.toFixed(0)} ms, ${
          failures.get("restarting") ?? 0
        } refused meanwhile and ` +
          `${
            failures.get("after") ?? 0
          } after, ${acknowledged.length} writes and ${published.length} messages kept`,
      );
    },
  );
}

testFault(
  "Postgres: a connection that dies inside a transaction rolls all of it back",
  async (server) => {
    await using db = await open(server);
    await db.run`create table notes (n integer primary key)`;
    let runs = 0;
    const work = (): Promise<unknown> =>
      db.tx(async () => {
        runs++;
        await db.run`insert into notes values (1)`;
        const pid = await db.one(int())`select pg_backend_pid()`;
        const other = await open(server, { max: 1 });
        await other.all(int())`select 1 from pg_terminate_backend(${pid})`;
        await other.close();
        await db.run`insert into notes values (2)`;
      });
    const error = await assertRejects(work, BusyError);
    assertEquals([error.status, runs], [503, 1]);
    assertEquals(await db.one(int())`select count(*)::int from notes`, 0);
    // Its place in the pool is free again.
    const all = Array.from({ length: 8 }, (_, n) => db.run`insert into notes values (${n})`);
    assertEquals(await Promise.all(all), Array(8).fill(1));
  },
);

testFault(
  "Postgres: an exhausted pool gets 503 on time and recovers",
  async (server) => {
    await using db = await open(server, { max: 2, connectionTimeoutMillis: 300 });
    const held = Promise.withResolvers<void>();
    const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holders = begun.map(({ resolve }) =>
      db.tx(async () => {
        await db.one(int())`select 1`;
        resolve();
        await held.promise;
      })
    );
    await Promise.all(begun.map(({ promise }) => promise));
    const startMs = performance.now();
    const waiting = Array.from(
      { length: 20 },
      () => assertRejects(() => db.one(int())`select 1`, BusyError),
    );
    const errors = await Promise.all(waiting);
    const tookMs = performance.now() - startMs;
    assertEquals(new Set(errors.map(({ status }) => status)), new Set([503]));
    assert(tookMs < 5_000, `${tookMs} ms`);
    held.resolve();
    await Promise.all(holders);
    assertEquals(await db.one(int())`select 1`, 1);
    console.log(`20 statements without a connection were refused after ${tookMs.toFixed(0)} ms`);
  },
);
