import type {
  CheckResult,
  HealthCheck,
  HealthReport,
  HealthStatus,
} from "../base/observe/health.ts";
import { partOf } from "../base/diagnose/error_text.ts";
import type { Application } from "../base/ctx/application.ts";

interface Check {
  readonly name: string;
  readonly fn: HealthCheck;
  /** Its run, which may outlast its timeout; no second one is started meanwhile. */
  pending: Run | undefined;
  status: HealthStatus | undefined;
}

type Run = { readonly startMs: number; readonly controller: AbortController };

type Outcome = { readonly error: unknown } | undefined;

const maxErrorChars = 1_000;

/** The number of timeouts after which a run that never settles is abandoned: its connection is lost. */
const lostAfterDeadlines = 30;

export class HealthChecks {
  readonly #app: Pick<Application, "config" | "log">;
  readonly #checks: Check[] = [];
  readonly #madeMs = performance.now();
  #results: readonly CheckResult[] = [];
  #freshUntilMs = -Infinity;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(app: Pick<Application, "config" | "log">) {
    this.#app = app;
  }

  get uptimeSeconds(): number {
    return Math.round(performance.now() - this.#madeMs) / 1_000;
  }

  /** Adds a check. @throws {TypeError} for an empty or duplicate name. */
  add(name: string, fn: HealthCheck): void {
    const fault = name === ""
      ? "give it a name"
      : this.#checks.some((check) => check.name === name)
      ? "there is one of that name; choose another"
      : typeof fn !== "function"
      ? "use a function"
      : undefined;
    if (fault !== undefined) throw new TypeError(`Cannot add the check "${name}": ${fault}.`);
    this.#checks.push({ name, fn, pending: undefined, status: undefined });
    this.#freshUntilMs = -Infinity;
  }

  /** Runs the checks, or returns the cached report; concurrent callers share one run. */
  async report(): Promise<HealthReport> {
    // A process that is shutting down should get no more requests, so no check is needed.
    if (!this.#isStopped && performance.now() >= this.#freshUntilMs) {
      await (this.#running ??= this.#run().finally(() => this.#running = undefined));
    }
    const checks = this.#results;
    const passes = !this.#isStopped && checks.every(({ status }) => status === "pass");
    return { status: passes ? "pass" : "fail", checks, uptimeSeconds: this.uptimeSeconds };
  }

  /** Fails from now on, and aborts running checks. */
  stop(): void {
    this.#isStopped = true;
    const reason = new DOMException("The application is stopping.", "AbortError");
    for (const { pending } of this.#checks) pending?.controller.abort(reason);
  }

  async #run(): Promise<void> {
    const { timeoutMs, cacheForMs } = this.#app.config.observability;
    this.#results = await Promise.all(this.#checks.map((check) => this.#try(check, timeoutMs)));
    // `NoTimeout` disables the cache: a readiness result without expiry would be meaningless.
    const keepMs = Number.isFinite(cacheForMs) ? cacheForMs : 0;
    const isWhole = this.#results.length === this.#checks.length;
    // A check added meanwhile has not run.
    this.#freshUntilMs = isWhole ? performance.now() + keepMs : -Infinity;
  }

  async #try(check: Check, timeoutMs: number): Promise<CheckResult> {
    const startMs = performance.now();
    const outcome = await runInTime(check, timeoutMs);
    const durationMs = Math.round((performance.now() - startMs) * 1_000) / 1_000;
    const status = outcome === undefined ? "pass" : "fail";
    this.#tell(check, outcome, durationMs);
    check.status = status;
    const error = outcome === undefined ? undefined : messageOf(outcome.error);
    return { name: check.name, status, durationMs, error };
  }

  /** Logs a change only, because probes come every few seconds. */
  #tell(check: Check, outcome: Outcome, durationMs: number): void {
    if ((outcome === undefined) === ((check.status ?? "pass") === "pass")) return;
    const fields = { check: check.name, duration_ms: durationMs };
    if (outcome === undefined) this.#app.log.info("health check passes again", fields);
    else {
      const { error = messageOf(undefined) } = outcome;
      this.#app.log.error("health check failed", { ...fields, error });
    }
  }
}

async function runInTime(check: Check, timeoutMs: number): Promise<Outcome> {
  if (check.pending !== undefined) {
    const sinceMs = Math.round(performance.now() - check.pending.startMs);
    const isLost = sinceMs > lostAfterDeadlines * timeoutMs;
    if (!isLost) return { error: new Error(`still running after ${sinceMs} ms`) };
  }
  const controller = new AbortController();
  const pending: Run = { startMs: performance.now(), controller };
  check.pending = pending;
  const work = run(check.fn, controller.signal).finally(() => {
    if (check.pending === pending) check.pending = undefined;
  });
  if (!Number.isFinite(timeoutMs)) return await work;
  const late = Promise.withResolvers<Outcome>();
  const timer = setTimeout(() => {
    const error = new DOMException(
      `timed out after ${timeoutMs} ms (config.observability.timeoutMs)`,
      "TimeoutError",
    );
    late.resolve({ error });
    controller.abort(error);
  }, timeoutMs);
  const outcome = await Promise.race([work, late.promise]);
  clearTimeout(timer);
  return outcome;
}

/** Runs the function of a check; a thrown, rejected or returned error is a failure. */
async function run(fn: HealthCheck, signal: AbortSignal): Promise<Outcome> {
  try {
    const given: unknown = await fn(signal);
    // A check written as a condition returns `false` for a failure.
    if (given === false) return { error: new Error("the check gave false") };
    return given instanceof Error ? { error: given } : undefined;
  } catch (error) {
    return { error };
  }
}

function messageOf(error: unknown): string {
  const text = error instanceof Error
    ? partOf(error, "message") || partOf(error, "name") || "an error without a message"
    : "the thrown value is not an error";
  return text.slice(0, maxErrorChars);
}
