import { errorBody, McpClientError, McpError, rpcCodes } from "../protocol/errors.ts";
import { isJsonObject } from "../../json.ts";
import {
  clientSessionRevisions,
  metaKeys,
  newestSessionRevision,
  type RpcParams,
  type RpcRequest,
  statelessRevision,
  wireError,
  type WireMessage,
  wireResult,
} from "../protocol/messages.ts";
import { anySignal, backoff } from "../../http/wait.ts";
import { longestTimeoutMs } from "../../options.ts";
import type { Implementation } from "../server/call.ts";
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
  /** Whether requests carry their `headers`, so that a tool's `x-mcp-header` applies. @default false */
  readonly hasHeaders?: boolean;
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

export interface Connection {
  readonly link: Link;
  readonly revision: string;
  readonly capabilities: RpcParams;
  readonly server: Implementation | undefined;
  readonly instructions: string | undefined;
}

interface Handshake {
  readonly clientInfo: RpcParams;
  readonly capabilities: RpcParams;
  readonly era: "any" | "stateless" | "session";
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Sends a request before the connection is ready for use. */
function ask(
  link: Link,
  { timeoutMs, signal: closing }: Pick<Handshake, "timeoutMs" | "signal">,
  request: Pick<Outgoing, "method" | "params">,
): Promise<RpcParams> {
  return withRequestTime(
    timeoutMs,
    [closing],
    ({ signal }) => link.request({ ...request, signal, onNotification: () => {} }),
  );
}

/** The error codes that only servers of revision 2026-07-28 and later send. */
const modernCodes: ReadonlySet<number> = new Set([
  rpcCodes.headerMismatch,
  rpcCodes.missingClientCapability,
  rpcCodes.unsupportedVersion,
]);

/** Connects and detects the server's era ("Backward Compatibility"). @throws {McpClientError} if none matches. */
export async function connect(
  transport: McpTransport,
  events: LinkEvents,
  handshake: Handshake,
): Promise<Connection> {
  let link = await transport.connect(events);
  try {
    if (handshake.era !== "session") {
      const connection = await discover(link, handshake);
      if (connection !== undefined) return connection;
      // An old server may have exited because of the request.
      await link.close();
      link = await transport.connect(events);
    }
    return await initialize(link, handshake);
  } catch (error) {
    // End the child process together with the attempt.
    await link.close();
    throw error;
  }
}

async function discover(link: Link, handshake: Handshake): Promise<Connection | undefined> {
  const { signal, clientInfo, capabilities, era } = handshake;
  link.revision = statelessRevision;
  const _meta = {
    [metaKeys.protocolVersion]: statelessRevision,
    [metaKeys.clientInfo]: clientInfo,
    [metaKeys.clientCapabilities]: capabilities,
  };
  const time = { signal, timeoutMs: link.probeMs };
  const send = () => ask(link, time, { method: "server/discover", params: { _meta } });
  try {
    const result = await send().catch((error) => {
      // A replica that is being replaced may refuse a revision that its successor supports.
      if (isModern(error) && offeredBy(error).includes(statelessRevision)) return send();
      throw error;
    });
    const { supportedVersions, _meta: meta } = result;
    const versions = Array.isArray(supportedVersions) ? supportedVersions : [];
    if (versions.includes(statelessRevision)) {
      const info = isJsonObject(meta) ? meta[metaKeys.serverInfo] : undefined;
      return parseFacts(link, result, info ?? result.serverInfo);
    }
    if (era === "stateless") throw unsupported(versions);
  } catch (error) {
    if (signal.aborted) throw error;
    if (isModern(error) && error.code === rpcCodes.unsupportedVersion) {
      // A server of a later revision may still support one with sessions.
      const versions = offeredBy(error);
      const hasSession = versions.some((version) => clientSessionRevisions.includes(version));
      if (era === "stateless" || !hasSession) throw unsupported(versions);
    } else if (isModern(error) || era === "stateless" || !isLegacy(error)) throw error;
  }
  return undefined;
}

function isModern(error: unknown): error is McpError {
  return error instanceof McpError && modernCodes.has(error.code);
}

function offeredBy({ data }: McpError): readonly string[] {
  const supported = isJsonObject(data) ? data.supported : undefined;
  return Array.isArray(supported) ? supported.map(String) : [];
}

function unsupported(versions: readonly unknown[]): McpClientError {
  const list = versions.slice(0, 10).map(String).join(", ");
  return new McpClientError(
    "mcp_unsupported",
    `The MCP server supports no revision of this client: it offers ${list || "none"}.`,
  );
}

function isLegacy(error: unknown): boolean {
  if (error instanceof McpError) return true;
  if (!(error instanceof McpClientError)) return false;
  const { code, status = 0 } = error;
  if (code === "mcp_http") return status >= 400 && status < 500;
  return code === "mcp_timeout" || code === "mcp_closed" || code === "mcp_bad_message" ||
    code === "mcp_broken_stream";
}

async function initialize(link: Link, handshake: Handshake): Promise<Connection> {
  const { clientInfo, capabilities } = handshake;
  link.revision = newestSessionRevision;
  const params = { protocolVersion: newestSessionRevision, capabilities, clientInfo };
  const result = await ask(link, handshake, { method: "initialize", params });
  const { protocolVersion: revision } = result;
  if (typeof revision !== "string" || !clientSessionRevisions.includes(revision)) {
    throw unsupported([revision]);
  }
  link.revision = revision;
  await link.notify("notifications/initialized", {});
  link.listen();
  return parseFacts(link, result, result.serverInfo);
}

function parseFacts(link: Link, result: RpcParams, info: unknown): Connection {
  const { capabilities, instructions } = result;
  const isNamed = isJsonObject(info) && typeof info.name === "string";
  return {
    link,
    revision: link.revision,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    server: isNamed
      ? { ...info, name: String(info.name), version: String(info.version ?? "") }
      : undefined,
    instructions: typeof instructions === "string" ? instructions : undefined,
  };
}
