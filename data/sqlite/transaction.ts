import type { Call, Level, Result, Transaction } from "../engine.ts";
import type { Connection } from "./connection.ts";
import { toSqliteError } from "./errors.ts";

/** The transaction of the write connection; only one is open at a time. */
export class SqliteTransaction implements Transaction {
  readonly #connection: Connection;
  /** Called once at the end of each transaction. */
  onEnd: () => void = () => {};
  /** The error that made SQLite roll back: a full disk, or `or rollback` in a statement. */
  #lost: unknown;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Begins without waiting. @throws a busy error while another process holds the lock. */
  begin(): void {
    this.#lost = undefined;
    this.#connection.exec("begin immediate");
  }

  run(call: Call): Result {
    return this.#guard(() => this.#connection.execute(call), call);
  }

  save(): Level {
    this.#end("savepoint fw");
    return this.#savepoint;
  }

  /** The innermost savepoint; all have the same name. */
  readonly #savepoint: Level = {
    keep: () => this.#end("release fw"),
    undo: () => {
      this.#undo("rollback to fw");
      this.#undo("release fw");
    },
  };

  keep(): void {
    this.#end("commit");
    this.onEnd();
  }

  undo(): void {
    try {
      this.#undo("rollback");
    } finally {
      this.onEnd();
    }
  }

  cancel(): void {
    // A SQLite statement cannot be interrupted, and none runs at the same time as this.
  }

  #end(text: string): void {
    this.#guard(() => this.#connection.exec(text));
  }

  #guard<T>(work: () => T, call?: Call): T {
    if (this.#lost !== undefined) throw this.#lost;
    const { database } = this.#connection;
    try {
      return work();
    } catch (error) {
      const told = toSqliteError(error, { database, call });
      if (!database.isTransaction) this.#lost = told;
      throw told;
    }
  }

  #undo(text: string): void {
    const { database } = this.#connection;
    if (database.isOpen && database.isTransaction) this.#connection.exec(text);
  }
}
