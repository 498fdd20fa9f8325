import { setTimeout as pause } from "node:timers/promises";
import type { Dialect } from "./sql.ts";
import type { Bound } from "./values.ts";

export interface Plan {
  readonly text: string;
  readonly verb: string;
  /** Whether it only reads, so that a read connection may run it. */
  readonly isRead: boolean;
  /** Whether it changes rows, which are counted. A definition has neither this nor `isRead`. */
  readonly isChange: boolean;
  /** Whether a comment `-- scan: reason` allows it to read a whole table. */
  readonly mayScan: boolean;
  /** The name of the prepared statement; `undefined` if it is planned for each call. A change of its table changes it. */
  name: string | undefined;
}

export interface Call {
  readonly plan: Plan;
  readonly values: readonly Bound[];
  readonly readsInt64: boolean;
}

export interface Result {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** Number of rows changed, if the statement is a change. */
  readonly count: number;
}

export interface BeginOptions {
  readonly isolation?: "read committed" | "repeatable read" | "serializable" | undefined;
  /** Time after which the server stops its statements; `undefined` for no limit. */
  readonly timeoutMs?: number | undefined;
}

/** The end of a transaction or a savepoint, called after its inner savepoints have ended. */
export interface Level {
  keep(): Promise<void> | void;
  /** Rolls back. Never rejects. */
  undo(): Promise<void> | void;
}

/** Keeps a level if its work succeeds, and undoes it otherwise. */
export async function within<T>(level: Level, work: () => Promise<T> | T): Promise<T> {
  try {
    const value = await work();
    await level.keep();
    return value;
  } catch (error) {
    await level.undo();
    throw error;
  }
}

/** An open transaction on its own connection, which is released at its end. */
export interface Transaction extends Level {
  run(call: Call): Promise<Result> | Result;
  save(): Promise<Level> | Level;
  cancel(): void;
}

export type KeptRead = (
  values: readonly (string | number)[],
) => readonly (readonly unknown[])[] | undefined;

/** A database; a call inside a transaction of another database waits only for a limited time. */
export interface Engine {
  readonly dialect: Dialect;
  /** Whether it has a single connection, as a database in memory has. */
  readonly isSingle: boolean;
  /** The caller's settings that row policies of the server can read. */
  readonly context?: string;
  run(call: Call): Promise<Result> | Result;
  /** Prepares a synchronous read of rows as arrays; it returns `undefined` if it would wait or fails. */
  keepRead?(text: string): KeptRead;
  runInBackground(call: Call): Promise<Result> | Result;
  begin(options: BeginOptions): Promise<Transaction> | Transaction;
  /** Runs a task under a lock, in one transaction unless it is `alone`, and checks foreign keys at its end. */
  migrate<T>(
    task: (session: MigrationSession) => Promise<T>,
    options: { readonly alone: boolean },
  ): Promise<T>;
  /** Returns a plan in lines; with `isCheck`, Postgres avoids scans if possible and returns JSON. */
  explain(text: string, options?: { readonly isCheck: boolean }): Promise<readonly string[]>;
  /**
   * Listens to notifications of the server, until the returned function is called. After a lost connection, when some
   * may be missing, the payload is `undefined`.
   */
  listen?(channel: string, onChange: (payload: string | undefined) => void): () => void;
  /** Whether an error is a serialization failure, after which the transaction may be retried. */
  isRetryable?(error: unknown): boolean;
  close(): Promise<void>;
}

const nothing = new Uint8Array();
const maxUnpolledMs = 20;
let polledAtMs = -Infinity;

/**
 * Yields to the event loop and to the network, which `setImmediate` alone polls once in about 60 turns. Only a timer
 * polls it for certain, but takes 2 ms; waiting for another thread usually does, in 10 µs.
 */
export async function takeTurn(): Promise<void> {
  if (performance.now() - polledAtMs < maxUnpolledMs) {
    await new Promise((resolve) => setImmediate(resolve));
    await crypto.subtle.digest("SHA-256", nothing);
    return;
  }
  await pause(0);
  polledAtMs = performance.now();
}

/** Maximum wait for another process that may be migrating, in milliseconds. */
export const migrationWaitMs = 60_000;

export interface MigrationSession {
  /** Runs one statement. @throws the driver's error. */
  exec(text: string): Promise<void>;
  execAlone(text: string): Promise<void>;
  all(text: string): Promise<readonly (readonly unknown[])[]> | readonly (readonly unknown[])[];
}
