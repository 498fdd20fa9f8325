import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import {
  type Call,
  type MigrationSession,
  migrationWaitMs,
  type Plan,
  type Result,
  type Transaction,
} from "../engine.ts";
import { BusyError } from "../errors.ts";
import { plainText } from "../search.ts";
import { isBusy, toSqliteError } from "./errors.ts";

export interface SqliteEngineOptions {
  readonly path: string;
  readonly busyTimeoutMs: number;
  readonly durability: "full" | "process";
  readonly readOnly: boolean;
  readonly cacheBytes: number;
}

interface Prepared {
  readonly statement: StatementSync;
  readonly columns: readonly string[];
  /** Whether its columns depend on the table, as in `select *`. */
  readonly isStar: boolean;
  readsInt64: boolean;
}

const noRows: readonly never[] = [];

export class Connection {
  readonly database: DatabaseSync;
  readonly #prepared: WeakMap<Plan, Prepared> = new WeakMap();
  readonly #fixed: Map<string, StatementSync> = new Map();

  constructor({ path, readOnly }: Pick<SqliteEngineOptions, "path" | "readOnly">) {
    try {
      this.database = new DatabaseSync(path, {
        readOnly,
        enableForeignKeyConstraints: true,
        // Otherwise a misspelt column in double quotes would be a string.
        enableDoubleQuotedStringLiterals: false,
      });
      this.database.exec("pragma busy_timeout = 0");
    } catch (error) {
      throw toSqliteError(error, {});
    }
    const plain = (text: unknown): string => plainText(String(text ?? ""));
    this.database.function("fw_plain", { deterministic: true }, plain);
  }

  execute(call: Call): Result {
    try {
      return this.#execute(call);
    } catch (error) {
      // As a bigint, an unsafe integer is refused with the name of its column.
      if (!(error instanceof RangeError && call.plan.isRead)) throw error;
      return this.#execute({ ...call, readsInt64: true });
    }
  }

  #execute({ plan, values, readsInt64 }: Call): Result {
    const prepared = this.#prepare(plan);
    const { statement } = prepared;
    // `toBound` creates only values that this driver binds, no booleans.
    const args = values as readonly SQLInputValue[];
    if (prepared.readsInt64 !== readsInt64) {
      statement.setReadBigInts(readsInt64);
      prepared.readsInt64 = readsInt64;
    }
    if (prepared.columns.length === 0) {
      return { columns: noRows, rows: noRows, count: Number(statement.run(...args).changes) };
    }
    // The type declarations do not cover `setReturnArrays`.
    const rows = statement.all(...args) as unknown as readonly (readonly unknown[])[];
    const columns = prepared.isStar ? columnsOf(statement) : prepared.columns;
    return { columns, rows, count: rows.length };
  }

  /** Runs a fixed statement without values and rows, prepared once. */
  exec(text: string): void {
    let statement = this.#fixed.get(text);
    if (statement === undefined) {
      statement = this.database.prepare(text);
      this.#fixed.set(text, statement);
    }
    // Unlike `run`, it does not ask for the number of changes.
    statement.get();
  }

  prepare(text: string): StatementSync {
    const statement = this.database.prepare(text) as StatementSync & {
      setReturnArrays(isOn: boolean): void;
    };
    const isOn = true;
    statement.setReturnArrays(isOn);
    return statement;
  }

  #prepare(plan: Plan): Prepared {
    let prepared = this.#prepared.get(plan);
    if (prepared === undefined) {
      const statement = this.prepare(plan.text);
      prepared = {
        statement,
        columns: columnsOf(statement),
        isStar: plan.text.includes("*"),
        readsInt64: false,
      };
      this.#prepared.set(plan, prepared);
    }
    return prepared;
  }

  close(): void {
    this.database.close();
  }
}

function columnsOf(statement: StatementSync): readonly string[] {
  return statement.columns().map(({ name }) => name);
}

/** Begins the only transaction of the write connection. @throws a busy error while another process holds the lock. */
export function beginTransaction(connection: Connection, onEnd: () => void): Transaction {
  const { database } = connection;
  /** The error that made SQLite roll back: a full disk, or `or rollback` in a statement. */
  let lost: unknown;
  connection.exec("begin immediate");
  const guard = <T>(work: () => T, call?: Call): T => {
    if (lost !== undefined) throw lost;
    try {
      return work();
    } catch (error) {
      const told = toSqliteError(error, { database, call });
      if (!database.isTransaction) lost = told;
      throw told;
    }
  };
  const end = (text: string): void => guard(() => connection.exec(text));
  const undo = (text: string): void => {
    if (database.isOpen && database.isTransaction) connection.exec(text);
  };
  return {
    run: (call) => guard(() => connection.execute(call), call),
    save: () => {
      // All savepoints have the same name, which means the innermost.
      end("savepoint fw");
      return {
        keep: () => end("release fw"),
        undo: () => ["rollback to fw", "release fw"].forEach(undo),
      };
    },
    keep: () => {
      end("commit");
      onEnd();
    },
    undo: () => {
      try {
        undo("rollback");
      } finally {
        onEnd();
      }
    },
    // A SQLite statement cannot be interrupted, and none runs at the same time as this.
    cancel: () => {},
  };
}

/** Retries with growing pauses while another process holds the lock, without blocking the event loop. */
export async function retryBusy<T>(timeoutMs: number, work: () => T): Promise<T> {
  const endMs = performance.now() + timeoutMs;
  for (let pauseMs = 1;; pauseMs = Math.min(pauseMs * 2, 50)) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() >= endMs) {
        throw new BusyError(`The database was locked by another process for ${timeoutMs} ms`, {
          cause: error,
        });
      }
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** The codes of `attach`, `commit` and `savepoint`, which the type declarations do not cover. */
const [attachCode, ...transactionCodes] = [24, 22, 32];

/** Runs migrations on the write connection, in one transaction unless a statement has to be alone. */
export async function migrateSqlite<T>(
  { database }: Connection,
  task: (session: MigrationSession) => Promise<T>,
  alone: boolean,
): Promise<T> {
  const exec = (text: string): Promise<void> => {
    // SQLite would ignore the text after it.
    if (text.includes("\0")) throw new Error("the text contains U+0000");
    return retryBusy(migrationWaitMs, () => database.exec(text));
  };
  const guarded = database as DatabaseSync & {
    setAuthorizer(check: ((code: number, name: string | null) => number) | null): void;
  };
  // SQLite's own parser decides, because the search for statements may miss one. `vacuum` attaches "".
  const refuse = (code: number, name: string | null): number =>
    Number(code === attachCode ? name !== "" : !alone && transactionCodes.includes(code));
  const all = (text: string): Result["rows"] =>
    database.prepare(text).all().map((row) => Object.values(row));
  // References are checked at the end, so that a table can be rebuilt. Inside a transaction this has no effect.
  database.exec("pragma foreign_keys = off");
  try {
    // `vacuum` cannot run in a transaction; if two processes run it at once, it may run twice.
    if (!alone) await exec("begin immediate");
    guarded.setAuthorizer(refuse);
    const value = await task({ exec, execAlone: exec, all });
    guarded.setAuthorizer(null);
    if (!alone) database.exec("commit");
    return value;
  } catch (error) {
    guarded.setAuthorizer(null);
    if (database.isTransaction) database.exec("rollback");
    throw isBusy(error) ? toSqliteError(error, { database }) : error;
  } finally {
    database.exec("pragma foreign_keys = on");
  }
}
