import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { type Db, int as intField } from "../../data/mod.ts";
import { openSqlite } from "../../data/sqlite/mod.ts";
import {
  cron,
  daily,
  enqueue,
  enqueueNamed,
  every,
  job,
  type JobEngine,
  jobEngine,
  type JobOutcome,
  type JobsOptions,
  PermanentError,
  provideJobs,
  type Schedule,
  sqliteJobs,
  type SqliteJobsOptions,
} from "../../jobs/mod.ts";
import { drainJobs } from "../../jobs/testing.ts";
import {
  App,
  createLogger,
  date,
  float,
  int,
  key,
  Off,
  provide,
  provideStores,
  struct,
  use,
} from "../../mod.ts";
import { memoryChannels } from "../../runtime/addon.ts";
import { noting, quietApp } from "./suite.ts";
import { until, withMoreTime } from "../until.ts";

const Notes = key<Db>("notes");

interface Subject {
  readonly app: App;
  readonly db: Db;
  readonly engine: JobEngine;
}

/** Provides jobs, which run from `startWork` on. `write` receives the lines of the log. */
async function withJobs(
  { pollMs = 10, leaseMs = 30_000, write = () => {}, ...options }:
    & JobsOptions
    & SqliteJobsOptions
    & { readonly write?: (line: string) => void },
  run: (subject: Subject) => Promise<void>,
): Promise<void> {
  await using db = await openSqlite(":memory:");
  await using app = new App({ logRequest: Off, logger: createLogger({ write }) });
  const engine = sqliteJobs(db, { pollMs, leaseMs });
  await provideJobs(app, engine, options);
  await run({ app, db, engine });
}

Deno.test("enqueue: refuses a value that fails the schema and an unlisted job", async () => {
  const { job: note } = noting();
  const { job: other } = noting("other");
  await withJobs({ jobs: [note] }, async ({ app }) => {
    await assertRejects(() => enqueue(app, note, { n: 0.5 }), TypeError, "n: ");
    await assertRejects(() => enqueue(app, note, {} as { n: number }), TypeError);
    await assertRejects(() => enqueue(app, other, { n: 1 }), TypeError, "list it");
    await assertRejects(() => enqueue(app, note, { n: NaN }), TypeError, "n is not a valid");
    const nothing = undefined as unknown as { n: number };
    await assertRejects(() => enqueue(app, note, nothing), TypeError, "is not JSON");
    for (const wrong of [{ at: new Date(NaN) }, { delayMs: NaN }, { priority: 0.5 }]) {
      await assertRejects(() => enqueue(app, note, { n: 5 }, wrong), RangeError);
    }
  });
});

Deno.test("enqueueNamed: enqueues a job once with the value of its schedule, or with another", async () => {
  const { job: note, seen } = noting();
  const schedule = [every(3_600_000, note, { value: { n: 7 } })];
  await withJobs({ jobs: [note], schedule }, async ({ app }) => {
    const now = (...args: [name: string, value?: unknown]): Promise<boolean> =>
      enqueueNamed(app, ...args);
    assertEquals([await now("note"), await now("note"), await now("note", { n: 8 })], [
      true,
      false,
      true,
    ]);
    await assertRejects(() => now("other"), TypeError, "the jobs are note");
    await drainJobs(app);
    assertEquals(seen, [7, 8]);
  });
});

Deno.test("enqueue: refuses an optional number or date that JSON would turn into null", async () => {
  const work = job("work", struct({ n: float().optional(), at: date().optional() }), () => {});
  await withJobs({ jobs: [work] }, async ({ app }) => {
    for (const n of [NaN, Infinity]) {
      await assertRejects(() => enqueue(app, work, { n, at: null }), TypeError, "n is not a valid");
    }
    const at = new Date(NaN);
    await assertRejects(() => enqueue(app, work, { n: 1, at }), TypeError, "at is not a valid");
    assert(await enqueue(app, work, { n: null, at: new Date(0) }));
  });
});

