import { createLogger, type Infer, notFound } from "../mod.ts";
import { cutText, readVariable } from "../runtime/addon.ts";
import type {
  BeginOptions,
  Call,
  Engine,
  KeptRead,
  Level,
  Plan,
  Result,
  Transaction,
} from "./engine.ts";
import { Plans } from "./plans.ts";
import type { RowSchema } from "./rows.ts";
import { Limit, Scope } from "./scope.ts";

/** A template tag for SQL: its values become parameters. */
export type Query<T> = (strings: TemplateStringsArray, ...values: readonly unknown[]) => Promise<T>;

/** Options of {@linkcode Db.tx}. */
export interface TxOptions {
  /** Aborting it rolls back the transaction and rejects. */
  readonly signal?: AbortSignal;
  /** Limit for all attempts, in milliseconds; then it rolls back and rejects. @default no limit */
  readonly timeoutMs?: number;
  /** Isolation level on Postgres; SQLite runs transactions one at a time. @default the server's */
  readonly isolation?: "read committed" | "repeatable read" | "serializable";
  /**
   * Maximum number of runs of the function if Postgres ends it by a conflict or a deadlock.
   *
   * @default 3 with `isolation`, else 1
   */
  readonly attempts?: number;
}

/** Reads rows of a database. */
export interface Reads {
  /** Reads all rows of a statement. */
  all<S extends RowSchema>(schema: S): Query<Infer<S>[]>;
  /** Reads the first row; `undefined` if there is none. */
  first<S extends RowSchema>(schema: S): Query<Infer<S> | undefined>;
  /** Reads the first row; throws `notFound()`, a 404, if there is none. */
  one<S extends RowSchema>(schema: S): Query<Infer<S>>;
}

/**
 * A database. Statements join the caller's transaction automatically.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { int, struct, text } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const Note = struct({ id: int(), text: text() });
 * await using db = await openSqlite(":memory:");
 * await db.run`create table notes (id integer primary key, text text not null) strict`;
 * await db.run`insert into notes (text) values (${"Bring water"})`;
 * assertEquals(await db.all(Note)`select ${Note} from notes`, [{ id: 1, text: "Bring water" }]);
 * ```
 */
export interface Db extends Reads {
  /** The engine. */
  readonly engine: "sqlite" | "postgres";
  /**
   * Reads for slow reports: on SQLite in a Worker, so that other requests are not blocked. Even inside a
   * transaction they see only committed data, except in memory and in `rolledBack`, where they join it.
   */
  readonly background: Reads;
  /**
   * Runs a statement, outside a transaction once more if Postgres ends it by a deadlock. Resolves with the
   * number of rows that it changed.
   */
  readonly run: Query<number>;
  /**
   * Runs a function in a transaction: all of its statements are committed, or none. Inside a transaction of
   * the same database it is a savepoint. Inside one of another database it fails with a `BusyError`, to avoid
   * a deadlock: on SQLite after `busyTimeoutMs`, on Postgres after 5 s of waiting for a connection or a lock.
   */
  tx<T>(work: () => Promise<T>, options?: TxOptions): Promise<T>;
  /** Waits for running work and closes the database. */
  close(): Promise<void>;
  /** Closes the database, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Options of the functions that open a database. */
export interface DbOptions {
  /** The duration, in milliseconds, above which a statement is logged, once. @default 50 */
  readonly slowMs?: number;
}

/** The tables of this package and of jobs, whose statements the application cannot change. */
const ownTable = /\b(?:from|join|into|update|ignore|table|exists)\s+"?fw_|'fw_migrations'/i;
const maxSlow = 500;
const maxSlowChars = 500;

function isDevelopment(): boolean {
  try {
    return readVariable("FW_ENV") === "dev";
  } catch {
    // A program that opens a database may lack the permission.
    return false;
  }
}

/** The {@linkcode Db} of every engine. */
export class EngineDb implements Db {
  readonly #engine: Engine;
  readonly #slowMs: number;
  readonly #plans: Plans;
  readonly #slow: Set<string> = new Set();
  /** The pending log of slow statements, whose plans are read one at a time. */
  #telling: Promise<void> = Promise.resolve();
  /** Called for every statement, so that tests can inspect the plans. */
  watch: ((plan: Plan) => void) | undefined;
  /** Increases with each statement that may change rows and each commit, which make earlier counts stale. */
  changeCount = 0;

