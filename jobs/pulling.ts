import { AsyncLocalStorage } from "node:async_hooks";
import type { ClaimedJob, JobOutcome, StopWork, WorkOptions } from "./engine.ts";

export abstract class PulledJobs {
  readonly #workers: Set<Puller> = new Set();
  /** Interval at which it is asked for jobs of other processes, in milliseconds. */
  abstract readonly pollMs: number;
  /** Interval at which leases are renewed, in milliseconds. */
  abstract readonly renewMs: number;
  abstract claim(
    queue: string,
    names: readonly string[],
    count: number,
  ): Promise<readonly ClaimedJob[]>;
  /** Stores how an attempt ended, unless another process has taken the job over since. */
  abstract finish(claimed: ClaimedJob, outcome: JobOutcome): Promise<void>;
  abstract renew(running: readonly ClaimedJob[]): Promise<void>;
  /** Takes jobs back from processes that ended, but none of those that run here. */
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

  /** Makes the workers of this process look at once. */
  wake(): void {
    for (const worker of this.#workers) worker.wake();
  }
}

class Puller {
  readonly #source: PulledJobs;
  readonly #options: WorkOptions;
  readonly #running: Map<ClaimedJob, Promise<void>> = new Map();
  readonly #renewal: ReturnType<typeof setInterval>;
  // A job neither joins the transaction that enqueued it nor sees the request of it.
  readonly #inContext = AsyncLocalStorage.snapshot();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #looking: Promise<void> | undefined;
  #reclaimAtMs = 0;
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

  /** Looks for jobs now; one look at a time. */
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
    const { pollMs } = this.#source;
    const { concurrency, names, onError } = this.#options;
    try {
      // Not with each job that ends (bench/jobs).
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
    // A jitter keeps processes from looking at the same moment.
    const pauseMs = pollMs * (0.75 + Math.random() / 2);
    if (!this.#isStopped) this.#timer = setTimeout(() => this.wake(), pauseMs);
  }

  #run(claimed: ClaimedJob): void {
    const run = async (): Promise<void> => {
      // The job is noted as running before it can end.
      await undefined;
      const outcome = await this.#options.run(claimed);
      // If it cannot be stored, the lease runs out, and the job runs again: at least once.
      await this.#source.finish(claimed, outcome).catch(this.#options.onError);
      this.#running.delete(claimed);
      // Several that end together are followed by one look.
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
    clearInterval(this.#renewal);
  }
}
