/** Adapts the clients of Redis and Valkey to one function that sends a command. */
import { createHash } from "node:crypto";
import { limitTime } from "../../runtime/addon.ts";

/** A connected client of `npm:redis`, from `createClient` or `createCluster`. */
export interface NodeRedisClient {
  /** Sends a command; a cluster client takes the first key as an extra argument. */
  // deno-lint-ignore no-explicit-any -- the client and the cluster differ in their parameters
  sendCommand(...args: any[]): Promise<unknown>;
  /** Creates another connection with the same settings. */
  // deno-lint-ignore no-explicit-any -- the client's own type has dozens of parameters
  duplicate(...args: any[]): any;
}

/** A client of `npm:ioredis` or `npm:iovalkey`, also a `Cluster`. */
export interface IoRedisClient {
  /** Sends a command. */
  // deno-lint-ignore no-explicit-any -- the client's overloads are narrower
  call(command: string, ...args: any[]): Promise<unknown>;
  /** Creates another connection with the same settings. */
  // deno-lint-ignore no-explicit-any -- the client's own type has dozens of parameters
  duplicate(...args: any[]): any;
}

/** A client that the application passes. */
export type RedisClient = NodeRedisClient | IoRedisClient;

export interface Script {
  readonly text: string;
  readonly digest: string;
}

export function script(text: string): Script {
  return { text, digest: createHash("sha1").update(text).digest("hex") };
}

/** Deletes a key if it still has its owner's value, because another may have taken it since. */
export const deleteOwn: Script = script(`
  if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
`);

export interface Connection {
  send(key: string, args: readonly string[]): Promise<unknown>;
  read(key: string): Promise<string | null>;
  run(script: Script, call: {
    /** The keys, all in one cluster slot. */
    readonly keys: readonly string[];
    readonly args?: readonly (string | number)[];
  }): Promise<unknown>;
  /** Opens another connection, for blocking reads. */
  open(): Promise<Connection>;
  close(): void;
}

export interface Place {
  readonly server: Connection;
  readonly prefix: string;
  readonly now: () => number;
}

/** Opens a connection whose commands time out, so that a hanging server does not block requests. */
export function openConnection(client: RedisClient, timeoutMs: number): Connection {
  const emitter: { on?(event: "error", listener: () => void): unknown } = client as object;
  // The client reconnects by itself; without a listener, a lost connection would end the process.
  emitter.on?.("error", () => {});
  // In a cluster, one server may hang while the others respond.
  const isCluster = "masters" in client || ("isCluster" in client && client.isCluster === true);
  const send = createSend(client, timeoutMs);
  const timed = refuseHanging(send, { timeoutMs, isCluster });
  return {
    send: timed,
    read: isCluster
      ? async (key) => await timed(key, ["GET", key]) as string | null
      : joinReads(timed),
    run: async ({ text, digest }, { keys, args = [] }) => {
      const rest = [String(keys.length), ...keys, ...args.map(String)];
      const [key = ""] = keys;
      try {
        return await timed(key, ["EVALSHA", digest, ...rest]);
      } catch (error) {
        // A server loses its scripts on restart.
        if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
        return await timed(key, ["EVAL", text, ...rest]);
      }
    },
    open: async () => {
      const other: RedisClient & { connect?(): Promise<unknown> } = client.duplicate();
      const connection = openConnection(other, Infinity);
      if (!("call" in other)) await other.connect?.();
      return connection;
    },
    close: () => {
      const ends: Partial<Record<"destroy" | "disconnect", () => unknown>> = client as object;
      try {
        if ("call" in client) ends.disconnect?.();
        else ends.destroy?.();
      } catch {
        // npm:redis throws if the client is already closed.
      }
    },
  };
}

type Send = (key: string, args: readonly string[]) => Promise<unknown>;

const isWrite = false;

/** Time for which commands share a signal, and their timeout without a connection, in milliseconds. */
const signalMs = 1_000;
const unsentMs = 5_000;

function createSend(client: RedisClient, timeoutMs: number): Send {
  if ("call" in client) return (_, args) => client.call(args[0] ?? "", ...args.slice(1));
  let signal: AbortSignal | undefined;
  let madeMs = 0;
  // A signal per command, as npm:redis creates it, takes a fifth of a guarded request (`bench/http`).
  const share = (): object | undefined => {
    if (timeoutMs === Infinity) return undefined;
    const nowMs = Date.now();
    if (signal === undefined || Math.abs(nowMs - madeMs) > signalMs) {
      signal = AbortSignal.timeout(unsentMs);
      madeMs = nowMs;
    }
    return { timeout: undefined, abortSignal: signal };
  };
  // A cluster finds the server by the key.
  return "masters" in client
    ? (key, args) => client.sendCommand(key, isWrite, args, share())
    : (_, args) => client.sendCommand(args, share());
}

/**
 * Rejects late commands. While the server hangs, one command per timeout probes it and the others
 * fail at once, so that requests do not wait for each of their stores in turn.
 */
function refuseHanging(
  send: Send,
  { timeoutMs, isCluster }: { readonly timeoutMs: number; readonly isCluster: boolean },
): Send {
  const late = (): Error =>
    new DOMException(`Redis took more than ${timeoutMs} ms`, "TimeoutError");
  let tryAtMs = 0;
  const recover = (): void => {
    tryAtMs = 0;
  };
  return (key, args) => {
    if (tryAtMs > 0 && tryAtMs > performance.now()) return Promise.reject(late());
    let sent: Promise<unknown> | undefined;
    let isLate = false;
    // A late reply also shows that the server is back; a late error only that the client gave up.
    const onError = (): void => {
      if (!isLate) recover();
    };
    const watch = (): void => {
      tryAtMs = performance.now() + timeoutMs;
      sent?.then(recover, onError);
    };
    return limitTime(() => {
      sent = send(key, args);
      if (tryAtMs > 0) watch();
      return sent;
    }, {
      timeoutMs,
      late: () => {
        isLate = true;
        if (!isCluster) watch();
        return late();
      },
    });
  };
}

const maxReads = 500;

/**
 * Combines the string reads of one event loop turn into one command. Every guarded request reads
 * one, and sending a command is the slowest part (`bench/http`).
 */
function joinReads(send: Send): Connection["read"] {
  type Read = Omit<PromiseWithResolvers<string | null>, "promise"> & { readonly key: string };
  let waiting: Read[] = [];
  const readAll = (): void => {
    const reads = waiting;
    waiting = [];
    if (reads.length === 0) return;
    send("", ["MGET", ...reads.map(({ key }) => key)]).then(
      (texts) =>
        reads.forEach(({ resolve }, at) => resolve((texts as (string | null)[])[at] ?? null)),
      (error) => reads.forEach(({ reject }) => reject(error)),
    );
  };
  return (key) =>
    new Promise((resolve, reject) => {
      const count = waiting.push({ key, resolve, reject });
      if (count === 1) setImmediate(readAll);
      else if (count === maxReads) readAll();
    });
}
