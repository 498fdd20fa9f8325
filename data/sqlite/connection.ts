import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { Call, Plan, Result } from "../engine.ts";
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

  execute({ plan, values, readsInt64 }: Call): Result {
    const prepared = this.#prepare(plan);
    const { statement } = prepared;
    // `toBound` creates only values that this driver binds, no booleans.
    const args = values as readonly SQLInputValue[];
    if (prepared.readsInt64 !== readsInt64) {
      statement.setReadBigInts(readsInt64);
      prepared.readsInt64 = readsInt64;
    }
    if (prepared.columns.length === 0) {
      const { changes } = statement.run(...args);
      // After a definition, SQLite returns the changes of the previous statement.
      return { columns: noRows, rows: noRows, count: plan.isChange ? Number(changes) : 0 };
    }
    // The type declarations do not cover `setReturnArrays`.
    const rows = statement.all(...args) as unknown as readonly (readonly unknown[])[];
    const columns = prepared.isStar ? columnsOf(statement) : prepared.columns;
    return { columns, rows, count: plan.isRead ? 0 : rows.length };
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

  /** Prepares a statement whose rows are arrays. */
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
