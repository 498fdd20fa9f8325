/**
 * SQLite as an engine: one connection writes, one reads. Writes that arrive together share a transaction, and a
 * lock of another process is awaited, so that the event loop never stands still.
 *
 * @module
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import {
  type BeginOptions,
  type Call,
  type Engine,
  type KeptRead,
  type MigrationSession,
  migrationWaitMs,
  type Result,
  type Transaction,
} from "../engine.ts";
import { BusyError } from "../errors.ts";
import type { Dialect } from "../sql.ts";
import { BackgroundReads } from "./background.ts";
import {
  type Connection,
  isChange,
  openSqliteConnection,
  retryBusy,
  type SqliteEngineOptions,
} from "./connection.ts";
import { isBusy, toSqliteError } from "./errors.ts";
import { migrationSession } from "./migration_session.ts";

interface Write {
  readonly call: Call;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Work for the connection that writes: single statements, or something that needs it alone. */
type Job =
  | { readonly kind: "write"; readonly write: Write }
  | {
    readonly kind: "alone";
    readonly run: () => Promise<void>;
    readonly reject: (error: unknown) => void;
  };

/** A job that waits for its turn. */
interface Waiting {
  readonly job: Job;
  /** Ends the wait. */
  readonly timer: ReturnType<typeof setTimeout> | undefined;
}

/** More would hold up reads for too long. */
const maxGroup = 200;

/** The engine. */
export class SqliteEngine implements Engine {
  readonly #writer: Connection;
  /** In memory there is one connection. */
  readonly #reader: Connection | undefined;
  readonly #busyTimeoutMs: number;
  readonly #waiting: Waiting[] = [];
  readonly #columns: Map<string, readonly string[]> = new Map();
  #pumping: Promise<void> | undefined;
  #isClosed = false;
  readonly #path: string;
  #background: BackgroundReads | undefined;
  readonly dialect: Dialect;

  private constructor(
    writer: Connection,
    reader: Connection | undefined,
    { busyTimeoutMs, path }: SqliteEngineOptions,
  ) {
    this.#path = path;
    this.#writer = writer;
    this.#reader = reader;
    this.#busyTimeoutMs = busyTimeoutMs;
    this.dialect = {
      engine: "sqlite",
      placeholder: () => "?",
      columns: (table) => this.#tableColumns(table),
    };
  }

  /** Opens a file, or a database in memory for `:memory:`. */
  static async open(options: SqliteEngineOptions): Promise<SqliteEngine> {
    const { path, busyTimeoutMs, durability, readOnly } = options;
    const writer = openSqliteConnection({ path, readOnly });
    let reader: Connection | undefined;
    if (readOnly) return new SqliteEngine(writer, writer, options);
    try {
      await retryBusy(busyTimeoutMs, () => writer.database.exec("pragma journal_mode = wal"));
      writer.database.exec(`pragma synchronous = ${durability === "full" ? "full" : "normal"}`);
      if (path !== ":memory:") {
        reader = openSqliteConnection({ path, readOnly: false });
        reader.database.exec("pragma query_only = on; pragma mmap_size = 268435456");
      }
      return new SqliteEngine(writer, reader, options);
    } catch (error) {
      reader?.close();
      writer.close();
      throw error;
    }
  }

  /** The connection that writes, for what needs `node:sqlite` itself. */
  get raw(): DatabaseSync {
    return this.#writer.database;
  }

  get isSingle(): boolean {
    return this.#reader === undefined;
  }

