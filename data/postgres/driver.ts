/**
 * The two clients of Postgres, as one driver: `npm:pg` and `npm:postgres`. An application makes the client and hands
 * it over; its shape decides which one it is.
 *
 * @module
 */
import type { Savepoint } from "../engine.ts";
import type { Bound } from "../values.ts";

/** The result of a statement from a client. */
export interface RawResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly count: number;
}

/** A statement for a client. */
export interface RawCall {
  readonly text: string;
  readonly values: readonly Bound[];
  /** The name under which the server keeps it; `undefined` for one that is not prepared. */
  readonly name: string | undefined;
}

/** A transaction on a connection. */
export interface RawTransaction {
  query(call: RawCall): Promise<RawResult>;
  save(): Promise<Savepoint>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  cancel(): void;
}

/** A client. */
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
  /** Closes the connections. */
  end(): Promise<void>;
  /** Its readers of values, by the number of the type. */
  readonly options: { readonly parsers: Record<number, (text: string) => unknown> };
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

/** Makes the driver of a client. */
export function createDriver(client: PgPool | PostgresClient): Driver {
  return "unsafe" in client ? postgresDriver(client) : pgDriver(client);
}

/** Values stay text: the driver's own readers bend some, such as a day at local midnight. */
const types = { getTypeParser: () => (text: string): string => text };

function pgQuery({ text, values, name }: RawCall): PgQuery {
  return {
    text,
    values: [...values],
    rowMode: "array",
    ...(name !== undefined && { name }),
    types,
  };
}

function pgResult({ rows, rowCount, fields }: PgResult): RawResult {
  return {
    columns: fields.map(({ name }) => name),
    // `rowMode` says that they are arrays.
    rows: rows as readonly (readonly unknown[])[],
    count: rowCount ?? 0,
  };
}

function pgDriver(pool: PgPool): Driver {
  // Without a listener a lost idle connection would end the process; the pool makes a new one.
  pool.on("error", () => {});
  return {
    query: async (call) => pgResult(await pool.query(pgQuery(call))),
    begin: async (mode, setup) => {
      const client = await pool.connect();
      let lost: Error | undefined;
      const onError = (error: Error): void => void (lost = error);
      client.on("error", onError);
      let isReleased = false;
      const release = (): void => {
        if (isReleased) return;
        isReleased = true;
        client.removeListener("error", onError);
        // One that is lost must not go back to the pool.
        client.release(lost ?? false);
      };
      try {
        await client.query(`begin ${mode}; ${setup}`);
      } catch (error) {
        // Its transaction may have begun: the next user of the connection would be inside it.
        lost ??= error instanceof Error ? error : new Error(String(error));
        release();
        throw error;
      }
      let running: Promise<PgResult> | undefined;
      let cancelling: Promise<void> | undefined;
      let depth = 0;
      return {
        query: async (call) => {
          running = client.query(pgQuery(call));
          try {
            return pgResult(await running);
          } finally {
            running = undefined;
            // One under way must not reach the next statement.
            await cancelling;
          }
        },
        save: async () => {
          const name = `fw_${++depth}`;
          await client.query(`savepoint ${name}`);
          const end = async (text: string): Promise<void> => {
            depth--;
            await client.query(text);
          };
          return {
            release: () => end(`release savepoint ${name}`),
            undo: () =>
              end(`rollback to savepoint ${name}; release savepoint ${name}`).catch(() => {}),
          };
        },
        commit: async () => {
          try {
            await client.query("commit");
          } finally {
            release();
          }
        },
        rollback: async () => {
          // A commit that failed has rolled back, and the connection is another's by now.
          if (isReleased) return;
          try {
            await client.query("rollback");
          } catch (error) {
            lost ??= error instanceof Error ? error : new Error(String(error));
          }
          release();
        },
        cancel: () => {
          const processId = "processID" in client ? Number(client.processID) : NaN;
          if (!Number.isSafeInteger(processId)) return;
          const target = running;
          if (target === undefined) return;
          const cancel = async (other: PgClient): Promise<void> => {
            // A later statement of this connection may be another's.
            if (running === target) {
              cancelling = quiet(other.query(`select pg_cancel_backend(${processId})`));
              await cancelling;
            }
            other.release();
          };
          // Without a free connection the statement ends by its own timeout.
          pool.connect().then(cancel).catch(() => {});
        },
      };
    },
    listen: (channel, onChange) => listenPg(pool, channel, onChange),
    close: () => pool.end(),
  };
}

/** A client that tells of notifications: what `npm:pg` has beside {@linkcode PgClient}. */
interface NotifiedClient extends PgClient {
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "notification", listener: (message: { payload?: string }) => void): unknown;
}

/** Delay before a lost connection is opened again, in milliseconds. */
const listenPauseMs = 1_000;

