import { type Ctx, HttpError } from "../../../mod.ts";
import { readJsonBody, requestHeaders } from "../../../runtime/addon.ts";
import { invalidRequest, McpError, rpcCodes } from "../protocol/errors.ts";
import { decodeHeaderValue, headerText, valueAt } from "../protocol/headers.ts";
import { isJsonObject } from "../../json.ts";
import {
  clientSessionRevisions,
  isMessageId,
  isStateless,
  metaKeys,
  namedMethods,
  parseMessage,
  readableId,
  type RpcFailure,
  type RpcMessage,
  type RpcNotification,
  type RpcParams,
  type RpcRequest,
  type RpcResult,
  wireResult,
} from "../protocol/messages.ts";
import { type BearerGuard, failure } from "./bearer.ts";
import type { Core } from "./core.ts";
import type { McpHandlers, McpServerOptions } from "./options.ts";
import { refuseOrigin } from "../../origin.ts";
import type { RequestMeta } from "./call.ts";
import { wireUpdate } from "./changes.ts";
import { findTool } from "./dispatch.ts";
import { initializeResult, parseInitialize } from "./execute.ts";
import { claimsStateless, parseMeta, takesStream, unsupportedRevision } from "./incoming.ts";
import { count, errorName } from "./metrics.ts";
import type { CompiledTool } from "./offers/tools.ts";
import { resourceKey } from "./sessions/session.ts";
import { type KnownSession, Sessions } from "./sessions/sessions.ts";
import { onAbort, Outbox, reply, requireScopes, type Sender } from "./http_reply.ts";

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
      try {
        const caller = await guard?.admit(c);
        const principal = caller?.subject ?? await identify?.(c) ?? "";
        return await answer({ core, sessions, c, caller, principal, guard });
      } catch (thrown) {
        if (thrown instanceof Response) return thrown;
        throw thrown;
      }
    };
  return {
    GET: admitted(openEventStream),
    POST: admitted(answerMessage),
    DELETE: admitted(async (sender) => {
      await sessions.end(await find(sender));
      return new Response(null, { status: 204 });
    }),
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
  if (message.method === "initialize" && !claimsStateless(message.params)) {
    return initialize(sender, message);
  }
  return speaksStateless(c, message)
    ? await answerStateless(sender, message)
    : await run(sender, await find(sender, message.id), message);
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
  throw failure(c, { status: 400, error: invalidRequest(what), id: readableId(body) });
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

function initialize(sender: Sender, request: RpcRequest): Response {
  const { c, core, sessions } = sender;
  const { id } = request;
  try {
    const client = parseInitialize(request);
    c.header("Mcp-Session-Id", sessions.open(sender, client));
    return c.json(200, wireResult(id, initializeResult(core, client)));
  } catch (error) {
    return failure(c, { status: error instanceof McpError ? 400 : 500, error, id });
  }
}

/** Finds the session. @throws {Response} for a request without a session of this caller. */
async function find(sender: Sender, id?: string | number): Promise<KnownSession> {
  const { c } = sender;
  const headers = requestHeaders(c);
  const sessionId = headers.get("mcp-session-id");
  // Without a session there is no stream and nothing to end.
  if (sessionId === null && c.method !== "POST") {
    throw new Response(null, { status: 405, headers: { allow: "POST" } });
  }
  const revision = headers.get("mcp-protocol-version");
  // The handshake decides the revision, but the conformance suite sends an older one here.
  if (revision !== null && !clientSessionRevisions.includes(revision)) {
    throw failure(c, { status: 400, error: unsupportedRevision(revision), id });
  }
  if (sessionId === null) {
    const error = invalidRequest("The header Mcp-Session-Id is missing: initialize first");
    throw failure(c, { status: 400, error, id });
  }
  const session = await sender.sessions.find(sender, sessionId);
  if (session !== undefined) return session;
  // A 404 makes the client start a new session.
  throw failure(c, { status: 404, error: invalidRequest("Session not found"), id });
}

function run(
  sender: Sender,
  known: KnownSession,
  request: RpcRequest,
): Promise<Response> | Response {
  const { c, sessions } = sender;
  const { id } = request;
  requireScopes(sender, request);
  try {
    const [client, controller] = sessions.begin(known, id);
    return reply(sender, request, {
      client,
      controller,
      onStream: () => sessions.listen(known),
      after: () => sessions.finish(known, id),
    });
  } catch (error) {
    return failure(c, { status: 400, error, id });
  }
}

async function takeMessage(
  sender: Sender,
  message: RpcNotification | RpcResult | RpcFailure,
): Promise<Response> {
  const { sessions } = sender;
  const known = await find(sender);
  if (message.kind !== "notification") await sessions.deliver(known, message);
  else if (message.method === "notifications/cancelled") {
    const { requestId } = message.params;
    if (isMessageId(requestId)) await sessions.cancel(known, requestId);
  }
  return new Response(null, { status: 202 });
}

/** Opens the stream of a session, which sends changes of the watched resources. */
async function openEventStream(sender: Sender): Promise<Response> {
  const { c, core, sessions } = sender;
  const known = await find(sender);
  if (!takesStream(c)) {
    return failure(c, { status: 406, error: invalidRequest("Accept text/event-stream") });
  }
  const stream = crypto.randomUUID();
  const box = new Outbox();
  return await c.stream(async (s) => {
    try {
      const [, { signal }] = sessions.begin(known, stream);
      onAbort(signal, () => box.end());
    } catch {
      // The session has too many open calls.
      return;
    }
    sessions.listen(known);
    const { settings } = known;
    const stopRenewal = settings.keepAlive();
    // Read the settings for each change, so that a newly watched resource is not missed.
    const stop = await core.changes.watch(c.app, (uri) => {
      settings.read().then(
        (entries) => entries.has(resourceKey(uri)) && box.add(wireUpdate(uri)),
        (error) => c.log.error("mcp change not sent", { error }),
      );
    });
    try {
      await box.empty(s);
    } finally {
      stop();
      stopRenewal();
      sessions.finish(known, stream);
    }
  });
}
