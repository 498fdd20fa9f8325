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
import {
  failure,
  invalidRequest,
  onAbort,
  Outbox,
  reply,
  requireScopes,
  type Sender,
} from "../http_reply.ts";
import { takesStream, unsupportedRevision } from "../incoming.ts";
import { wireUpdate } from "../changes.ts";
import { resourceKey } from "./settings.ts";
import type { KnownSession } from "./sessions.ts";

export async function answerSession(sender: Sender, request: RpcRequest): Promise<Response> {
  return request.method === "initialize"
    ? initialize(sender, request)
    : await run(sender, await find(sender, request.id), request);
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

export async function takeMessage(
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
export async function openEventStream(sender: Sender): Promise<Response> {
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

export async function endSession(sender: Sender): Promise<Response> {
  await sender.sessions.end(await find(sender));
  return new Response(null, { status: 204 });
}
