/** Jobs in pg-boss, which an application opens itself: several machines on one Postgres. */
import { type Db, struct, text } from "../data/mod.ts";
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

/** An SQL executor for pg-boss. */
export interface PgBossDatabase {
  /** Runs a statement with `$1` for values. */
  // deno-lint-ignore no-explicit-any -- pg-boss types rows so
  executeSql(text: string, values?: unknown[]): Promise<{ rows: any[] }>;
  /** Begins a transaction; what pg-boss makes itself has it. */
  beginTransaction?(): Promise<{
    readonly db: PgBossDatabase;
    commit(): Promise<void>;
    rollback(): Promise<void>;
  }>;
}

/** One attempt at a job of pg-boss. */
export interface PgBossAttempt {
  /** The identifier. */
  readonly id: string;
  /** Number of earlier runs. */
  readonly retryCount: number;
}

/** The part of `npm:pg-boss` 12 that is used. */
export interface PgBossClient {
  /** Creates a queue if it does not exist. */
  createQueue(name: string, options: object): Promise<void>;
  /** Stores a job. */
  send(name: string, data: object, options: object): Promise<string | null>;
  /** Claims jobs. */
  fetch(
    name: string,
    options: { batchSize: number; includeMetadata: true },
  ): Promise<readonly (PgBossAttempt & { readonly data: unknown })[]>;
  /** Deletes a job. */
  deleteJob(name: string, attempt: PgBossAttempt, options?: object): Promise<unknown>;
  /** Ends an attempt with an error. */
  fail(name: string, attempt: PgBossAttempt, data: object): Promise<unknown>;
  /** Renews leases. */
  touch(name: string, attempts: PgBossAttempt[]): Promise<unknown>;
  /** Returns the database. */
  getDb(): PgBossDatabase;
  /** Is told of errors between jobs. */
  on?(event: "error", listener: () => void): unknown;
}

/** Options of {@linkcode pgBossJobs}. */
export interface PgBossJobsOptions {
  /** The database of the data, of `openPostgres` on the same server: `enqueue` inside `db.tx` then takes part in it. */
  readonly db?: Db;
  /** The schema that `new PgBoss` was given. @default "pgboss" */
  readonly schema?: string;
  /** Begins the names of the queues. @default "fw." */
  readonly prefix?: string;
  /** Interval at which it looks for jobs of other processes, in milliseconds. @default 500 */
  readonly pollMs?: number;
}

/** The longest time that pg-boss takes, in seconds. */
const daySeconds = 86_400;
const yearsSeconds = 3_650 * daySeconds;
const heartbeatSeconds = 30;

/**
 * Keeps jobs in pg-boss, where one machine is not enough. The application makes, starts and stops the instance; pg-boss
 * is no dependency of this package.
 *
 * What differs from `sqliteJobs`: jobs of a process that was killed come back with pg-boss's supervision
 * (`superviseIntervalSeconds`, a minute by default), 30 s after its last sign of life, and not before. Inside `db.tx` a
 * job takes part in the transaction only with the option `db`. Retries and errors write to the table of pg-boss
 * directly, which is why version 12 is needed.
 *
 * @param boss A started instance of `PgBoss` of `npm:pg-boss@12`.
 * @param options The database of the data, the schema, and the pace.
 * @returns The engine, for `provideJobs`.
 * @throws {TypeError} for a schema that is no identifier, and for a database of another engine; `RangeError` for an
 * option out of range.
 * @example
 * ```ts
 * import type { Application } from "@fw/fw";
 * import { type PgBossClient, pgBossJobs, provideJobs } from "@fw/fw/jobs";
 *
 * // import { PgBoss } from "npm:pg-boss@12"; const boss = await new PgBoss(url).start();
 * export async function openJobs(app: Application, boss: PgBossClient): Promise<void> {
 *   await provideJobs(app, pgBossJobs(boss), { jobs: [] });
 * }
 * ```
 */
export function pgBossJobs(boss: PgBossClient, options: PgBossJobsOptions = {}): JobEngine {
  const { db, schema = "pgboss", prefix = "fw.", pollMs = 500 } = options;
  checkIntegers("keep jobs", { pollMs });
  if (!/^[A-Za-z_]\w*$/.test(schema) || !/^[\w.-]{1,40}$/.test(prefix)) {
    throw new TypeError(
      `Cannot keep jobs in the schema "${schema}" with the prefix "${prefix}": use letters, digits and _.`,
    );
  }
  if (db !== undefined && db.engine !== "postgres") {
    throw new TypeError(
      "Cannot keep jobs in this database: pgBossJobs takes that of openPostgres.",
    );
  }
  return new PgBossJobs(boss, { db, schema, prefix, pollMs });
}

