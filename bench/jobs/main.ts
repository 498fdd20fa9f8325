/**
 * Jobs bench: the throughput of `sqliteJobs`, a request that enqueues relative to one that inserts a row,
 * and pg-boss and BullMQ through their adapters relative to their direct use, in interleaved rounds.
 *
 * `deno task bench jobs`
 *
 * @module
 */
import { join } from "@std/path";
import { Queue, Worker } from "npm:bullmq@6.7.0";
import { Redis } from "npm:ioredis@6.0.0";
import { PgBoss } from "npm:pg-boss@12.38.0";
import { type Db, values } from "../../data/mod.ts";
import { openSqlite } from "../../data/sqlite/mod.ts";
import {
  bullJobs,
  enqueue,
  type Job,
  job,
  type JobEngine,
  pgBossJobs,
  provideJobs,
  sqliteJobs,
} from "../../jobs/mod.ts";
import { App, createLogger, int, struct, text } from "../../mod.ts";
import { noPostgres, startPostgres } from "../../tests/data/postgres_server.ts";
import { noRedis, startRedis } from "../../tests/data/redis_server.ts";
import { median, medianRatio } from "../median.ts";

const Value = struct({ n: int("required"), to: text("required") });
const JOBS = 2_000;
const ROUNDS = 7;

/** Counts the completed jobs. */
class Count {
  #left = 0;
  #done = Promise.withResolvers<void>();

  wait(count: number): Promise<void> {
    this.#left = count;
    this.#done = Promise.withResolvers();
    return this.#done.promise;
  }

  add(): void {
    if (--this.#left === 0) this.#done.resolve();
  }
}

interface Subject {
  readonly app: App;
  readonly note: Job<{ n: number; to: string }>;
  readonly count: Count;
}

async function open(engine: JobEngine): Promise<Subject> {
  const app = new App({ logRequest: () => false, logger: createLogger({ write: () => {} }) });
  const count = new Count();
  const note = job("note", Value, () => count.add());
  await provideJobs(app, engine, { jobs: [note], concurrency: 10 });
  return { app, note, count };
}

const to = "ada@example.org";

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return (performance.now() - startMs) / 1_000;
}

/** Runs two functions in turn. @returns The median ratio of their times. */
async function compare(
  ours: () => Promise<unknown>,
  base: () => Promise<unknown>,
): Promise<number> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 2 === 0) times[0].push(await secondsOf(ours));
    times[1].push(await secondsOf(base));
    if (round % 2 === 1) times[0].push(await secondsOf(ours));
  }
  return medianRatio(...times);
}

/** Runs the bench. @returns A Markdown section. */
export async function run(): Promise<string> {
  const rows: (readonly [name: string, value: string, must: string])[] = [];
  rows.push(...await measureSqlite());
  if (noPostgres === undefined) rows.push(...await measurePgBoss());
  if (noRedis === undefined) rows.push(...await measureBull());
  const table = rows.map((row) => `| ${row.join(" | ")} |`).join("\n");
  return `## Jobs

\`deno task bench jobs\`: medians of ${ROUNDS} interleaved rounds. A job has a value of two fields, checked at both ends, and does nothing. \`sqliteJobs\` is on a file that survives a power failure.

| | measured | must reach |
| --- | --- | --- |
${table}
`;
}

async function measureSqlite(): Promise<(readonly [string, string, string])[]> {
  const folder = await Deno.makeTempDir();
  const db = await openSqlite(join(folder, "a.sqlite"));
  const { app, note, count } = await open(sqliteJobs(db));
  const Row = struct({ n: int(), to: text() });
  await db.run`create table rows (id integer primary key, n integer, "to" text) strict`;
  app.route({
    pattern: "/job",
    methods: {
      POST: async (c) => {
        await enqueue(c, note, { n: 1, to });
        return c.noContent();
      },
    },
  });
  app.route({
    pattern: "/row",
    methods: {
      POST: async (c) => {
        await db.run`insert into rows ${values(Row, { n: 1, to })}`;
        return c.noContent();
      },
    },
  });
  const post = async (path: string): Promise<void> => {
    for (let at = 0; at < 500; at++) {
      await app.fetch(new Request(`http://localhost${path}`, { method: "POST" }));
    }
  };
  const request = await compare(() => post("/job"), () => post("/row"));
  await db.run`delete from fw_jobs`;
  const inserted: number[] = [];
  const enqueued: number[] = [];
  const ran: number[] = [];
  const insertAll = async (): Promise<void> => {
    for (let n = 0; n < JOBS; n++) await db.run`insert into rows ${values(Row, { n: 1, to })}`;
  };
  for (let round = 0; round < ROUNDS; round++) {
    inserted.push(JOBS / await secondsOf(insertAll));
    enqueued.push(JOBS / await secondsOf(() => enqueueAll({ app, note, count })));
    const done = count.wait(JOBS);
    const worker = await startWork(db, { note, count });
    ran.push(JOBS / await secondsOf(() => done));
    await worker.shutdown();
  }
  await app.shutdown();
  await db.close();
  await Deno.remove(folder, { recursive: true });
  return [
    ["a row, inserted one by one: the disk", `${perSecond(inserted)} a second`, ""],
    ["`sqliteJobs`, enqueued one by one", `${perSecond(enqueued)} a second`, "2,000"],
    ["`sqliteJobs`, run with concurrency 10", `${perSecond(ran)} a second`, "1,000"],
    ["a request that enqueues, to one that inserts a row", ratioText(request), "1.30"],
  ];
}

