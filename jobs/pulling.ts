import { AsyncLocalStorage } from "node:async_hooks";
import type { ClaimedJob, JobOutcome, StopWork, WorkOptions } from "./engine.ts";

export abstract class PulledJobs {
  readonly #workers: Set<Puller> = new Set();
  /** Polling interval for jobs of other processes, in milliseconds. */
  abstract readonly pollMs: number;
  /** Renewal interval of leases, in milliseconds. */
  abstract readonly renewMs: number;
  /** Time after which a poll without an end is reported, in milliseconds. */
  readonly lateMs: number = 60_000;
  abstract claim(
    queue: string,
    names: readonly string[],
    count: number,
  ): Promise<readonly ClaimedJob[]>;
  /** Stores the outcome of an attempt, unless another process has taken over the job since. */
  abstract finish(claimed: ClaimedJob, outcome: JobOutcome): Promise<void>;
  abstract renew(running: readonly ClaimedJob[]): Promise<void>;
  /** Releases the jobs of processes that ended, except those that run in this process. */
  abstract reclaim(own: readonly string[]): Promise<void>;

  work(options: WorkOptions): StopWork {
    const worker = new Puller(this, options);
    this.#workers.add(worker);
    worker.wake();
    return async (left) => {
      this.#workers.delete(worker);
      await worker.stop(left);
    };
  }

  /** Makes the workers of this process poll at once. */
  wake(): void {
    for (const worker of this.#workers) worker.wake();
  }
}

class Puller {
  readonly #source: PulledJobs;
  readonly #options: WorkOptions;
  readonly #running: Map<ClaimedJob, Promise<void>> = new Map();
  readonly #renewal: ReturnType<typeof setInterval>;
  // A job must not run inside the transaction or the request that enqueued it.
  readonly #inContext = AsyncLocalStorage.snapshot();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #late: ReturnType<typeof setTimeout> | undefined;
  #looking: Promise<void> | undefined;
  #reclaimAtMs = 0;
  /** The time of the clock at the start of the process, which changes only if the clock jumps. */
  #epochMs = Date.now() - performance.now();
  #isAwake = false;
  #isStopped = false;

  constructor(source: PulledJobs, options: WorkOptions) {
    this.#source = source;
    this.#options = options;
    this.#renewal = setInterval(() => {
      if (this.#running.size === 0) return;
      source.renew([...this.#running.keys()]).catch(options.onError);
    }, source.renewMs);
  }

  /** Polls for jobs now, one poll at a time. */
  wake(): void {
    if (this.#isStopped) return;
    this.#isAwake = true;
    this.#looking ??= this.#inContext(() => this.#look()).finally(() => {
      this.#looking = undefined;
      if (this.#isAwake) this.wake();
    });
  }

  async #look(): Promise<void> {
    this.#isAwake = false;
    clearTimeout(this.#timer);
    const { pollMs, renewMs, lateMs } = this.#source;
    const { concurrency, names, onError } = this.#options;
    const epochMs = Date.now() - performance.now();
    // After a sleep of the machine all leases look expired until their processes renew them.
    if (epochMs > this.#epochMs + renewMs) this.#reclaimAtMs = performance.now() + 3 * renewMs;
    this.#epochMs = epochMs;
    // Without a limit of the connection, a server that vanished is never noticed.
    this.#late = setTimeout(() => {
      const fix = "set query_timeout or its equivalent for the connection";
      onError(new Error(`The queue has not responded for ${lateMs} ms: ${fix}.`));
    }, lateMs);
    try {
      // Limited, because a poll follows each job that ends (bench/jobs).
      if (performance.now() >= this.#reclaimAtMs) {
        await this.#source.reclaim([...this.#running.keys()].map(({ id }) => id));
        this.#reclaimAtMs = performance.now() + pollMs / 2;
      }
      for (const [queue, limit] of concurrency) {
        const own = [...this.#running.keys()].filter((each) => each.queue === queue);
        const count = limit - own.length;
        if (count <= 0 || this.#isStopped) continue;
        for (const claimed of await this.#source.claim(queue, names, count)) this.#run(claimed);
      }
    } catch (error) {
      onError(error);
    }
    clearTimeout(this.#late);
    // Jitter keeps processes from polling at the same time.
    const pauseMs = pollMs * (0.75 + Math.random() / 2);
    if (!this.#isStopped) this.#timer = setTimeout(() => this.wake(), pauseMs);
  }

  #run(claimed: ClaimedJob): void {
    const run = async (): Promise<void> => {
      // Lets the job be registered as running before it can end.
      await undefined;
      const outcome = await this.#options.run(claimed);
      // If storing fails, the lease expires and the job runs again (at least once).
      await this.#source.finish(claimed, outcome).catch(this.#options.onError);
      this.#running.delete(claimed);
      // Jobs that end together cause one poll.
      this.wake();
    };
    this.#running.set(claimed, run());
  }

  async stop(left: Promise<void>): Promise<void> {
    this.#isStopped = true;
    this.#isAwake = false;
    const ended = Promise.resolve(this.#looking).then(() => Promise.all(this.#running.values()));
    await Promise.race([ended, left]);
    clearTimeout(this.#timer);
    clearTimeout(this.#late);
    clearInterval(this.#renewal);
  }
}
