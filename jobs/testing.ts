/**
 * Runs jobs inside a test.
 *
 * @module
 */
import type { Application } from "../mod.ts";
import { jobsOf } from "./runtime.ts";

/**
 * Runs the jobs that are due, and those that they enqueue, until none is left. A job that fails is tried again at once.
 *
 * @param app The application, whose jobs are not running otherwise.
 * @returns The jobs that are dead now.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App, struct } from "@fw/fw";
 * import { enqueue, job, provideJobs, sqliteJobs } from "@fw/fw/jobs";
 * import { drainJobs } from "@fw/fw/jobs/testing";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const count = { runs: 0 };
 * const greet = job("greet", struct({}), () => void count.runs++);
 * const app = new App({ logRequest: () => false });
 * const db = await openSqlite(":memory:");
 * await provideJobs(app, sqliteJobs(db), { jobs: [greet] });
 * await enqueue(app, greet, {});
 * assertEquals(await drainJobs(app), []);
 * assertEquals(count.runs, 1);
 * await db.close();
 * ```
 */
export async function drainJobs(
  app: Application,
): Promise<readonly { readonly name: string; readonly error: string | undefined }[]> {
  const { engine } = jobsOf(app);
  const jobs = jobsOf(app);
  let pending = 0;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const names = jobs.names;
  const worker = await engine.work({
    names,
    concurrency: jobs.limits,
    run: async (claimed) => {
      pending++;
      const outcome = await jobs.run(claimed);
      pending--;
      return outcome.kind === "failed" && outcome.retryAtMs !== undefined
        ? { ...outcome, retryAtMs: Date.now() }
        : outcome;
    },
    onError: reject,
  });
  const look = async (): Promise<void> => {
    const due = (await engine.list("waiting")).some(({ runAt, name }) =>
      runAt.getTime() <= Date.now() && names.includes(name)
    );
    const { running } = await engine.counts();
    if (due || running > 0 || pending > 0) timer = setTimeout(() => look().catch(reject), 5);
    else resolve();
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    look().catch(reject);
    await promise;
  } finally {
    clearTimeout(timer);
    await worker.stop();
  }
  return (await engine.list("dead")).map(({ name, error }) => ({ name, error }));
}