  constructor(engine: Engine, options: DbOptions = {}) {
    this.#engine = engine;
    this.#slowMs = options.slowMs ?? 50;
    if (!(this.#slowMs >= 0)) {
      throw new RangeError(`Cannot open the database: slowMs is ${this.#slowMs}; use 0 or more.`);
    }
    this.#plans = new Plans(engine.dialect);
    ({ all: this.all, first: this.first, one: this.one } = this.#createReads((call) =>
      this.#execute(call)
    ));
    this.background = this.#createReads((call) => {
      if (!call.plan.isRead) {
        throw new TypeError("Cannot write in the background: use run or tx.");
      }
      const scope = Scope.find(this);
      // A database in memory must join the transaction: its one connection is busy until that ends.
      const joins = scope !== undefined && (scope.savesChanges || engine.isSingle);
      if (joins) return scope.execute(call);
      return engine.runInBackground(call);
    });
    this.run = async (strings, ...values) => {
      const call = this.#plans.call(strings, values);
      const running = this.#execute(call);
      const { count } = running instanceof Promise ? await running : running;
      // Drivers count the rows of a select, and SQLite those of the statement before a definition.
      return call.plan.isChange ? count : 0;
    };
  }

  readonly all: Reads["all"];
  readonly first: Reads["first"];
  readonly one: Reads["one"];
  readonly run: Query<number>;
  readonly background: Reads;

  get engine(): "sqlite" | "postgres" {
    return this.#engine.dialect.engine;
  }

  get internals(): Engine {
    return this.#engine;
  }

  /** Works like {@linkcode Engine.keepRead}; inside a transaction, the read returns `undefined`. */
  keepRead(text: string): KeptRead | undefined {
    const read = this.#engine.keepRead?.(text);
    return read && ((values) => Scope.find(this) === undefined ? read(values) : undefined);
  }

  #createReads(execute: (call: Call) => Promise<Result> | Result): Reads {
    const read = async <T>(
      schema: RowSchema,
      strings: readonly string[],
      values: readonly unknown[],
    ): Promise<T[]> => {
      const call = this.#plans.call(strings, values, schema);
      const running = execute(call);
      const { columns, rows } = running instanceof Promise ? await running : running;
      // The schema guarantees that the values have this type.
      return this.#plans.reader(call.plan, schema, columns)(rows) as T[];
    };
    return {
      all: (schema) => (strings, ...values) => read(schema, strings, values),
      first: (schema) => async (strings, ...values) => (await read(schema, strings, values))[0],
      one: (schema) => async (strings, ...values) => {
        const rows = await read(schema, strings, values);
        if (rows.length === 0) throw notFound();
        return rows[0];
      },
    } as Reads;
  }

  #execute(call: Call): Promise<Result> | Result {
    this.watch?.(call.plan);
    const scope = Scope.find(this);
    if (scope === undefined) return this.#executeAlone(call);
    // Counted now, because the transaction's own later reads see the change.
    if (!call.plan.isRead) this.changeCount++;
    return scope.execute(call);
  }

  #executeAlone(call: Call): Promise<Result> | Result {
    const startedMs = performance.now();
    const finish = (result: Result): Result => {
      if (!call.plan.isRead) this.changeCount++;
      const tookMs = performance.now() - startedMs;
      if (tookMs > this.#slowMs) this.#tellSlow(call.plan.text, tookMs);
      return result;
    };
    const running = this.#engine.run(call);
    return running instanceof Promise ? running.then(finish) : finish(running);
  }

  #tellSlow(text: string, tookMs: number): void {
    if (this.#slow.has(text) || this.#slow.size >= maxSlow || ownTable.test(text)) return;
    this.#slow.add(text);
    this.#telling = this.#telling.then(() => this.#engine.explain(text)).then((plan) => {
      const log = createLogger({
        format: isDevelopment() ? "text" : "json",
        write: (line) => console.warn(line.trimEnd()),
      });
      const sql = cutText(text, maxSlowChars);
      log.warn("slow statement", { sql, plan, duration_ms: Math.round(tookMs) });
    }).catch(() => {
      // The statement has already returned its result; only its plan is missing from the log.
    });
  }

  async tx<T>(work: () => Promise<T>, options: TxOptions = {}): Promise<T> {
    const { isolation, timeoutMs, attempts = isolation === undefined ? 1 : 3 } = options;
    if (timeoutMs !== undefined && !(timeoutMs > 0)) {
      throw new RangeError(
        `Cannot begin a transaction: timeoutMs is ${timeoutMs}; use more than 0.`,
      );
    }
    if (!Number.isSafeInteger(attempts) || attempts < 1) {
      throw new RangeError(
        `Cannot begin a transaction: attempts is ${attempts}; use an integer from 1.`,
      );
    }
    const parent = Scope.find(this);
    // One limit for all attempts, so that a request never waits longer.
    const limit = options.signal === undefined && timeoutMs === undefined
      ? undefined
      : new Limit(options.signal, timeoutMs);
    try {
      if (parent !== undefined) {
        return await parent.queue(() => this.#nest(parent, work, limit));
      }
      for (let attempt = 1;; attempt++) {
        limit?.check();
        try {
          return await this.#outermost(work, limit, { isolation });
        } catch (error) {
          // At the deadline Postgres may end the statement first, with an error of its own.
          limit?.check();
          if (attempt >= attempts || this.#engine.isRetryable?.(error) !== true) throw error;
          // A random pause, so that conflicting transactions do not retry at once.
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
        }
      }
    } finally {
      limit?.clear();
    }
  }

  /** Runs a function in a transaction that is always rolled back; each change has a savepoint. */
  async rolledBack<T>(work: () => Promise<T>): Promise<T> {
    const done = Promise.withResolvers<T>();
    await this.#outermost(
      async () => {
        done.resolve(await work());
        throw done;
      },
      undefined,
      { savesChanges: true },
    ).catch((error) => {
      if (error !== done) throw error;
    });
    return await done.promise;
  }

  #outermost<T>(
    work: () => Promise<T>,
    limit: Limit | undefined,
    { isolation, savesChanges = false }: BeginOptions & { readonly savesChanges?: boolean },
  ): Promise<T> {
    const run = (transaction: Transaction): Promise<T> => {
      const scope = new Scope(this, transaction, savesChanges);
      limit?.guard(scope);
      return scope.run(work, transaction);
    };
    const opening = this.#engine.begin({ isolation, timeoutMs: limit?.leftMs });
    if (!(opening instanceof Promise)) return run(opening);
    return (limit === undefined ? opening : limit.race(opening)).then(run);
  }

  #nest<T>(parent: Scope, work: () => Promise<T>, limit: Limit | undefined): Promise<T> {
    const { transaction } = parent;
    const scope = new Scope(this, transaction, parent.savesChanges);
    parent.child = scope;
    const run = (savepoint: Level): Promise<T> => {
      limit?.guard(scope);
      return scope.run(work, savepoint);
    };
    const saving = transaction.save();
    return saving instanceof Promise ? saving.then(run) : run(saving);
  }

  async close(): Promise<void> {
    if (Scope.find(this)?.isOver === false) {
      throw new Error("Cannot close the database inside its transaction: close it afterwards.");
    }
    await this.#telling;
    await this.#engine.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Returns a database of this package. @throws {TypeError} for another implementation of `Db`. */
export function engineDb(db: Db, act: string): EngineDb {
  if (db instanceof EngineDb) return db;
  throw new TypeError(`Cannot ${act}: pass a database opened by openSqlite or openPostgres.`);
}
