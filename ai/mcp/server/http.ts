import { type Ctx, HttpError } from "../../../mod.ts";
import { readJsonBody, requestHeaders } from "../../../runtime/addon.ts";
import { McpError, rpcCodes } from "../protocol/errors.ts";
import { decodeHeaderValue, headerText, valueAt } from "../protocol/headers.ts";
import { isJsonObject } from "../../json.ts";
import {
  isStateless,
  metaKeys,
  namedMethods,
  parseMessage,
  type RpcMessage,
  type RpcNotification,
  type RpcParams,
  type RpcRequest,
} from "../protocol/messages.ts";
import type { BearerGuard } from "./bearer.ts";
import type { Core } from "./core.ts";
import type { McpHandlers, McpServerOptions } from "./options.ts";
import { refuseOrigin } from "../../origin.ts";
import type { RequestMeta } from "./call.ts";
import { findTool } from "./dispatch.ts";
import { claimsStateless, parseMeta } from "./incoming.ts";
import { count, errorName } from "./metrics.ts";
import type { CompiledTool } from "./offers/tools.ts";
import { answerSession, endSession, openEventStream, takeMessage } from "./sessions/http.ts";
import { Sessions } from "./sessions/sessions.ts";
import {
  challenge,
  failure,
  invalidRequest,
  reply,
  requireScopes,
  type Sender,
} from "./http_reply.ts";

export function createHandlers(
  core: Core,
  guard: BearerGuard | undefined,
  identify: McpServerOptions["identify"] | undefined,
): McpHandlers {
  const sessions = new Sessions(core);
  const admitted =
    (answer: (sender: Sender) => Promise<Response>) => async (c: Ctx): Promise<Response> => {
      const refusal = refuseOrigin(c);
      if (refusal !== undefined) return failure(c, { status: 403, error: invalidRequest(refusal) });
      const admission = await guard?.admit(c);
      if (admission?.kind === "refused") return challenge(c, admission);
      const caller = admission?.caller;
      const principal = caller?.subject ?? await identify?.(c) ?? "";
      try {
        return await answer({ core, sessions, c, caller, principal, guard });
      } catch (thrown) {
        if (thrown instanceof Response) return thrown;
        throw thrown;
      }
    };
  return {
    GET: admitted(openEventStream),
    POST: admitted(answerMessage),
    DELETE: admitted(endSession),
  };
}

async function answerMessage(sender: Sender): Promise<Response> {
  const { c } = sender;
  const message = await readMessage(c);
  if (message.kind !== "request") {
    // In revision 2026-07-28 clients send no notifications over HTTP; to cancel, they close the stream.
    return message.kind === "notification" && speaksStateless(c, message)
      ? new Response(null, { status: 202 })
      : await takeMessage(sender, message);
  }
  // The handshake exists only in older revisions.
  const isHandshake = message.method === "initialize" && !claimsStateless(message.params);
  return !isHandshake && speaksStateless(c, message)
    ? await answerStateless(sender, message)
    : await answerSession(sender, message);
}

function speaksStateless(c: Ctx, message: RpcRequest | RpcNotification): boolean {
  if (claimsStateless(message.params)) return true;
  const revision = requestHeaders(c).get("mcp-protocol-version");
  return revision !== null && /^\d{4}-\d{2}-\d{2}$/.test(revision) && isStateless(revision);
}

async function readMessage(c: Ctx): Promise<RpcMessage> {
  let body: unknown;
  try {
    body = await readJsonBody(c);
  } catch (error) {
    // A body that is too large, too late or of another type is an HTTP failure, not a JSON-RPC error.
    if (!(error instanceof HttpError) || error.status !== 400) throw error;
    const parseError = new McpError(rpcCodes.parseError, `Parse error: ${error.message}`);
    throw failure(c, { status: 400, error: parseError });
  }
  const message = parseMessage(body);
  if (message !== undefined) return message;
  const what = Array.isArray(body)
    ? "A body must contain one message, not a list"
    : "This is not a message";
  const id = isJsonObject(body) && typeof body.id === "string" ? body.id : undefined;
  throw failure(c, { status: 400, error: invalidRequest(what), id });
}

function answerStateless(sender: Sender, request: RpcRequest): Response | Promise<Response> {
  const { c, core } = sender;
  const { id, method, params } = request;
  let client: RequestMeta;
  try {
    checkHeaders(requestHeaders(c), request);
    client = parseMeta(params);
    if (method === "tools/call") {
      checkParamHeaders(requestHeaders(c), findTool(core, request), params);
    }
  } catch (error) {
    count({ method, metrics: c.app.metrics }, errorName(error), 0);
    return failure(c, {
      status: statusOf(error, error instanceof McpError ? 400 : 500),
      error,
      id,
    });
  }
  requireScopes(sender, request);
  return reply(sender, request, { client, controller: new AbortController(), statusOf });
}

/** Returns the HTTP status of an error: 200 for an error of a running method. */
function statusOf(error: unknown, other = 200): number {
  if (!(error instanceof McpError)) return other;
  return error.code === rpcCodes.methodNotFound ? 404 : requestCodes.has(error.code) ? 400 : other;
}

const requestCodes: ReadonlySet<number> = new Set([
  rpcCodes.missingClientCapability,
  rpcCodes.headerMismatch,
  rpcCodes.unsupportedVersion,
]);

/** Checks headers. @throws {McpError} for a header that contradicts the body ("Server Validation"). */
function checkHeaders(headers: Headers, { method, params }: RpcRequest): void {
  const { _meta: meta } = params;
  const claimed = isJsonObject(meta) ? meta[metaKeys.protocolVersion] : undefined;
  const check = (name: string, isRight: (value: string) => boolean): void => {
    const value = headers.get(name);
    if (value === null) throw mismatch(`The header ${name} is missing`);
    if (!isRight(value)) throw mismatch(`The header ${name} is not what the body says`);
  };
  // If the body lacks the member, the error is in the body, which is checked later.
  check("MCP-Protocol-Version", (sent) => typeof claimed !== "string" || sent === claimed);
  check("Mcp-Method", (sent) => sent === method);
  const member = namedMethods.get(method);
  if (member !== undefined) check("Mcp-Name", (sent) => decodeHeaderValue(sent) === params[member]);
}

function checkParamHeaders(headers: Headers, tool: CompiledTool, params: RpcParams): void {
  for (const { header, path } of tool.headerParams) {
    const sent = headers.get(header);
    const value = valueAt(params.arguments, path);
    if (value === undefined && sent === null) continue;
    const decoded = sent === null ? undefined : decodeHeaderValue(sent);
    if (decoded !== undefined && repeats(decoded, value)) continue;
    throw mismatch(`The header ${header} is not what the body says`);
  }
}

function repeats(text: string, value: unknown): boolean {
  if (text === headerText(value)) return true;
  // 42.0 and 42 are the same number.
  return typeof value === "number" && /^-?\d+(?:\.\d+)?$/.test(text) && Number(text) === value;
}

function mismatch(message: string): McpError {
  return new McpError(rpcCodes.headerMismatch, `Header mismatch: ${message}`);
}
