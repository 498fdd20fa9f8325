import type { DatabaseSync, StatementSync } from "node:sqlite";
import {
  type Call,
  type Engine,
  type KeptRead,
  type MigrationSession,
  type Result,
  takeTurn,
  type Transaction,
} from "../engine.ts";
import { BusyError } from "../errors.ts";
import { Scope } from "../scope.ts";
import type { Dialect } from "../sql.ts";
import { BackgroundReads } from "./background.ts";
import {
  beginTransaction,
  Connection,
  migrateSqlite,
  retryBusy,
  type SqliteEngineOptions,
} from "./connection.ts";
import { isBusy, toSqliteError } from "./errors.ts";
import { ReadCache } from "./read_cache.ts";
import { tableColumns } from "./reference.ts";

interface Write {
  readonly call: Call;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Work for the write connection: a single statement, or a task that needs exclusive use. */
type Job = (Write | Pick<Write, "reject"> & { readonly run: () => Promise<void> }) & {
  timer?: ReturnType<typeof setTimeout>;
};

/** Maximum number of writes per transaction; more would delay reads for too long. */
const maxGroup = 200;

/** Maximum time for which successive transactions may block the event loop, in milliseconds. */
const maxHoldMs = 5;

/**
 * Uses one write connection and one read connection. Writes that arrive together share a
 * transaction, and waiting for another process's lock does not block the event loop.
 */
export class SqliteEngine implements Engine {
  readonly #writer: Connection;
  /** The read connection; `undefined` for a database in memory, which has a single connection. */
  readonly #reader: Connection | undefined;
  readonly #cache: ReadCache | undefined;
  readonly #waiting: Job[] = [];
  /** Whether the write connection is in use, so that new work waits. */
  #isTaken = false;
  /** The time since which the event loop has been blocked; `undefined` if it was free since. */
  #heldSinceMs: number | undefined;
  #isClosed = false;
  readonly #options: SqliteEngineOptions;
  #background: BackgroundReads | undefined;
  readonly dialect: Dialect;

  private constructor(
    writer: Connection,
    reader: Connection | undefined,
    options: SqliteEngineOptions,
  ) {
    this.#options = options;
    this.#writer = writer;
    this.#reader = reader;
    // A file opened read-only shares its connection with `raw`, so the application may change its state.
    const isOwn = reader !== undefined && reader !== writer;
    if (isOwn && options.cacheBytes > 0) this.#cache = new ReadCache(reader, options.cacheBytes);
    this.dialect = {
      engine: "sqlite",
      placeholder: () => "?",
      maxValues: 32_766,
      columns: (table) => tableColumns(writer.database, table),
    };
  }

  static async open(options: SqliteEngineOptions): Promise<SqliteEngine> {
    const { path, busyTimeoutMs, durability, readOnly } = options;
    const writer = new Connection({ path, readOnly });
    let reader: Connection | undefined;
    if (readOnly) return new SqliteEngine(writer, writer, options);
    try {
      await retryBusy(busyTimeoutMs, () => writer.database.exec("pragma journal_mode = wal"));
      writer.database.exec(`pragma synchronous = ${durability === "full" ? "full" : "normal"}`);
      if (path !== ":memory:") {
        reader = new Connection({ path, readOnly: false });
        reader.database.exec("pragma query_only = on; pragma mmap_size = 268435456");
      }
      return new SqliteEngine(writer, reader, options);
    } catch (error) {
      reader?.close();
      writer.close();
      throw error;
    }
  }

  get raw(): DatabaseSync {
    return this.#writer.database;
  }

  get isSingle(): boolean {
    return this.#reader === undefined;
  }

