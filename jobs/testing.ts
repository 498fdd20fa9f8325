/**
 * Runs jobs inside a test.
 *
 * @module
 */
import { setTimeout as pause } from "node:timers/promises";
import { type Application, use } from "../mod.ts";
import { AppJobs } from "./runtime.ts";

/**
 * Runs the due jobs and those they enqueue until none is left. A failed job is retried at once.
 *
 * @returns The dead jobs.
 * @throws {TypeError} for a due job that the application lacks.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import type { Application } from "@fw/fw";
 * import { enqueue, type Job } from "@fw/fw/jobs";
 * import { drainJobs } from "@fw/fw/jobs/testing";
 *
 * export async function run(app: Application, job: Job<{}>): Promise<void> {
 *   await enqueue(app, job, {});
 *   assertEquals(await drainJobs(app), []);
 * }
 * ```
 */
export async function drainJobs(
  app: Application,
): Promise<readonly { readonly name: string; readonly error: string | undefined }[]> {
  const jobs = use(app, AppJobs);
  let failure: { readonly error: unknown } | undefined;
  const stop = jobs.work(
    (error) => void (failure ??= { error }),
    (end) =>
      end.kind === "failed" && end.retryAtMs !== undefined
        ? { ...end, retryAtMs: Date.now() }
        : end,
  );
  try {
    // Other processes and workers may run some of the jobs.
    for (let isDone = false; !isDone;) {
      const { due, running } = await jobs.engine.counts();
      if (failure !== undefined) throw failure.error;
      isDone = due + running === 0;
      const lacking = due > 0 &&
        (await jobs.engine.list("waiting")).find(({ name, runAt }) =>
          runAt.getTime() <= Date.now() && !jobs.names.includes(name)
        );
      if (lacking) {
        throw new TypeError(`Cannot drain "${lacking.name}": list it under jobs of provideJobs.`);
      }
      if (!isDone) await pause(5);
    }
  } finally {
    await stop(new Promise(() => {}));
  }
  return (await jobs.engine.list("dead")).map(({ name, error }) => ({ name, error }));
}
