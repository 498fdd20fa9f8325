import type { Driver, PgClient, PgPool, PgQuery, PgResult, RawCall, RawResult } from "./driver.ts";

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

export function pgDriver(pool: PgPool): Driver {
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
    let opened: NotifiedClient | undefined;
    // A lost connection is told twice: by an event, and by the statement that runs.
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

async function quiet(work: Promise<unknown>): Promise<void> {
  await work.catch(() => {});
}
