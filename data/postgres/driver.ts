import type { Result } from "../engine.ts";
import type { Bound } from "../values.ts";

export interface RawCall {
  readonly text: string;
  readonly values: readonly Bound[];
  /** The name of the prepared statement; `undefined` if it is not prepared. */
  readonly name: string | undefined;
  /** The time limit in place of the client's own. */
  readonly timeoutMs?: number | undefined;
}

export interface RawTransaction {
  query(call: RawCall): Promise<Result>;
  /** Commits, or rolls back and rejects. */
  keep(): Promise<void>;
  /** Rolls back. Never rejects. */
  undo(): Promise<void>;
  cancel(): void;
}

export interface Driver {
  query(call: RawCall): Promise<Result>;
  /** Begins a transaction. @param mode The text after `begin`. @param setup Run first, or `""`. */
  begin(mode: string, setup: string): Promise<RawTransaction>;
  /** Listens on a separate connection, reopened after a loss. @returns A function that stops it. */
  listen(channel: string, onChange: (payload: string | undefined) => void): () => void;
  close(): Promise<void>;
}

/** Returns a value as text, whose type its column decides: an integer would accept 8 bytes as they are. */
export function toParameter(value: Bound): string | null {
  if (value instanceof Uint8Array) return `\\x${value.toHex()}`;
  return value === null ? null : String(value);
}

/**
 * Settings of each connection on which the texts of values depend, whatever the server's configuration: instants
 * and days are read as text, and statements are split by the standard's strings. Poolers such as PgBouncer know
 * both as parameters of a connection and refuse most others.
 */
export const sessionSettings: Readonly<Record<string, string>> = {
  DateStyle: "ISO",
  standard_conforming_strings: "on",
};

/** The used members of a `Pool` of `npm:pg`. */
export interface PgPool {
  /** Returns a client of the pool. */
  connect(): Promise<PgClient>;
  /** Runs one statement. */
  query(config: object): Promise<unknown>;
  /** Closes the pool. */
  end(): Promise<void>;
  /** Listens to errors of idle clients. */
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** The used members of a client of `npm:pg`. */
export interface PgClient {
  /** Runs one statement. */
  query(config: object | string): Promise<unknown>;
  /** Returns the client to the pool, or destroys it. */
  release(error?: Error | boolean): void;
  /** Listens to a lost connection. */
  on(event: "error", listener: (error: Error) => void): unknown;
  /** Removes a listener. */
  removeListener(event: "error", listener: (error: Error) => void): unknown;
}

/** The used members of `npm:postgres`. */
export interface PostgresClient extends PostgresQueries {
  /** Begins a transaction. */
  begin<T>(mode: string, work: (sql: PostgresQueries) => Promise<T>): Promise<unknown>;
  /** Listens to notifications. */
  listen?(
    channel: string,
    onNotify: (payload: string) => void,
    onListen?: () => void,
  ): Promise<{ unlisten(): Promise<void> }>;
  /** Closes the connections; after `timeout` seconds, busy ones too. */
  end(options?: { timeout?: number }): Promise<void>;
  /** The settings, whose parsers and serializers of values are replaced. */
  readonly options: object;
}

/** Statements of `npm:postgres`, also inside a transaction. */
export interface PostgresQueries {
  /** Runs text with parameters. */
  // deno-lint-ignore no-explicit-any -- the client's own types of parameters are narrower
  unsafe(text: string, values?: any[], options?: { prepare?: boolean }): PostgresPending;
}

/** A running statement of `npm:postgres`. */
export interface PostgresPending extends PromiseLike<unknown> {
  /** Reads rows as arrays. */
  values(): PromiseLike<unknown>;
}
