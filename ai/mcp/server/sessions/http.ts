import { type Ctx, HttpError } from "../../../../mod.ts";
import { requestHeaders } from "../../../../runtime/addon.ts";
import { McpError } from "../../protocol/errors.ts";
import {
  clientSessionRevisions,
  isMessageId,
  newestSessionRevision,
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
  reply,
  requireScopes,
  type Sender,
  takesStream,
} from "../http_reply.ts";
import type { EventLog } from "../event_log.ts";
import type { HttpSession } from "./session.ts";
import { unsupportedRevision } from "../incoming.ts";

export async function answerSession(sender: Sender, request: RpcRequest): Promise<Response> {
  if (request.method === "initialize") return await initialize(sender, request);
  return await run(sender, await find(sender, request.id), request);
}

async function initialize(sender: Sender, request: RpcRequest): Promise<Response> {
  const { c } = sender;
  const { id } = request;
  try {
    const client = parseInitialize(request);
    const session = await sender.sessions.open(client, sender);
    if (typeof session === "string") {
      c.header("Retry-After", "60");
      const error = invalidRequest("Too many sessions are open");
      return failure(c, { status: session === "all" ? 503 : 429, error, id });
    }
    c.header("Mcp-Session-Id", session.id);
    return c.json(200, wireResult(id, initializeResult(sender.core, client)));
  } catch (error) {
    if (error instanceof HttpError) throw error;
    return failure(c, { status: error instanceof McpError ? 400 : 500, error, id });
  }
}

/** @throws {Response} for a request without a session of this caller. */
async function find(sender: Sender, id?: string | number): Promise<HttpSession> {
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
  const session = await sender.sessions.find(sender, sessionId);
  if (session !== undefined) return session;
  // The client then begins a new one.
  throw failure(c, { status: 404, error: invalidRequest("Session not found"), id });
}

function run(
  sender: Sender,
  session: HttpSession,
  request: RpcRequest,
): Promise<Response> | Response {
  const { c } = sender;
  const { id } = request;
  requireScopes(sender, request);
  let controller: AbortController;
  try {
    controller = session.running.begin(id);
  } catch (error) {
    return failure(c, { status: 400, error, id });
  }
  // A client that has gone has not cancelled: the messages wait for it.
  return reply(sender, request, {
    client: session,
    controller,
    open: () => session.openStream(),
    respond: (log) => streamLog(c, { log, after: 0, session }),
    elsewhere: session.events,
    after: () => session.running.finish(id),
  });
}

export async function takeMessage(
  sender: Sender,
  message: RpcNotification | RpcResult | RpcFailure,
): Promise<Response> {
  const session = await find(sender);
  if (message.kind !== "notification") session.deliver(message);
  else if (message.method === "notifications/cancelled") {
    const { requestId } = message.params;
    if (isMessageId(requestId)) session.cancelAnywhere(requestId);
  }
  return new Response(null, { status: 202 });
}

export async function openEventStream(sender: Sender): Promise<Response> {
  const { c } = sender;
  if (!requestHeaders(c).has("mcp-session-id")) {
    // A client without a session asks whether there is a stream: there is none.
    return new Response(null, { status: 405, headers: { allow: "POST" } });
  }
  const session = await find(sender);
  if (!takesStream(c)) {
    return failure(c, { status: 406, error: invalidRequest("Accept text/event-stream") });
  }
  const last = requestHeaders(c).get("last-event-id");
  if (last === null || last === "") {
    return streamEvents(sender, session, session.events.sent);
  }
  const found = await session.findEvent(last, c.signal);
  if (found?.log === session.events) return streamEvents(sender, session, found.after);
  if (found !== undefined) return streamLog(c, { ...found, session, release: found.stop });
  return failure(c, { status: 400, error: invalidRequest("Unknown Last-Event-ID") });
}

function streamEvents({ c, core }: Sender, session: HttpSession, after: number): Response {
  const release = core.mailOf(c.app).hold();
  return streamLog(c, { log: session.events, after, session, release });
}

export async function closeSession(sender: Sender): Promise<Response> {
  await sender.sessions.close(await find(sender));
  return new Response(null, { status: 204 });
}

function streamLog(
  c: Ctx,
  { log, after, session, release }: {
    readonly log: EventLog;
    readonly after: number;
    readonly session: HttpSession;
    readonly release?: () => void;
  },
): Response {
  // Before the response, so that no change is missed that comes before its first read.
  const stop = session.hold();
  const free = (): void => {
    stop();
    release?.();
  };
  try {
    const response = c.stream(async (s) => {
      try {
        // Older clients take an event without data for a broken message.
        const takesPriming = session.client.revision >= newestSessionRevision;
        if (takesPriming && !log.hasEnded) await s.send("", "", { id: log.idOf(after) });
        await log.read(after, { send: (text, id) => s.send("", text, { id }), signal: s.signal });
      } finally {
        free();
      }
    });
    return onCancel(response, free);
  } catch (error) {
    free();
    throw error;
  }
}

/** Returns the response, and calls a function if its body is cancelled, even before the handler has begun. */
function onCancel(response: Response, act: () => void): Response {
  const reader = response.body?.getReader();
  const body = new ReadableStream({
    pull: async (to) => {
      const next = await reader?.read();
      if (next === undefined || next.done) to.close();
      else to.enqueue(next.value);
    },
    cancel: async (reason) => {
      act();
      await reader?.cancel(reason);
    },
  }, { highWaterMark: 0 });
  return new Response(body, response);
}
