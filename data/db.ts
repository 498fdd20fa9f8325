/** The interface of a database, the same for every engine. */
import { type Infer, notFound } from "../mod.ts";
import { fieldKind, structFields } from "./columns.ts";
import type { Call, Engine, KeptRead, Plan, Result } from "./engine.ts";
import { Limit } from "./limit.ts";
import { compileRows, type RowReader, type RowSchema } from "./rows.ts";
import { holdsTransaction, inSerial, runScoped, type Scope, scopes, settleScope } from "./scope.ts";
import { checkTemplate, isPlainValue, StatementWriter, writeTemplate } from "./sql.ts";
import { splitStatements, transactionVerbs } from "./statements.ts";
import { toBound } from "./values.ts";

/** A template of SQL: its values become parameters. */
export type Query<T> = (strings: TemplateStringsArray, ...values: readonly unknown[]) => Promise<T>;

/** Options of {@linkcode Db.tx}. */
export interface TxOptions {
  /** Rejects and rolls back when it is aborted. */
  readonly signal?: AbortSignal;
  /** Rejects and rolls back after this time, in milliseconds, for all attempts together. @default no limit */
  readonly timeoutMs?: number;
  /** Isolation level on Postgres; SQLite runs transactions one by one. @default the server's */
  readonly isolation?: "read committed" | "repeatable read" | "serializable";
  /** Maximum runs of the function after conflicts. @default 3 with `isolation`, else 1 */
  readonly attempts?: number;
}

/** Reads rows of a database. */
export interface Reads {
  /** Reads all rows of a statement. */
  all<S extends RowSchema>(schema: S): Query<Infer<S>[]>;
  /** Reads the first row; `undefined` without one. */
  first<S extends RowSchema>(schema: S): Query<Infer<S> | undefined>;
  /** Reads the first row; without one it throws `notFound()`, which answers 404. */
  one<S extends RowSchema>(schema: S): Query<Infer<S>>;
}

/**
 * A database. Statements join the transaction of the function that runs them, without a parameter.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { int, struct, text } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const Note = struct({ id: int(), text: text() });
 * const db = await openSqlite(":memory:");
 * await db.run`create table notes (id integer primary key, text text not null) strict`;
 * await db.run`insert into notes (text) values (${"Bring water"})`;
 * assertEquals(await db.all(Note)`select ${Note} from notes`, [{ id: 1, text: "Bring water" }]);
 * await db.close();
 * ```
 */
export interface Db extends Reads {
  /** The engine. */
  readonly engine: "sqlite" | "postgres";
  /**
   * Reads for reports, which may take long: on SQLite in a Worker, so that other requests go on. They see what is
   * committed, also inside a transaction, except in memory and in `rolledBack`, where they join it.
   */
  readonly background: Reads;
  /** Runs a statement. Resolves with the number of rows that it changed. */
  readonly run: Query<number>;
  /**
   * Runs a function in a transaction: all of its statements stay, or none. Inside another transaction of the
   * same database it is a savepoint. Inside one of another database, which may wait for this one in turn, the wait
   * ends with a `BusyError`: on SQLite after `busyTimeoutMs`, on Postgres after 5 s for a connection or a lock.
   */
  tx<T>(work: () => Promise<T>, options?: TxOptions): Promise<T>;
  /** Waits for running work and closes the database. */
  close(): Promise<void>;
  /** Closes the database at the end of an `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Options of {@linkcode createDb}. */
export interface DbOptions {
  /** Logs a statement that takes longer, once, in milliseconds; on tables of the framework 20 times so. @default 50 */
  readonly slowMs?: number;
}

const maxPlans = 500;

/** Finds a statement on a table of the framework's stores and jobs, which may take so many times as long. */
const ownTable = /\b(?:from|into|update|table|exists) fw_/;

const ownSlowFactor = 20;

/** The {@linkcode Db} of every engine. */
export class EngineDb implements Db {
  readonly #engine: Engine;
  readonly #slowMs: number;
  readonly #fixed: WeakMap<readonly string[], Plan> = new WeakMap();
  readonly #joined: Map<string, Plan> = new Map();
  readonly #readers: WeakMap<Plan, Reader> = new WeakMap();
  readonly #slow: Set<string> = new Set();
  readonly #reads: Reads;
  #names = 0;
  /** Is told of every statement: tests look at the plans. */
  watch: ((plan: Plan) => void) | undefined;

  constructor(engine: Engine, options: DbOptions = {}) {
    this.#engine = engine;
    this.#slowMs = options.slowMs ?? 50;
    if (!(this.#slowMs >= 0)) {
      throw new RangeError(`Cannot open the database: slowMs is ${this.#slowMs}; use 0 or more.`);
    }
    this.#reads = this.#createReads((call) => this.#execute(call));
    this.background = this.#createReads((call) => {
      const scope = this.#scope();
      // Outside of them, a database in memory would wait for the transaction that waits for this read.
      const joins = scope !== undefined && (scope.savesChanges || engine.isSingle);
      if (joins) return runScoped(scope, call);
      return engine.runInBackground({ ...call, holdsOther: holdsTransaction() });
    });
    this.run = async (strings, ...values) => {
      const { count } = await this.#execute(this.#call(strings, values, undefined));
      return count;
    };
  }

