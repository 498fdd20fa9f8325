import type { Level } from "../engine.ts";
import type { Bound } from "../values.ts";

export interface RawResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly count: number;
}

export interface RawCall {
  readonly text: string;
  readonly values: readonly Bound[];
  /** The name under which the server keeps it; `undefined` for one that is not prepared. */
  readonly name: string | undefined;
}

export interface RawTransaction extends Level {
  query(call: RawCall): Promise<RawResult>;
  save(): Promise<Level>;
  cancel(): void;
}

export interface Driver {
  query(call: RawCall): Promise<RawResult>;
  /** Begins a transaction. @param mode What follows `begin`. @param setup Runs first, or `""`. */
  begin(mode: string, setup: string): Promise<RawTransaction>;
  /** Listens on a connection of its own, which it opens again when it is lost. @returns What ends it. */
  listen(channel: string, onChange: (payload: string | undefined) => void): () => void;
  close(): Promise<void>;
}

/** The part of a `Pool` of `npm:pg` that is used. */
export interface PgPool {
  /** Returns a client of the pool. */
  connect(): Promise<PgClient>;
  /** Runs one statement. */
  query(config: PgQuery): Promise<PgResult>;
  /** Closes the pool. */
  end(): Promise<void>;
  /** Listens to errors of idle clients. */
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** The part of a client of `npm:pg` that is used. */
export interface PgClient {
  /** Runs one statement. */
  query(config: PgQuery | string): Promise<PgResult>;
  /** Returns the client to the pool, or destroys it. */
  release(error?: Error | boolean): void;
  /** Listens to a lost connection. */
  on(event: "error", listener: (error: Error) => void): unknown;
  /** Ends listening. */
  removeListener(event: "error", listener: (error: Error) => void): unknown;
}

/** A statement of `npm:pg`. */
export interface PgQuery {
  /** The text. */
  readonly text: string;
  /** The parameters. */
  readonly values: unknown[];
  /** Rows as arrays. */
  readonly rowMode: "array";
  /** The name of a prepared statement. */
  readonly name?: string;
  /** Parsers of values. */
  readonly types: { getTypeParser(): (text: string) => string };
}

/** A result of `npm:pg`. */
export interface PgResult {
  /** The rows. */
  readonly rows: readonly unknown[];
  /** Number of rows changed or read. */
  readonly rowCount: number | null;
  /** The columns. */
  readonly fields: readonly { readonly name: string }[];
}

/** The part of `npm:postgres` that is used. */
export interface PostgresClient extends PostgresQueries {
  /** Begins a transaction. */
  begin<T>(mode: string, work: (sql: PostgresQueries) => Promise<T>): Promise<unknown>;
  /** Listens to notifications. */
  listen?(
    channel: string,
    onNotify: (payload: string) => void,
    onListen?: () => void,
  ): Promise<{ unlisten(): Promise<void> }>;
  /** Closes the connections; those that are busy after so many seconds too. */
  end(options?: { timeout?: number }): Promise<void>;
  /** Its readers and writers of values, by the number of the type. */
  readonly options: {
    readonly parsers: Record<number, (text: string) => unknown>;
    // deno-lint-ignore no-explicit-any -- the client's own type
    readonly serializers: Record<number, (value: any) => unknown>;
  };
}

/** Statements of `npm:postgres`, also inside a transaction. */
export interface PostgresQueries {
  /** Runs text with parameters. */
  // deno-lint-ignore no-explicit-any -- the client's own types of parameters are narrower
  unsafe(text: string, values?: any[], options?: { prepare?: boolean }): PostgresPending;
  /** Begins a savepoint. */
  savepoint?<T>(work: (sql: PostgresQueries) => Promise<T>): Promise<unknown>;
}

/** A statement of `npm:postgres` that runs. */
export interface PostgresPending extends PromiseLike<unknown> {
  /** Reads rows as arrays. */
  values(): PromiseLike<unknown>;
  /** Stops the statement on the server. */
  cancel(): void;
}