Deno.test("an error whose name cannot be read makes its job dead and leaves the process alive", async () => {
  const names: readonly PropertyDescriptor[] = [
    { value: Symbol("x") },
    {
      get: () => {
        throw new Error("trap");
      },
    },
  ];
  for (const name of names) {
    const bad = job("bad", struct({}), () => {
      throw Object.defineProperty(new Error("broken"), "name", name);
    }, { attempts: 1 });
    await withJobs({ jobs: [bad] }, async ({ app }) => {
      await enqueue(app, bad, {});
      assertStringIncludes((await drainJobs(app))[0]?.error ?? "", ": broken");
    });
  }
});

Deno.test("enqueue: a running worker sees no rolled-back job and does not join the transaction", async () => {
  const ran = Promise.withResolvers<void>();
  const seen: number[] = [];
  const note = job("note", struct({ n: int("required") }), async ({ n }, { app }) => {
    seen.push(n);
    await use(app, Notes).run`insert into notes values (${n})`;
    if (n === 3) ran.resolve();
  });
  await withJobs({ jobs: [note], concurrency: 1, pollMs: 5 }, async ({ app, db }) => {
    provide(app, Notes, db);
    await db.run`create table notes (n integer) strict`;
    await app.startWork();
    const add = (n: number): Promise<boolean> => enqueue(app, note, { n });
    await db.tx(async () => {
      await add(1);
      // Long enough for polls that would join the transaction.
      for (let turn = 0; turn < 20; turn++) {
        await new Promise((resolve) => setImmediate(resolve));
        await db.run`delete from notes where n = 0`;
      }
      throw new Error("undo");
    }).catch(() => {});
    await db.tx(async () => void await add(2));
    await add(3);
    await ran.promise;
    await app.shutdown();
    assertEquals(seen, [2, 3]);
    assertEquals(await db.all(intField())`select n from notes order by n`, [2, 3]);
  });
});

Deno.test("an attempt taken over by another process changes nothing when it ends", async () => {
  const second = Promise.withResolvers<void>();
  const slow = job("slow", struct({}), async (_, { app }) => {
    await use(app, Notes).run`update fw_jobs set attempt = 2, lease_until = ${Date.now() + 60_000}`;
    second.resolve();
    throw new Error("late");
  });
  await withJobs({ jobs: [slow] }, async ({ app, db, engine }) => {
    provide(app, Notes, db);
    await enqueue(app, slow, {});
    await app.startWork();
    await second.promise;
    await app.shutdown();
    const [running] = await engine.list("running");
    assertEquals([running?.attempt, running?.error], [2, undefined]);
  });
});

Deno.test("a job that ignores its deadline is logged and keeps its slot and its lease", async () => {
  const released = Promise.withResolvers<void>();
  const logged = Promise.withResolvers<void>();
  let runs = 0;
  const deaf = job("deaf", struct({}), () => {
    runs++;
    return released.promise;
  }, { timeoutMs: 5, attempts: 1 });
  const write = (line: string): void => {
    if (line.includes("ignores its deadline")) logged.resolve();
  };
  const options = { jobs: [deaf], concurrency: 1, graceMs: 5, pollMs: 5, leaseMs: 20, write };
  await withJobs(options, async ({ app, engine }) => {
    await enqueue(app, deaf, {});
    await enqueue(app, deaf, {});
    await app.startWork();
    await logged.promise;
    assertEquals([(await engine.list("running")).length, runs], [1, 1]);
    released.resolve();
  });
});

