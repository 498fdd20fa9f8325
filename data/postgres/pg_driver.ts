import { Buffer } from "node:buffer";
import type { Result } from "../engine.ts";
import { Stoppable } from "./cancel.ts";
import {
  type Driver,
  type PgClient,
  type PgPool,
  type RawCall,
  type RawTransaction,
  sessionSettings,
  toParameter,
} from "./driver.ts";

/** Values stay text, because the driver's parsers distort some: a day becomes local midnight. Bytes do not read as text. */
const types = {
  getTypeParser: (type: number) => (text: string) => type === 17 ? Buffer.from(text) : text,
};

// Poolers refuse the precision of floats as a parameter, which is all that `npm:postgres` offers.
const setSession = Object.entries({ ...sessionSettings, extra_float_digits: "1" })
  .map(([name, value]) => `set ${name} = ${value}`).join("; ");

function pgQuery({ text, values, name, timeoutMs }: RawCall): object {
  const shown = { text, name, values: values.map(toParameter), rowMode: "array", types };
  return timeoutMs === undefined ? shown : { ...shown, query_timeout: timeoutMs };
}

function pgResult(found: unknown): Result {
  const { rows, rowCount, fields } = found as {
    readonly rows: Result["rows"];
    readonly rowCount: number | null;
    readonly fields: readonly { readonly name: string }[];
  };
  return { columns: fields.map(({ name }) => name), rows, count: rowCount ?? 0 };
}

/** Refuses an address in which `npm:pg` would find another host, such as a part of a password. */
function checkServerUrl(address: unknown): void {
  if (typeof address !== "string" || /^(?:$|\/|socket:)/.test(address)) return;
  // Without a host it is the local one.
  const url = URL.parse(address.replace("@/", "@localhost/"));
  const { protocol = "", pathname = "@", hash = "" } = url ?? {};
  if (/^postgres(?:ql)?:$/.test(protocol) && !pathname.includes("@") && hash === "") return;
  throw new TypeError(
    "Cannot open the database: its address is not valid. Fix: write postgres://127.0.0.1:5432/name, with " +
      "user:password@ before the host, and both escaped by encodeURIComponent.",
  );
}

export function pgDriver(pool: PgPool): Driver {
  checkServerUrl(Object(pool).options?.connectionString);
  // Without a listener, a lost idle connection would end the process; the pool replaces it anyway.
  pool.on("error", () => {});
  const known = new WeakSet<PgClient>();
  // Not when it connects, because the pool may have connections already.
  Object(pool).on("acquire", (client: PgClient) => {
    if (known.has(client)) return;
    known.add(client);
    client.query(setSession).catch(() => {});
  });
  const stops = new Set<() => void>();
  return {
    query: (call) => pool.query(pgQuery(call)).then(pgResult),
    begin: (mode, setup) => beginPg(pool, `begin ${mode}; ${setup}`),
    listen: (channel, onChange) => {
      const stop = listenPg(pool, channel, onChange);
      stops.add(stop);
      return () => {
        stops.delete(stop);
        stop();
      };
    },
    close: () => {
      stops.forEach((stop) => stop());
      return pool.end();
    },
  };
}

async function beginPg(pool: PgPool, begin: string): Promise<RawTransaction> {
  const client = await pool.connect();
  let lost: Error | undefined;
  const onError = (error: unknown): void => {
    lost ??= error instanceof Error ? error : new Error(String(error));
  };
  const send = async (query: object | string): Promise<unknown> => {
    try {
      return await client.query(query);
    } catch (error) {
      // The statement may still run, and the next one would wait behind it.
      if (error instanceof Error && error.message === "Query read timeout") onError(error);
      throw error;
    }
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
  const statements = new Stoppable();
  return {
    query: (call) => statements.run(() => send(pgQuery(call))).then(pgResult),
    keep: () => send("commit").then(() => {}).finally(release),
    undo: async () => {
      // A failed commit has rolled back and released the connection, which may be in use again.
      if (isReleased) return;
      if (lost === undefined) await client.query("rollback").catch(onError);
      release();
    },
    cancel: () => {
      // Members that the type omits; without them, the statement ends at its own timeout.
      const { host, port, ssl, processID: pid, secretKey: secret } = Object(client);
      if (typeof pid === "number") statements.stop([{ host, port, ssl, pid, secret }]);
    },
  };
}

interface Listener {
  connect(): Promise<unknown>;
  query(text: string): Promise<unknown>;
  end(): Promise<unknown>;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "notification", listener: (message: { payload?: string }) => void): unknown;
}

const listenPauseMs = 1_000;

/** Listens with a client apart, because one of a small pool would be missing for statements. */
function listenPg(
  pool: PgPool,
  channel: string,
  onChange: (payload: string | undefined) => void,
): () => void {
  const { Client, options } = Object(pool);
  if (Client === undefined) {
    throw new TypeError("Cannot listen to the database: pass a Pool of npm:pg to openPostgres.");
  }
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let drop = (): void => {};
  const run = async (): Promise<void> => {
    while (!isOver) {
      const client: Listener = new Client(options);
      client.on("notification", ({ payload }) => isOver || onChange(payload));
      // A lost connection is reported twice: by an event and by the running statement.
      const lost = new Promise<void>((resolve) => {
        drop = resolve;
        client.on("error", () => resolve());
      });
      client.connect().then(() => client.query(`listen ${channel}`))
        .then(() => isOver || onChange(undefined), drop);
      await lost;
      client.end().catch(() => {});
      if (!isOver) await new Promise((resolve) => timer = setTimeout(resolve, listenPauseMs));
    }
  };
  void run();
  return () => {
    isOver = true;
    clearTimeout(timer);
    drop();
  };
}
