import { errorBody, McpClientError } from "../protocol/errors.ts";
import {
  type RpcParams,
  type RpcRequest,
  wireError,
  type WireMessage,
  wireResult,
} from "../protocol/messages.ts";
import { anySignal, backoff } from "../../http/wait.ts";
import { longestTimeoutMs } from "../../options.ts";
import type { StreamPlace } from "./http_response.ts";

/** A request to the server. */
export interface Outgoing {
  /** The method. */
  readonly method: string;
  /** The parameters, including `_meta`. */
  readonly params: RpcParams;
  /** Additional headers besides the protocol's; HTTP only. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Cancels the request. */
  readonly signal: AbortSignal;
  /** Called for every notification that arrives with this request's response. */
  readonly onNotification: (method: string, params: RpcParams) => void;
}

/** Events of a connection for its client. */
export interface LinkEvents {
  /** Answers a request of the server; revisions with sessions only. */
  readonly onRequest: (method: string, params: RpcParams) => Promise<RpcParams>;
  /** Receives messages that belong to no request. */
  readonly onNotification: (method: string, params: RpcParams) => void;
  /** Called once when the connection can no longer be used. */
  readonly onClosed: (error: Error) => void;
}

/** A connection to a server. */
export interface Link {
  /** Timeout of the server's response to `server/discover`, in milliseconds. */
  readonly probeMs: number;
  /** The protocol revision of requests. */
  revision: string;
  /** Sends a request; rejects with the server's error or a connection failure. */
  request(outgoing: Outgoing): Promise<RpcParams>;
  /** Sends a notification. */
  notify(method: string, params: RpcParams): Promise<void>;
  /** Starts listening for messages that belong to no request; revisions with sessions only. */
  listen(): void;
  /** Closes the connection and its child process. */
  close(): Promise<void>;
}

/** Location of a server, for {@link dial}; `http` and `stdio` create it. */
export interface McpTransport {
  /** Name of the server in messages. */
  readonly name: string;
  /** Connects. */
  connect(events: LinkEvents): Promise<Link>;
}

export const defaultMaxMessageBytes = 16_777_216;

/** Maximum number of concurrent requests of a server; each counts until its answer is sent. */
const maxOpen = 64;

/** Answers the requests of a server. Requests beyond the maximum are dropped without an answer. */
export function createAnswerer(
  onRequest: LinkEvents["onRequest"],
  send: (answer: WireMessage) => Promise<void>,
): (request: RpcRequest) => Promise<void> {
  let open = 0;
  return async ({ id, method, params }) => {
    // A server that never reads answers would otherwise exhaust the sockets and memory of the process.
    if (open >= maxOpen) return;
    open++;
    try {
      const answer = await onRequest(method, params).then(
        (result) => wireResult(id, result),
        (error) => wireError(id, errorBody(error)),
      );
      await send(answer);
    } catch {
      // The connection reports its own failure.
    } finally {
      open--;
    }
  };
}

const mostTimes = 10;

export interface RequestTime {
  readonly signal: AbortSignal;
  extend(): void;
}

/** Runs a request within its timeout, which progress reports extend up to a maximum. */
export async function withRequestTime<T>(
  timeoutMs: number,
  signals: readonly (AbortSignal | undefined)[],
  work: (time: RequestTime) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const end = (): void =>
    controller.abort(
      new McpClientError("mcp_timeout", `The MCP server did not respond within ${timeoutMs} ms.`),
    );
  const latestMs = performance.now() + timeoutMs * mostTimes;
  let timer = timeoutMs > longestTimeoutMs ? undefined : setTimeout(end, timeoutMs);
  const extend = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = setTimeout(end, Math.max(0, Math.min(timeoutMs, latestMs - performance.now())));
  };
  try {
    return await work({ signal: anySignal(controller.signal, ...signals), extend });
  } finally {
    clearTimeout(timer);
  }
}

/** Maximum number of times a broken stream is resumed. */
export const maxResumes = 5;

/** Bounds of the delay that a server may ask for before the next request, in milliseconds. */
const [shortestPauseMs, longestPauseMs] = [250, 60_000];

/** Returns the delay before the next request: the server's value within bounds, longer after failures. */
export function resumeDelayMs({ retryMs }: StreamPlace, failures: number): number {
  const waitMs = backoff(failures);
  if (retryMs === undefined) return waitMs;
  const wantedMs = Math.min(Math.max(retryMs, shortestPauseMs), longestPauseMs);
  return failures > maxResumes ? Math.max(wantedMs, waitMs) : wantedMs;
}
