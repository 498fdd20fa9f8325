import type { JobCounts, JobEngine, JobEntry, StopWork, StoredJob, WorkOptions } from "./engine.ts";
import { checkIntegers, endedText } from "./job.ts";

/** The data of a job, without BullMQ's own fields; each byte costs time (bench/jobs). */
interface Stored extends Pick<JobEntry, "payload" | "attempts" | "key" | "requestId" | "traceId"> {
  /** Number of attempts returned at shutdown, which do not count. */
  readonly returned: number;
}

/** The used members of `npm:bullmq` 6. */
interface BullJob<Data = Stored> {
  readonly id?: string;
  readonly name: string;
  readonly data: Data;
  readonly attemptsStarted: number;
  readonly failedReason?: string;
  readonly timestamp: number;
  readonly delay: number;
  updateData(data: Data): Promise<void>;
  moveToDelayed(timestamp: number, token?: string): Promise<void>;
  promote(): Promise<void>;
  moveToWait(token?: string): Promise<unknown>;
  retry(state: "failed", options: { resetAttemptsStarted: boolean }): Promise<void>;
  remove(): Promise<void>;
}

interface BullQueue<Data extends object = Stored> {
  add(name: string, data: Data, options: object): Promise<BullJob<Data>>;
  getJob(id: string): Promise<BullJob<Data> | undefined>;
  getJobs(types: string[], start: number, end: number, asc: boolean): Promise<BullJob<Data>[]>;
  getDeduplicationJobId(id: string): Promise<string | null>;
  getJobCounts(...types: string[]): Promise<Readonly<Record<string, number>>>;
  close(): Promise<void>;
}

interface BullWorker {
  on(event: "error", listener: (error: Error) => void): unknown;
  pause(doesNotWait: boolean): Promise<unknown>;
  close(isForced: boolean): Promise<void>;
}

/** Options of {@linkcode bullJobs}. */
export interface BullJobsOptions {
  /** The class `Queue` of `npm:bullmq`. */
  // deno-lint-ignore no-explicit-any -- the types of BullMQ
  readonly Queue: new (...args: any[]) => object;
  /** The class `Worker` of `npm:bullmq`. */
  // deno-lint-ignore no-explicit-any -- the types of BullMQ
  readonly Worker: new (...args: any[]) => object;
  /** The Redis connection for BullMQ: `{ host, port }`, or a client. */
  readonly connection: object;
  /** Prefix of the queue names. @default "fw-" */
  readonly prefix?: string;
  /** Duration of a job's lease, which is renewed while it runs, in milliseconds. @default 30_000 */
  readonly leaseMs?: number;
}

/** The engine of {@linkcode bullJobs}, whose `enqueue` does not join database transactions. */
export interface BullJobs extends JobEngine {
  /** Closes the connections; call it in `Shutdown`. */
  close(): Promise<void>;
}

/** The default priority: BullMQ runs low numbers first, up to 2 ** 21. */
const middlePriority = 2 ** 20;
const doesNotWait = true;
const isAscending = true;
const waitingTypes = ["waiting", "prioritized", "delayed"];

/**
 * Keeps jobs in BullMQ, for applications on several machines. The application passes the classes,
 * because BullMQ is not a dependency of this package.
 *
 * Limits: Redis does not join database transactions, so a job enqueued inside `db.tx` exists even
 * after a rollback and may run before the commit. A scheduled run happens twice if a process hangs
 * for a day while it enqueues it. Redis must not evict keys (`maxmemory-policy noeviction`), and
 * jobs are only as durable as its persistence.
 *
 * @throws {RangeError} for a lease that is not an integer from 1.
 * @example
 * ```ts
 * import { bullJobs, type BullJobsOptions } from "@fw/fw/jobs";
 *
 * // import { Queue, Worker } from "npm:bullmq@6"; openJobs({ Queue, Worker })
 * export const openJobs = (classes: Pick<BullJobsOptions, "Queue" | "Worker">) =>
 *   bullJobs({ ...classes, connection: { host: "127.0.0.1", port: 6379 } });
 * ```
 */
