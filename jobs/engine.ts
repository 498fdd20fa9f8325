/** A job to be stored by an engine. */
export interface JobEntry {
  /** The name of the job. */
  readonly name: string;
  /** The queue. */
  readonly queue: string;
  /** The value as JSON. */
  readonly payload: string;
  /** The earliest time at which it runs, in milliseconds since 1970. */
  readonly runAtMs: number;
  /** Higher numbers run first. */
  readonly priority: number;
  /** Maximum number of attempts before the job is dead. */
  readonly attempts: number;
  /** Unique among the waiting and running jobs of this name; `undefined` for no key. */
  readonly key?: string | undefined;
  /** The id of the request that enqueued it. */
  readonly requestId?: string | undefined;
  /** The trace id of that request. */
  readonly traceId?: string | undefined;
}

/** A job claimed from an engine. */
export interface ClaimedJob
  extends
    Pick<JobEntry, "name" | "queue" | "payload" | "attempts" | "key" | "requestId" | "traceId"> {
  /** The identifier. */
  readonly id: string;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
}

/** The outcome of an attempt. */
export type JobOutcome =
  | { readonly kind: "done" }
  /** Failed: `retryAtMs` is the time of the next attempt; `undefined` if the job is now dead. */
  | { readonly kind: "failed"; readonly error: string; readonly retryAtMs: number | undefined }
  /** Returned at shutdown: the attempt does not count. */
  | { readonly kind: "returned" };

/** Options for running the jobs of an engine. */
export interface WorkOptions {
  /** The names of the jobs. */
  readonly names: readonly string[];
  /** Maximum number of concurrent jobs, by queue. */
  readonly concurrency: ReadonlyMap<string, number>;
  /** Runs one job. Never rejects. A job that ignores its deadline keeps its slot and its lease until it ends. */
  readonly run: (claimed: ClaimedJob) => Promise<JobOutcome>;
  /** Called with errors of the engine itself. */
  readonly onError: (error: unknown) => void;
}

/** Stops claiming and waits for running jobs until `left` resolves; then leases expire. */
export type StopWork = (left: Promise<void>) => Promise<void>;

/** Counts of jobs by state. */
export interface JobCounts {
  /** Waiting jobs, including delayed ones. */
  readonly waiting: number;
  /** Waiting jobs that could run now. */
  readonly due: number;
  /** Running jobs. */
  readonly running: number;
  /** Jobs that failed permanently. */
  readonly dead: number;
  /** The waiting time of the oldest job that could run, in milliseconds. */
  readonly oldestMs: number;
}

/** A stored job as listed, without its value, which may contain personal data. */
export interface StoredJob extends Pick<ClaimedJob, "id" | "name" | "attempt"> {
  /** The state of the job. */
  readonly state: "waiting" | "running" | "dead";
  /** The earliest time at which it runs. */
  readonly runAt: Date;
  /** The last error; `undefined` if there was none. */
  readonly error: string | undefined;
}

/** Stores jobs and runs them. */
export interface JobEngine {
  /** Prepares the queues, at boot. */
  open(queues: readonly string[]): Promise<void>;
  /** Stores a job; returns `false` if a job with its key is already waiting or running. */
  enqueue(entry: JobEntry): Promise<boolean>;
  /**
   * Returns the time of the store in milliseconds since 1970, so that processes whose clocks differ run a
   * schedule once. @default the time of the process
   */
  nowMs?(): Promise<number>;
  /** Starts claiming. */
  work(options: WorkOptions): StopWork;
  /**
   * Stores `nextMs` for a new schedule, or for one whose stored time is after `latestMs` because
   * the clock was wrong or the schedule changed. If the schedule was due at `nowMs`, stores
   * `nextMs` and the job atomically, in only one process. Returns the next due time.
   */
  advance(
    schedule: string,
    look: {
      readonly nowMs: number;
      readonly nextMs: number;
      readonly latestMs: number;
      readonly entry: JobEntry;
    },
  ): Promise<number>;
  /** Counts jobs. */
  counts(): Promise<JobCounts>;
  /** Lists jobs, the newest first, at most 100. */
  list(state: StoredJob["state"]): Promise<readonly StoredJob[]>;
  /** Lets a dead or a delayed job run now; returns `false` for another one. */
  retry(id: string): Promise<boolean>;
  /** Deletes a job that is not running. */
  drop(id: string): Promise<boolean>;
}
