import type { Result } from "../engine.ts";
import type {
  Driver,
  PgClient,
  PgPool,
  PgQuery,
  PgResult,
  RawCall,
  RawTransaction,
} from "./driver.ts";

/** Values stay text, because the driver's parsers distort some: a day becomes local midnight. */
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

function pgResult({ rows, rowCount, fields }: PgResult): Result {
  return {
    columns: fields.map(({ name }) => name),
    // `rowMode` guarantees arrays.
    rows: rows as readonly (readonly unknown[])[],
    count: rowCount ?? 0,
  };
}

export function pgDriver(pool: PgPool): Driver {
  // Without a listener, a lost idle connection would end the process; the pool replaces it anyway.
  pool.on("error", () => {});
  return {
    query: async (call) => pgResult(await pool.query(pgQuery(call))),
    begin: (mode, setup) => beginPg(pool, `begin ${mode}; ${setup}`),
    listen: (channel, onChange) => listenPg(pool, channel, onChange),
    close: () => pool.end(),
  };
}

async function beginPg(pool: PgPool, begin: string): Promise<RawTransaction> {
  const client = await pool.connect();
  let lost: Error | undefined;
  const onError = (error: unknown): void => {
    lost ??= error instanceof Error ? error : new Error(String(error));
  };
  client.on("error", onError);
  let isReleased = false;
  const release = (): void => {
    isReleased = true;
    client.removeListener("error", onError);
    // A lost connection must not return to the pool.
    client.release(lost ?? false);
  };
  try {
    await client.query(begin);
  } catch (error) {
    // The transaction may have begun, and the connection's next user would be inside it.
    onError(error);
    release();
    throw error;
  }
  let running: Promise<PgResult> | undefined;
  let cancelling: Promise<unknown> | undefined;
  return {
    query: async (call) => {
      const own = running = client.query(pgQuery(call));
      try {
        return pgResult(await own);
      } finally {
        if (running === own) running = undefined;
        // A cancellation in progress must not reach the next statement.
        await cancelling;
      }
    },
    keep: () => client.query("commit").then(() => {}).finally(release),
    undo: async () => {
      // A failed commit has rolled back and released the connection, which may be in use again.
      if (isReleased) return;
      await client.query("rollback").catch(onError);
      release();
    },
    cancel: () => {
      const processId = "processID" in client ? Number(client.processID) : NaN;
      const target = running;
      if (!Number.isSafeInteger(processId) || target === undefined) return;
      const cancel = async (other: PgClient): Promise<void> => {
        // A later statement on this connection may belong to another caller.
        if (running === target) {
          cancelling = other.query(`select pg_cancel_backend(${processId})`).catch(() => {});
          await cancelling;
        }
        other.release();
      };
      // Without a free connection, the statement ends at its own timeout.
      pool.connect().then(cancel).catch(() => {});
    },
  };
}

/** A client with the notifications of `npm:pg`, which {@linkcode PgClient} omits. */
interface NotifiedClient extends PgClient {
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "notification", listener: (message: { payload?: string }) => void): unknown;
}

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
    // Destroyed, because the connection's next user must not listen.
    client?.release(error ?? new Error("no longer listens"));
    client = undefined;
  };
  const open = async (): Promise<void> => {
    let opened: NotifiedClient | undefined;
    // A lost connection is reported twice: by an event and by the running statement.
    const fail = (error: unknown): void => {
      if (client !== opened) return;
      drop(error instanceof Error ? error : undefined);
      if (!isOver) timer = setTimeout(() => void open(), listenPauseMs);
    };
    try {
      opened = await pool.connect() as NotifiedClient;
      if (isOver) return opened.release();
      client = opened;
      opened.on("error", fail);
      opened.on("notification", ({ payload }) => onChange(payload));
      await opened.query(`listen ${channel}`);
      onChange(undefined);
    } catch (error) {
      fail(error);
    }
  };
  void open();
  return () => {
    isOver = true;
    clearTimeout(timer);
    drop();
  };
}
