/** Jobs in a database of the application: enqueued in the transaction of its data. */
import { among, type Db, type Infer, int, notAmong, sql, struct, text } from "../data/mod.ts";
import type {
  ClaimedJob,
  JobCounts,
  JobEngine,
  JobEntry,
  JobOutcome,
  JobWorker,
  StoredJob,
  WorkOptions,
} from "./engine.ts";
import { checkIntegers, storedError } from "./job.ts";
import { type JobSource, startPulling } from "./pulling.ts";

/** Options of {@linkcode sqliteJobs}. */
export interface SqliteJobsOptions {
  /** Lease of a job without a renewal, in milliseconds. @default 30_000 */
  readonly leaseMs?: number;
  /** Interval at which it looks for jobs of other processes, in milliseconds. @default 500 */
  readonly pollMs?: number;
}

const Row = struct({
  id: int(),
  name: text(),
  payload: text(),
  attempt: int(),
  key: text().optional(),
  requestId: text().optional(),
  traceId: text().optional(),
});
const Listed = struct({
  id: int(),
  name: text(),
  attempt: int(),
  state: text("required,oneof=delayed waiting running dead"),
  runAt: int(),
  error: text().optional(),
});
const Counts = struct({ waiting: int(), running: int(), dead: int(), oldest: int() });

/**
 * Keeps jobs in tables of its own (`fw_jobs`, `fw_schedules`), which it creates. A job that is enqueued inside
 * `db.tx` exists if the transaction does. A process that ends in the middle of a job loses its lease, and another one
 * runs it again.
 *
 * @param db The database.
 * @param options The lease and the pace.
 * @returns The engine, for `provideJobs`.
 * @throws {TypeError} for a database of another engine; `RangeError` for an option out of range.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App, int, struct } from "@fw/fw";
 * import { enqueue, job, provideJobs, sqliteJobs } from "@fw/fw/jobs";
 * import { drainJobs } from "@fw/fw/jobs/testing";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * let sum = 0;
 * const add = job("add", struct({ n: int("required") }), ({ n }) => void (sum += n));
 * const app = new App({ logRequest: () => false });
 * const db = await openSqlite(":memory:");
 * await provideJobs(app, sqliteJobs(db), { jobs: [add] });
 * await enqueue(app, add, { n: 2 });
 * await drainJobs(app);
 * assertEquals(sum, 2);
 * await db.close();
 * ```
 */
export function sqliteJobs(db: Db, options: SqliteJobsOptions = {}): JobEngine {
  const { leaseMs = 30_000, pollMs = 500 } = options;
  checkIntegers("keep jobs", { leaseMs, pollMs });
  if (db.engine !== "sqlite") {
    throw new TypeError(
      "Cannot keep jobs in this database: sqliteJobs takes the one of openSqlite.",
    );
  }
  return new DatabaseJobs(db, { leaseMs, pollMs });
}

class DatabaseJobs implements JobEngine, JobSource {
  readonly #db: Db;
  readonly #leaseMs: number;
  readonly pollMs: number;
  /** Wakes the workers of this process. */
  readonly #wakes: Set<() => void> = new Set();
  #made: Promise<void> | undefined;

  constructor(db: Db, { leaseMs, pollMs }: Required<SqliteJobsOptions>) {
    this.#db = db;
    this.#leaseMs = leaseMs;
    this.pollMs = pollMs;
  }