Deno.test("a process does not release its own jobs, and none when the clock has jumped", async () => {
  const released = Promise.withResolvers<void>();
  let runs = 0;
  const slow = job("slow", struct({}), () => {
    runs++;
    return released.promise;
  });
  const { job: note, seen } = noting();
  await withJobs({ jobs: [slow, note] }, async ({ app, db, engine }) => {
    await enqueue(app, slow, {});
    await app.startWork();
    await until(() => runs === 1);
    await db
      .run`insert into fw_jobs select id + 1, name, queue, payload, state, priority, run_at, attempt, attempts,
      lease_until, 'of another process', error, request_id, trace_id, created_at from fw_jobs`;
    const { now } = Date;
    try {
      // The leases of both look expired.
      Date.now = () => now() + 3_600_000;
      await enqueue(app, note, { n: 1 });
      await until(() => seen.length === 1);
      await enqueue(app, note, { n: 2 });
      await until(() => seen.length === 2);
      assertEquals([(await engine.list("running")).length, runs], [2, 1]);
    } finally {
      Date.now = now;
    }
    await db.run`update fw_jobs set lease_until = 0 where id = 1`;
    await Object(engine).reclaim(["1"]);
    assertEquals((await engine.list("running")).length, 2);
    released.resolve();
  });
});

Deno.test("many jobs for tomorrow do not hide today's jobs", async () => {
  const { job: note, seen } = noting();
  await withJobs({ jobs: [note] }, async ({ app, db, engine }) => {
    await db.tx(async () => {
      for (let n = 1; n <= 150; n++) await enqueue(app, note, { n }, { delayMs: 60_000 });
    });
    await enqueue(app, note, { n: 200 }, { priority: -1 });
    await drainJobs(app);
    assertEquals(seen, [200]);
    const { waiting, oldestMs } = await engine.counts();
    assertEquals([waiting, oldestMs], [150, 0]);
    await db.run`update fw_jobs set state = 'alone', run_at = ${Date.now() - 5_000} where id = 1`;
    const later = await engine.counts();
    assertEquals([later.due, later.oldestMs >= 5_000], [1, true]);
  });
});

Deno.test("a job of a dead process runs again until its attempts are used up, with a line in the log", async () => {
  const { job: note, seen } = noting();
  let log = "";
  const write = (line: string): void => void (log += line);
  await withJobs({ jobs: [note], write }, async ({ app, db }) => {
    const die = (attempt: number) =>
      db.run`update fw_jobs set state = 'running', attempt = ${attempt}, lease_until = ${
        Date.now() - 1
      }`;
    await enqueue(app, note, { n: 1 });
    await die(1);
    await drainJobs(app);
    assertEquals([seen, log], [[1], ""]);
    await enqueue(app, note, { n: 2 });
    await die(5);
    const error = "PermanentError: the process ended while the job ran";
    assertEquals([await drainJobs(app), seen], [[{ name: "note", error }], [1]]);
    assertMatch(log, /"job is dead","job":"note"/);
  });
});

Deno.test("a waiting job runs once more after a release lowered its attempts", async () => {
  const { job: note, seen } = noting();
  await withJobs({ jobs: [note] }, async ({ app, db }) => {
    await enqueue(app, note, { n: 1 });
    await db.run`update fw_jobs set attempt = 6, attempts = 9`;
    assertEquals([await drainJobs(app), seen], [[], [1]]);
  });
});

for (const name of ["PermanentError", "Error"]) {
  Deno.test(`a job is dead at once after a PermanentError, also of another copy: ${name}`, async () => {
    let runs = 0;
    const load = job("load", struct({}), () => {
      runs++;
      throw Object.assign(new Error("gone"), { name });
    }, { attempts: 2, backoffMs: 1 });
    await withJobs({ jobs: [load] }, async ({ app }) => {
      await enqueue(app, load, {});
      await drainJobs(app);
      assertEquals(runs, name === "Error" ? 2 : 1);
    });
  });
}

for (const attempt of [9, 10]) {
  Deno.test(`a job that the application lacks is dead after ten attempts, with a line in the log: ${attempt}`, async () => {
    const { job: note } = noting();
    let log = "";
    const write = (line: string): void => void (log += line);
    await withJobs({ jobs: [note], write }, async ({ app, engine }) => {
      const { promise: ended, resolve } = Promise.withResolvers<JobOutcome>();
      engine.work = ({ run }) => {
        run({ id: "1", name: "gone", queue: "default", payload: "{}", attempt, attempts: 5 })
          .then(resolve);
        return () => Promise.resolve();
      };
      await app.startWork();
      const isDead = Object(await ended).retryAtMs === undefined;
      const isLogged = /"job is dead","job":"gone","job_id":"1"/.test(log);
      assertEquals([isDead, isLogged], [attempt === 10, attempt === 10]);
    });
  });
}

