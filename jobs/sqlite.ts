import { among, type Db, int, notAmong, type Sql, sql, struct, text } from "../data/mod.ts";
import type {
  ClaimedJob,
  JobCounts,
  JobEngine,
  JobEntry,
  JobOutcome,
  StoredJob,
} from "./engine.ts";
import { checkIntegers, endedText } from "./job.ts";
import { PulledJobs } from "./pulling.ts";

/** Options of {@linkcode sqliteJobs}. */
export interface SqliteJobsOptions {
  /** Duration of a job's lease, which is renewed while it runs, in milliseconds. @default 30_000 */
  readonly leaseMs?: number;
  /** Polling interval for jobs of other processes, in milliseconds. @default 500 */
  readonly pollMs?: number;
}

const Row = struct({
  id: int(),
  name: text(),
  queue: text(),
  payload: text(),
  attempt: int(),
  attempts: int(),
  key: text().optional(),
  requestId: text().optional(),
  traceId: text().optional(),
});
const Listed = struct({
  id: int(),
  name: text(),
  attempt: int(),
  runAt: int(),
  error: text().optional(),
});
const Counts = struct({ delayed: int(), due: int(), running: int(), dead: int(), oldest: int() });

/**
 * Keeps jobs in the tables `fw_jobs` and `fw_schedules`, which it creates. A job enqueued inside
 * `db.tx` exists only if the transaction commits. If a process ends during a job, the lease expires
 * and another process runs the job again; after the second time one such job at a time, so that one that
 * ends its process takes no other jobs with it.
 *
 * @throws {TypeError} for a database of another engine; `RangeError` for an option out of range.
 * @example
 * ```ts
 * import { sqliteJobs } from "@fw/fw/jobs";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * export const openEngine = async () => sqliteJobs(await openSqlite("data/app.sqlite"));
 * ```
 */
export function sqliteJobs(db: Db, options: SqliteJobsOptions = {}): JobEngine {
  return new DatabaseJobs(db, options);
}

class DatabaseJobs extends PulledJobs implements JobEngine {
  readonly #db: Db;
  readonly #leaseMs: number;
  readonly pollMs: number;
  readonly renewMs: number;
  /** `true` while jobs wait that run one at a time. */
  #hasAlone = false;

  constructor(db: Db, { leaseMs = 30_000, pollMs = 500 }: SqliteJobsOptions) {
    super();
    checkIntegers("keep jobs", { leaseMs, pollMs });
    if (db.engine !== "sqlite") {
      throw new TypeError("Cannot store jobs in this database: use one of openSqlite.");
    }
    this.#db = db;
    this.#leaseMs = leaseMs;
    this.pollMs = pollMs;
    this.renewMs = Math.max(leaseMs / 3, 10);
  }

  async open(): Promise<void> {
    const definitions = [
      sql`create table if not exists fw_jobs (
        id integer primary key autoincrement, name text not null, queue text not null, payload text not null,
        state text not null, priority integer not null, run_at integer not null, attempt integer not null,
        attempts integer not null, lease_until integer, key text, error text, request_id text, trace_id text,
        created_at integer not null) strict`,
      // Delayed jobs have their own state, because each claim would otherwise scan all of them.
      sql`create index if not exists fw_jobs_next on fw_jobs (queue, priority desc, run_at, id) where state = 'waiting'`,
      sql`create index if not exists fw_jobs_delayed on fw_jobs (run_at) where state = 'delayed'`,
      sql`create index if not exists fw_jobs_alone on fw_jobs (id) where state = 'alone'`,
      sql`create index if not exists fw_jobs_dead on fw_jobs (id) where state = 'dead'`,
      sql`create index if not exists fw_jobs_lease on fw_jobs (lease_until) where state = 'running'`,
      sql`create unique index if not exists fw_jobs_key on fw_jobs (name, key) where key is not null and state <> 'dead'`,
      sql`create table if not exists fw_schedules (name text primary key, next_at integer not null) strict`,
    ];
    for (const definition of definitions) await this.#db.run`${definition}`;
  }

