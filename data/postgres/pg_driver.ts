import type { Driver, PgClient, PgPool, PgQuery, PgResult, RawCall, RawResult } from "./driver.ts";

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

function pgResult({ rows, rowCount, fields }: PgResult): RawResult {
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
        // A lost connection must not return to the pool.
        client.release(lost ?? false);
      };
      try {
        await client.query(`begin ${mode}; ${setup}`);
      } catch (error) {
        // The transaction may have begun, and the connection's next user would be inside it.
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
            // A cancellation in progress must not reach the next statement.
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
            keep: () => end(`release savepoint ${name}`),
            undo: () =>
              end(`rollback to savepoint ${name}; release savepoint ${name}`).catch(() => {}),
          };
        },
        keep: async () => {
          try {
            await client.query("commit");
          } finally {
            release();
          }
        },
        undo: async () => {
          // A failed commit has rolled back and released the connection, which may be in use again.
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
            // A later statement on this connection may belong to another caller.
            if (running === target) {
              const sent = other.query(`select pg_cancel_backend(${processId})`);
              cancelling = sent.then(() => {}, () => {});
              await cancelling;
            }
            other.release();
          };
          // Without a free connection, the statement ends at its own timeout.
          pool.connect().then(cancel).catch(() => {});
        },
      };
    },
    listen: (channel, onChange) => listenPg(pool, channel, onChange),
    close: () => pool.end(),
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
