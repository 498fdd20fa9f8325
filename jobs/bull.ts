/** Jobs in BullMQ: several machines on one Redis or Valkey. */
import type {
  ClaimedJob,
  JobCounts,
  JobEngine,
  JobEntry,
  JobWorker,
  StoredJob,
  WorkOptions,
} from "./engine.ts";
import { checkIntegers, storedError } from "./job.ts";

/** A job of BullMQ. */
export interface BullJob {
  /** The identifier. */
  readonly id?: string | undefined;
  /** The name of the job. */
  readonly name: string;
  /** The stored data. */
  // deno-lint-ignore no-explicit-any -- BullMQ types data so
  readonly data: any;
  /** Number of starts. */
  readonly attemptsStarted: number;
  /** The last error. */
  readonly failedReason?: string;
  /** When it was stored, in milliseconds since 1970. */
  readonly timestamp: number;
  /** Delay, in milliseconds. */
  readonly delay: number;
  /** Stores other data. */
  updateData(data: object): Promise<void>;
  /** Lets it wait until a time. */
  moveToDelayed(timestamp: number, token?: string): Promise<void>;
  /** Puts it back into the queue. */
  moveToWait(token?: string): Promise<unknown>;
  /** Lets a failed job run again. */
  retry(state: "failed", options: { resetAttemptsStarted: boolean }): Promise<void>;
  /** Deletes it; rejects while it runs. */
  remove(): Promise<void>;
}

/** A queue of BullMQ. */
export interface BullQueue {
  /** Stores a job. */
  add(name: string, data: object, options: object): Promise<BullJob>;
  /** Returns a job. */
  getJob(id: string): Promise<BullJob | undefined>;
  /** Lists jobs. */
  // deno-lint-ignore no-explicit-any -- a union of BullMQ
  getJobs(types: any, start: number, end: number, isAscending: boolean): Promise<BullJob[]>;
  /** Counts jobs. */
  // deno-lint-ignore no-explicit-any -- a union of BullMQ
  getJobCounts(...types: any[]): Promise<Readonly<Record<string, number>>>;
  /** Closes its connection. */
  close(): Promise<void>;
}

/** A worker of BullMQ. */
export interface BullWorker {
  /** Is told of errors. */
  on(event: "error", listener: (error: Error) => void): unknown;
  /** Stops claiming. */
  pause(doesNotWait: boolean): Promise<unknown>;
  /** Closes the connections, and waits for what runs unless it is forced. */
  close(isForced?: boolean): Promise<void>;
}

/** Options of {@linkcode bullJobs}. */
export interface BullJobsOptions {
  /** `Queue` of `npm:bullmq`. */
  // deno-lint-ignore no-explicit-any -- the options of BullMQ
  readonly Queue: new (name: string, options: any) => BullQueue;
  /** `Worker` of `npm:bullmq`. */
  readonly Worker: new (
    name: string,
    // deno-lint-ignore no-explicit-any -- the types of BullMQ
    processor: (job: any, token?: string) => Promise<unknown>,
    // deno-lint-ignore no-explicit-any -- the types of BullMQ
    options: any,
  ) => BullWorker;
  /** Redis connection, as BullMQ takes it: `{ host, port }`, or a client. */
  readonly connection: object;
  /** Begins the names of the queues. @default "fw-" */
  readonly prefix?: string;
  /** Lease of a job without a renewal, in milliseconds. @default 30_000 */
  readonly leaseMs?: number;
}

/** The engine of {@linkcode bullJobs}. */
export interface BullJobs extends JobEngine {
  /** Closes the connections, in `Shutdown`. */
  close(): Promise<void>;
}

/** The data stored with a job. */
interface Stored {
  readonly payload: string;
  readonly attempts: number;
  readonly key: string | undefined;
  readonly requestId: string;
  readonly traceId: string;
  /** Number of starts given back at shutdown. */
  readonly returned: number;
}

/** BullMQ runs low numbers first, up to 2 ** 21. */
const middlePriority = 2 ** 20;
const yearsMs = 3_650 * 86_400_000;
const doesNotWait = true;
const isAscending = true;
const waitingTypes = ["waiting", "prioritized", "delayed"];

