/** The suite that every job engine passes. */
import { assert, assertEquals } from "@std/assert";
import { cron, enqueue, every, job, provideJobs } from "../../jobs/mod.ts";
import type { Job, JobEngine, JobRun, JobsOptions } from "../../jobs/mod.ts";
import { drainJobs } from "../../jobs/testing.ts";
import { App, createLogger, date, int, int64, Off, struct, text } from "../../mod.ts";
import { until } from "../until.ts";

export type EngineTest = readonly [name: string, run: (engine: JobEngine) => Promise<void>];

export function quietApp(): App {
  return new App({ logRequest: Off, logger: createLogger({ write: () => {} }) });
}

export function noting(name = "note"): {
  readonly job: Job<{ n: number }>;
  readonly seen: number[];
} {
  const seen: number[] = [];
  return { job: job(name, struct({ n: int("required") }), ({ n }) => void seen.push(n)), seen };
}

/** A job that is retried immediately after an error. */
export function failing(attempts: number, work: (run: JobRun) => void): Job<Record<never, never>> {
  return job("fail", struct({}), (_, run) => work(run), { attempts, backoffMs: 1 });
}

async function withApp(
  engine: JobEngine,
  options: JobsOptions,
  run: (app: App) => Promise<void>,
): Promise<void> {
  await using app = quietApp();
  await provideJobs(app, engine, options);
  await run(app);
}

