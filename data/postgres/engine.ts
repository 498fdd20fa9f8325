import {
  type BeginOptions,
  type Call,
  type Engine,
  type MigrationSession,
  migrationWaitMs,
  type Plan,
  type Result,
  type Transaction,
  within,
} from "../engine.ts";
import { BusyError } from "../errors.ts";
import { newPlanName } from "../plans.ts";
import { maxTimerMs, Scope } from "../scope.ts";
import { type Dialect, postgresDialect } from "../sql.ts";
import { toBound } from "../values.ts";
import type { Driver, RawCall } from "./driver.ts";
import { endWait, holdingWaitMs, toPostgresError } from "./errors.ts";

/** The advisory lock shared by the migrations of all processes; the number is arbitrary. */
const migrationLock = 7_346_912_845;

/** Plan steps that avoid an index. Postgres still uses a disabled one if there is no alternative. */
const dearWays = [
  "seqscan",
  "sort",
  "incremental_sort",
  "hashjoin",
  "mergejoin",
  "material",
] as const;

export class PostgresEngine implements Engine {
  readonly #driver: Driver;
  readonly #prepares: boolean;
  readonly #settings: (() => Readonly<Record<string, string>>) | undefined;
  /** Number of statements and transactions that {@linkcode close} waits for. */
  #running = 0;
  #onIdle: () => void = () => {};
  #isClosed = false;
  readonly isSingle = false;
  readonly dialect: Dialect = postgresDialect;

  constructor(
    driver: Driver,
    { prepare = true, settings }: {
      readonly prepare?: boolean;
      readonly settings?: () => Readonly<Record<string, string>>;
    },
  ) {
    this.#driver = driver;
    this.#prepares = prepare;
    this.#settings = settings;
  }

  /** The statements that apply the caller's settings until the end of a transaction. */
  get context(): string {
    // Read for every statement (`bench/data`).
    return this.#settings === undefined ? "" : this.#sets().join("; ");
  }

  #sets(): readonly string[] {
    return Object.entries(this.#settings?.() ?? {}).map(([name, value]) => {
      if (!/^[a-z_]\w*\.[a-z_]\w*$/.test(name)) {
        throw new RangeError(`Cannot set "${name}": use a name such as app.tenant.`);
      }
      const text = String(toBound(value, "postgres")).replace(/[\\']/g, "$&$&");
      return `set local ${name} = E'${text}'`;
    });
  }

  #raw({ plan, values }: Call): RawCall {
    return { text: plan.text, values, name: this.#prepares ? plan.name : undefined };
  }

  async run(call: Call): Promise<Result> {
    try {
      return await this.#run(call);
    } catch (error) {
      // A plan whose table has changed has another name now.
      if (!hasCode(error, "0A000", "40P01")) throw error;
      // After a deadlock, the other transaction needs time to take its lock.
      if (hasCode(error, "40P01")) await new Promise((resolve) => setTimeout(resolve, 50));
      return await this.#run(call);
    }
  }

