import { abortable } from "../../http/wait.ts";
import { McpClientError } from "./errors.ts";
import type { Outgoing } from "./link.ts";

/** How many times the time without a sign a request may take in all. */
const mostTimes = 10;

/** The time of one request. */
export interface RequestTime {
  /** Aborts when the time is up, the caller gives up or the client is closed. */
  readonly signal: AbortSignal;
  /** Starts the time anew: the server is at work. */
  extend(): void;
  /** Stops the time while the user signs in, and starts it anew. */
  pause: PauseTime;
}

/** Waits for what takes the time of a person, not of the server. */
export type PauseTime = NonNullable<Outgoing["pause"]>;

/** Runs a request in its time; a server that reports progress gets more, but not for ever. */
export async function withRequestTime<T>(
  { timeoutMs, signal, closing }: {
    readonly timeoutMs: number;
    readonly signal: AbortSignal | undefined;
    readonly closing: AbortSignal;
  },
  work: (time: RequestTime) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const end = (): void =>
    controller.abort(
      new McpClientError("mcp_timeout", `The MCP server did not answer within ${timeoutMs} ms.`),
    );
  let latestMs = performance.now() + timeoutMs * mostTimes;
  let timer = timeoutMs === Infinity ? undefined : setTimeout(end, timeoutMs);
  const extend = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = setTimeout(end, Math.max(0, Math.min(timeoutMs, latestMs - performance.now())));
  };
  const pause: PauseTime = async (wait) => {
    clearTimeout(timer);
    const startMs = performance.now();
    try {
      return await wait();
    } finally {
      latestMs += performance.now() - startMs;
      extend();
    }
  };
  const signals = [controller.signal, closing, ...(signal === undefined ? [] : [signal])];
  try {
    return await work({ signal: AbortSignal.any(signals), extend, pause });
  } finally {
    clearTimeout(timer);
    // A pause that outlives the request must not start the time anew.
    timer = undefined;
  }
}

/** Work that requests wait for, each in its own time, which stops while the user signs in for all of them. */
export class SharedPause {
  readonly #pauses: Set<PauseTime> = new Set();
  #signIn: Promise<unknown> | undefined = undefined;

  /** Stops the time of everything that waits for the work. */
  readonly pause: PauseTime = async (wait) => {
    const signIn = wait();
    this.#signIn = signIn;
    for (const pause of this.#pauses) stopWhile(signIn, pause);
    try {
      return await signIn;
    } finally {
      this.#signIn = undefined;
    }
  };

  /** Waits for the work, which goes on for the others when this request's time is up. */
  async join<T>({ signal, pause }: RequestTime, work: Promise<T>): Promise<T> {
    this.#pauses.add(pause);
    if (this.#signIn !== undefined) stopWhile(this.#signIn, pause);
    try {
      return await abortable(work, { signal, drop: () => {} });
    } finally {
      this.#pauses.delete(pause);
    }
  }
}

function stopWhile(signIn: Promise<unknown>, pause: PauseTime): void {
  pause(() => signIn).catch(() => {});
}