export function bullJobs(options: BullJobsOptions): BullJobs {
  return new QueueJobs(options);
}

class QueueJobs implements BullJobs {
  readonly #options: Required<BullJobsOptions>;
  readonly #queues: Map<string, BullQueue> = new Map();
  #times: BullQueue<{ readonly nextMs: number }> | undefined;

  constructor(options: BullJobsOptions) {
    const { prefix = "fw-", leaseMs = 30_000 } = options;
    this.#options = { ...options, prefix, leaseMs };
    checkIntegers("keep jobs", { leaseMs });
  }

  /** The queue with the next times of schedules, as jobs that no worker claims. */
  get #schedules(): BullQueue<{ readonly nextMs: number }> {
    return this.#times ??= this.#openQueue("schedules.") as BullQueue<{ readonly nextMs: number }>;
  }

  #openQueue(name: string): object {
    const { Queue, prefix, connection } = this.#options;
    return new Queue(prefix + name, { connection });
  }

  #queue(name: string): BullQueue {
    return this.#queues.getOrInsertComputed(name, () => this.#openQueue(name) as BullQueue);
  }

  async open(queues: readonly string[]): Promise<void> {
    for (const name of queues) this.#queue(name);
    await this.counts();
  }

  async close(): Promise<void> {
    await Promise.all([this.#times, ...this.#queues.values()].map((queue) => queue?.close()));
  }

  async enqueue(entry: JobEntry, options: object = {}): Promise<boolean> {
    const { name, queue, runAtMs, priority, payload, attempts, key, requestId, traceId } = entry;
    // A custom id shows whether the key is new; without a key, BullMQ's number is faster
    // (bench/jobs).
    const jobId = key === undefined ? undefined : crypto.randomUUID();
    const data = { payload, attempts, key, requestId, traceId, returned: 0 };
    const { id } = await this.#queue(queue).add(name, data, {
      delay: Math.max(0, runAtMs - Date.now()),
      priority: Math.min(Math.max(middlePriority - priority, 1), 2 * middlePriority),
      removeOnComplete: true,
      ...(key !== undefined && { jobId, deduplication: { id: `${name} ${key}` } }),
      ...options,
    });
    return key === undefined || id === jobId;
  }

  work(options: WorkOptions): StopWork {
    const { Worker, prefix, connection, leaseMs } = this.#options;
    const running: Set<Promise<void>> = new Set();
    const workers = [...options.concurrency].map(([queue, concurrency]) => {
      const process = (job: BullJob, token?: string): Promise<void> => {
        const end = runJob(job, { queue, run: options.run, token });
        const forget = (): unknown => running.delete(end);
        running.add(end);
        end.then(forget, forget);
        return end;
      };
      const worker = new Worker(prefix + queue, process, {
        connection,
        concurrency,
        lockDuration: leaseMs,
        stalledInterval: leaseMs,
        // Effectively unlimited, because this engine counts lost processes itself.
        maxStalledCount: 2 ** 30,
      }) as BullWorker;
      worker.on("error", options.onError);
      return worker;
    });
    return async (left) => {
      await Promise.all(workers.map((worker) => worker.pause(doesNotWait)));
      const ended = Promise.allSettled(running).then(() => false);
      const isLeft = await Promise.race([ended, left.then(() => true)]);
      await Promise.all(workers.map((worker) => worker.close(isLeft)));
    };
  }

  async advance(
    schedule: string,
    { nowMs, nextMs, latestMs, entry }: Parameters<JobEngine["advance"]>[1],
  ): Promise<number> {
    const id = encodeURIComponent(schedule);
    // Does nothing if the job exists.
    await this.#schedules.add("schedule", { nextMs }, { jobId: id, delay: 3_650 * 86_400_000 });
    const stored = await this.#schedules.getJob(id);
    const atMs = stored?.data.nextMs ?? nextMs;
    if (atMs > latestMs) {
      await stored?.updateData({ nextMs });
      return nextMs;
    }
    if (atMs > nowMs) return atMs;
    // The id names the scheduled run, so that another process, or one restarted in between, adds it only once.
    const jobId = encodeURIComponent(`${schedule} ${atMs}`);
    await this.enqueue(entry, { jobId, removeOnComplete: { age: 86_400 } });
    await stored?.updateData({ nextMs });
    return nextMs;
  }

  async counts(): Promise<JobCounts> {
    const sum = { waiting: 0, due: 0, running: 0, dead: 0, oldestMs: 0 };
    const now = Date.now();
    await Promise.all([...this.#queues.values()].map(async (queue) => {
      const types = await queue.getJobCounts(...waitingTypes, "active", "failed");
      const { waiting = 0, prioritized = 0, delayed = 0, active = 0, failed = 0 } = types;
      const [first] = await queue.getJobs(["prioritized"], 0, 0, isAscending);
      const oldestMs = first === undefined ? 0 : now - first.timestamp - first.delay;
      sum.due += waiting + prioritized;
      sum.waiting += waiting + prioritized + delayed;
      sum.running += active;
      sum.dead += failed;
      sum.oldestMs = Math.max(sum.oldestMs, oldestMs);
    }));
    return sum;
  }

  async list(state: StoredJob["state"]): Promise<readonly StoredJob[]> {
    const types = { waiting: waitingTypes, running: ["active"], dead: ["failed"] }[state];
    const all = await Promise.all(
      [...this.#queues].map(async ([name, queue]) =>
        (await queue.getJobs(types, 0, 99, !isAscending)).map((job) => ({ name, job }))
      ),
    );
    const newest = all.flat().sort((a, b) => b.job.timestamp - a.job.timestamp).slice(0, 100);
    return newest.map(({ name, job }) => ({
      id: `${name}/${job.id}`,
      name: job.name,
      attempt: job.attemptsStarted - job.data.returned,
      state,
      runAt: new Date(job.timestamp + job.delay),
      error: job.failedReason || undefined,
    }));
  }

  async retry(id: string): Promise<boolean> {
    const job = await this.#find(id);
    if (job === undefined) return false;
    const { name, data } = job;
    const queue = this.#queue(id.slice(0, id.lastIndexOf("/")));
    const holder = data.key && await queue.getDeduplicationJobId(`${name} ${data.key}`);
    // BullMQ throws for a job that is not delayed, or has not failed.
    if (await job.promote().then(() => true, () => false)) return true;
    return !holder && await job.retry("failed", { resetAttemptsStarted: true }).then(
      () => job.updateData({ ...data, returned: 0 }).then(() => true),
      () => false,
    );
  }

  async drop(id: string): Promise<boolean> {
    // BullMQ throws for a running job.
    return await (await this.#find(id))?.remove().then(() => true, () => false) ?? false;
  }

  async #find(id: string): Promise<BullJob | undefined> {
    const at = id.lastIndexOf("/");
    return await this.#queues.get(id.slice(0, at))?.getJob(id.slice(at + 1));
  }
}

/** Runs a job and stores its outcome. @throws the error that reports the outcome to BullMQ. */
async function runJob(
  job: BullJob,
  { queue, run, token }: {
    readonly queue: string;
    readonly run: WorkOptions["run"];
    readonly token: string | undefined;
  },
): Promise<void> {
  const { id = "", name, data: { returned, attempts, ...stored } } = job;
  const attempt = job.attemptsStarted - returned;
  if (attempt > attempts) throw new Error(endedText);
  const outcome = await run({ ...stored, id, name, queue, attempt, attempts });
  switch (outcome.kind) {
    case "done":
      return;
    case "returned":
      await job.updateData({ ...job.data, returned: returned + 1 });
      await job.moveToWait(token);
      throw namedError("WaitingError");
    case "failed":
      if (outcome.retryAtMs === undefined) throw new Error(outcome.error);
      await job.moveToDelayed(outcome.retryAtMs, token);
      throw namedError("DelayedError");
  }
}

/** Creates an error that BullMQ recognises by its name. */
function namedError(name: string): Error {
  return Object.assign(new Error(name), { name });
}
