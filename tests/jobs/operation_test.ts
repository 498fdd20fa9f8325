import { assert, assertEquals } from "@std/assert";
import { int } from "../../data/mod.ts";
import { openSqlite } from "../../data/sqlite/mod.ts";
import { enqueue, every, job, provideJobs, sqliteJobs } from "../../jobs/mod.ts";
import { drainJobs } from "../../jobs/testing.ts";
import { App, createLogger, Off, struct } from "../../mod.ts";
import { noting, quietApp } from "./suite.ts";
import { replaceClock } from "../clock.ts";
import { until } from "../until.ts";

Deno.test("a long job renews its lease, so no other process claims it", async () => {
  await using db = await openSqlite(":memory:");
  let runs = 0;
  const readLease = (): Promise<number> => db.one(int())`select lease_until from fw_jobs`;
  const long = job("long", struct({}), async () => {
    runs++;
    const claimedUntil = await readLease();
    // By now another process would have claimed it.
    await until(async () =>
      Date.now() >= claimedUntil + 100 && await readLease() >= claimedUntil + 100
    );
  });
  await using app = quietApp();
  await using other = quietApp();
  const [engine, otherEngine] = [1, 2].map(() => sqliteJobs(db, { leaseMs: 600, pollMs: 10 }));
  assert(engine !== undefined && otherEngine !== undefined);
  await provideJobs(app, engine, { jobs: [long] });
  await provideJobs(other, otherEngine, { jobs: [long] });
  await enqueue(app, long, {});
  await Promise.all([app.startWork(), other.startWork()]);
  await until(async () => {
    const { running, due } = await engine.counts();
    return running + due === 0;
  });
  assertEquals(runs, 1);
});

Deno.test("jobs whose process ended twice run one at a time", async () => {
  await using db = await openSqlite(":memory:");
  let [running, most] = [0, 0];
  const work = job("work", struct({}), async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running--;
  });
  await using app = quietApp();
  const engine = sqliteJobs(db, { pollMs: 10 });
  await provideJobs(app, engine, { jobs: [work] });
  for (let n = 0; n < 10; n++) await enqueue(app, work, {});
  await db.run`update fw_jobs set state = 'running', attempt = 2, lease_until = 1`;
  await Object(engine).reclaim([]);
  assertEquals([(await engine.counts()).due, (await engine.list("waiting")).length], [10, 10]);
  assertEquals([await drainJobs(app), most], [[], 1]);
});

Deno.test("a job without a delay runs at once after the clock was set back", async () => {
  await using db = await openSqlite(":memory:");
  const { job: note, seen } = noting();
  await using app = quietApp();
  await provideJobs(app, sqliteJobs(db, { pollMs: 10 }), { jobs: [note] });
  const { now } = Date;
  try {
    Date.now = () => now() + 3_600_000;
    await enqueue(app, note, { n: 1 });
  } finally {
    Date.now = now;
  }
  await drainJobs(app);
  assertEquals(seen, [1]);
});

Deno.test("a clock that jumps ahead, as after a sleep of the machine, lets no job run twice", async () => {
  await using db = await openSqlite(":memory:");
  const { now } = Date;
  const [started, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let runs = 0;
  const long = job("long", struct({}), async () => {
    runs++;
    started.resolve();
    await released.promise;
  });
  await using app = quietApp();
  await using other = quietApp();
  for (const each of [app, other]) {
    await provideJobs(each, sqliteJobs(db, { leaseMs: 300, pollMs: 10 }), { jobs: [long] });
  }
  await enqueue(app, long, {});
  await Promise.all([app.startWork(), other.startWork()]);
  await started.promise;
  const lease = (): Promise<number> => db.one(int())`select lease_until from fw_jobs`;
  try {
    Date.now = () => now() + 3_600_000;
    await until(async () => await lease() > Date.now(), "the renewal by the new time");
  } finally {
    Date.now = now;
  }
  released.resolve();
  await until(async () => await db.one(int())`select count(*) from fw_jobs` === 0);
  assertEquals(runs, 1);
});

const pauses: readonly (readonly [attempt: number, backoffMs: number, wantMs: number])[] = [
  [1, 1_000, 1_000],
  [2, 1_000, 2_000],
  [4, 1_000, 8_000],
  [1, 50, 50],
  [30, 1_000, 3_600_000],
];
for (const [attempt, backoffMs, wantMs] of pauses) {
  Deno.test(`the retry delay doubles from ${backoffMs} ms, with jitter, up to an hour: attempt ${attempt}`, async () => {
    const fail = job("fail", struct({}), () => Promise.reject(new Error("no")), {
      attempts: 99,
      backoffMs,
    });
    await using db = await openSqlite(":memory:");
    const app = quietApp();
    const engine = sqliteJobs(db);
    const seen = new Set<number>();
    engine.work = ({ run }) => {
      const end = (async () => {
        for (let n = 0; n < 20; n++) {
          const startMs = Date.now();
          const claimed = { id: "1", name: "fail", queue: "default", payload: "{}", attempt };
          const outcome = await run({ ...claimed, attempts: 5 });
          assert(outcome.kind === "failed" && outcome.retryAtMs !== undefined);
          const pauseMs = outcome.retryAtMs - startMs;
          // The attempt itself may take long on a busy machine.
          assert(pauseMs >= wantMs * 0.75 - 1 && outcome.retryAtMs <= Date.now() + wantMs * 1.25);
          seen.add(pauseMs);
        }
      })();
      return () => end;
    };
    await provideJobs(app, engine, { jobs: [fail] });
    await app.startWork();
    await app.shutdown();
    assert(seen.size > 1);
  });
}

Deno.test("a process that only serves requests starts nothing for jobs", async () => {
  const { job: note } = noting();
  const schedule = [every(1_000, note, { value: { n: 1 } })];
  await using db = await openSqlite(":memory:");
  const app = quietApp();
  const engine = sqliteJobs(db);
  engine.work = () => {
    throw new Error("It works.");
  };
  await provideJobs(app, engine, { jobs: [note], schedule, runsWhileServing: false });
  await app.startWork();
  await enqueue(app, note, { n: 1 });
  // The sanitizer would find a timer, because the application is not stopped.
  assertEquals((await engine.counts()).due, 1);
});

for (const [name, isOpen, status] of [["works", true, 200], ["fails", false, 503]] as const) {
  Deno.test(`readiness is ${status} while the job database ${name}`, async () => {
    const logger = createLogger({ write: () => {} });
    await using app = new App({ logger, observability: { health: "/health" } });
    await using db = await openSqlite(":memory:");
    await provideJobs(app, sqliteJobs(db), { jobs: [], runsWhileServing: false });
    if (!isOpen) await db.close();
    const response = await app.fetch(new Request("http://localhost/health/ready"));
    assertEquals(response.status, status);
    await response.body?.cancel();
  });
}

Deno.test("a failure of the engine is logged once a minute, another one at once", async () => {
  const errors: string[] = [];
  const logger = createLogger({
    write: (line) => void errors.push(JSON.parse(line).error.message),
  });
  await using app = new App({ env: "prod", logRequest: Off, logger });
  await using db = await openSqlite(":memory:");
  using clock = replaceClock();
  const engine = sqliteJobs(db);
  engine.work = ({ onError }) => {
    for (const message of ["down", "down", "starting", "starting"]) onError(new Error(message));
    clock.advance(60_000);
    onError(new Error("starting"));
    return () => Promise.resolve();
  };
  await provideJobs(app, engine, { jobs: [] });
  await app.startWork();
  assertEquals(errors, ["down", "starting", "starting"]);
});
