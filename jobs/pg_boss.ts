import { type Db, struct, text } from "../data/mod.ts";
import type {
  ClaimedJob,
  JobCounts,
  JobEngine,
  JobEntry,
  JobOutcome,
  StoredJob,
} from "./engine.ts";
import { checkIntegers } from "./job.ts";
import { PulledJobs } from "./pulling.ts";

/** An SQL executor for pg-boss. */
export interface PgBossDatabase {
  /** Runs a statement with placeholders such as `$1`. */
  // deno-lint-ignore no-explicit-any -- pg-boss types rows so
  executeSql(text: string, values?: unknown[]): Promise<{ rows: any[] }>;
  /** Begins a transaction; pg-boss's own database supports it. */
  beginTransaction?(): Promise<{
    readonly db: PgBossDatabase;
    commit(): Promise<void>;
    rollback(): Promise<void>;
  }>;
}

/** The used members of `npm:pg-boss` 12. */
export interface PgBossClient {
  /** Creates a queue if it does not exist. */
  createQueue(name: string, options: object): Promise<void>;
  /** Stores a job. */
  send(name: string, data: object, options: object): Promise<string | null>;
  /** Claims jobs. */
  fetch(name: string, options: { batchSize: number; includeMetadata: true }): Promise<
    readonly {
      readonly id: string;
      readonly retryCount: number;
      readonly retryLimit: number;
      readonly data: unknown;
    }[]
  >;
  /** Returns the database. */
  getDb(): PgBossDatabase;
  /** Listens to errors between jobs. */
  on?(event: "error", listener: () => void): unknown;
}

/** Options of {@linkcode pgBossJobs}. */
export interface PgBossJobsOptions {
  /** The application's database from `openPostgres`, on the same server: `enqueue` then joins `db.tx`. */
  readonly db?: Db;
  /** The schema passed to `new PgBoss`. @default "pgboss" */
  readonly schema?: string;
  /** Prefix of the queue names. @default "fw." */
  readonly prefix?: string;
  /** Polling interval for jobs of other processes, in milliseconds. @default 500 */
  readonly pollMs?: number;
}

const daySeconds = 86_400;
const heartbeatSeconds = 30;

/**
 * Keeps jobs in pg-boss, for applications on several machines. The application creates, starts and
 * stops the instance, because pg-boss is not a dependency of this package.
 *
 * Differences from `sqliteJobs`: the jobs of a killed process are retried only after 30 s without a
 * heartbeat, by pg-boss's supervision (`superviseIntervalSeconds`, a minute by default). Inside
 * `db.tx`, a job joins the transaction only with the option `db`. Outcomes are written directly to
 * the table of pg-boss, which requires version 12.
 *
 * @param boss A started instance of `PgBoss` of `npm:pg-boss@12`.
 * @throws {TypeError} for a schema that is not an identifier, or a database of another engine;
 * `RangeError` for an option out of range.
 * @example
 * ```ts
 * import { type PgBossClient, pgBossJobs } from "@fw/fw/jobs";
 *
 * // import { PgBoss } from "npm:pg-boss@12"; openJobs(await new PgBoss(url).start())
 * export const openJobs = (boss: PgBossClient) => pgBossJobs(boss, { schema: "pgboss" });
 * ```
 */
export function pgBossJobs(boss: PgBossClient, options: PgBossJobsOptions = {}): JobEngine {
  return new PgBossJobs(boss, options);
}

class PgBossJobs extends PulledJobs implements JobEngine {
  readonly #boss: PgBossClient;
  readonly #prefix: string;
  readonly #table: string;
  readonly #joined: PgBossDatabase | undefined;
  readonly pollMs: number;
  readonly renewMs = heartbeatSeconds * 1_000 / 3;

  constructor(boss: PgBossClient, options: PgBossJobsOptions) {
    super();
    const { db, schema = "pgboss", prefix = "fw.", pollMs = 500 } = options;
    checkIntegers("keep jobs", { pollMs });
    if (!/^[A-Za-z_]\w*$/.test(schema) || !/^[\w.-]{1,40}$/.test(prefix)) {
      throw new TypeError(
        `Cannot keep jobs in the schema "${schema}" with the prefix "${prefix}": use letters, digits and _.`,
      );
    }
    if (db?.engine === "sqlite") {
      throw new TypeError("Cannot store jobs in this database: use one of openPostgres.");
    }
    this.#boss = boss;
    this.#prefix = prefix;
    this.#table = `${schema}.job`;
    this.#joined = db && joinDatabase(db);
    this.pollMs = pollMs;
    // Without a listener, a lost connection would end the process; calls that need it fail anyway.
    boss.on?.("error", () => {});
  }