export const engineTests: readonly EngineTest[] = [
  ["a job runs once with its value, of every kind", async (engine) => {
    const seen: unknown[] = [];
    const to = text("required,email");
    const Value = struct({ id: int64("required"), at: date("required"), to });
    const all = job("all", Value, (value) => void seen.push(value));
    await withApp(engine, { jobs: [all] }, async (app) => {
      const value = { id: 2n ** 60n, at: new Date("2026-03-01T10:00:00Z"), to: "ada@example.org" };
      assert(await enqueue(app, all, value));
      assertEquals((await engine.counts()).waiting, 1);
      assertEquals([await drainJobs(app), seen], [[], [value]]);
      await drainJobs(app);
      assertEquals(seen.length, 1);
      const { waiting, running, dead } = await engine.counts();
      assertEquals([waiting, running, dead], [0, 0, 0]);
    });
  }],
  ["a key is unique while its job waits, and can be reused afterwards", async (engine) => {
    const { job: note, seen } = noting();
    const { job: other } = noting("other");
    await withApp(engine, { jobs: [note, other] }, async (app) => {
      const add = (n: number): Promise<boolean> => enqueue(app, note, { n }, { key: "a: b/c" });
      assertEquals([await add(1), await add(2)], [true, false]);
      assert(await enqueue(app, other, { n: 1 }, { key: "a: b/c" }));
      await drainJobs(app);
      assert(await add(3));
      await drainJobs(app);
      assertEquals(seen, [1, 3]);
    });
  }],
  ["a delay and a time are respected, and priorities come first", async (engine) => {
    const { job: note, seen } = noting();
    await withApp(engine, { jobs: [note], concurrency: 1 }, async (app) => {
      await enqueue(app, note, { n: 1 }, { delayMs: 60_000 });
      await enqueue(app, note, { n: 2 }, { at: new Date(Date.now() + 60_000) });
      await enqueue(app, note, { n: 3 });
      await enqueue(app, note, { n: 4 }, { priority: 1 });
      await enqueue(app, note, { n: 5 }, { priority: -1 });
      await drainJobs(app);
      assertEquals(seen, [4, 3, 5]);
      const { waiting, due, oldestMs } = await engine.counts();
      assertEquals([waiting, due, oldestMs], [2, 0, 0]);
    });
  }],
  ["each queue has its own concurrency", async (engine) => {
    let [running, most] = [0, 0];
    const Value = struct({ n: int("required") });
    const work = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
    };
    const narrow = job("narrow", Value, work, { queue: "narrow" });
    const { job: note, seen } = noting();
    const concurrency = { narrow: 2, default: 5 };
    await withApp(engine, { jobs: [narrow, note], concurrency }, async (app) => {
      for (let n = 1; n <= 8; n++) await enqueue(app, narrow, { n });
      await enqueue(app, note, { n: 1 });
      await drainJobs(app);
      assertEquals([most, seen], [2, [1]]);
    });
  }],
  [
    "a failed job runs again, then is dead with its error, and can be retried or dropped",
    async (engine) => {
      const attempts: number[] = [];
      const fail = failing(3, ({ attempt }) => {
        attempts.push(attempt);
        throw new RangeError(`no\0luck${"!".repeat(3_000)}`);
      });
      await withApp(engine, { jobs: [fail] }, async (app) => {
        await enqueue(app, fail, {});
        const { app: worker, stop } = await startWorker(engine, { jobs: [fail] });
        await until(async () => (await engine.counts()).dead === 1);
        await stop();
        assert(worker !== app);
        assertEquals(attempts, [1, 2, 3]);
        const [dead] = await engine.list("dead");
        const error = `RangeError: noluck${"!".repeat(1_981)}`;
        assertEquals([dead?.name, dead?.attempt, dead?.error], ["fail", 3, error]);
        const id = dead?.id ?? "";
        assert(await engine.retry(id));
        assertEquals([await engine.retry(id), (await engine.counts()).waiting], [false, 1]);
        await drainJobs(app);
        assertEquals(attempts.slice(3, 4), [1]);
        await until(async () => {
          await drainJobs(app);
          return (await engine.counts()).dead === 1;
        });
        const dropped = [id, "1 or 1", "", "x/y"].map((each) => engine.drop(each));
        assertEquals(await Promise.all(dropped), [true, false, false, false]);
        assertEquals(await engine.list("dead"), []);
      });
    },
  ],
  ["a delayed job is listed with its attempts and can run at once", async (engine) => {
    const options = { attempts: 3, backoffMs: 60_000 };
    const ran = Promise.withResolvers<void>();
    const slow = job("slow", struct({}), () => {
      ran.resolve();
      throw new Error("no");
    }, options);
    const listed = async (): Promise<readonly number[]> =>
      (await engine.list("waiting")).map(({ attempt }) => attempt);
    const { app, stop } = await startWorker(engine, { jobs: [slow] });
    await enqueue(app, slow, {});
    await ran.promise;
    await until(async () => (await engine.counts()).running === 0);
    await enqueue(app, slow, {}, { delayMs: 60_000 });
    const attempts = (await listed()).toSorted();
    const late = await engine.list("waiting");
    const { due } = await engine.counts();
    await stop();
    assertEquals([attempts, due], [[0, 1], 0]);
    for (const { id } of late) assert(await engine.retry(id));
    assertEquals([(await engine.counts()).due, (await listed()).toSorted()], [2, [0, 1]]);
  }],
  ["a dead job stays dead if its key waits again", async (engine) => {
    const fail = failing(1, () => {
      throw new Error("no");
    });
    await withApp(engine, { jobs: [fail] }, async (app) => {
      await enqueue(app, fail, {}, { key: "a" });
      await drainJobs(app);
      assert(await enqueue(app, fail, {}, { key: "a" }));
      const [dead] = await engine.list("dead");
      assert(!await engine.retry(dead?.id ?? ""));
      const { waiting, dead: count } = await engine.counts();
      assertEquals([waiting, count], [1, 1]);
    });
  }],
  ["a job that throws a value without text fails like any other", async (engine) => {
    const fail = failing(1, () => {
      throw Object.create(null);
    });
    await withApp(engine, { jobs: [fail] }, async (app) => {
      await enqueue(app, fail, {});
      const [dead] = await drainJobs(app);
      assertEquals(dead?.error, "{}");
    });
  }],
  ["a stored value that no longer fits the job is dead immediately", async (engine) => {
    const { job: note, seen } = noting();
    await withApp(engine, { jobs: [note] }, async (app) => {
      const { queue, priority, attempts } = note.options;
      const base = { name: "note", queue, priority, attempts, runAtMs: 0 };
      assert(await engine.enqueue({ ...base, payload: '{"n":"x"}' }));
      const [dead] = await drainJobs(app);
      assert(dead?.error?.includes("does not fit"), dead?.error);
      assertEquals(seen, []);
    });
  }],
  ["a deadline aborts the signal and fails the attempt", async (engine) => {
    let reason: unknown;
    const slow = job("slow", struct({}), async (_, { signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      reason = signal.reason;
    }, { timeoutMs: 20, attempts: 1 });
    await withApp(engine, { jobs: [slow] }, async (app) => {
      await enqueue(app, slow, {});
      const [dead] = await drainJobs(app);
      assert(dead?.error?.startsWith("TimeoutError"), dead?.error);
      assertEquals(Object(reason).name, "TimeoutError");
    });
  }],
  ["two workers never run a job at the same time", async (engine) => {
    const running = new Set<number>();
    const seen: number[] = [];
    const once = job("once", struct({ n: int("required") }), async ({ n }) => {
      assert(!running.has(n));
      running.add(n);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running.delete(n);
      seen.push(n);
    });
    await withApp(engine, { jobs: [once], concurrency: 4 }, async (app) => {
      const numbers = Array.from({ length: 30 }, (_, n) => n + 1);
      await Promise.all(numbers.map((n) => enqueue(app, once, { n })));
      await Promise.all([drainJobs(app), drainJobs(app)]);
      assertEquals(seen.toSorted((a, b) => a - b), numbers);
    });
  }],
  [
    "shutdown stops claiming and returns unfinished jobs without counting the attempt",
    async (engine) => {
      const started = Promise.withResolvers<void>();
      const attempts: number[] = [];
      let isLast = false;
      const long = job("long", struct({}), async (_, { attempt, signal }) => {
        attempts.push(attempt);
        started.resolve();
        if (isLast) return;
        await new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason))
        );
      }, { attempts: 1 });
      // The same time remains to return the job, which may take a loaded server a while.
      const options = { jobs: [long], graceMs: 1_500 };
      const { app, stop } = await startWorker(engine, options);
      await enqueue(app, long, {});
      await started.promise;
      await stop();
      assertEquals((await engine.list("waiting")).map(({ name }) => name), ["long"]);
      isLast = true;
      await withApp(engine, options, async (other) => {
        assertEquals(await drainJobs(other), []);
      });
      assertEquals(attempts, [1, 1]);
    },
  ],
  [
    "a schedule enqueues no second job while one waits or runs",
    async (engine) => {
      let [looks, runs] = [0, 0];
      const released = Promise.withResolvers<void>();
      const slow = job("slow", struct({}), async () => {
        runs++;
        await released.promise;
      });
      const next = (after: Date): Date => {
        looks++;
        return new Date(after.getTime() + 1);
      };
      const schedule = [cron("often", slow, { next })];
      const { stop } = await startWorker(engine, { jobs: [slow], schedule });
      await until(() => runs === 1);
      const seen = looks;
      await until(() => looks > seen + 8);
      const { waiting, running } = await engine.counts();
      assertEquals([waiting, running], [0, 1]);
      const [current] = await engine.list("running");
      assert(!await engine.drop(current?.id ?? ""));
      released.resolve();
      await until(() => runs === 2);
      await stop();
    },
  ],
  [
    "each occurrence of a schedule runs once, whatever the number of processes, even after a sleep",
    async (engine) => {
      const { job: note, seen } = noting();
      const schedule = [every(3_600_000, note, { value: { n: 7 } })];
      const [{ name = "" } = {}] = schedule;
      await engine.open(["default"]);
      const sleptAtMs = Date.now() - 5 * 3_600_000;
      const entry = { name: "note", queue: "default", payload: "", priority: 0, attempts: 1 };
      const look = { nowMs: 0, latestMs: Date.now() * 2, entry: { ...entry, runAtMs: 0 } };
      assert(Math.abs((await engine.nowMs?.() ?? Date.now()) - Date.now()) < 60_000);
      assertEquals(await engine.advance(name, { ...look, nextMs: sleptAtMs }), sleptAtMs);
      const options = { jobs: [note], schedule };
      const workers = await Promise.all([1, 2, 3].map(() => startWorker(engine, options)));
      await until(() => seen.length > 0);
      await Promise.all(workers.map(({ stop }) => stop()));
      assertEquals(seen, [7]);
      const nextMs = await engine.advance(name, { ...look, nextMs: 1 });
      assertEquals(nextMs % 3_600_000, 0);
      assert(nextMs > Date.now() - 60_000);
      assertEquals((await engine.counts()).waiting, 0);
      const late = { ...look, nowMs: 1, nextMs: 2, latestMs: nextMs - 1 };
      assertEquals(await engine.advance(name, late), 2, "a time of a clock that was wrong");
      assertEquals((await engine.counts()).waiting, 0);
    },
  ],
];

export async function startWorker(
  engine: JobEngine,
  options: JobsOptions,
): Promise<{ readonly app: App; readonly stop: () => Promise<void> }> {
  const app = quietApp();
  await provideJobs(app, engine, options);
  await app.startWork();
  return { app, stop: () => app.shutdown() };
}