  async #run(call: Call): Promise<Result> {
    if (Scope.holdsTransaction() || this.context !== "") {
      // Its own transaction has the caller's settings, such as the lock timeout.
      const transaction = await this.begin({});
      return await within(transaction, () => transaction.run(call));
    }
    this.#checkOpen();
    this.#running++;
    try {
      return await this.#driver.query(this.#raw(call));
    } catch (error) {
      throw await this.#toError(error, call.plan);
    } finally {
      this.#leave();
    }
  }

  runInBackground(call: Call): Promise<Result> {
    return this.run(call);
  }

  /** Tracked, so that `close` waits: a later read would make the client open a new connection. */
  readonly #readCatalog: Driver["query"] = (call) => this.#track(this.#driver.query(call));

  #toError(error: unknown, plan?: Plan): Promise<unknown> {
    // Renamed after a change of its table, because every connection keeps the old statement.
    if (plan?.name !== undefined && hasCode(error, "0A000")) plan.name = newPlanName();
    return toPostgresError(error, this.#readCatalog, plan);
  }

  async #converted<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw await this.#toError(error);
    }
  }

  readonly #leave = (): void => {
    if (--this.#running === 0) this.#onIdle();
  };

  #track<T>(work: Promise<T>): Promise<T> {
    this.#running++;
    work.then(this.#leave, this.#leave);
    return work;
  }

  listen(channel: string, onChange: (payload: string | undefined) => void): () => void {
    return this.#driver.listen(channel, onChange);
  }

  async begin({ isolation, timeoutMs }: BeginOptions): Promise<Transaction> {
    this.#checkOpen();
    const holdsOther = Scope.holdsTransaction();
    const mode = isolation === undefined ? "" : `isolation level ${isolation}`;
    const names = new Set(Object.keys(this.#settings?.() ?? {}));
    let current: string | undefined = this.context;
    // The server stops a statement at the deadline; a time over its maximum means no limit.
    const isTimed = timeoutMs !== undefined && timeoutMs > 0 && timeoutMs < maxTimerMs;
    const limitMs = isTimed ? timeoutMs : timeoutMs && maxTimerMs;
    const setup = [
      current,
      isTimed ? `set local statement_timeout = ${Math.ceil(timeoutMs)}` : "",
      holdsOther ? `set local lock_timeout = ${holdingWaitMs}` : "",
    ].filter((text) => text !== "").join("; ");
    // Close waits from here on: the connection opens even if the caller gives up.
    const ended = Promise.withResolvers<void>();
    this.#track(ended.promise);
    const opening = this.#driver.begin(mode, setup);
    const opened = holdsOther ? endWait(this.#track(opening), (late) => late.undo()) : opening;
    opened.catch(() => ended.resolve());
    const transaction = await this.#converted(opened);
    let failed: unknown;
    const send = async (raw: RawCall, plan?: Plan): Promise<Result> => {
      try {
        return await transaction.query(
          limitMs === undefined ? raw : { ...raw, timeoutMs: limitMs },
        );
      } catch (error) {
        throw failed = await this.#toError(error, plan);
      }
    };
    const exec = (text: string): Promise<Result> => send(unprepared(text));
    /** The release of the last savepoint, which the statements behind it need not await. */
    let releasing: Promise<unknown> | undefined;
    let depth = 0;
    const checkFailed = (): void => {
      // The server would silently roll back.
      if (failed !== undefined) throw failed;
    };
    /** Applies the settings of a statement's caller, which may differ from the previous statement's. */
    const follow = async (context: string): Promise<void> => {
      current = undefined;
      const defaults = [...names].map((name) => `set local ${name} to default`);
      for (const name of Object.keys(this.#settings?.() ?? {})) names.add(name);
      for (const text of [...defaults, ...this.#sets()]) await exec(text);
      current = context;
    };
    return {
      run: (call) => {
        const raw = this.#raw(call);
        const { context } = this;
        if (context === current) return send(raw, call.plan);
        return follow(context).then(() => send(raw, call.plan));
      },
      save: async () => {
        // Its own name, because an inner savepoint whose release failed is still there.
        const name = `fw${depth + 1}`;
        await exec(`savepoint ${name}`);
        depth++;
        const release = (): Promise<Result> => {
          depth--;
          return exec(`release ${name}`);
        };
        return {
          keep: () => {
            checkFailed();
            releasing = release().catch(() => {});
          },
          undo: async () => {
            failed = undefined;
            await Promise.all([exec(`rollback to ${name}`), release()]).catch(() => {});
            // The server has rolled back the settings made since.
            current = undefined;
          },
        };
      },
      keep: async () => {
        await releasing;
        checkFailed();
        await this.#converted(transaction.keep()).finally(ended.resolve);
      },
      undo: () => transaction.undo().finally(ended.resolve),
      cancel: () => transaction.cancel(),
    };
  }

  migrate<T>(task: (session: MigrationSession) => Promise<T>): Promise<T> {
    const migrate = async (): Promise<T> => {
      // Keeps no snapshot between statements; `create index concurrently` would wait for one.
      const own = await this.#driver.begin("isolation level read committed", "");
      const all = async (text: string): Promise<Result["rows"]> =>
        (await own.query(unlimited(text))).rows;
      return await within(own, async () => {
        await waitForLock(all);
        return await task({
          exec: async (text) => void await all(text),
          execAlone: async (text) => {
            // The lock occupies one connection, so the statement needs a second one.
            await endWait(this.#driver.query(unprepared("select 1")), () => {});
            await this.#driver.query(unlimited(text));
          },
          all,
        });
      });
    };
    return this.#converted(migrate());
  }

  async explain(text: string, { isCheck } = { isCheck: false }): Promise<readonly string[]> {
    this.#checkOpen();
    // A policy may fail without them while the server plans.
    const transaction = await this.#driver.begin("", this.context);
    const query = (text: string): Promise<Result> => transaction.query(unprepared(text));
    const numbers = text.matchAll(/\$(\d+)/g).map(([, number]) => Number(number));
    const count = Math.max(0, ...numbers);
    const name = `fw_explain_${crypto.randomUUID().replaceAll("-", "")}`;
    try {
      // With null as the value, most plans would be empty.
      await query("set local plan_cache_mode = force_generic_plan");
      if (isCheck) { for (const way of dearWays) await query(`set local enable_${way} = off`); }
      await query(`prepare ${name} as ${text}`);
      const values = count === 0 ? "" : `(${Array(count).fill("null").join(", ")})`;
      const { rows } = await query(
        `explain (costs off, format ${isCheck ? "json" : "text"}) execute ${name}${values}`,
      );
      await query(`deallocate ${name}`);
      return rows.map(([line]) => typeof line === "string" ? line : JSON.stringify(line));
    } finally {
      await transaction.undo();
    }
  }

  isRetryable(error: unknown): boolean {
    return hasCode(error, "40001", "40P01");
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#running > 0) await new Promise<void>((resolve) => this.#onIdle = resolve);
    await this.#driver.close();
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new Error("The database is closed.");
  }
}

function unprepared(text: string): RawCall {
  return { text, values: [], name: undefined };
}

/** Returns a statement of a migration, which may take longer than the client allows. */
function unlimited(text: string): RawCall {
  return { ...unprepared(text), timeoutMs: maxTimerMs };
}

/** Polls for the migration lock, because a waiting statement would block `create index concurrently`. */
async function waitForLock(query: (text: string) => Promise<Result["rows"]>): Promise<void> {
  const endMs = performance.now() + migrationWaitMs;
  for (let pauseMs = 5;; pauseMs = Math.min(pauseMs * 2, 500)) {
    const [[isLocked] = []] = await query(`select pg_try_advisory_xact_lock(${migrationLock})`);
    if (isLocked === true || isLocked === "t") return;
    if (performance.now() >= endMs) {
      throw new BusyError(
        `Another process has been migrating the database for ${migrationWaitMs} ms`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return [error, Object(error).cause].some((each) => codes.includes(Object(each).code));
}