  // deno-lint-ignore no-explicit-any -- rows of pg-boss
  async #rows(text: string, ...values: readonly unknown[]): Promise<any[]> {
    return (await this.#boss.getDb().executeSql(text, [...values])).rows;
  }

  async open(queues: readonly string[]): Promise<void> {
    await Promise.all(queues.map((queue) =>
      this.#boss.createQueue(this.#prefix + queue, {
        // One waiting or running job per key.
        policy: "exclusive",
        // Waiting and failed jobs stay until they are done or dropped.
        retentionSeconds: 3_650 * daySeconds,
        deleteAfterSeconds: 0,
        expireInSeconds: daySeconds,
        heartbeatSeconds,
      })
    ));
    // Under a lock: if two processes create a table at once, the server refuses one.
    await this.#rows(`do $$ begin
      perform pg_advisory_xact_lock(7346912846);
      create table if not exists fw_schedules (name text primary key, next_at bigint not null);
    end $$`);
  }

  async enqueue(entry: JobEntry): Promise<boolean> {
    const isNew = await this.#send(entry, this.#joined);
    this.wake();
    return isNew;
  }

  async #send(entry: JobEntry, db: PgBossDatabase | undefined): Promise<boolean> {
    const { queue, priority, attempts, runAtMs, ...data } = entry;
    const { name, key } = data;
    const id = await this.#boss.send(this.#prefix + queue, data, {
      priority,
      singletonKey: key === undefined ? crypto.randomUUID() : `${name} ${key}`,
      retryLimit: attempts - 1,
      ...(runAtMs > Date.now() && { startAfter: new Date(runAtMs) }),
      ...(db !== undefined && { db }),
    });
    return id !== null;
  }

  async claim(queue: string, _: readonly string[], count: number): Promise<ClaimedJob[]> {
    const options = { batchSize: count, includeMetadata: true } as const;
    const jobs = await this.#boss.fetch(this.#prefix + queue, options);
    return jobs.map(({ id, retryCount, retryLimit, data }) => ({
      ...data as Omit<JobEntry, "attempts" | "queue">,
      id,
      queue,
      attempt: retryCount + 1,
      attempts: retryLimit + 1,
    }));
  }

  async finish({ id, queue, attempt }: ClaimedJob, outcome: JobOutcome): Promise<void> {
    const isOurs = "where name = $1 and id = $2::uuid and retry_count = $3 and state = 'active'";
    const ours = [this.#prefix + queue, id, attempt - 1];
    if (outcome.kind === "done") await this.#rows(`delete from ${this.#table} ${isOurs}`, ...ours);
    if (outcome.kind === "returned") {
      // Without `started_on`, the next attempt gets the same number.
      const text = `update ${this.#table} set state = 'created', started_on = null ${isOurs}`;
      await this.#rows(text, ...ours);
    }
    if (outcome.kind === "failed") {
      const { retryAtMs, error } = outcome;
      const isDead = retryAtMs === undefined;
      await this.#rows(
        `update ${this.#table} set output = $4, state = '${isDead ? "failed" : "retry"}',
          completed_on = ${isDead ? "now()" : "null"}, start_after = $5 ${isOurs}`,
        ...[...ours, { message: error }, new Date(retryAtMs ?? Date.now())],
      );
    }
  }

  async renew(running: readonly ClaimedJob[]): Promise<void> {
    await this.#rows(
      `update ${this.#table} set heartbeat_on = now()
        where name = any($1::text[]) and id = any($2::uuid[]) and state = 'active'`,
      ...[running.map(({ queue }) => this.#prefix + queue), running.map(({ id }) => id)],
    );
  }

  async reclaim(): Promise<void> {
    // The supervision of pg-boss reclaims jobs.
  }

  async nowMs(): Promise<number> {
    const text = "select floor(extract(epoch from clock_timestamp()) * 1000) as now";
    return Number(Object((await this.#rows(text))[0]).now);
  }

  async advance(
    schedule: string,
    { nowMs, nextMs, latestMs, entry }: Parameters<JobEngine["advance"]>[1],
  ): Promise<number> {
    const transaction = await this.#boss.getDb().beginTransaction?.();
    if (transaction === undefined) {
      throw new TypeError("Cannot run a schedule: the database has no beginTransaction.");
    }
    try {
      const insert = `insert into fw_schedules as known values ($1, $2) on conflict (name) do update
        set next_at = $2 where known.next_at > $3`;
      await transaction.db.executeSql(insert, [schedule, nextMs, latestMs]);
      const { rows } = await transaction.db.executeSql(
        "update fw_schedules set next_at = $2 where name = $1 and next_at <= $3 returning name",
        [schedule, nextMs, nowMs],
      );
      if (rows.length === 1) await this.#send(entry, transaction.db);
      await transaction.commit();
    } catch (error) {
      await transaction.rollback().catch(() => {});
      throw error;
    }
    this.wake();
    const text = "select next_at from fw_schedules where name = $1";
    return Number(Object((await this.#rows(text, schedule))[0]).next_at);
  }

  async counts(): Promise<JobCounts> {
    const [counts] = await this.#rows(
      `select count(*) filter (where state < 'active')::int as waiting,
        count(*) filter (where state < 'active' and start_after <= now())::int as due,
        count(*) filter (where state = 'active')::int as running,
        count(*) filter (where state = 'failed')::int as dead,
        greatest(0, round(extract(epoch from now() - min(start_after) filter (where state < 'active')) * 1000))::float8
          as "oldestMs"
        from ${this.#table} where starts_with(name, $1)`,
      this.#prefix,
    );
    return counts;
  }

  async list(state: StoredJob["state"]): Promise<readonly StoredJob[]> {
    const states = { waiting: "< 'active'", running: "= 'active'", dead: "= 'failed'" };
    // The supervision of pg-boss stores errors in `value`. A claim counts the attempts before it.
    const rows = await this.#rows(
      `select id, data->>'name' as name, start_after as "runAt", '${state}' as state,
        retry_count + (started_on is not null)::int as attempt,
        coalesce(output->>'message', output->'value'->>'message') as error from ${this.#table}
        where starts_with(name, $1) and state ${states[state]} order by created_on desc limit 100`,
      this.#prefix,
    );
    return rows.map((row) => ({ ...row, error: row.error ?? undefined }));
  }

  async retry(id: string): Promise<boolean> {
    const rows = await this.#rows(
      `update ${this.#table} late set start_after = now(), completed_on = null,
        state = case state when 'failed' then 'created' else state end,
        started_on = case state when 'failed' then null else started_on end,
        retry_count = case state when 'failed' then 0 else retry_count end
        where starts_with(name, $1) and id::text = $2
        and (state = 'failed' or (state < 'active' and start_after > now()))
        and not exists (select from ${this.#table} other where other.name = late.name and other.id <> late.id
          and other.singleton_key = late.singleton_key and other.state <= 'active') returning id`,
      ...[this.#prefix, id],
    );
    this.wake();
    return rows.length === 1;
  }

  async drop(id: string): Promise<boolean> {
    const rows = await this.#rows(
      `delete from ${this.#table} where starts_with(name, $1) and id::text = $2 and state <> 'active' returning id`,
      ...[this.#prefix, id],
    );
    return rows.length === 1;
  }
}

const Id = struct({ id: text() });

/** Adapts a database so that the statement that stores a job joins the caller's transaction. */
function joinDatabase(db: Db): PgBossDatabase {
  return {
    executeSql: async (statement, values = []) => {
      const parts = statement.split(/\$(\d+)/);
      const strings = parts.filter((_, index) => index % 2 === 0);
      const bound = parts.filter((_, index) => index % 2 === 1).map((at) => values[Number(at) - 1]);
      // The statement is written by pg-boss; no part of it comes from a client.
      const template = Object.assign(strings, { raw: strings });
      return { rows: await db.all(Id)(template, ...bound) };
    },
  };
}