Deno.test("shutdown leaves a job that ignores its signal, whose lease then expires", async () => {
  const started = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const deaf = job("deaf", struct({}), async () => {
    started.resolve();
    await released.promise;
  });
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  await withJobs({ jobs: [deaf], graceMs: 10, write }, async ({ app, engine }) => {
    await enqueue(app, deaf, {});
    await app.startWork();
    await started.promise;
    await app.shutdown();
    assertEquals((await engine.list("running")).map(({ name }) => name), ["deaf"]);
    assertEquals(lines.filter((line) => line.includes("ignores its signal")).length, 1);
    released.resolve();
  });
});

const ends: readonly [
  name: string,
  graceMs: number,
  end: (signal: AbortSignal) => Promise<unknown>,
][] = [
  ["within its grace period", 5_000, async (signal) => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    signal.throwIfAborted();
  }],
  [
    "after its signal",
    300,
    (signal) =>
      new Promise((resolve) => signal.addEventListener("abort", () => setTimeout(resolve, 20))),
  ],
];
for (const [name, graceMs, end] of ends) {
  Deno.test(`shutdown lets a job end ${name}`, async () => {
    const started = Promise.withResolvers<void>();
    const slow = job("slow", struct({}), async (_, { signal }) => {
      started.resolve();
      await end(signal);
    });
    await withJobs({ jobs: [slow], graceMs }, async ({ app, engine }) => {
      await enqueue(app, slow, {});
      await app.startWork();
      await started.promise;
      await app.shutdown();
      const { waiting, running } = await engine.counts();
      assertEquals([waiting, running], [0, 0]);
    });
  });
}

Deno.test("drainJobs rejects if the engine fails", async () => {
  const { job: note } = noting();
  await withJobs({ jobs: [note] }, async ({ app, engine }) => {
    await enqueue(app, note, { n: 1 });
    Object.assign(engine, { claim: () => Promise.reject(new Error("no claim")) });
    await assertRejects(() => drainJobs(app), Error, "no claim");
  });
});

Deno.test("a job that is enqueued, retried or next in its queue starts without a poll", async () => {
  const seen: number[] = [];
  const work = job("work", struct({ n: int("required") }), ({ n }) => {
    seen.push(n);
    if (seen.length === 2) throw new PermanentError("no");
  });
  await withJobs({ jobs: [work], concurrency: 1, pollMs: 600_000 }, async ({ app, engine }) => {
    for (const n of [1, 2]) await enqueue(app, work, { n });
    await app.startWork();
    await until(async () => (await engine.counts()).dead === 1);
    assert(await engine.retry((await engine.list("dead"))[0]?.id ?? ""));
    await until(() => seen.length === 3);
    await enqueue(app, work, { n: 3 });
    await until(() => seen.length === 4);
    assertEquals(seen, [1, 2, 2, 3]);
  });
});

Deno.test("a job that is enqueued during a poll starts without another", async () => {
  const { job: note, seen } = noting();
  await withJobs({ jobs: [note], pollMs: 600_000 }, async ({ app, engine }) => {
    const source = engine as JobEngine & { claim(...args: unknown[]): Promise<unknown> };
    const claim = source.claim.bind(engine);
    source.claim = async (...args) => {
      const found = await claim(...args);
      if (seen.length === 0) await enqueue(app, note, { n: 1 }, { key: "once" });
      return found;
    };
    await app.startWork();
    await until(() => seen.length === 1);
  });
});

