/** A store of jobs: SQLite here, or an engine that an application already runs. */

/** A job on its way to an engine. */
export interface JobEntry {
  /** The name of the job. */
  readonly name: string;
  /** The queue. */
  readonly queue: string;
  /** The value as JSON. */
  readonly payload: string;
  /** When it may run, in milliseconds since 1970. */
  readonly runAtMs: number;
  /** Higher numbers run first. */
  readonly priority: number;
  /** Maximum attempts before the job is dead. */
  readonly attempts: number;
  /** The pause before the second attempt, in milliseconds, for engines that count pauses themselves. */
  readonly backoffMs: number;
  /** Unique among the jobs of this name that wait or run; `undefined` for none. */
  readonly key: string | undefined;
  /** The request and the trace that enqueued it. */
  readonly origin: JobOrigin;
}

/** The request behind a job. */
export interface JobOrigin {
  /** The identifier of the request. */
  readonly requestId?: string | undefined;
  /** The identifier of the trace. */
  readonly traceId?: string | undefined;
}

/** A job that an engine hands out. */
export interface ClaimedJob {
  /** The identifier. */
  readonly id: string;
  /** The name of the job. */
  readonly name: string;
  /** The value as JSON. */
  readonly payload: string;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** The key with which it was enqueued. */
  readonly key?: string | undefined;
  /** The request behind the job. */
  readonly origin: JobOrigin;
}

/** The outcome of an attempt. */
export type JobOutcome =
  | { readonly kind: "done" }
  /** Failed: `retryAtMs` is when it runs again, `undefined` for a job that is dead now. */
  | { readonly kind: "failed"; readonly error: string; readonly retryAtMs: number | undefined }
  /** Given back at shutdown: the attempt does not count. */
  | { readonly kind: "returned" }
  /** Still runs, and ignores its signal: nothing is stored, so that its lease expires. */
  | { readonly kind: "abandoned" };

/** Instructions for an engine to run jobs. */
export interface WorkOptions {
  /** The names of the jobs. */
  readonly names: readonly string[];
  /** Maximum number of jobs that run at the same time, by queue. */
  readonly concurrency: ReadonlyMap<string, number>;
  /**
   * Runs one job. Never rejects. `onLate` is called when a job ignores its deadline: it still runs and keeps its
   * lease, but another job may take its slot.
   */
  readonly run: (claimed: ClaimedJob, onLate?: () => void) => Promise<JobOutcome>;
  /** Is told of errors of the engine itself. */
  readonly onError: (error: unknown) => void;
  /** Is told when nothing is due and nothing runs here, for tests. */
  readonly onIdle?: () => void;
}

/** Work that runs. */
export interface JobWorker {
  /** Stops claiming, and waits for what runs. */
  stop(): Promise<void>;
}

/** Counts of jobs by state. */
export interface JobCounts {
  /** Jobs that wait, also for a later time. */
  readonly waiting: number;
  /** Jobs that run. */
  readonly running: number;
  /** Jobs that failed for good. */
  readonly dead: number;
  /** The age of the oldest job that could run, in milliseconds. */
  readonly oldestMs: number;
}

/** A stored job, as it is listed: without its value, which may be personal. */
export interface StoredJob extends Pick<ClaimedJob, "id" | "name" | "attempt"> {
  /** State of the job. */
  readonly state: "waiting" | "running" | "dead";
  /** When it runs. */
  readonly runAt: Date;
  /** The last error; `undefined` before one. */
  readonly error: string | undefined;
}

/** Keeps jobs and hands them out. */
export interface JobEngine {
  /** Makes the queues ready, at boot. */
  open(queues: readonly string[]): Promise<void>;
  /** Stores jobs. @returns How many were new: a job whose key waits or runs is left out. */
  enqueue(entries: readonly JobEntry[]): Promise<number>;
  /** Starts claiming. */
  work(options: WorkOptions): Promise<JobWorker>;
  /**
   * Claims an occurrence of a schedule and stores its job, both or neither: a process that ends in between would lose it.
   *
   * @returns Whether this process is the one that claimed it.
   */
  claimOccurrence(occurrence: {
    readonly schedule: string;
    readonly atMs: number;
    readonly nextMs: number;
    readonly entry: JobEntry;
  }): Promise<boolean>;
  /** Returns when a schedule is due, after storing `firstMs` if it is new. */
  nextOccurrence(schedule: string, firstMs: number): Promise<number>;
  /** Counts jobs. */
  counts(): Promise<JobCounts>;
  /** Lists jobs, the newest first, at most 100. */
  list(state: StoredJob["state"]): Promise<readonly StoredJob[]>;
  /** Lets a dead job run again. */
  retry(id: string): Promise<boolean>;
  /** Deletes a job that does not run. */
  drop(id: string): Promise<boolean>;
}
