import type { Result } from "../engine.ts";
import { Stoppable } from "./cancel.ts";
import {
  type Driver,
  type PostgresClient,
  type PostgresPending,
  type PostgresQueries,
  type RawCall,
  type RawTransaction,
  sessionSettings,
  toParameter,
} from "./driver.ts";

async function postgresQuery(
  sql: PostgresQueries,
  { text, values, name }: RawCall,
  onStart: (pending: PostgresPending) => void = () => {},
): Promise<Result> {
  const pending = sql.unsafe(text, values.map(toParameter), { prepare: name !== undefined });
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

/** Rolls back a transaction of `npm:postgres` and is not reported as an error. */
const undone = new Error("undone");

interface ClientOptions {
  readonly parsers: Record<number, (text: string) => unknown>;
  readonly serializers: Record<number, (value: unknown) => unknown>;
  readonly connection?: object;
  readonly host?: readonly string[];
  readonly port?: readonly (number | string)[];
  readonly path?: unknown;
  readonly ssl?: unknown;
}

/** `date`, `timestamp`, `timestamptz`. */
const timeTypes = [1082, 1114, 1184];

/** `bool`, `bytea`, `json`, `jsonb`. */
const bentTypes = [16, 17, 114, 3802];

export function postgresDriver(client: PostgresClient): Driver {
  const { parsers, serializers, connection }: ClientOptions = Object(client.options);
  Object.assign(connection ?? {}, sessionSettings);
  // The client's parser reads the year 1 as 2001.
  for (const type of timeTypes) parsers[type] = (text) => text;
  // Its serializers drop microseconds, write any text as false or hexadecimal, and quote JSON.
  for (const type of [...timeTypes, ...bentTypes]) {
    const serialize = serializers[type] ?? String;
    serializers[type] = (value) => typeof value === "string" ? value : serialize(value);
  }
  return {
    query: (call) => postgresQuery(client, call),
    begin: (mode, setup) => openPostgres(client, mode, setup),
    listen: (channel, onChange) => {
      const listening = client.listen?.(
        channel,
        onChange,
        // Also called after a reconnection.
        () => onChange(undefined),
      );
      listening?.catch(() => {});
      return () => void listening?.then(({ unlisten }) => unlisten()).catch(() => {});
    },
    // All work has ended, but the client would wait forever for a lost connection.
    close: () => client.end({ timeout: 1 }),
  };
}

/** Opens a transaction, whose function of the client runs until `keep` or `undo`. */
function openPostgres(
  client: PostgresClient,
  mode: string,
  setup: string,
): Promise<RawTransaction> {
  return new Promise((resolve, reject) => {
    const outcome = client.begin(mode, async (sql) => {
      const end = Promise.withResolvers<void>();
      if (setup !== "") await sql.unsafe(setup);
      resolve(createTransaction(client, { sql, end, outcome }));
      await end.promise;
    });
    outcome.catch(reject);
  });
}

function createTransaction(
  client: PostgresClient,
  { sql, end, outcome }: {
    readonly sql: PostgresQueries;
    readonly end: PromiseWithResolvers<void>;
    readonly outcome: Promise<unknown>;
  },
): RawTransaction {
  const statements = new Stoppable();
  let running: PostgresPending | undefined;
  /** Whether a statement has failed, after which the client would refuse to commit. */
  let hasFailed = false;
  let lost: { readonly error: unknown } | undefined;
  outcome.catch((error) => void (lost ??= { error }));
  // On a closed connection, the client would queue statements for the next one and never settle them.
  const checkLost = (): void => {
    if (lost !== undefined) throw lost.error;
  };
  const undo = async (): Promise<void> => {
    if (lost !== undefined) return;
    end.reject(undone);
    await outcome.catch(() => {});
  };
  return {
    query: async (call) => {
      checkLost();
      try {
        return await statements.run(() => postgresQuery(sql, call, (own) => running = own));
      } catch (error) {
        hasFailed = true;
        // The loss is reported later, by the transaction.
        if (/^(?:CONNECTION_|ECONN|EPIPE)/.test(String(Object(error).code))) lost ??= { error };
        throw error;
      }
    },
    keep: async () => {
      checkLost();
      if (!hasFailed) {
        end.resolve();
        return void await outcome;
      }
      // Ended before the client, which then rolls back an empty transaction.
      await sql.unsafe("set constraints all immediate; commit and chain");
      await undo();
    },
    undo,
    cancel: () => {
      const { pid, secret } = Object(Object(running).state);
      const { host = [], port = [], path, ssl }: ClientOptions = Object(client.options);
      if (typeof pid !== "number" || typeof secret !== "number") return;
      // Not `cancel()` of the client: a loss of its connection would end the process, as its promise is unhandled.
      statements.stop(host.map((each, at) => {
        const own = typeof path === "string" ? path.replace(/\/[^/]*$/, "") : each;
        return { host: own, port: Number(port[at]), ssl, pid, secret };
      }));
    },
  };
}
