import { requestHeaders } from "../../../../runtime/addon.ts";
import { McpError } from "../../protocol/errors.ts";
import {
  clientSessionRevisions,
  isMessageId,
  type RpcFailure,
  type RpcNotification,
  type RpcRequest,
  type RpcResult,
  wireResult,
} from "../../protocol/messages.ts";
import { initializeResult, parseInitialize } from "../execute.ts";
import { failure, invalidRequest, reply, requireScopes, type Sender } from "../http_reply.ts";
import { unsupportedRevision } from "../incoming.ts";
import type { KnownSession } from "./sessions.ts";

export function answerSession(sender: Sender, request: RpcRequest): Response | Promise<Response> {
  return request.method === "initialize"
    ? initialize(sender, request)
    : run(sender, find(sender, request.id), request);
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

/** @throws {Response} for a request without a session of this caller. */
function find(sender: Sender, id?: string | number): KnownSession {
  const { c } = sender;
  const headers = requestHeaders(c);
  const revision = headers.get("mcp-protocol-version");
  // The handshake has agreed on a revision; the conformance suite names an older one here.
  if (revision !== null && !clientSessionRevisions.includes(revision)) {
    throw failure(c, { status: 400, error: unsupportedRevision(revision), id });
  }
  const sessionId = headers.get("mcp-session-id");
  if (sessionId === null) {
    const error = invalidRequest("The header Mcp-Session-Id is missing: initialize first");
    throw failure(c, { status: 400, error, id });
  }
  const session = sender.sessions.find(sender, sessionId);
  if (session !== undefined) return session;
  // The client then begins a new one.
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
    const [client, controller] = sessions.begin(c.app, known, id);
    return reply(sender, request, {
      client,
      controller,
      onStream: () => sessions.listen(c.app, known),
      after: () => sessions.finish(known, id),
    });
  } catch (error) {
    return failure(c, { status: 400, error, id });
  }
}

export async function takeMessage(
  sender: Sender,
  message: RpcNotification | RpcResult | RpcFailure,
): Promise<Response> {
  const { c: { app }, sessions } = sender;
  const { id } = find(sender);
  if (message.kind !== "notification") await sessions.deliver(app, id, message);
  else if (message.method === "notifications/cancelled") {
    const { requestId } = message.params;
    if (isMessageId(requestId)) await sessions.cancel(app, id, requestId);
  }
  return new Response(null, { status: 202 });
}
