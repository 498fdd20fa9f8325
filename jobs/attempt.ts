import { setTimeout as pause } from "node:timers/promises";
import { type Application, type Counter, type Histogram, type Logger, publish } from "../mod.ts";
import { describeCauses } from "../runtime/addon.ts";
import type { ClaimedJob, JobOutcome } from "./engine.ts";
import { endedText, type Job, jobProgress, type JobRun, PermanentError } from "./job.ts";
import { readPayload } from "./payload.ts";

const maxBackoffMs = 3_600_000;
const maxErrorChars = 2_000;

export class Attempts {
  readonly #app: Application;
  readonly #graceMs: number;
  readonly #running: Map<JobRun, AbortController> = new Map();
  readonly #ended: Counter<readonly ["job", "outcome"]>;
  readonly #durations: Histogram<readonly ["job"]>;
  #isAborting = false;

  constructor(app: Application, graceMs: number) {
    this.#app = app;
    this.#graceMs = graceMs;
    const help = "Attempts of jobs by outcome.";
    this.#ended = app.metrics.counter("fw_jobs_total", help, "job", "outcome");
    const buckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300];
    const name = "fw_job_duration_seconds";
    this.#durations = app.metrics.histogram(name, "Duration of attempts of jobs.", buckets, "job");
  }

  async run(job: Job | undefined, claimed: ClaimedJob): Promise<JobOutcome> {
    // Claimed during shutdown, after the running jobs were aborted: nothing would abort this one.
    if (this.#isAborting) return this.#returned(claimed);
    if (job === undefined) {
      // A newer process may know the job, but not every engine can claim jobs by name.
      const retryAtMs = claimed.attempt < 10 ? Date.now() + 30_000 : undefined;
      const error = "the application has no such job";
      const { name, id } = claimed;
      if (retryAtMs === undefined) {
        this.#app.log.error("job is dead", { job: name, job_id: id, error });
      }
      return { kind: "failed", error, retryAtMs };
    }
    const startedMs = performance.now();
    const { timeoutMs } = job.options;
    // One controller for deadline and shutdown, as `AbortSignal.any` takes longer than all the rest (bench/jobs).
    const controller = new AbortController();
    const { signal } = controller;
    const run = createRun(this.#app, claimed, signal);
    let timer = setTimeout(() => {
      const text = `The job took longer than ${timeoutMs} ms`;
      controller.abort(new DOMException(text, "TimeoutError"));
      timer = setTimeout(() => {
        // The job cannot be stopped and must not run twice at once, so it keeps its slot.
        run.log.error("job ignores its deadline", { timeout_ms: timeoutMs });
      }, this.#graceMs);
    }, timeoutMs);
    this.#running.set(run, controller);
    let outcome: JobOutcome;
    try {
      // A process that ends cannot fail its job, so the job is claimed once more. A release may have lowered the
      // attempts of a job that waits.
      if (claimed.attempt > Math.max(job.options.attempts, claimed.attempts)) {
        throw new PermanentError(endedText);
      }
      await job.run(await readPayload(job, claimed.payload), run);
      // Work that continues after its deadline has failed, even if it succeeds later.
      if (!this.#isAborting) signal.throwIfAborted();
      outcome = { kind: "done" };
    } catch (error) {
      outcome = this.#isAborting ? this.#returned(claimed) : failed(job, { error, run });
    } finally {
      clearTimeout(timer);
      this.#running.delete(run);
    }
    const isDead = outcome.kind === "failed" && outcome.retryAtMs === undefined;
    this.#ended.with(job.name, isDead ? "dead" : outcome.kind).inc();
    this.#durations.with(job.name).observe((performance.now() - startedMs) / 1_000);
    return outcome;
  }

  #returned({ name, id }: ClaimedJob): JobOutcome {
    this.#app.log.info("job returns to the queue at shutdown", { job: name, job_id: id });
    return { kind: "returned" };
  }

  /** Aborts running jobs after the grace period. Resolves after a second one, to abandon them. */
  async abortLate(signal: AbortSignal): Promise<void> {
    try {
      await pause(this.#graceMs, undefined, { signal });
      this.#isAborting = true;
      const reason = new DOMException("The process is shutting down.", "AbortError");
      for (const controller of this.#running.values()) controller.abort(reason);
      // Without a job, only the engine is late: it may hang.
      if (this.#running.size > 0) await pause(this.#graceMs, undefined, { signal });
    } catch {
      // All jobs have ended.
    }
    for (const { log } of this.#running.keys()) {
      log.warn("job ignores its signal and is left at shutdown");
    }
  }
}

function failed(
  { options: { attempts, backoffMs } }: Job,
  { error, run }: { readonly error: unknown; readonly run: JobRun },
): JobOutcome {
  const isDead = isPermanent(error) || run.attempt >= attempts;
  const pauseMs = Math.min(backoffMs * 2 ** (run.attempt - 1), maxBackoffMs) *
    (0.75 + Math.random() / 2);
  if (isDead) run.log.error("job is dead", { error });
  else run.log.warn("job failed and runs again", { error });
  return {
    kind: "failed",
    // Cut, and limited to characters that every database accepts.
    error: describeCauses(error).slice(0, maxErrorChars).toWellFormed().replaceAll("\0", ""),
    retryAtMs: isDead ? undefined : Math.round(Date.now() + pauseMs),
  };
}

/** Reports whether no retry can help, also for an error of another copy of the package. */
function isPermanent(error: unknown): boolean {
  try {
    return error instanceof PermanentError || Object(error).name === "PermanentError";
  } catch {
    return false;
  }
}

const progressMs = 200;

/** Creates the second argument of a job, whose logger is created on first use. */
function createRun(app: Application, claimed: ClaimedJob, signal: AbortSignal): JobRun {
  const { id, name, attempt, key = id, requestId, traceId } = claimed;
  let log: Logger | undefined;
  let toldMs = -Infinity;
  return {
    app,
    id,
    attempt,
    signal,
    get log() {
      return log ??= app.log.with({
        job: name,
        job_id: id,
        attempt,
        ...(requestId !== undefined && { request_id: requestId }),
        ...(traceId !== undefined && { trace_id: traceId }),
      });
    },
    async progress(done: number, total: number): Promise<void> {
      const now = performance.now();
      if (done < total && now - toldMs < progressMs) return;
      toldMs = now;
      try {
        await publish(app, jobProgress({ name }, key), { done, total });
      } catch (error) {
        // A failed progress message must not fail the job.
        this.log.warn("job progress was not published", { error });
      }
    },
  };
}