class PgBossJobs implements JobEngine, JobSource {
  readonly #boss: PgBossClient;
  readonly #prefix: string;
  readonly #table: string;
  readonly #joined: PgBossDatabase | undefined;
  readonly #queues: Map<string, Promise<string>> = new Map();
  readonly #wakes: Set<() => void> = new Set();
  #schedules: Promise<unknown> | undefined;
  readonly pollMs: number;
  readonly renewMs = heartbeatSeconds * 1_000 / 3;

  constructor(
    boss: PgBossClient,
    { db, schema, prefix, pollMs }: {
      readonly db: Db | undefined;
      readonly schema: string;
      readonly prefix: string;
      readonly pollMs: number;
    },
  ) {
    this.#boss = boss;
    this.#prefix = prefix;
    this.#table = `${schema}.job`;
    this.#joined = db === undefined ? undefined : joinDatabase(db);
    this.pollMs = pollMs;
    // Without a listener a lost connection would end the process; what needs one fails and is logged.
    boss.on?.("error", () => {});
  }

  // deno-lint-ignore no-explicit-any -- rows of pg-boss
  async #rows(text: string, ...values: readonly unknown[]): Promise<any[]> {
    return (await this.#boss.getDb().executeSql(text, [...values])).rows;
  }

  /** Creates the queue of pg-boss, once a process. */
  #queue(queue: string): Promise<string> {
    return this.#queues.getOrInsertComputed(queue, async () => {
      const name = this.#prefix + queue;
      await this.#boss.createQueue(name, {
        // One job a key, waiting or running.
        policy: "exclusive",
        // What waits or has failed stays until it is done or dropped.
        retentionSeconds: yearsSeconds,
        deleteAfterSeconds: 0,
        expireInSeconds: daySeconds,
        heartbeatSeconds,
      });
      return name;
    });
  }

  async open(queues: readonly string[]): Promise<void> {
    await Promise.all([...queues.map((queue) => this.#queue(queue)), this.#prepareSchedules()]);
  }

  async enqueue(entries: readonly JobEntry[]): Promise<number> {
    let count = 0;
    for (const entry of entries) count += await this.#send(entry, this.#joined);
    for (const wake of this.#wakes) wake();
    return count;
  }

  async #send(entry: JobEntry, db: PgBossDatabase | undefined): Promise<number> {
    const { name, queue, payload, runAtMs, priority, attempts, backoffMs, key, origin } = entry;
    const { requestId = "", traceId = "" } = origin;
    const data = { name, payload, attempts: String(attempts), key, requestId, traceId };
    const id = await this.#boss.send(await this.#queue(queue), data, {
      priority,
      singletonKey: key === undefined ? crypto.randomUUID() : `${name} ${key}`,
      retryLimit: attempts - 1,
      retryDelay: Math.ceil(backoffMs / 1_000),
      ...(runAtMs > Date.now() && { startAfter: new Date(runAtMs) }),
      ...(db !== undefined && { db }),
    });
    return id === null ? 0 : 1;
  }

  async work(options: WorkOptions): Promise<JobWorker> {
    await this.open([...options.concurrency.keys()]);
    return startPulling(this, options, this.#wakes);
  }

  async claim(queue: string, _: readonly string[], count: number): Promise<ClaimedJob[]> {
    const name = await this.#queue(queue);
    const jobs = await this.#boss.fetch(name, { batchSize: count, includeMetadata: true });
    return jobs.map(({ id, retryCount, data }) => {
      const { name: job = "", payload = "", key, requestId = "", traceId = "" } = Object(data);
      const origin = { requestId: requestId || undefined, traceId: traceId || undefined };
      return { id: `${name}/${id}`, name: job, payload, attempt: retryCount + 1, key, origin };
    });
  }

  async finish({ id, attempt }: ClaimedJob, outcome: JobOutcome): Promise<void> {
    const { queue, uuid } = splitId(id);
    const own = { id: uuid, retryCount: attempt - 1 };
    const isOurs = "where name = $1 and id = $2::uuid and retry_count = $3 and state = 'active'";
    switch (outcome.kind) {
      case "abandoned":
        return;
      case "done":
        await this.#boss.deleteJob(queue, own);
        return;
      case "returned":
        // Without `started_on` the next attempt has the number of this one.
        await this.#rows(
          `update ${this.#table} set state = 'created', started_on = null ${isOurs}`,
          ...[queue, uuid, own.retryCount],
        );
        return;
      case "failed": {
        const { retryAtMs, error } = outcome;
        if (retryAtMs === undefined) {
          await this.#rows(
            `update ${this.#table} set retry_limit = retry_count ${isOurs}`,
            ...[queue, uuid, own.retryCount],
          );
        }
        await this.#boss.fail(queue, own, { message: storedError(error) });
        if (retryAtMs === undefined) return;
        await this.#rows(
          `update ${this.#table} set start_after = $3 where name = $1 and id = $2::uuid and state = 'retry'`,
          ...[queue, uuid, new Date(retryAtMs)],
        );
      }
    }
  }

  async renew(running: readonly ClaimedJob[]): Promise<void> {
    for (const [queue, jobs] of Map.groupBy(running, ({ id }) => splitId(id).queue)) {
      const attempts = jobs.map(({ id, attempt }) => ({
        id: splitId(id).uuid,
        retryCount: attempt - 1,
      }));
      await this.#boss.touch(queue, attempts);
    }
  }

  /** Creates the table of the schedules, once a process. */
  async #prepareSchedules(): Promise<void> {
    await (this.#schedules ??= this.#rows(
      "create table if not exists fw_schedules (name text primary key, next_at bigint not null)",
    ));
  }

  async nextOccurrence(schedule: string, firstMs: number): Promise<number> {
    await this.#rows(
      "insert into fw_schedules values ($1, $2) on conflict (name) do nothing",
      ...[schedule, firstMs],
    );
    const text = "select next_at from fw_schedules where name = $1";
    const [row] = await this.#rows(text, schedule);
    return Number(Object(row).next_at);
  }

  async claimOccurrence(
    { schedule, atMs, nextMs, entry }: Parameters<JobEngine["claimOccurrence"]>[0],
  ): Promise<boolean> {
    const transaction = await this.#boss.getDb().beginTransaction?.();
    if (transaction === undefined) {
      throw new TypeError(
        "Cannot run a schedule: the database of pg-boss has no beginTransaction.",
      );
    }
    try {
      const { rows } = await transaction.db.executeSql(
        "update fw_schedules set next_at = $3 where name = $1 and next_at = $2 returning name",
        [schedule, atMs, nextMs],
      );
      if (rows.length === 1) await this.#send(entry, transaction.db);
      await transaction.commit();
      for (const wake of this.#wakes) wake();
      return rows.length === 1;
    } catch (error) {
      await transaction.rollback();
      throw error;
    }
  }

  async counts(): Promise<JobCounts> {
    const [row] = await this.#rows(
      `select count(*) filter (where state < 'active') as waiting,
        count(*) filter (where state = 'active') as running,
        count(*) filter (where state = 'failed') as dead,
        extract(epoch from now() - min(start_after) filter (where state < 'active')) * 1000 as oldest
        from ${this.#table} where starts_with(name, $1)`,
      this.#prefix,
    );
    const { waiting, running, dead, oldest } = Object(row);
    return {
      waiting: Number(waiting),
      running: Number(running),
      dead: Number(dead),
      oldestMs: Math.max(0, Math.round(Number(oldest ?? 0))),
    };
  }

  async list(state: StoredJob["state"]): Promise<readonly StoredJob[]> {
    const states = {
      waiting: "state < 'active'",
      running: "state = 'active'",
      dead: "state = 'failed'",
    };
    const rows = await this.#rows(
      `select name, id, data, retry_count, start_after, output from ${this.#table}
        where starts_with(name, $1) and ${states[state]} order by created_on desc limit 100`,
      this.#prefix,
    );
    return rows.map(({ name, id, data, retry_count, start_after, output }) => ({
      id: `${name}/${id}`,
      name: String(Object(data).name),
      attempt: Number(retry_count) + (state === "waiting" ? 0 : 1),
      state,
      runAt: new Date(start_after),
      error: Object(output).message ?? Object(Object(output).value).message,
    }));
  }

  async retry(id: string): Promise<boolean> {
    const { queue, uuid } = splitId(id);
    const rows = await this.#rows(
      `update ${this.#table} set state = 'created', started_on = null, completed_on = null, retry_count = 0,
        retry_limit = (data->>'attempts')::int - 1, start_after = now()
        where name = $1 and id::text = $2 and state = 'failed' returning id`,
      ...[queue, uuid],
    );
    for (const wake of this.#wakes) wake();
    return rows.length === 1;
  }

  async drop(id: string): Promise<boolean> {
    const { queue, uuid } = splitId(id);
    const rows = await this.#rows(
      `delete from ${this.#table} where name = $1 and id::text = $2 and state <> 'active' returning id`,
      ...[queue, uuid],
    );
    return rows.length === 1;
  }
}

function splitId(id: string): { readonly queue: string; readonly uuid: string } {
  const at = id.lastIndexOf("/");
  return { queue: id.slice(0, at), uuid: id.slice(at + 1) };
}

const Id = struct({ id: text() });

/** Runs the statement that stores a job in the transaction of the caller. */
function joinDatabase(db: Db): PgBossDatabase {
  return {
    executeSql: async (statement, values = []) => {
      const parts = statement.split(/\$(\d+)/);
      const strings = parts.filter((_, index) => index % 2 === 0);
      const bound = parts.filter((_, index) => index % 2 === 1).map((at) => values[Number(at) - 1]);
      // pg-boss writes the statement: no part of it comes from a client.
      const template = Object.assign(strings, { raw: strings });
      return { rows: await db.all(Id)(template, ...bound) };
    },
  };
}