  #tableColumns(table: string): readonly string[] {
    let columns = this.#columns.get(table);
    if (columns === undefined) {
      columns = this.#writer.database.prepare("select name from pragma_table_info(?)").all(table)
        .map((row) => String(row["name"]));
      // A table that is not there yet may come.
      if (columns.length > 0) this.#columns.set(table, columns);
    }
    return columns;
  }

  run(call: Call): Promise<Result> {
    if (this.#isClosed) return Promise.reject(closed());
    if (call.plan.isRead) {
      const connection = this.#reader ?? (this.#isIdle() ? this.#writer : undefined);
      if (connection !== undefined) return this.#readNow(connection, call);
    }
    return new Promise((resolve, reject) => {
      this.#push({ kind: "write", write: { call, resolve, reject } }, call.holdsOther);
    });
  }

  keepRead(text: string): KeptRead {
    let statement: StatementSync | undefined;
    return (values) => {
      if (this.#isClosed) return undefined;
      const connection = this.#reader ?? (this.#isIdle() ? this.#writer : undefined);
      if (connection === undefined) return undefined;
      try {
        statement ??= connection.prepare(text);
        // The declarations lack what `setReturnArrays` does.
        return statement.all(...values) as unknown as readonly (readonly unknown[])[];
      } catch {
        // The table may not be there yet, or another process holds the file.
        return undefined;
      }
    };
  }

  runInBackground(call: Call): Promise<Result> {
    // A database in memory belongs to its connection.
    if (this.#reader === undefined) return this.run(call);
    if (this.#isClosed) return Promise.reject(closed());
    if (!call.plan.isRead) {
      return Promise.reject(new TypeError("Cannot write in the background: use run or tx."));
    }
    this.#background ??= new BackgroundReads(this.#path);
    return this.#background.run(call);
  }

  async #readNow(connection: Connection, call: Call): Promise<Result> {
    try {
      return connection.execute(call);
    } catch (error) {
      if (!isBusy(error)) throw toSqliteError(error, { database: connection.database, call });
      // A checkpoint or a recovery of another process holds the file for a moment.
      return await retryBusy(this.#busyTimeoutMs, () => connection.execute(call));
    }
  }

  #isIdle(): boolean {
    return this.#waiting.length === 0 && this.#pumping === undefined;
  }

  #push(job: Job, holdsOther = false): void {
    const waiting: Waiting = {
      job,
      // What runs now may wait for the transaction that the caller holds: without an end, both would wait for ever.
      timer: holdsOther ? setTimeout(() => this.#giveUp(waiting), this.#busyTimeoutMs) : undefined,
    };
    this.#waiting.push(waiting);
    this.#pumping ??= this.#pump();
  }

  #giveUp(waiting: Waiting): void {
    this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
    const { job } = waiting;
    const { reject } = job.kind === "write" ? job.write : job;
    reject(new BusyError(`The database is busy for ${this.#busyTimeoutMs} ms`));
  }

  #shift(): Job | undefined {
    const { job, timer } = this.#waiting.shift() ?? {};
    clearTimeout(timer);
    return job;
  }

  async #pump(): Promise<void> {
    // What arrives in the same turn of the loop shares a transaction.
    await nextTurn();
    for (let job = this.#shift(); job !== undefined; job = this.#shift()) {
      if (job.kind === "alone") {
        await job.run();
        continue;
      }
      const group = [job.write];
      while (canShare(job) && group.length < maxGroup && canShare(this.#waiting[0]?.job)) {
        const next = this.#shift();
        if (next?.kind === "write") group.push(next.write);
      }
      await this.#writeGroup(group);
      if (this.#waiting.length > 0) await nextTurn();
    }
    this.#pumping = undefined;
  }

  /** Runs single writes in one transaction; each is acknowledged after the commit, and fails alone. */
  async #writeGroup(group: readonly Write[]): Promise<void> {
    const [only] = group;
    if (group.length === 1 && only !== undefined) return await this.#writeAlone(only);
    const { database } = this.#writer;
    try {
      await retryBusy(this.#busyTimeoutMs, () => database.exec("begin immediate"));
    } catch (error) {
      for (const { call, reject } of group) reject(toSqliteError(error, { database, call }));
      return;
    }
    const done: { readonly write: Write; readonly result: Result }[] = [];
    for (const [index, write] of group.entries()) {
      try {
        done.push({ write, result: this.#writer.execute(write.call) });
      } catch (error) {
        write.reject(toSqliteError(error, { database, call: write.call }));
        if (database.isTransaction) continue;
        // A full disk has rolled the transaction back, and with it what had succeeded.
        await this.#writeEach([...done.map(({ write }) => write), ...group.slice(index + 1)]);
        return;
      }
    }
    try {
      database.exec("commit");
      for (const { write, result } of done) write.resolve(result);
    } catch {
      if (database.isTransaction) database.exec("rollback");
      // A check that is deferred to the commit fails its own write alone.
      await this.#writeEach(done.map(({ write }) => write));
    }
  }

  async #writeEach(writes: readonly Write[]): Promise<void> {
    for (const write of writes) await this.#writeAlone(write);
  }

  async #writeAlone({ call, resolve, reject }: Write): Promise<void> {
    try {
      resolve(await retryBusy(this.#busyTimeoutMs, () => this.#writer.execute(call)));
    } catch (error) {
      reject(toSqliteError(error, { database: this.#writer.database, call }));
    }
  }

  begin({ holdsOther }: BeginOptions): Promise<Transaction> {
    if (this.#isClosed) return Promise.reject(closed());
    return new Promise((resolve, reject) => {
      const run = (): Promise<void> => this.#holdTransaction(resolve, reject);
      this.#push({ kind: "alone", run, reject }, holdsOther);
    });
  }

  /** Hands out a transaction, and resolves when it has ended. */
  async #holdTransaction(
    resolve: (transaction: Transaction) => void,
    reject: (error: unknown) => void,
  ): Promise<void> {
    const { database } = this.#writer;
    try {
      await retryBusy(this.#busyTimeoutMs, () => database.exec("begin immediate"));
    } catch (error) {
      reject(toSqliteError(error, { database }));
      return;
    }
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    let depth = 0;
    resolve({
      run: async (call) => {
        await undefined;
        try {
          return this.#writer.execute(call);
        } catch (error) {
          throw toSqliteError(error, { database, call });
        }
      },
      save: async () => {
        await undefined;
        const name = `fw_${++depth}`;
        database.exec(`savepoint ${name}`);
        const endSavepoint = async (text: string): Promise<void> => {
          await undefined;
          depth--;
          if (database.isOpen && database.isTransaction) database.exec(text);
        };
        return {
          release: () => endSavepoint(`release ${name}`),
          undo: () => endSavepoint(`rollback to ${name}; release ${name}`),
        };
      },
      commit: async () => {
        await undefined;
        try {
          database.exec("commit");
        } catch (error) {
          throw toSqliteError(error, { database });
        }
        end();
      },
      rollback: async () => {
        await undefined;
        try {
          // After some errors, such as a full disk, SQLite has rolled back already.
          if (database.isOpen && database.isTransaction) database.exec("rollback");
        } finally {
          end();
        }
      },
      cancel: () => {
        // A statement of SQLite cannot be interrupted, and none runs while this does.
      },
    });
    await ended;
  }

  async migrate<T>(
    task: (session: MigrationSession) => Promise<T>,
    { alone }: { readonly alone: boolean },
  ): Promise<T> {
    if (this.#isClosed) throw closed();
    const { database } = this.#writer;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#push({
      kind: "alone",
      reject,
      run: async () => {
        // Foreign keys are checked at the end, so that a table can be rebuilt; not inside a transaction.
        database.exec("pragma foreign_keys = off");
        try {
          // `vacuum` runs in no transaction; a process that does the same at once finds it done, or does it again.
          if (!alone) await retryBusy(migrationWaitMs, () => database.exec("begin immediate"));
          const value = await task(migrationSession(database));
          if (!alone) database.exec("commit");
          resolve(value);
        } catch (error) {
          if (database.isTransaction) database.exec("rollback");
          reject(isBusy(error) ? toSqliteError(error, { database }) : error);
        } finally {
          database.exec("pragma foreign_keys = on");
          this.#columns.clear();
        }
      },
    });
    return await promise;
  }

  // deno-lint-ignore require-await -- a refused statement rejects, as it does on Postgres
  async explain(text: string): Promise<readonly string[]> {
    const { database } = this.#reader ?? this.#writer;
    const rows = database.prepare(`explain query plan ${text}`).all();
    return rows.map((row) => String(row["detail"]));
  }

  isRetryable(_error: unknown): boolean {
    return false;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#pumping;
    this.#background?.close();
    if (this.#reader !== this.#writer) this.#reader?.close();
    this.#writer.close();
  }
}

function closed(): Error {
  return new Error("The database is closed.");
}

/** A pragma or `vacuum` behaves otherwise inside a transaction. */
function canShare(job: Job | undefined): boolean {
  return job?.kind === "write" && (isChange(job.write.call.plan) || job.write.call.plan.isRead);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
