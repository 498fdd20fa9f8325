/** The clients of Redis and Valkey, as one function that sends a command. */
import { createHash } from "node:crypto";

/** A client of `npm:redis`: what `createClient` and `createCluster` give, connected. */
export interface NodeRedisClient {
  /** Sends a command; the one of a cluster takes the first key before it. */
  // deno-lint-ignore no-explicit-any -- the client and the cluster differ in their parameters
  sendCommand(...args: any[]): Promise<unknown>;
  /** Makes another connection with the same settings. */
  // deno-lint-ignore no-explicit-any -- the client's own type has dozens of parameters
  duplicate(...args: any[]): any;
}

/** A client of `npm:ioredis` or `npm:iovalkey`, also a `Cluster`. */
export interface IoRedisClient {
  /** Sends a command. */
  // deno-lint-ignore no-explicit-any -- the client's overloads are narrower
  call(command: string, ...args: any[]): Promise<unknown>;
  /** Makes another connection with the same settings. */
  // deno-lint-ignore no-explicit-any -- the client's own type has dozens of parameters
  duplicate(...args: any[]): any;
}

/** A client that an application hands over. */
export type RedisClient = NodeRedisClient | IoRedisClient;

/** The arguments of a script. */
export interface ScriptCall {
  /** All in one slot of a cluster. */
  readonly keys: readonly string[];
  readonly args?: readonly (string | number)[];
}

/** A script of the server, sent by its digest once the server knows it. */
export interface Script {
  readonly text: string;
  readonly digest: string;
}

/** Makes a script. */
export function script(text: string): Script {
  return { text, digest: createHash("sha1").update(text).digest("hex") };
}

/** A connection. */
export interface Connection {
  /** Sends a command that belongs to a key. */
  send(key: string, args: readonly string[]): Promise<unknown>;
  run(script: Script, call: ScriptCall): Promise<unknown>;
  /** Opens another connection, for reads that wait. */
  open(): Promise<Connection>;
  close(): void;
}

/** The timeout of a command: a server that hangs must not hold requests. */
export interface ConnectionOptions {
  readonly timeoutMs: number;
}

/** Makes a connection of a client. */
export function openConnection(client: RedisClient, options: ConnectionOptions): Connection {
  const emitter: { on?(event: "error", listener: () => void): unknown } = client as object;
  // The client connects again by itself; without a listener a lost connection would end the process.
  emitter.on?.("error", () => {});
  const send = "call" in client
    ? (_: string, args: readonly string[]) => client.call(args[0] ?? "", ...args.slice(1))
    // A cluster finds the server by the key.
    : "masters" in client
    ? (key: string, args: readonly string[]) => client.sendCommand(key, isWrite, [...args])
    : (_: string, args: readonly string[]) => client.sendCommand([...args]);
  const timed = options.timeoutMs === Infinity ? send : limitTime(send, options.timeoutMs);
  return {
    send: timed,
    run: async ({ text, digest }, { keys, args = [] }) => {
      const rest = [String(keys.length), ...keys, ...args.map(String)];
      const [key = ""] = keys;
      try {
        return await timed(key, ["EVALSHA", digest, ...rest]);
      } catch (error) {
        // A restarted server has lost its scripts.
        if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
        return await timed(key, ["EVAL", text, ...rest]);
      }
    },
    open: async () => {
      const other: RedisClient & { connect?(): Promise<unknown> } = client.duplicate();
      const connection = openConnection(other, { timeoutMs: Infinity });
      if (!("call" in other)) await other.connect?.();
      return connection;
    },
    close: () => {
      const ends: Partial<Record<"destroy" | "disconnect", () => unknown>> = client as object;
      if ("call" in client) ends.disconnect?.();
      else ends.destroy?.();
    },
  };
}

const isWrite = false;

type Send = (key: string, args: readonly string[]) => Promise<unknown>;

/** A command without an answer yet. */
interface Waiting {
  readonly endMs: number;
  readonly reject: (error: unknown) => void;
}

/** Rejects commands that take too long. One timer serves them all: they are due in the order of their beginning. */
function limitTime(send: Send, timeoutMs: number): Send {
  const waiting = new Set<Waiting>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const rejectLate = (): void => {
    timer = undefined;
    const nowMs = performance.now();
    for (const command of waiting) {
      if (command.endMs > nowMs) {
        timer = setTimeout(rejectLate, command.endMs - nowMs);
        return;
      }
      waiting.delete(command);
      command.reject(
        new DOMException(`Redis took more than ${timeoutMs} ms`, "TimeoutError"),
      );
    }
  };
  return (key, args) =>
    new Promise((resolve, reject) => {
      // A closed client throws: nothing waits then.
      const sent = send(key, args);
      const command = { endMs: performance.now() + timeoutMs, reject };
      waiting.add(command);
      timer ??= setTimeout(rejectLate, timeoutMs);
      const end = (): void => {
        waiting.delete(command);
        if (waiting.size > 0) return;
        clearTimeout(timer);
        timer = undefined;
      };
      sent.then((answer) => {
        end();
        resolve(answer);
      }, (error) => {
        end();
        reject(error);
      });
    });
}