function listenPg(
  pool: PgPool,
  channel: string,
  onChange: (payload: string | undefined) => void,
): () => void {
  let client: PgClient | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const drop = (error?: Error): void => {
    // It listens: the next user of the connection must not.
    client?.release(error ?? new Error("no longer listens"));
    client = undefined;
  };
  const open = async (): Promise<void> => {
    try {
      const opened = await pool.connect() as NotifiedClient;
      if (isOver) return opened.release();
      client = opened;
      opened.on("error", (error) => {
        if (client !== opened) return;
        drop(error);
        retry();
      });
      opened.on("notification", ({ payload }) => onChange(payload));
      await opened.query(`listen ${channel}`);
      onChange(undefined);
    } catch (error) {
      drop(error instanceof Error ? error : undefined);
      retry();
    }
  };
  const retry = (): void => {
    if (!isOver) timer = setTimeout(() => void open(), listenPauseMs);
  };
  void open();
  return () => {
    isOver = true;
    clearTimeout(timer);
    drop();
  };
}

async function quiet(work: Promise<unknown>): Promise<void> {
  await work.catch(() => {});
}

async function postgresQuery(
  sql: PostgresQueries,
  { text, values, name }: RawCall,
  onStart: (pending: PostgresPending) => void = () => {},
): Promise<RawResult> {
  const pending = sql.unsafe(text, [...values], { prepare: name !== undefined });
  onStart(pending);
  const rows = await pending.values() as unknown[][] & {
    readonly columns?: readonly { readonly name: string }[];
    readonly count?: number;
  };
  return {
    columns: (rows.columns ?? []).map(({ name }) => name),
    rows: [...rows],
    count: rows.count ?? 0,
  };
}

/** Ends a transaction of `npm:postgres` without an error of its own. */
const undo = new Error("undo");

/** `date`, `timestamp`, `timestamptz`. */
const timeTypes = [1082, 1114, 1184];

function postgresDriver(client: PostgresClient): Driver {
  // The client's own reader takes the year 1 for 2001.
  for (const type of timeTypes) client.options.parsers[type] = (text) => text;
  return {
    query: (call) => postgresQuery(client, call),
    begin: (mode, setup) => openPostgres(client, mode, setup),
    listen: (channel, onChange) => {
      const listening = client.listen?.(
        channel,
        onChange,
        // Called again after a lost connection.
        () => onChange(undefined),
      );
      listening?.catch(() => {});
      return () => void listening?.then(({ unlisten }) => unlisten()).catch(() => {});
    },
    close: () => client.end(),
  };
}

/** Part of a transaction: the client keeps it open while its function runs. */
interface Level {
  readonly sql: PostgresQueries;
  readonly end: PromiseWithResolvers<void>;
  readonly outcome: Promise<unknown>;
}

/** Opens a function of the client and hands out its statements until its end is resolved. */
function openLevel(
  open: (work: (sql: PostgresQueries) => Promise<void>) => Promise<unknown>,
): Promise<Level> {
  return new Promise((resolve, reject) => {
    const end = Promise.withResolvers<void>();
    const outcome = open(async (sql) => {
      resolve({ sql, end, outcome });
      await end.promise;
    });
    outcome.then(() => {}, reject);
  });
}

async function openPostgres(
  client: PostgresClient,
  mode: string,
  setup: string,
): Promise<RawTransaction> {
  const bottom = await openLevel((work) => client.begin(mode, work));
  const levels = [bottom];
  let running: PostgresPending | undefined;
  const finish = async (level: Level, outcome: "keep" | "undo"): Promise<void> => {
    if (outcome === "keep") {
      level.end.resolve();
      await level.outcome;
    } else {
      level.end.reject(undo);
      await level.outcome.catch(() => {});
    }
  };
  try {
    if (setup !== "") await bottom.sql.unsafe(setup);
  } catch (error) {
    await finish(bottom, "undo");
    throw error;
  }
  return {
    query: async (call) => {
      const sql = levels.at(-1)?.sql ?? bottom.sql;
      try {
        return await postgresQuery(sql, call, (pending) => void (running = pending));
      } finally {
        running = undefined;
      }
    },
    save: async () => {
      const { sql } = levels.at(-1) ?? bottom;
      const level = await openLevel((work) => sql.savepoint?.(work) ?? Promise.reject(undo));
      levels.push(level);
      const end = async (outcome: "keep" | "undo"): Promise<void> => {
        levels.splice(levels.indexOf(level), 1);
        await finish(level, outcome);
      };
      return { release: () => end("keep"), undo: () => end("undo") };
    },
    commit: () => finish(bottom, "keep"),
    rollback: () => finish(bottom, "undo"),
    cancel: () => running?.cancel(),
  };
}