/**
 * Keeps jobs in BullMQ, where one machine is not enough. The application hands over its classes; BullMQ is no dependency
 * of this package.
 *
 * What it cannot do: Redis takes no part in a transaction of the data, so a job that is enqueued inside `db.tx` exists
 * even if the transaction is undone, and may run before it is stored. A job that ignores its deadline keeps its slot
 * until it ends. An occurrence of a schedule runs twice if a process hangs for a day while it enqueues it. Redis must
 * not evict keys (`maxmemory-policy noeviction`), and loses what its own persistence loses.
 *
 * @param options The classes, the connection, and the lease.
 * @returns The engine, for `provideJobs`.
 * @throws {RangeError} for a lease that is no integer from 1.
 * @example
 * ```ts
 * import type { Application } from "@fw/fw";
 * import { bullJobs, type BullJobsOptions, provideJobs } from "@fw/fw/jobs";
 *
 * // import { Queue, Worker } from "npm:bullmq@6"; openJobs(app, { Queue, Worker })
 * type Classes = Pick<BullJobsOptions, "Queue" | "Worker">;
 * export async function openJobs(app: Application, classes: Classes): Promise<void> {
 *   const connection = { host: "127.0.0.1", port: 6379 };
 *   await provideJobs(app, bullJobs({ ...classes, connection }), { jobs: [] });
 * }
 * ```
 */
export function bullJobs(options: BullJobsOptions): BullJobs {
  const { prefix = "fw-", leaseMs = 30_000 } = options;
  checkIntegers("keep jobs", { leaseMs });
  return new QueueJobs({ ...options, prefix, leaseMs });
}

class QueueJobs implements BullJobs {
  readonly #options: Required<BullJobsOptions>;
  readonly #queues: Map<string, BullQueue> = new Map();

  constructor(options: Required<BullJobsOptions>) {
    this.#options = options;
  }

