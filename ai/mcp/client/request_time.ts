import { backoff } from "../../http/wait.ts";
import type { StreamPlace } from "./http_response.ts";
import { McpClientError } from "../protocol/errors.ts";

const mostTimes = 10;

export interface RequestTime {
  readonly signal: AbortSignal;
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

/** Maximum number of times that a broken stream is resumed before it counts as lost. */
export const maxResumes = 5;

/** Bounds of the delay that a server may ask for before the next request, in milliseconds. */
const [shortestPauseMs, longestPauseMs] = [250, 60_000];

/** Returns how long to wait: what the server wants, within bounds, and longer where nothing came of it. */
export function resumeDelayMs({ retryMs }: StreamPlace, failures: number): number {
  const waitMs = backoff(failures);
  if (retryMs === undefined) return waitMs;
  const wantedMs = Math.min(Math.max(retryMs, shortestPauseMs), longestPauseMs);
  return failures > maxResumes ? Math.max(wantedMs, waitMs) : wantedMs;
}
