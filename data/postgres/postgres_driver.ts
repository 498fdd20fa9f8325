import { limitTime } from "../../runtime/addon.ts";
import type { Result } from "../engine.ts";
import type {
  Driver,
  PostgresClient,
  PostgresPending,
  PostgresQueries,
  RawCall,
  RawTransaction,
} from "./driver.ts";

async function postgresQuery(
  sql: PostgresQueries,
  { text, values, name }: RawCall,
  onStart: (pending: PostgresPending) => void = () => {},
): Promise<Result> {
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

/** Rolls back a transaction of `npm:postgres` and is not reported as an error. */
const undo = new Error("undo");

/** `date`, `timestamp`, `timestamptz`. */
const timeTypes = [1082, 1114, 1184];

export function postgresDriver(client: PostgresClient): Driver {
  // The client's parser reads the year 1 as 2001, and its serializer drops microseconds.
  for (const type of timeTypes) {
    client.options.parsers[type] = (text) => text;
    client.options.serializers[type] = (value) =>
      value instanceof Date ? value.toISOString() : value;
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
  let running: { readonly text: string; readonly pending: PostgresPending } | undefined;
  let stopping: PostgresPending | undefined;
  /** Cancellations that have not ended. */
  const late: PostgresPending[] = [];
  /** Whether a statement has failed, after which the client would refuse to commit. */
  let hasFailed = false;
  let lost: { readonly error: unknown } | undefined;
  outcome.catch((error) => void (lost ??= { error }));
  // On a closed connection, the client would queue statements for the next one and never settle them.
  const checkLost = (): void => {
    if (lost !== undefined) throw lost.error;
  };
  /** Ends the transaction before the client, which then rolls back an empty one. */
  const endEarly = async (text: string): Promise<void> => {
    await sql.unsafe(`${text} and chain`);
    // The statement before a cancellation may wait for a lock of this transaction, and the
    // cancellation must not reach the next statement of this connection.
    await Promise.allSettled(late.splice(0));
  };
  const undoAll = async (): Promise<void> => {
    if (lost !== undefined) return;
    if (late.length > 0) await endEarly("rollback").catch(() => {});
    end.reject(undo);
    await outcome.catch(() => {});
  };
  return {
    query: async (asked) => {
      checkLost();
      // A late cancellation finds its statement by its text, and the next one may be the same.
      const call = late.length === 0
        ? asked
        : { ...asked, text: `-- ${late.length}\n${asked.text}`, name: undefined };
      let own: typeof running;
      try {
        return await postgresQuery(sql, call, (pending) => {
          own = running = { text: call.text, pending };
        });
      } catch (error) {
        hasFailed = true;
        // The loss is reported later, by the transaction.
        if (/^(?:CONNECTION_|ECONN|EPIPE)/.test(String(Object(error).code))) lost ??= { error };
        throw error;
      } finally {
        if (running === own) running = undefined;
        if (stopping !== undefined && !(await settle(stopping))) late.push(stopping);
        stopping = undefined;
      }
    },
    keep: async () => {
      checkLost();
      if (!hasFailed && late.length === 0) {
        end.resolve();
        return void await outcome;
      }
      await endEarly("set constraints all immediate; commit");
      await undoAll();
    },
    undo: undoAll,
    cancel: () => {
      const pid = running && pidOf(running.pending);
      if (running === undefined || pid === undefined) return;
      // Not `cancel()`: the loss of its connection would end the process, as its promise is unhandled.
      stopping = client.unsafe(
        `select pg_cancel_backend(pid) from pg_stat_activity
          where pid = $1 and state = 'active' and left(query, 500) = left($2, 500)`,
        [pid, running.text],
      );
      stopping.then(() => {}, () => {});
    },
  };
}

/** Maximum wait for a connection that cancels a statement, in milliseconds. */
const openMs = 1_000;

/** Waits for a cancellation, which must not reach the next statement. @returns Whether it has ended. */
async function settle(stopping: PostgresPending): Promise<boolean> {
  const ended = stopping.then(() => true, () => true);
  return await limitTime(async () => await ended, { timeoutMs: openMs, late: () => undo })
    .catch(() => {
      // The client has sent it behind another statement.
      if (pidOf(stopping) !== undefined) return false;
      // If it still waits for a connection, it may wait for the one of this transaction.
      stopping.cancel();
      return ended;
    });
}

/** Returns the server process of a statement; `undefined` while it waits for a connection. */
function pidOf(pending: PostgresPending): number | undefined {
  const pid: unknown = Object(Object(pending).state).pid;
  return typeof pid === "number" ? pid : undefined;
}