  run(call: Call): Promise<Result> | Result {
    if (this.#isClosed) throw closed();
    const { isRead, isChange, text } = call.plan;
    const connection = isRead ? this.#freeReader : undefined;
    if (connection !== undefined) return this.#readNow(connection, call);
    const [unseen] = !isChange && /^(?:attach|create\s+temp(?:orary)?)\b/i.exec(text) || [];
    if (unseen !== undefined && this.#reader !== this.#writer) {
      throw new TypeError(
        `Cannot run "${unseen}" alone, where reads do not see it: use tx for it and all that needs it.`,
      );
    }
    return new Promise((resolve, reject) => {
      this.#push({ call, resolve, reject }, Scope.holdsTransaction());
    });
  }

  keepRead(text: string): KeptRead {
    let statement: StatementSync | undefined;
    return (values) => {
      const connection = this.#isClosed ? undefined : this.#freeReader;
      if (connection === undefined) return undefined;
      try {
        statement ??= connection.prepare(text);
        // The declarations lack what `setReturnArrays` does.
        return statement.all(...values) as unknown as readonly (readonly unknown[])[];
      } catch {
        // The table may not exist yet, or another process may have locked the file.
        return undefined;
      }
    };
  }

  runInBackground(call: Call): Promise<Result> | Result {
    // A Worker cannot open a database in memory, which belongs to its connection.
    if (this.#reader === undefined) return this.run(call);
    if (this.#isClosed) throw closed();
    this.#background ??= new BackgroundReads(this.#options.path);
    return this.#background.run(call);
  }

  #readNow(connection: Connection, call: Call): Promise<Result> | Result {
    const read = (): Result => this.#cache?.read(call) ?? connection.execute(call);
    try {
      return read();
    } catch (error) {
      if (!isBusy(error)) throw toSqliteError(error, { database: connection.database, call });
      // A checkpoint or recovery by another process locks the file briefly.
      return retryBusy(this.#options.busyTimeoutMs, read);
    }
  }

  /** The connection for synchronous reads; in memory, the write connection while it is free. */
  get #freeReader(): Connection | undefined {
    return this.#reader ?? (this.#isTaken ? undefined : this.#writer);
  }

  #push(job: Job, holdsOther = false): void {
    // The running work may wait for the caller's other transaction; without a limit, both would wait forever.
    const giveUp = (): void => {
      this.#waiting.splice(this.#waiting.indexOf(job), 1);
      job.reject(new BusyError(`The database was busy for ${this.#options.busyTimeoutMs} ms`));
    };
    if (holdsOther) job.timer = setTimeout(giveUp, this.#options.busyTimeoutMs);
    this.#waiting.push(job);
    if (!this.#isTaken) void this.#pump();
  }

  #shift(): Job | undefined {
    const job = this.#waiting.shift();
    clearTimeout(job?.timer);
    return job;
  }

  /** Runs the waiting work, including work that arrives meanwhile. */
  async #pump(): Promise<void> {
    this.#isTaken = true;
    // Writes that arrive in the same turn of the event loop share a transaction.
    await this.#takeTurn();
    for (let job = this.#shift(); job !== undefined; job = this.#shift()) {
      if ("run" in job) {
        await job.run();
        if (!this.#holdsLoop()) continue;
      } else {
        const group = [job];
        while (canShare(job) && group.length < maxGroup && canShare(this.#waiting[0])) {
          const next = this.#shift();
          if (next !== undefined && "call" in next) group.push(next);
        }
        await this.#writeGroup(group);
      }
      if (this.#waiting.length > 0) await this.#takeTurn();
    }
    this.#isTaken = false;
  }

  /** Yields to the event loop; to the network only when it is due. */
  async #takeTurn(): Promise<void> {
    if (!this.#holdsLoop()) return await new Promise((resolve) => setImmediate(resolve));
    await takeTurn();
    this.#heldSinceMs = undefined;
  }

  /** Returns whether the network must be polled before the next transaction, so that requests are not delayed. */
  #holdsLoop(): boolean {
    const nowMs = performance.now();
    if (this.#heldSinceMs === undefined) {
      this.#heldSinceMs = nowMs;
      // A later turn may not have polled the network.
      setImmediate(() => {
        if (performance.now() - nowMs <= maxHoldMs) this.#heldSinceMs = undefined;
      });
    }
    return nowMs - this.#heldSinceMs > maxHoldMs;
  }

  /** Runs single writes in one transaction; each resolves after the commit and fails separately. */
  async #writeGroup(group: readonly Write[]): Promise<void> {
    const [only] = group;
    if (group.length === 1 && only !== undefined) return await this.#writeAlone(only);
    const { database } = this.#writer;
    try {
      await retryBusy(this.#options.busyTimeoutMs, () => this.#writer.exec("begin immediate"));
    } catch (error) {
      return group.forEach(({ call, reject }) => reject(toSqliteError(error, { database, call })));
    }
    const done: { readonly write: Write; readonly result: Result }[] = [];
    for (const [index, write] of group.entries()) {
      if (this.#holdsLoop()) await this.#takeTurn();
      try {
        done.push({ write, result: this.#writer.execute(write.call) });
      } catch (error) {
        write.reject(toSqliteError(error, { database, call: write.call }));
        if (database.isTransaction) continue;
        // A full disk has rolled back the transaction, including its successful writes.
        const left = [...done.map(({ write }) => write), ...group.slice(index + 1)];
        for (const each of left) await this.#writeAlone(each);
        return;
      }
    }
    try {
      this.#writer.exec("commit");
      for (const { write, result } of done) write.resolve(result);
    } catch {
      if (database.isTransaction) database.exec("rollback");
      // A constraint deferred to the commit must fail only its own write.
      for (const { write } of done) await this.#writeAlone(write);
    }
  }

  async #writeAlone({ call, resolve, reject }: Write): Promise<void> {
    try {
      resolve(await retryBusy(this.#options.busyTimeoutMs, () => this.#writer.execute(call)));
    } catch (error) {
      reject(toSqliteError(error, { database: this.#writer.database, call }));
    }
  }

  begin(): Promise<Transaction> | Transaction {
    if (this.#isClosed) throw closed();
    const { database } = this.#writer;
    if (!this.#isTaken && !this.#holdsLoop()) {
      try {
        const transaction = beginTransaction(this.#writer, this.#release);
        this.#isTaken = true;
        return transaction;
      } catch (error) {
        if (!isBusy(error)) throw toSqliteError(error, { database });
      }
    }
    return new Promise((resolve, reject) => {
      const run = async (): Promise<void> => {
        const { promise: ended, resolve: end } = Promise.withResolvers<void>();
        try {
          const begin = (): Transaction => beginTransaction(this.#writer, end);
          resolve(await retryBusy(this.#options.busyTimeoutMs, begin));
        } catch (error) {
          return reject(toSqliteError(error, { database }));
        }
        await ended;
      };
      this.#push({ run, reject }, Scope.holdsTransaction());
    });
  }

  readonly #release = (): void => {
    this.#isTaken = false;
    if (this.#waiting.length > 0) void this.#pump();
  };

  async migrate<T>(
    task: (session: MigrationSession) => Promise<T>,
    { alone }: { readonly alone: boolean },
  ): Promise<T> {
    if (this.#isClosed) throw closed();
    const run = (): Promise<T> => migrateSqlite(this.#writer, task, alone);
    // Whatever fails, the work behind it goes on.
    return await new Promise((resolve, reject) =>
      this.#push({ run: () => run().then(resolve, reject), reject })
    );
  }

  // deno-lint-ignore require-await -- a refused statement rejects, as it does on Postgres
  async explain(text: string): Promise<readonly string[]> {
    const { database } = this.#reader ?? this.#writer;
    return database.prepare(`explain query plan ${text}`).all().map(({ detail }) => String(detail));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#isTaken) {
      await new Promise<void>((resolve, reject) => {
        // deno-lint-ignore require-await -- a job of its own, behind all others
        this.#push({ run: async () => resolve(), reject });
      });
    }
    this.#background?.close();
    if (this.#reader !== this.#writer) this.#reader?.close();
    this.#writer.close();
  }
}

const closed = (): Error => new Error("The database is closed.");

/** Excludes pragmas and `vacuum`, which behave differently inside a transaction. */
function canShare(job: Job | undefined): boolean {
  return job !== undefined && "call" in job && (job.call.plan.isChange || job.call.plan.isRead);
}
