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
  /** Unique among the jobs of this name that wait or run; `undefined` for none. */
  readonly key?: string | undefined;
  /** The request that enqueued it. */
  readonly requestId?: string | undefined;
  /** The trace of that request. */
  readonly traceId?: string | undefined;
}

/** A job that an engine hands out. */
export interface ClaimedJob
  extends Pick<JobEntry, "name" | "queue" | "payload" | "key" | "requestId" | "traceId"> {
  /** The identifier. */
  readonly id: string;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
}

/** The outcome of an attempt. */
export type JobOutcome =
  | { readonly kind: "done" }
  /** Failed: `retryAtMs` is when it runs again, `undefined` for a job that is dead now. */
  | { readonly kind: "failed"; readonly error: string; readonly retryAtMs: number | undefined }
  /** Given back at shutdown: the attempt does not count. */
  | { readonly kind: "returned" };

/** Instructions for an engine to run jobs. */
export interface WorkOptions {
  /** The names of the jobs. */
  readonly names: readonly string[];
  /** Maximum number of jobs that run at the same time, by queue. */
  readonly concurrency: ReadonlyMap<string, number>;
  /** Runs one job. Never rejects. A job that ignores its deadline keeps its slot and its lease until it ends. */
  readonly run: (claimed: ClaimedJob) => Promise<JobOutcome>;
  /** Is told of errors of the engine itself. */
  readonly onError: (error: unknown) => void;
}

/** Stops claiming, and waits for what runs until `left` resolves: then leases expire. */
export type StopWork = (left: Promise<void>) => Promise<void>;

/** Counts of jobs by state. */
export interface JobCounts {
  /** Jobs that wait, also for a later time. */
  readonly waiting: number;
  /** Those of them that could run now. */
  readonly due: number;
  /** Jobs that run. */
  readonly running: number;
  /** Jobs that failed permanently. */
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
  /** Stores a job; returns whether it is new: one whose key waits or runs is left out. */
  enqueue(entry: JobEntry): Promise<boolean>;
  /** Starts claiming. */
  work(options: WorkOptions): StopWork;
  /**
   * Stores `nextMs` of a new schedule, and of one whose time lies behind `latestMs`: the clock was wrong, or its times
   * have changed. If one was due at `nowMs`, stores `nextMs` and the job, both or neither, in one process alone.
   * Returns when it is due next.
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
  /** Lets a dead job run again. */
  retry(id: string): Promise<boolean>;
  /** Deletes a job that does not run. */
  drop(id: string): Promise<boolean>;
}
