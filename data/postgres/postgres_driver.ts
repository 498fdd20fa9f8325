import { limitTime } from "../../runtime/addon.ts";
import type {
  Driver,
  PostgresClient,
  PostgresPending,
  PostgresQueries,
  RawCall,
  RawResult,
  RawTransaction,
} from "./driver.ts";

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

/** A transaction or a savepoint, which the client keeps open while its function runs. */
interface Level {
  readonly sql: PostgresQueries;
  readonly end: PromiseWithResolvers<void>;
  readonly outcome: Promise<unknown>;
}

/** Starts a function of the client and exposes its statements until `end` is resolved. */
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
  let running: { readonly text: string; readonly pending: PostgresPending } | undefined;
  let stopping: PostgresPending | undefined;
  /** Cancellations that have not ended. */
  const late: PostgresPending[] = [];
  let lost: { readonly error: unknown } | undefined;
  bottom.outcome.catch((error) => void (lost ??= { error }));
  // On a closed connection, the client would queue statements for the next one and never settle them.
  const checkLost = (): void => {
    if (lost !== undefined) throw lost.error;
  };
  const finish = async (level: Level, outcome: "keep" | "undo"): Promise<void> => {
    if (outcome === "keep") {
      checkLost();
      level.end.resolve();
      await level.outcome;
    } else if (lost === undefined) {
      level.end.reject(undo);
      await level.outcome.catch(() => {});
    }
  };
  const finishBottom = async (outcome: "keep" | "undo"): Promise<void> => {
    if (late.length > 0 && lost === undefined) {
      // The statement before the cancellation may wait for a lock of this transaction, and the
      // cancellation must not reach the next statement of this connection.
      const ending = bottom.sql.unsafe(`${outcome === "keep" ? "commit" : "rollback"} and chain`);
      await (outcome === "keep" ? ending : ending.then(() => {}, () => {}));
      await Promise.allSettled(late);
    }
    await finish(bottom, outcome);
  };
  try {
    if (setup !== "") await bottom.sql.unsafe(setup);
  } catch (error) {
    await finish(bottom, "undo");
    throw error;
  }
  return {
    query: async (call) => {
      checkLost();
      const sql = levels.at(-1)?.sql ?? bottom.sql;
      try {
        return await postgresQuery(sql, call, (pending) => {
          running = { text: call.text, pending };
        });
      } catch (error) {
        // The loss is reported later, by the transaction.
        if (/^(?:CONNECTION_|ECONN|EPIPE)/.test(String(Object(error).code))) lost ??= { error };
        throw error;
      } finally {
        running = undefined;
        if (stopping !== undefined && !(await settle(stopping))) late.push(stopping);
        stopping = undefined;
      }
    },
    save: async () => {
      checkLost();
      const { sql } = levels.at(-1) ?? bottom;
      const level = await openLevel((work) => sql.savepoint?.(work) ?? Promise.reject(undo));
      levels.push(level);
      const end = async (outcome: "keep" | "undo"): Promise<void> => {
        levels.splice(levels.indexOf(level), 1);
        await finish(level, outcome);
      };
      return { keep: () => end("keep"), undo: () => end("undo") };
    },
    keep: () => finishBottom("keep"),
    undo: () => finishBottom("undo"),
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