  #queue(name: string): BullQueue {
    const { Queue, prefix, connection } = this.#options;
    return this.#queues.getOrInsertComputed(name, () => new Queue(prefix + name, { connection }));
  }

  /** The next times of the schedules: jobs that no worker takes. */
  get #schedules(): BullQueue {
    return this.#queue("schedules.");
  }

  async open(queues: readonly string[]): Promise<void> {
    for (const name of queues) this.#queue(name);
    await this.counts();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.close()));
    this.#queues.clear();
  }

  async enqueue(entries: readonly JobEntry[]): Promise<number> {
    const added = await Promise.all(entries.map((entry) => this.#add(entry, {})));
    return added.filter((isNew) => isNew).length;
  }

  async #add(entry: JobEntry, options: object): Promise<boolean> {
    const { name, queue, payload, runAtMs, priority, attempts, key, origin } = entry;
    const { requestId = "", traceId = "" } = origin;
    const data: Stored = { payload, attempts, key, requestId, traceId, returned: 0 };
    const jobId = crypto.randomUUID();
    const job = await this.#queue(queue).add(name, data, {
      // Tells whether the key is new; a name of its own takes BullMQ longer than a number (bench/jobs).
      ...(key !== undefined && { jobId }),
      delay: Math.max(0, runAtMs - Date.now()),
      priority: Math.min(Math.max(middlePriority - priority, 1), 2 * middlePriority),
      removeOnComplete: true,
      ...(key !== undefined && { deduplication: { id: `${name} ${key}` } }),
      ...options,
    });
    return key === undefined || job.id === jobId;
  }

  work(options: WorkOptions): Promise<JobWorker> {
    const { Worker, prefix, connection, leaseMs } = this.#options;
    const left = Promise.withResolvers<"left">();
    const running: Set<Promise<void>> = new Set();
    const run = async (job: BullJob, token?: string): Promise<void> => {
      if (await this.#run(job, { options, token }) === "done") return;
      left.resolve("left");
      // The lease must run out: BullMQ would store an end.
      await new Promise(() => {});
    };
    const process = (job: BullJob, token?: string): Promise<void> => {
      const end = run(job, token).finally(() => void running.delete(end));
      running.add(end);
      return end;
    };
    const workers = [...options.concurrency].map(([queue, concurrency]) => {
      const worker = new Worker(prefix + queue, process, {
        connection,
        concurrency,
        lockDuration: leaseMs,
        stalledInterval: leaseMs,
        // How often a job may lose its process is counted here.
        maxStalledCount: 2 ** 30,
      });
      worker.on("error", options.onError);
      return worker;
    });
    const { onIdle } = options;
    const tellIdle = async (): Promise<void> => {
      const names = [...options.concurrency.keys()];
      const due = await Promise.all(
        names.map((name) => this.#queue(name).getJobCounts("waiting", "prioritized")),
      );
      const isEmpty = due.every((each) => Object.values(each).every((count) => count === 0));
      if (isEmpty && running.size === 0) onIdle?.();
    };
    const idle = onIdle && setInterval(() => tellIdle().catch(options.onError), 50);
    return Promise.resolve({
      stop: async () => {
        clearInterval(idle);
        await Promise.all(workers.map((worker) => worker.pause(doesNotWait)));
        const end = await Promise.race([Promise.allSettled(running), left.promise]);
        await Promise.all(workers.map((worker) => worker.close(end === "left")));
      },
    });
  }

  /** Runs a job and stores how it ended. @throws what tells BullMQ so. */
  async #run(
    job: BullJob,
    { options, token }: { readonly options: WorkOptions; readonly token: string | undefined },
  ): Promise<"done" | "abandoned"> {
    const data: Stored = job.data;
    const { payload, attempts, key, requestId, traceId, returned } = data;
    const attempt = job.attemptsStarted - returned;
    if (attempt > attempts) throw new Error("the process ended while the job ran");
    const origin = { requestId: requestId || undefined, traceId: traceId || undefined };
    const claimed: ClaimedJob = { id: job.id ?? "", name: job.name, payload, attempt, key, origin };
    const outcome = await options.run(claimed);
    switch (outcome.kind) {
      case "done":
      case "abandoned":
        return outcome.kind;
      case "returned":
        await job.updateData({ ...data, returned: returned + 1 });
        await job.moveToWait(token);
        throw namedError("WaitingError");
      case "failed":
        if (outcome.retryAtMs === undefined) throw new Error(storedError(outcome.error));
        await job.moveToDelayed(outcome.retryAtMs, token);
        throw namedError("DelayedError");
    }
  }

  async nextOccurrence(schedule: string, firstMs: number): Promise<number> {
    const jobId = encodeURIComponent(schedule);
    // Does nothing if it exists.
    await this.#schedules.add("schedule", { nextMs: firstMs }, { jobId, delay: yearsMs });
    return (await this.#schedules.getJob(jobId))?.data.nextMs ?? firstMs;
  }

  async claimOccurrence(
    { schedule, atMs, nextMs, entry }: Parameters<JobEngine["claimOccurrence"]>[0],
  ): Promise<boolean> {
    const stored = await this.#schedules.getJob(encodeURIComponent(schedule));
    if (stored?.data.nextMs !== atMs) return false;
    // Two processes add the same job, and one that ended in between has added it: its identifier is that of the occurrence.
    const jobId = encodeURIComponent(`${schedule} ${atMs}`);
    await this.#add({ ...entry, key: undefined }, { jobId, removeOnComplete: { age: 86_400 } });
    await stored.updateData({ nextMs });
    return true;
  }

  async counts(): Promise<JobCounts> {
    const all = await Promise.all([...this.#queues.values()].map(async (queue) => {
      const counts = await queue.getJobCounts(...waitingTypes, "active", "failed");
      const [first] = await queue.getJobs(["prioritized"], 0, 0, isAscending);
      const dueMs = first === undefined ? Infinity : first.timestamp + first.delay;
      return { counts, dueMs };
    }));
    const total = (type: string): number =>
      all.reduce((sum, { counts }) => sum + (counts[type] ?? 0), 0);
    const isScheduling = this.#queues.has("schedules.");
    const schedules = isScheduling ? await this.#schedules.getJobCounts("delayed") : {};
    return {
      waiting: waitingTypes.reduce((sum, type) => sum + total(type), 0) -
        (schedules["delayed"] ?? 0),
      running: total("active"),
      dead: total("failed"),
      oldestMs: Math.max(0, Date.now() - Math.min(Date.now(), ...all.map(({ dueMs }) => dueMs))),
    };
  }

  async list(state: StoredJob["state"]): Promise<readonly StoredJob[]> {
    const types = { waiting: waitingTypes, running: ["active"], dead: ["failed"] }[state];
    const all = await Promise.all(
      [...this.#queues].filter(([name]) => name !== "schedules.").map(async ([name, queue]) =>
        (await queue.getJobs(types, 0, 99, !isAscending)).map((job) => ({
          id: `${name}/${job.id}`,
          name: job.name,
          attempt: job.attemptsStarted - job.data.returned,
          state,
          runAt: new Date(job.timestamp + job.delay),
          error: job.failedReason || undefined,
        }))
      ),
    );
    return all.flat().slice(0, 100);
  }

  async retry(id: string): Promise<boolean> {
    const job = await this.#find(id);
    if (job === undefined) return false;
    // BullMQ rejects a job that has not failed.
    return await job.retry("failed", { resetAttemptsStarted: true }).then(
      () => job.updateData({ ...job.data, returned: 0 }).then(() => true),
      () => false,
    );
  }

  async drop(id: string): Promise<boolean> {
    const job = await this.#find(id);
    // BullMQ rejects a job that runs.
    return job === undefined ? false : await job.remove().then(() => true, () => false);
  }

  async #find(id: string): Promise<BullJob | undefined> {
    const at = id.lastIndexOf("/");
    return await this.#queues.get(id.slice(0, at))?.getJob(id.slice(at + 1));
  }
}

/** BullMQ knows these errors by their names. */
function namedError(name: string): Error {
  const error = new Error(name);
  error.name = name;
  return error;
}
