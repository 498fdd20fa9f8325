import type { Dialect } from "./sql.ts";
import type { Bound } from "./values.ts";

export interface Plan {
  readonly text: string;
  readonly verb: string;
  /** Whether it changes nothing, so that a connection for reading may run it. */
  readonly isRead: boolean;
  /** Whether a comment `-- scan: reason` allows it to read a whole table. */
  readonly mayScan: boolean;
  /** The name under which a server keeps it; `undefined` for one that is planned for each call. */
  readonly name: string | undefined;
}

export interface Call {
  readonly plan: Plan;
  readonly values: readonly Bound[];
  readonly readsInt64: boolean;
  /** Whether the caller holds a transaction of another database, which may wait for this call: it waits for a time. */
  readonly holdsOther?: boolean;
}

export interface Result {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** Number of changed rows; 0 for a definition. */
  readonly count: number;
}

export interface BeginOptions {
  readonly isolation?: "read committed" | "repeatable read" | "serializable" | undefined;
  /** When its statements are stopped by the server; `undefined` for never. */
  readonly timeoutMs?: number | undefined;
  readonly holdsOther?: boolean;
}

/** Ends a transaction or a savepoint; those inside it have ended before it does. */
export interface Level {
  keep(): Promise<void> | void;
  /** Rolls back. Never rejects. */
  undo(): Promise<void> | void;
}

/** An open transaction on a connection of its own, which its end gives back. */
export interface Transaction extends Level {
  run(call: Call): Promise<Result> | Result;
  save(): Promise<Level> | Level;
  /** Stops the statement that runs. */
  cancel(): void;
}

export type KeptRead = (
  values: readonly (string | number)[],
) => readonly (readonly unknown[])[] | undefined;

export interface Engine {
  readonly dialect: Dialect;
  /** Whether it has one connection for all, as a database in memory. */
  readonly isSingle: boolean;
  /** What policies of the server know of the caller. */
  readonly context?: string;
  run(call: Call): Promise<Result> | Result;
  /**
   * Keeps a read that gives its rows at once, as arrays: `undefined` where it would have to wait, or fails.
   *
   * @param text A statement with `?` for each value.
   */
  keepRead?(text: string): KeptRead;
  runInBackground(call: Call): Promise<Result> | Result;
  begin(options: BeginOptions): Promise<Transaction> | Transaction;
  /**
   * Runs a task alone among all processes, in one transaction, with foreign keys checked at its end.
   *
   * @param options `alone`: the task runs a statement outside of a transaction.
   */
  migrate<T>(
    task: (session: MigrationSession) => Promise<T>,
    options: { readonly alone: boolean },
  ): Promise<T>;
  /** Explains a statement by lines; with `isCheck` Postgres avoids scans where it can, and gives JSON. */
  explain(text: string, options?: { readonly isCheck: boolean }): Promise<readonly string[]>;
  /**
   * Listens to notifications of the server, as long as it can.
   *
   * @param onChange Gets the payload; `undefined` after the connection was lost, when any may have been missed.
   * @returns What ends it.
   */
  listen?(channel: string, onChange: (payload: string | undefined) => void): () => void;
  /** Whether an error is one of serialization, after which the transaction may run again. */
  isRetryable?(error: unknown): boolean;
  close(): Promise<void>;
}

/** Timeout of waiting for another process that may be migrating, in milliseconds. */
export const migrationWaitMs = 60_000;

export interface MigrationSession {
  /** Runs one statement. @throws the driver's error, whose offset {@linkcode errorOffset} reads. */
  exec(text: string): Promise<void>;
  execAlone(text: string): Promise<void>;
  all(text: string): Promise<readonly (readonly unknown[])[]>;
  /** Returns a row that points at nothing, as a sentence; `undefined` without one. */
  findViolation(): Promise<string | undefined>;
  /** Returns the place of an error in a statement, in characters from 0. */
  errorOffset(error: unknown, text: string): number;
}