  readonly run: Query<number>;
  readonly background: Reads;

  get engine(): "sqlite" | "postgres" {
    return this.#engine.dialect.engine;
  }

  /** The engine itself, for migrations and tests. */
  get internals(): Engine {
    return this.#engine;
  }

  all<S extends RowSchema>(schema: S): Query<Infer<S>[]> {
    return this.#reads.all(schema);
  }

  first<S extends RowSchema>(schema: S): Query<Infer<S> | undefined> {
    return this.#reads.first(schema);
  }

  one<S extends RowSchema>(schema: S): Query<Infer<S>> {
    return this.#reads.one(schema);
  }

  /** Keeps a read as {@linkcode Engine.keepRead} does; inside a transaction it gives `undefined`. */
  keepRead(text: string): KeptRead | undefined {
    const read = this.#engine.keepRead?.(text);
    return read && ((values) => this.#scope() === undefined ? read(values) : undefined);
  }

  #createReads(execute: (call: Call) => Promise<Result>): Reads {
    const read = async <T>(
      schema: RowSchema,
      strings: readonly string[],
      values: readonly unknown[],
    ): Promise<T[]> => {
      const call = this.#call(strings, values, schema);
      const { columns, rows } = await execute(call);
      // The schema is what says that the values have this type.
      return this.#reader(call.plan, schema, columns)(rows) as T[];
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

  #reader(plan: Plan, schema: RowSchema, columns: readonly string[]): RowReader {
    const kept = this.#readers.get(plan);
    if (kept !== undefined && kept.schema === schema && isSame(kept.columns, columns)) {
      return kept.read;
    }
    const read = compileRows(schema, columns);
    this.#readers.set(plan, { schema, columns, read });
    return read;
  }

  #call(
    strings: readonly string[],
    values: readonly unknown[],
    schema: RowSchema | undefined,
  ): Call {
    checkTemplate(strings);
    const readsInt64 = schema !== undefined && hasInt64(schema);
    const { dialect } = this.#engine;
    if (values.every(isPlainValue)) {
      let plan = this.#fixed.get(strings);
      if (plan === undefined) {
        const writer = new StatementWriter(dialect);
        for (const [index, text] of strings.entries()) {
          writer.write(text);
          if (index < values.length) writer.bind(null);
        }
        plan = this.#plan(writer.text);
        this.#fixed.set(strings, plan);
      }
      return { plan, values: values.map((value) => toBound(value, dialect.engine)), readsInt64 };
    }
    const writer = new StatementWriter(dialect);
    writeTemplate(writer, strings, values);
    return { plan: this.#joinedPlan(writer), values: writer.values, readsInt64 };
  }

  #joinedPlan({ text, isVaried }: StatementWriter): Plan {
    let plan = this.#joined.get(text);
    // The oldest goes when there are too many: what is used often comes back at the end.
    if (plan !== undefined) this.#joined.delete(text);
    plan ??= this.#plan(text, { isVaried });
    this.#joined.set(text, plan);
    if (this.#joined.size > maxPlans) {
      const [oldest] = this.#joined.keys();
      if (oldest !== undefined) this.#joined.delete(oldest);
    }
    return plan;
  }