Deno.test("drainJobs names a job that the application lacks", async () => {
  const { job: note } = noting();
  const { job: other } = noting("other");
  await withJobs({ jobs: [note, other] }, async ({ app, engine }) => {
    await enqueue(app, other, { n: 1 });
    await using lacking = quietApp();
    await provideJobs(lacking, engine, { jobs: [note] });
    await enqueue(lacking, note, { n: 1 });
    await assertRejects(() => drainJobs(lacking), TypeError, 'Cannot drain "other": list it under');
    assertEquals(await drainJobs(app), []);
  });
});

Deno.test("schedules: an occurrence that cannot be enqueued is retried", async () => {
  const { job: note, seen } = noting();
  const failed = Promise.withResolvers<void>();
  const write = (line: string): void => {
    if (line.includes("a schedule failed")) failed.resolve();
  };
  const schedule = [every(3_600_000, note, { value: { n: 7 } })];
  const atMs = Date.now() - 1;
  await withJobs({ jobs: [note], schedule, write }, async ({ app, db }) => {
    await db.run`insert into fw_schedules values (${schedule[0]?.name ?? ""}, ${atMs})`;
    await db
      .run`create trigger refuse before insert on fw_jobs begin select raise(abort, 'the process ended'); end`;
    await app.startWork();
    await failed.promise;
    await app.shutdown();
    assertEquals([await db.one(intField())`select next_at from fw_schedules`, seen], [atMs, []]);
  });
});

const odd: readonly [name: string, next: () => Date][] = [
  ["throws", () => {
    throw new Error("no time");
  }],
  ["returns an invalid date", () => new Date(NaN)],
  ["returns a time in the past", () => new Date(0)],
];
for (const [name, next] of odd) {
  Deno.test(`schedules: one that ${name} does not delay the others`, async () => {
    const { job: note, seen } = noting();
    const value = { n: 7 };
    const schedule = [cron("odd", note, { next, value }), every(3_600_000, note, { value })];
    await withJobs({ jobs: [note], schedule }, async ({ app, db }) => {
      await db.run`insert into fw_schedules values (${schedule[1]?.name ?? ""}, ${Date.now() - 1})`;
      await app.startWork();
      await until(() => seen.length > 0);
      await app.shutdown();
      assertEquals(seen, [7]);
    });
  });
}

type Fault = readonly [name: string, options: Partial<JobsOptions> & SqliteJobsOptions];
const faults: readonly Fault[] = [
  ...[NaN, 0, -1, 1.5, Infinity].flatMap((number): Fault[] => [
    [`concurrency ${number}`, { concurrency: number }],
    [`concurrency of a queue ${number}`, { concurrency: { default: number } }],
    [`leaseMs ${number}`, { leaseMs: number }],
    [`pollMs ${number}`, { pollMs: number }],
  ]),
  ...[NaN, -1, 1.5, Infinity].map((graceMs): Fault => [`graceMs ${graceMs}`, { graceMs }]),
];
for (const [name, options] of faults) {
  Deno.test(`provideJobs refuses: ${name}`, async () => {
    await using db = await openSqlite(":memory:");
    const { leaseMs = 1_000, pollMs = 1_000, ...rest } = options;
    await assertRejects(
      async () =>
        await provideJobs(new App(), sqliteJobs(db, { leaseMs, pollMs }), { jobs: [], ...rest }),
      RangeError,
      "Cannot ",
    );
  });
}

const names: readonly [name: string, run: () => unknown, message: string][] = [
  ["a malformed name", () => job("Send Mail", struct({}), () => {}), "lower-case"],
  ["a blank name", () => job("", struct({}), () => {}), "Cannot create the job"],
  ["a blank queue", () => job("a", struct({}), () => {}, { queue: " " }), "queue"],
  ["no attempt", () => job("a", struct({}), () => {}, { attempts: 0 }), "attempts"],
  ["a deadline of NaN", () => job("a", struct({}), () => {}, { timeoutMs: NaN }), "timeoutMs"],
  ["NaN for priority", () => job("a", struct({}), () => {}, { priority: NaN }), "priority"],
  ["a pace below a second", () => every(10, noting().job), "1000"],
];
for (const [name, run, message] of names) {
  Deno.test(`job refuses: ${name}`, () => void assertThrows(run, Error, message));
}