  async enqueue(entry: JobEntry): Promise<boolean> {
    const { name, queue, payload, priority, runAtMs, attempts } = entry;
    const { key = null, requestId = null, traceId = null } = entry;
    const count = await this.#db.run`insert into fw_jobs
      (name, queue, payload, state, priority, run_at, attempt, attempts, key, request_id, trace_id, created_at)
      values (${name}, ${queue}, ${payload}, ${stateAt(runAtMs)}, ${priority}, ${runAtMs}, 0,
        ${attempts}, ${key}, ${requestId}, ${traceId}, ${Date.now()})
      on conflict (name, key) where key is not null and state <> 'dead' do nothing`;
    this.wake();
    return count === 1;
  }

  async claim(queue: string, names: readonly string[], count: number): Promise<ClaimedJob[]> {
    const own = sql`queue = ${queue} and name ${among(names)}`;
    const alone = !this.#hasAlone ? [] : await this.#claimSome(sql`where state = 'alone' and ${own}
      and not exists (select 1 from fw_jobs where state = 'running' and error = ${endedText})
      order by id limit 1`);
    if (alone.length === count) return alone;
    return [
      ...alone,
      ...await this.#claimSome(sql`indexed by fw_jobs_next where state = 'waiting' and ${own}
        order by priority desc, run_at, id limit ${count - alone.length}`),
    ];
  }

  async #claimSome(which: Sql): Promise<ClaimedJob[]> {
    const rows = await this.#db.all(Row)`
      update fw_jobs set state = 'running', attempt = attempt + 1,
        lease_until = ${Date.now() + this.#leaseMs}
      where id in (select id from fw_jobs ${which})
      returning id, name, queue, payload, attempt, attempts, key, request_id, trace_id`;
    return rows.map(({ id, key, requestId, traceId, ...row }) => ({
      ...row,
      id: String(id),
      key: key ?? undefined,
      requestId: requestId ?? undefined,
      traceId: traceId ?? undefined,
    }));
  }

  /** Releases the jobs of ended processes, and due delayed jobs. */
  async reclaim(own: readonly string[]): Promise<void> {
    const now = Date.now();
    await this.#db
      .run`update fw_jobs set state = 'waiting' where state = 'delayed' and run_at <= ${now}`;
    // Jobs beside one that ends its process must not run beside it until all are dead.
    await this.#db.run`update fw_jobs set lease_until = null, run_at = ${now}, error = ${endedText},
      state = iif(attempt < 2, 'waiting', 'alone')
      where state = 'running' and lease_until < ${now} and id ${notAmong(own.map(Number))}`;
    this.#hasAlone =
      await this.#db.first(int())`select 1 from fw_jobs where state = 'alone' limit 1` === 1;
  }

  async renew(running: readonly ClaimedJob[]): Promise<void> {
    await this.#db.run`update fw_jobs set lease_until = ${Date.now() + this.#leaseMs}
      where id ${among(running.map(({ id }) => Number(id)))} and state = 'running'`;
  }

  async finish({ id, attempt }: ClaimedJob, outcome: JobOutcome): Promise<void> {
    const db = this.#db;
    const isOurs = sql`id = ${Number(id)} and state = 'running' and attempt = ${attempt}`;
    if (outcome.kind === "done") await db.run`delete from fw_jobs where ${isOurs}`;
    if (outcome.kind === "returned") {
      await db
        .run`update fw_jobs set state = 'waiting', attempt = attempt - 1, lease_until = null where ${isOurs}`;
    }
    if (outcome.kind === "failed") {
      const { retryAtMs, error } = outcome;
      const state = retryAtMs === undefined ? "dead" : stateAt(retryAtMs);
      await db.run`update fw_jobs set state = ${state}, run_at = ${retryAtMs ?? Date.now()},
        lease_until = null, error = ${error} where ${isOurs}`;
    }
  }

  advance(
    schedule: string,
    { nowMs, nextMs, latestMs, entry }: Parameters<JobEngine["advance"]>[1],
  ): Promise<number> {
    const db = this.#db;
    return db.tx(async () => {
      await db.run`insert into fw_schedules values (${schedule}, ${nextMs})
        on conflict (name) do update set next_at = ${nextMs} where next_at > ${latestMs}`;
      const count = await db.run`update fw_schedules set next_at = ${nextMs}
        where name = ${schedule} and next_at <= ${nowMs}`;
      if (count === 1) await this.enqueue(entry);
      return await db.one(int())`select next_at from fw_schedules where name = ${schedule}`;
    });
  }

  async counts(): Promise<JobCounts> {
    const now = Date.now();
    const { delayed, due, running, dead, oldest } = await this.#db.one(
      Counts,
    )`-- scan: counts over an index
      select (select count(*) from fw_jobs where state = 'delayed' and run_at > ${now}) as delayed,
        (select count(*) from fw_jobs where state = 'waiting')
          + (select count(*) from fw_jobs where state = 'alone')
          + (select count(*) from fw_jobs where state = 'delayed' and run_at <= ${now}) as due,
        (select count(*) from fw_jobs where state = 'running') as running,
        (select count(*) from fw_jobs where state = 'dead') as dead,
        coalesce((select min(run_at) from fw_jobs where state in ('waiting', 'delayed', 'alone')), ${now}) as oldest`;
    return { waiting: delayed + due, due, running, dead, oldestMs: Math.max(0, now - oldest) };
  }

  async list(state: StoredJob["state"]): Promise<readonly StoredJob[]> {
    const states = state === "waiting" ? ["waiting", "delayed", "alone"] : [state];
    const rows = await this.#db.all(Listed)`-- scan: for operators
      select ${Listed} from fw_jobs where state ${among(states)} order by id desc limit 100`;
    return rows.map(({ id, runAt, error, ...row }) => ({
      ...row,
      id: String(id),
      state,
      runAt: new Date(runAt),
      error: error ?? undefined,
    }));
  }

  async retry(id: string): Promise<boolean> {
    const count = await this.#db
      .run`update or ignore fw_jobs set attempt = iif(state = 'dead', 0, attempt), state = 'waiting',
      run_at = ${Date.now()} where ${byId(id)} and state in ('dead', 'delayed')`;
    this.wake();
    return count === 1;
  }

  async drop(id: string): Promise<boolean> {
    return await this.#db.run`delete from fw_jobs where ${byId(id)} and state <> 'running'` === 1;
  }
}

function stateAt(runAtMs: number): "delayed" | "waiting" {
  return runAtMs > Date.now() ? "delayed" : "waiting";
}

function byId(id: string): ReturnType<typeof sql> {
  return /^\d{1,15}$/.test(id) ? sql`id = ${Number(id)}` : sql`1 = 0`;
}