  #plan(text: string, { isVaried } = { isVaried: false }): Plan {
    const [statement, second] = splitStatements(text);
    if (statement === undefined) throw new TypeError("Cannot run a statement without SQL.");
    if (second !== undefined) {
      throw new TypeError(
        `Cannot run "${second.verb}" behind another statement: run one statement a call.`,
      );
    }
    const { verb, sql } = statement;
    if (transactionVerbs.has(verb)) {
      throw new TypeError(`Cannot run "${verb}": use tx, so that the transaction has an end.`);
    }
    const isRead = verb === "select" || verb === "values" || verb === "explain" ||
      (verb === "with" && !/\b(?:insert|update|delete|replace)\b/i.test(sql));
    const mayScan = /--\s*scan:\s*\S/.test(text);
    return { text: sql, verb, isRead, mayScan, name: isVaried ? undefined : `fw_${++this.#names}` };
  }

  async #execute(call: Call): Promise<Result> {
    const startedMs = performance.now();
    const scope = this.#scope();
    this.watch?.(call.plan);
    const result =
      await (scope === undefined
        ? this.#engine.run(holdsTransaction() ? { ...call, holdsOther: true } : call)
        : runScoped(scope, call));
    const tookMs = performance.now() - startedMs;
    if (tookMs > this.#slowMs && scope === undefined) this.#tellSlow(call.plan.text, tookMs);
    return result;
  }

  #tellSlow(text: string, tookMs: number): void {
    // An application cannot change these: they are of interest only where the whole database is slow.
    if (ownTable.test(text) && tookMs <= ownSlowFactor * this.#slowMs) return;
    if (this.#slow.has(text) || this.#slow.size >= maxPlans) return;
    this.#slow.add(text);
    this.#engine.explain(text).then((plan) => {
      const line = {
        time: new Date().toISOString(),
        level: "warn",
        msg: "slow statement",
        sql: text,
      };
      console.warn(JSON.stringify({ ...line, durationMs: Math.round(tookMs), plan }));
    }).catch(() => {
      // The database may be closed meanwhile; the statement itself has answered.
    });
  }

  /** Returns the transaction of this database that the running code is in. */
  #scope(): Scope | undefined {
    let scope = scopes.getStore();
    while (scope !== undefined && scope.db !== this) scope = scope.outer;
    return scope;
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
    const parent = this.#scope();
    if (parent !== undefined) {
      return await inSerial(parent, () => this.#nest(parent, work, options));
    }
    // One time for all attempts: a request waits no longer than it says.
    const limit = new Limit(options.signal, timeoutMs);
    try {
      for (let attempt = 1;; attempt++) {
        try {
          return await this.#outermost(work, { limit, isolation, saves: "as a whole" });
        } catch (error) {
          if (attempt >= attempts || !this.#engine.isRetryable(error)) throw error;
          // A little later, and not all at the same time.
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
          limit.check();
        }
      }
    } finally {
      limit.clear();
    }
  }

  /** Runs a function in a transaction that never stays; each change has a savepoint. */
  async rolledBack<T>(work: () => Promise<T>): Promise<T> {
    let result: { readonly value: T } | undefined;
    const undo = new Error("undo");
    const limit = new Limit(undefined, undefined);
    try {
      await this.#outermost(async () => {
        result = { value: await work() };
        throw undo;
      }, { limit, isolation: undefined, saves: "each change" });
    } catch (error) {
      if (error !== undo || result === undefined) throw error;
    }
    if (result === undefined) throw undo;
    return result.value;
  }

  async #outermost<T>(
    work: () => Promise<T>,
    options: {
      readonly limit: Limit;
      readonly isolation: TxOptions["isolation"];
      readonly saves: "as a whole" | "each change";
    },
  ): Promise<T> {
    const { limit, isolation, saves } = options;
    const holdsOther = holdsTransaction();
    const opening = this.#engine.begin({ isolation, timeoutMs: limit.leftMs, holdsOther });
    const transaction = await limit.race(opening, () => {
      // It opens after the caller has stopped waiting.
      opening.then((late) => late.rollback()).catch(() => {});
    });
    const scope: Scope = {
      db: this,
      transaction,
      outer: scopes.getStore(),
      savesChanges: saves === "each change",
      limit,
      ended: undefined,
      tail: Promise.resolve(),
    };
    return await this.#finish(scope, work, {
      keep: () => transaction.commit(),
      undo: () => transaction.rollback(),
    });
  }

  async #nest<T>(parent: Scope, work: () => Promise<T>, options: TxOptions): Promise<T> {
    const { transaction } = parent;
    const limit = new Limit(options.signal, options.timeoutMs, parent.limit);
    const scope: Scope = {
      ...parent,
      outer: scopes.getStore(),
      limit,
      ended: undefined,
      tail: Promise.resolve(),
    };
    try {
      limit.check();
      const savepoint = await transaction.save();
      return await this.#finish(scope, work, {
        keep: () => savepoint.release(),
        undo: () => savepoint.undo(),
      });
    } finally {
      limit.clear();
    }
  }

  async #finish<T>(
    scope: Scope,
    work: () => Promise<T>,
    end: { readonly keep: () => Promise<void>; readonly undo: () => Promise<void> },
  ): Promise<T> {
    const { limit } = scope;
    try {
      const value = await limit.race(scopes.run(scope, async () => await work()), (reason) => {
        scope.ended = reason;
        scope.transaction.cancel();
      });
      await settleScope(scope);
      limit.check();
      await end.keep();
      return value;
    } catch (error) {
      await settleScope(scope);
      await end.undo();
      throw error;
    }
  }

  async close(): Promise<void> {
    const scope = this.#scope();
    if (scope !== undefined && scope.ended === undefined) {
      throw new Error("Cannot close the database inside its transaction: close it afterwards.");
    }
    await this.#engine.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

interface Reader {
  readonly schema: RowSchema;
  readonly columns: readonly string[];
  readonly read: RowReader;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one === other ||
    (one.length === other.length && one.every((column, index) => column === other[index]));
}

const int64Schemas: WeakMap<RowSchema, boolean> = new WeakMap();

function hasInt64(schema: RowSchema): boolean {
  let known = int64Schemas.get(schema);
  if (known === undefined) {
    const defs = schema.def.kind === "struct" ? [...structFields(schema).values()] : [schema.def];
    known = defs.some((def) => fieldKind(def) === "int64");
    int64Schemas.set(schema, known);
  }
  return known;
}