async function startWork(db: Db, { note }: Pick<Subject, "note" | "count">): Promise<App> {
  const app = new App({ logRequest: () => false, logger: createLogger({ write: () => {} }) });
  await provideJobs(app, sqliteJobs(db), { jobs: [note], concurrency: 10 });
  await app.startWork();
  return app;
}

async function enqueueAll({ app, note }: Subject, jobs = JOBS): Promise<void> {
  for (let n = 1; n <= jobs; n++) await enqueue(app, note, { n, to });
}

async function measurePgBoss(): Promise<(readonly [string, string, string])[]> {
  await using server = await startPostgres();
  const options = { schedule: false, supervise: false, registerInstance: false };
  const boss = await new PgBoss({ connectionString: server.url, ...options }).start();
  const subject = await open(pgBossJobs(boss));
  await boss.createQueue("bare", { policy: "exclusive" });
  const stored = (n: number): object => ({ name: "note", payload: JSON.stringify({ n, to }) });
  const [jobs, count] = [300, new Count()];
  const sent = await compare(() => enqueueAll(subject, jobs), async () => {
    for (let n = 0; n < jobs; n++) {
      await boss.send("bare", stored(n), { singletonKey: crypto.randomUUID() });
    }
  });
  const first = subject.count.wait(jobs * ROUNDS);
  await subject.app.startWork();
  await first;
  const bare = async (): Promise<void> => {
    for (;;) {
      const fetched = await boss.fetch("bare", { batchSize: 10, includeMetadata: true });
      if (fetched.length === 0) break;
      await Promise.all(fetched.map(async (each) => {
        count.add();
        await boss.complete("bare", each);
      }));
    }
  };
  await bare();
  const ran = await compare(async () => {
    const done = subject.count.wait(jobs);
    await enqueueAll(subject, jobs);
    await done;
  }, async () => {
    for (let n = 0; n < jobs; n++) {
      await boss.send("bare", stored(n), { singletonKey: crypto.randomUUID() });
    }
    await bare();
  });
  await subject.app.shutdown();
  await boss.stop({ graceful: false });
  return [
    ["pg-boss, enqueued, to its bare use", ratioText(sent), "1.15"],
    ["pg-boss, enqueued and run, to its bare use", ratioText(ran), "1.15"],
  ];
}

async function measureBull(): Promise<(readonly [string, string, string])[]> {
  await using server = await startRedis();
  const connection = new Redis({ port: server.port, maxRetriesPerRequest: null });
  const engine = bullJobs({ Queue, Worker, connection });
  const subject = await open(engine);
  const [jobs, count] = [1_000, new Count()];
  // As long as fw's name, because each command sends it several times.
  const bare = new Queue("bare-queue", { connection });
  const stored = (n: number): object => ({ payload: JSON.stringify({ n, to }), attempts: 5 });
  const addAll = async (): Promise<void> => {
    for (let n = 0; n < jobs; n++) {
      await bare.add("note", stored(n), { removeOnComplete: true, priority: 1 });
    }
  };
  const added = await compare(() => enqueueAll(subject, jobs), addAll);
  await bare.obliterate({ force: true });
  const first = subject.count.wait(jobs * ROUNDS);
  await subject.app.startWork();
  await first;
  const worker = new Worker("bare-queue", () => Promise.resolve(count.add()), {
    connection,
    concurrency: 10,
  });
  const ran = await compare(async () => {
    const done = subject.count.wait(jobs);
    await enqueueAll(subject, jobs);
    await done;
  }, async () => {
    const done = count.wait(jobs);
    await addAll();
    await done;
  });
  await worker.close();
  await subject.app.shutdown();
  await bare.close();
  await engine.close();
  await connection.quit();
  return [
    ["BullMQ, enqueued, to its bare use", ratioText(added), "1.15"],
    ["BullMQ, enqueued and run, to its bare use", ratioText(ran), "1.15"],
  ];
}

function perSecond(numbers: readonly number[]): string {
  return Math.round(median(numbers)).toLocaleString("en");
}

function ratioText(ratio: number): string {
  return ratio.toFixed(2);
}

if (import.meta.main) console.log(await run());
