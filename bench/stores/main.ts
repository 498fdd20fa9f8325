/** Stores bench: limits, sessions, cache and channels on each store. */
import { Redis } from "npm:ioredis@6.0.0";
import { Cache } from "../../cache/mod.ts";
import { openConnection, script } from "../../data/redis/client.ts";
import { type RedisClient, redisStores } from "../../data/redis/mod.ts";
import { openSqlite, sqliteStores } from "../../data/sqlite/mod.ts";
import { App, channel, provideStores, publish, type Stores, subscribe } from "../../mod.ts";
import { memoryChannels } from "../../runtime/addon.ts";
import { keepSweeping } from "../../runtime/body/deadline.ts";
import { newSession } from "../../tests/auth/store_suite.ts";
import { startRedis } from "../../tests/data/redis_server.ts";
import { median, medianRatio } from "../median.ts";

const rounds = 21;
const perRound = 600;

/** Returns the times per run of each row, in microseconds, measured in interleaved rounds. */
async function time(
  rows: readonly (readonly [name: string, run: () => unknown])[],
): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>(rows.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of rows) {
      const startMs = performance.now();
      for (let n = 0; n < perRound; n++) await run();
      times.get(name)?.push((performance.now() - startMs) * 1_000 / perRound);
    }
  }
  return times;
}

const readers = 100;
const messages = 10_000;

/** Publishes to 100 readers; returns the messages per second that each received. */
async function fanOut(stores: Stores): Promise<number> {
  const app = new App({ logRequest: () => false });
  provideStores(app, stores);
  const Counts = channel<number>("counts", undefined, { keep: messages });
  const after = await publish(app, Counts, -1);
  const reads = Array.from({ length: readers }, async () => {
    for await (const event of subscribe(app, Counts, { after })) {
      if (event.kind === "gap") throw new Error(`a reader missed ${event.missed}`);
      if (event.value === messages - 1) return;
    }
  });
  const startMs = performance.now();
  for (let n = 0; n < messages; n += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, i) => publish(app, Counts, n + i)));
    // As between requests: without a turn of the event loop, readers would miss messages no longer kept in
    // memory.
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
  await Promise.all(reads);
  return Math.round(messages * 1_000 / (performance.now() - startMs));
}

/** Runs the bench. */
export async function run(): Promise<string> {
  await using server = await startRedis();
  // As in a listening server.
  const stopSweeping = keepSweeping();
  const io: unknown = new Redis({ port: server.port, host: "127.0.0.1" });
  const client = io as RedisClient & { disconnect(): void };
  const db = await openSqlite(":memory:");
  const redis = redisStores(client, { timeoutMs: 20_000 });
  const sqlite = sqliteStores(db);
  const bare = openConnection(client, Infinity);
  const nothing = script("return '0'");
  // As many keys and arguments as for a limit.
  const call = { keys: ["fw:limit:bare 192.0.2.1"], args: [0.001, 1_000_000] };
  const limit = { rate: 1_000_000, burst: 1_000_000 };
  for (const { sessions } of [redis, sqlite]) await sessions?.create(newSession("id"));
  const own = new Cache({ name: "own" });
  const near = new Cache({
    name: "near",
    nearMs: 60_000,
    ...(redis.cache && { store: redis.cache }),
  });
  const key = { name: "a", ttlMs: 3_600_000 };
  const times = await time([
    ["bare EVALSHA, a round trip", () => bare.run(nothing, call)],
    ["limit, Redis", () => redis.limits?.take("api 192.0.2.1", limit)],
    ["limit, SQLite in memory", () => sqlite.limits?.take("api 192.0.2.1", limit)],
    ["session, Redis", () => redis.sessions?.read("id")],
    ["session, SQLite in memory", () => sqlite.sessions?.read("id")],
    ["cache hit, in memory", () => own.do(key, () => 1)],
    ["cache hit, near copy of Redis", () => near.do(key, () => 1)],
  ]);
  const trips = times.get("bare EVALSHA, a round trip");
  const rows = [...times].map(([name, us]) =>
    `| ${name} | ${median(us).toFixed(1)} | ${medianRatio(us, trips).toFixed(2)} |`
  );
  const fans: [string, Stores][] = [["memory", { channels: memoryChannels() }], ["Redis", redis]];
  const rates = [];
  for (const [name, stores] of fans) rates.push(`| ${name} | ${await fanOut(stores)} |`);
  client.disconnect();
  stopSweeping();
  await db.close();
  return [
    "## Stores",
    "",
    `Time of one call after another, median of ${rounds} interleaved rounds of ${perRound}, beside a bare script of the`,
    "same client and server on one machine.",
    "",
    "| Call | µs | of a round trip |",
    "| --- | --- | --- |",
    ...rows,
    "",
    `${messages} messages to ${readers} readers of one process, each of which gets all, in order.`,
    "",
    "| Channels | messages a second |",
    "| --- | --- |",
    ...rates,
  ].join("\n");
}
