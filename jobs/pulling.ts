/** Claims jobs of an engine that hands them out on request, and runs them. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { ClaimedJob, JobOutcome, JobWorker, WorkOptions } from "./engine.ts";

/** An engine that hands out jobs on request. */
export interface JobSource {
  /** Interval at which it is asked for jobs of other processes, in milliseconds. */
  readonly pollMs: number;
  /** Interval at which leases are renewed, in milliseconds. */
  readonly renewMs: number;
  /** Claims jobs of a queue that are due. */
  claim(queue: string, names: readonly string[], count: number): Promise<readonly ClaimedJob[]>;
  /** Stores how an attempt ended, unless another process has taken the job over since. */
  finish(claimed: ClaimedJob, outcome: JobOutcome): Promise<void>;
  /** Renews the leases of jobs that run. */
  renew(running: readonly ClaimedJob[]): Promise<void>;
  /** Takes jobs back from processes that ended, but none of those that run here, however late they are. */
  reclaim?(own: readonly string[]): Promise<void>;
}

/** Starts claiming. `wakes` gets what makes the worker look at once. */
export function startPulling(
  source: JobSource,
  options: WorkOptions,
  wakes: Set<() => void>,
): JobWorker {
  const worker = new Puller(source, options);
  // A job neither joins the transaction that enqueued it nor sees the request of it.
  const inContext = AsyncLocalStorage.snapshot();
  const wake = (): void => inContext(() => worker.wake());
  wakes.add(wake);
  worker.start();
  return {
    stop: async () => {
      wakes.delete(wake);
      await worker.stop();
    },
  };
}

interface Running {
  readonly claimed: ClaimedJob;
  readonly queue: string;
  readonly end: Promise<void>;
  /** Whether it ignores its deadline. */
  isLate: boolean;
}

class Puller {
  readonly #source: JobSource;
  readonly #options: WorkOptions;
  readonly #running: Map<string, Running> = new Map();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #renewal: ReturnType<typeof setInterval> | undefined;
  #looking: Promise<void> | undefined;
  #reclaimAtMs = 0;
  #isAwake = false;
  #isStopped = false;

  constructor(source: JobSource, options: WorkOptions) {
    this.#source = source;
    this.#options = options;
  }

  start(): void {
    this.#renewal = setInterval(() => {
      if (this.#running.size === 0) return;
      const running = [...this.#running.values()].map(({ claimed }) => claimed);
      this.#source.renew(running).catch(this.#options.onError);
    }, this.#source.renewMs);
    this.wake();
  }

  /** Looks for jobs now; one look at a time. */
  wake(): void {
    if (this.#isStopped) return;
    this.#isAwake = true;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
      if (this.#isAwake) this.wake();
    });
  }

  async #look(): Promise<void> {
    this.#isAwake = false;
    clearTimeout(this.#timer);
    const { pollMs } = this.#source;
    try {
      // Not with each job that ends (bench/jobs).
      if (performance.now() >= this.#reclaimAtMs) {
        await this.#source.reclaim?.([...this.#running.keys()]);
        this.#reclaimAtMs = performance.now() + pollMs / 2;
      }
      for (const [queue, limit] of this.#options.concurrency) {
        const free = limit - this.#countBusy(queue, limit);
        if (free <= 0 || this.#isStopped) continue;
        for (const claimed of await this.#source.claim(queue, this.#options.names, free)) {
          this.#run(claimed, queue);
        }
      }
    } catch (error) {
      this.#options.onError(error);
    }
    if (this.#running.size === 0 && !this.#isAwake) this.#options.onIdle?.();
    // A jitter keeps processes from looking at the same moment.
    const pauseMs = pollMs * (0.75 + Math.random() / 2);
    if (!this.#isStopped) this.#timer = setTimeout(() => this.wake(), pauseMs);
  }

  /** Counts the slots that are taken. As many late jobs as there are slots give theirs up, so that they stay few. */
  #countBusy(queue: string, limit: number): number {
    const own = [...this.#running.values()].filter((each) => each.queue === queue);
    const late = own.filter(({ isLate }) => isLate).length;
    return own.length - Math.min(late, limit);
  }

  #run(claimed: ClaimedJob, queue: string): void {
    const run = async (): Promise<void> => {
      const outcome = await this.#options.run(claimed, () => {
        running.isLate = true;
        this.wake();
      });
      try {
        await this.#source.finish(claimed, outcome);
      } catch (error) {
        // The lease runs out, and the job runs again: at least once.
        this.#options.onError(error);
      }
      this.#running.delete(claimed.id);
      // Several that end together are followed by one look.
      this.wake();
    };
    const started = Promise.withResolvers<void>();
    const running: Running = {
      claimed,
      queue,
      isLate: false,
      end: started.promise.then(run),
    };
    this.#running.set(claimed.id, running);
    started.resolve();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#isAwake = false;
    clearTimeout(this.#timer);
    await this.#looking;
    await Promise.all([...this.#running.values()].map(({ end }) => end));
    clearTimeout(this.#timer);
    clearInterval(this.#renewal);
  }
}