const { job: note } = noting();
const daily7 = (n: number): Schedule => daily("07:00", note, { value: { n } });
const twins: readonly [name: string, options: JobsOptions, message: string][] = [
  ["two jobs with one name", { jobs: [note, noting().job] }, "rename one"],
  ["a queue without a job", { jobs: [note], concurrency: { default: 2, reports: 1 } }, '"reports"'],
  ["a schedule of an unlisted job", { jobs: [], schedule: [daily7(1)] }, "list it"],
  ["two schedules with one name", { jobs: [note], schedule: [1, 2].map(daily7) }, "twice"],
  ["a schedule without its value", { jobs: [note], schedule: [every(1_000, note)] }, "n: "],
];
for (const [name, options, message] of twins) {
  Deno.test(`provideJobs refuses: ${name}`, async () => {
    await assertRejects(() => withJobs(options, () => Promise.resolve()), TypeError, message);
  });
}

Deno.test("metrics count the jobs, and a job's log lines have the request and trace that enqueued it", async () => {
  const lines: string[] = [];
  const note = job("note", struct({}), (_, { log }) => log.info("noted"));
  await using db = await openSqlite(":memory:");
  await using app = new App({
    logRequest: Off,
    logger: createLogger({ write: (line) => void lines.push(line) }),
    observability: { metrics: "/metrics", token: "t".repeat(32) },
  });
  await provideJobs(app, sqliteJobs(db), { jobs: [note] });
  app.route({
    pattern: "/",
    methods: {
      GET: async (c) => {
        await enqueue(c, note, {});
        return c.text(200, c.requestId);
      },
    },
  });
  const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
  const response = await app.fetch(new Request("http://localhost/", { headers: { traceparent } }));
  const requestId = await response.text();
  const authorization = `Bearer ${"t".repeat(32)}`;
  const scrape = async (): Promise<string> =>
    await (await app.fetch(new Request("http://localhost/metrics", { headers: { authorization } })))
      .text();
  const before = await scrape();
  for (const line of [/^fw_jobs_waiting 1$/m, /^fw_jobs_running 0$/m, /^fw_jobs_dead 0$/m]) {
    assertMatch(before, line);
  }
  assertMatch(before, /^fw_jobs_oldest_seconds 0\.?\d*$/m);
  await drainJobs(app);
  const text = await scrape();
  assertMatch(text, /^fw_jobs_total\{job="note",outcome="done"\} 1$/m);
  assertMatch(text, /^fw_job_duration_seconds_count\{job="note"\} 1$/m);
  const line = JSON.parse(lines.find((each) => each.includes("noted")) ?? "{}");
  assertEquals([line.job, line.attempt, line.trace_id, line.request_id], [
    ...["note", 1, "a".repeat(32), requestId],
  ]);
});

Deno.test("progress: is published at most every 200 ms, and at its end", async () => {
  const load = job("load", struct({}), async (_, run) => {
    for (const done of [1, 2, 3]) await run.progress(done, 3);
  });
  await withJobs({ jobs: [load] }, async ({ app }) => {
    const published: unknown[] = [];
    const memory = memoryChannels();
    const publish: typeof memory.publish = (channel, message) => {
      published.push(JSON.parse(message.text).done);
      return memory.publish(channel, message);
    };
    provideStores(app, { channels: { ...memory, publish } });
    await enqueue(app, load, {});
    assertEquals([await drainJobs(app), published], [[], [1, 3]]);
  });
});

Deno.test("progress: a failing channel store does not fail the job", async () => {
  const load = job("load", struct({}), (_, run) => run.progress(1, 2));
  let log = "";
  const write = (line: string): string => log += line;
  await withJobs({ jobs: [load], write }, async ({ app }) => {
    const channels = { ...memoryChannels(), publish: () => Promise.reject(new Error("down")) };
    provideStores(app, { channels });
    await enqueue(app, load, {});
    assertEquals(await drainJobs(app), []);
    assertMatch(log, /"job progress was not published"/);
  });
});

