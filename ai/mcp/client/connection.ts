import { McpClientError, McpError, rpcCodes } from "../protocol/errors.ts";
import { isJsonObject } from "../../json.ts";
import {
  clientSessionRevisions,
  metaKeys,
  newestSessionRevision,
  type RpcParams,
  statelessRevision,
} from "../protocol/messages.ts";
import type { Implementation } from "../server/call.ts";
import {
  type Link,
  type LinkEvents,
  type McpTransport,
  type Outgoing,
  withRequestTime,
} from "./link.ts";

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
  const { signal, clientInfo, capabilities } = handshake;
  link.revision = statelessRevision;
  const _meta = {
    [metaKeys.protocolVersion]: statelessRevision,
    [metaKeys.clientInfo]: clientInfo,
    [metaKeys.clientCapabilities]: capabilities,
  };
  const time = { signal, timeoutMs: link.probeMs };
  const send = () => ask(link, time, { method: "server/discover", params: { _meta } });
  let result: RpcParams;
  try {
    result = await send().catch((error) => {
      // A replica that is being replaced may refuse a revision that its successor supports.
      if (isModern(error) && offeredBy(error).includes(statelessRevision)) return send();
      throw error;
    });
  } catch (error) {
    if (signal.aborted) throw error;
    const isUnsupported = isModern(error) && error.code === rpcCodes.unsupportedVersion;
    if (isUnsupported) {
      // A server of a later revision may still support one with sessions.
      const versions = offeredBy(error);
      const hasSession = versions.some((version) => clientSessionRevisions.includes(version));
      if (hasSession && handshake.era === "any") return undefined;
      throw unsupported(versions);
    }
    if (isModern(error) || handshake.era === "stateless" || !isLegacy(error)) throw error;
    return undefined;
  }
  const { supportedVersions, _meta: resultMeta } = result;
  const versions = Array.isArray(supportedVersions) ? supportedVersions : [];
  if (!versions.includes(statelessRevision)) {
    if (handshake.era === "stateless") throw unsupported(versions);
    return undefined;
  }
  const info = isJsonObject(resultMeta) ? resultMeta[metaKeys.serverInfo] : undefined;
  return parseFacts(link, result, info ?? result.serverInfo);
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
