import { McpClientError } from "../protocol/errors.ts";

/** Maximum time of a request, as a multiple of the time without a sign. */
const mostTimes = 10;

export interface RequestTime {
  /** Aborts when the time is up, the caller gives up or the client is closed. */
  readonly signal: AbortSignal;
  /** Starts the time anew: the server is at work. */
  extend(): void;
}

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
  const latestMs = performance.now() + timeoutMs * mostTimes;
  let timer = timeoutMs === Infinity ? undefined : setTimeout(end, timeoutMs);
  const extend = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = setTimeout(end, Math.max(0, Math.min(timeoutMs, latestMs - performance.now())));
  };
  const signals = [controller.signal, closing, ...(signal === undefined ? [] : [signal])];
  try {
    return await work({ signal: AbortSignal.any(signals), extend });
  } finally {
    clearTimeout(timer);
  }
}