Deno.test("shutdown: returns a job that the engine claims after the grace period", async () => {
  let runs = 0;
  const long = job("long", struct({}), async (_, { signal }) => {
    runs++;
    await new Promise((_, reject) => signal.addEventListener("abort", reject));
  });
  const outcomes: string[] = [];
  let log = "";
  const write = (line: string): string => log += line;
  await withJobs({ jobs: [long], graceMs: 1, write }, async ({ app, engine }) => {
    engine.work = ({ run }) => {
      const runOnce = async (): Promise<void> => {
        const attempts = 5;
        const claimed = {
          id: "1",
          name: "long",
          queue: "default",
          payload: "{}",
          attempt: 1,
          attempts,
        };
        outcomes.push((await run(claimed)).kind);
      };
      const first = runOnce();
      return () => first.then(runOnce);
    };
    await app.startWork();
    await app.shutdown();
  });
  assertEquals([runs, outcomes], [1, ["returned", "returned"]]);
  const line = '"job returns to the queue at shutdown","job":"long","job_id":"1"';
  assertEquals(log.split(line).length, 3);
});

const everyMinute = { jobs: [note], schedule: [every(60_000, note, { value: { n: 1 } })] };

Deno.test("shutdown ends even if the engine does not respond to claim or advance, which is logged", async () => {
  const told = Promise.withResolvers<string>();
  const claimed = Promise.withResolvers<void>();
  const advanced = Promise.withResolvers<void>();
  const never = new Promise<never>(() => {});
  await withJobs({ ...everyMinute, graceMs: 1, write: told.resolve }, async ({ app, engine }) => {
    Object.assign(engine, {
      lateMs: 1,
      claim: () => (claimed.resolve(), never),
      advance: () => (advanced.resolve(), never),
    });
    await app.startWork();
    await Promise.all([claimed.promise, advanced.promise]);
    assertStringIncludes(
      await told.promise,
      "The queue has not responded for 1 ms: set query_timeout",
    );
  });
});

Deno.test("shutdown waits for a hanging engine one grace period, if no job runs", () =>
  withMoreTime((factor) => {
    const claimed = Promise.withResolvers<void>();
    const graceMs = 100 * factor;
    return withJobs({ jobs: [note], graceMs }, async ({ app, engine }) => {
      Object.assign(engine, { claim: () => (claimed.resolve(), new Promise<never>(() => {})) });
      await app.startWork();
      await claimed.promise;
      let isSecondOver = false;
      // Due before the second period could end.
      const timer = setTimeout(() => isSecondOver = true, graceMs * 1.9);
      await app.shutdown();
      clearTimeout(timer);
      assert(!isSecondOver);
    });
  }));

Deno.test("a schedule follows the clock of the store, not of a process whose clock is wrong", async () => {
  const looked = Promise.withResolvers<readonly number[]>();
  await withJobs({ ...everyMinute, graceMs: 1 }, async ({ app, engine }) => {
    engine.nowMs = () => Promise.resolve(90_000);
    engine.advance = (_, { nowMs, nextMs, latestMs }) => {
      looked.resolve([nowMs, nextMs, latestMs]);
      return Promise.resolve(nextMs);
    };
    await app.startWork();
    assertEquals(await looked.promise, [90_000, 120_000, 180_000]);
  });
});

Deno.test("a job whose stored value is not JSON is dead after one attempt", async () => {
  const { job: note } = noting();
  await withJobs({ jobs: [note] }, async ({ app, db }) => {
    await enqueue(app, note, { n: 1 });
    await db.run`update fw_jobs set payload = '{'`;
    const error = "PermanentError: the stored value is not JSON";
    assertEquals(await drainJobs(app), [{ name: note.name, error }]);
    assertEquals((await jobEngine(app).list("dead")).map(({ attempt }) => attempt), [1]);
  });
});