  /** Creates the tables, once a process. */
  #prepare(): Promise<void> {
    return this.#made ??= this.#create().catch((error) => {
      this.#made = undefined;
      throw error;
    });
  }

  async open(): Promise<void> {
    await this.#prepare();
  }

  async #create(): Promise<void> {
    const db = this.#db;
    await db.run`create table if not exists fw_jobs (
      id integer primary key autoincrement, name text not null, queue text not null, payload text not null,
      state text not null, priority integer not null, run_at integer not null, attempt integer not null,
      attempts integer not null, lease_until integer, key text, error text, request_id text, trace_id text,
      created_at integer not null
    ) strict`;
    // Jobs whose time has not come are in a state of their own: claiming would pass all of them by each time.
    await db
      .run`create index if not exists fw_jobs_next on fw_jobs (queue, priority desc, run_at, id) where state = 'waiting'`;
    await db
      .run`create index if not exists fw_jobs_delayed on fw_jobs (run_at) where state = 'delayed'`;
    await db.run`create index if not exists fw_jobs_dead on fw_jobs (id) where state = 'dead'`;
    await db
      .run`create index if not exists fw_jobs_lease on fw_jobs (lease_until) where state = 'running'`;
    await db.run`create unique index if not exists fw_jobs_key on fw_jobs (name, key)
      where key is not null and state <> 'dead'`;
    await db
      .run`create table if not exists fw_schedules (name text primary key, next_at integer not null) strict`;
  }

  async enqueue(entries: readonly JobEntry[]): Promise<number> {
    await this.#prepare();
    const db = this.#db;
    let count = 0;
    const now = Date.now();
    for (
      const { name, queue, payload, runAtMs, priority, attempts, key = null, origin } of entries
    ) {
      const { requestId = null, traceId = null } = origin;
      count += await db.run`insert into fw_jobs
        (name, queue, payload, state, priority, run_at, attempt, attempts, key, request_id, trace_id, created_at)
        values (${name}, ${queue}, ${payload}, ${
        runAtMs > now ? "delayed" : "waiting"
      }, ${priority}, ${runAtMs}, 0, ${attempts}, ${key},
          ${requestId}, ${traceId}, ${now})
        on conflict (name, key) where key is not null and state <> 'dead' do nothing`;
    }
    for (const wake of this.#wakes) wake();
    return count;
  }

  async work(options: WorkOptions): Promise<JobWorker> {
    await this.#prepare();
    return startPulling(this, options, this.#wakes);
  }

  /** Claims jobs of a queue that are due. */
  async claim(queue: string, names: readonly string[], count: number): Promise<ClaimedJob[]> {
    const now = Date.now();
    const rows = await this.#db.all(
      Row,
    )`update fw_jobs set state = 'running', attempt = attempt + 1,
        lease_until = ${now + this.#leaseMs}
      where id in (
        select id from fw_jobs indexed by fw_jobs_next where state = 'waiting' and queue = ${queue} and run_at <= ${now}
          and name ${among(names)} order by priority desc, run_at, id limit ${count}
      ) returning id, name, payload, attempt, key, request_id, trace_id`;
    return rows.map(toClaimed);
  }

  /** Jobs of processes that ended wait again, or are dead when they have run often enough; what is due leaves its delay. */
  async reclaim(own: readonly string[]): Promise<void> {
    const now = Date.now();
    await this.#db
      .run`update fw_jobs set state = 'waiting' where state = 'delayed' and run_at <= ${now}`;
    await this.#db.run`update fw_jobs set lease_until = null, run_at = ${now},
        state = case when attempt >= attempts then 'dead' else 'waiting' end,
        error = 'the process ended while the job ran'
      where state = 'running' and lease_until < ${now} and id ${notAmong(own.map(Number))}`;
  }

  async renew(running: readonly ClaimedJob[]): Promise<void> {
    await this.#db.run`update fw_jobs set lease_until = ${Date.now() + this.#leaseMs}
      where id ${among(running.map(({ id }) => Number(id)))} and state = 'running'`;
  }

  /** Stores how an attempt ended, unless another process has taken the job over since. */
  async finish({ id, attempt }: ClaimedJob, outcome: JobOutcome): Promise<void> {
    const db = this.#db;
    const isOurs = sql`id = ${Number(id)} and state = 'running' and attempt = ${attempt}`;
    switch (outcome.kind) {
      case "abandoned":
        return;
      case "done":
        await db.run`delete from fw_jobs where ${isOurs}`;
        return;
      case "returned":
        await db.run`update fw_jobs set state = 'waiting', attempt = attempt - 1, lease_until = null
          where ${isOurs}`;
        return;
      case "failed": {
        const { retryAtMs } = outcome;
        const state = retryAtMs === undefined
          ? "dead"
          : retryAtMs > Date.now()
          ? "delayed"
          : "waiting";
        await db.run`update fw_jobs set state = ${state}, run_at = ${
          retryAtMs ?? Date.now()
        }, lease_until = null,
          error = ${storedError(outcome.error)} where ${isOurs}`;
      }
    }
  }

  get renewMs(): number {
    return Math.max(this.#leaseMs / 3, 10);
  }

  async nextOccurrence(schedule: string, firstMs: number): Promise<number> {
    await this.#prepare();
    await this.#db
      .run`insert into fw_schedules values (${schedule}, ${firstMs}) on conflict (name) do nothing`;
    return await this.#db.one(int())`select next_at from fw_schedules where name = ${schedule}`;
  }

  claimOccurrence(
    { schedule, atMs, nextMs, entry }: Parameters<JobEngine["claimOccurrence"]>[0],
  ): Promise<boolean> {
    return this.#db.tx(async () => {
      const count = await this.#db.run`update fw_schedules set next_at = ${nextMs}
        where name = ${schedule} and next_at = ${atMs}`;
      if (count === 1) await this.enqueue([entry]);
      return count === 1;
    });
  }

  async counts(): Promise<JobCounts> {
    await this.#prepare();
    const now = Date.now();
    // Each part reads one index; dead jobs are few.
    const { oldest, ...counts } = await this.#db.one(Counts)`-- scan: three counts over an index
      select (select count(*) from fw_jobs where state in ('waiting', 'delayed')) as waiting,
        (select count(*) from fw_jobs where state = 'running') as running,
        (select count(*) from fw_jobs where state = 'dead') as dead,
        coalesce((select min(run_at) from fw_jobs where state in ('waiting', 'delayed')), ${now}) as oldest`;
    return { ...counts, oldestMs: Math.max(0, now - oldest) };
  }

  async list(state: StoredJob["state"]): Promise<readonly StoredJob[]> {
    await this.#prepare();
    const rows = await this.#db.all(Listed)`-- scan: for operators
      select ${Listed} from fw_jobs where state ${
      among(state === "waiting" ? ["waiting", "delayed"] : [state])
    } order by id desc limit 100`;
    return rows.map(({ id, runAt, error, name, attempt }) => ({
      id: String(id),
      name,
      attempt,
      state,
      runAt: new Date(runAt),
      error: error ?? undefined,
    }));
  }

  async retry(id: string): Promise<boolean> {
    await this.#prepare();
    const count = await this.#db
      .run`update fw_jobs set state = 'waiting', attempt = 0, run_at = ${Date.now()}
      where ${byId(id)} and state = 'dead'`;
    for (const wake of this.#wakes) wake();
    return count === 1;
  }

  async drop(id: string): Promise<boolean> {
    await this.#prepare();
    return await this.#db.run`delete from fw_jobs where ${byId(id)} and state <> 'running'` === 1;
  }
}

function byId(id: string): ReturnType<typeof sql> {
  return /^\d{1,15}$/.test(id) ? sql`id = ${Number(id)}` : sql`1 = 0`;
}

function toClaimed(
  { id, name, payload, attempt, key, requestId, traceId }: Infer<typeof Row>,
): ClaimedJob {
  const origin = { requestId: requestId ?? undefined, traceId: traceId ?? undefined };
  return { id: String(id), name, payload, attempt, key: key ?? undefined, origin };
}
