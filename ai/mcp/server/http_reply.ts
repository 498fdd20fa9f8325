import type { Ctx } from "../../../mod.ts";
import { type RpcRequest, wireError, type WireMessage } from "../protocol/messages.ts";
import { answerRequest, ifSlow } from "./execute.ts";
import type { EventLog } from "./event_log.ts";
import { errorBody, McpError, rpcCodes } from "../protocol/errors.ts";
import type { BearerGuard } from "./bearer.ts";
import type { RequestMeta } from "./call.ts";
import type { Incoming } from "./incoming.ts";
import { scopesOf } from "./dispatch.ts";
import type { Session } from "./sessions/session.ts";
import type { Sessions } from "./sessions/sessions.ts";

/** Pause before a stream begins, in milliseconds: only then can the server learn that a client has gone. */
const streamAfterMs = 100;

interface ReplyPlan {
  readonly client: Session | RequestMeta;
  readonly controller: AbortController;
  readonly open: () => EventLog;
  readonly respond: (log: EventLog) => Response;
  /** Keeps the messages for a client that takes no streams. @default they are dropped */
  readonly elsewhere?: EventLog;
  readonly statusOf?: (error: unknown) => number;
  readonly after?: () => void;
}

/** Answers a request: with JSON where the result comes at once, else with a stream, which a message begins too. */
export function reply(
  sender: Sender,
  request: RpcRequest,
  { client, controller, open, respond, elsewhere, statusOf = () => 200, after }: ReplyPlan,
): Promise<Response> {
  const { c } = sender;
  const { promise, resolve } = Promise.withResolvers<Response>();
  const state: { log?: EventLog; hasEnded: boolean; timer?: ReturnType<typeof setTimeout> } = {
    hasEnded: false,
  };
  // A client that takes no streams waits for its JSON.
  const begin = (): EventLog | undefined => {
    if (state.log !== undefined || state.hasEnded || !takesStream(c)) return state.log;
    clearTimeout(state.timer);
    const log = state.log = open();
    resolve(respond(log));
    return log;
  };
  const send = (message: WireMessage): void => {
    if (!state.hasEnded) (begin() ?? elsewhere)?.add(message);
  };
  answerRequest({ ...sender, request, controller, send }, client).then(({ message, error }) => {
    after?.();
    clearTimeout(state.timer);
    // After a cancellation the stream ends without a message.
    if (message === undefined) begin();
    state.hasEnded = true;
    if (state.log !== undefined) state.log.end(message);
    else resolve(message === undefined ? c.noContent() : c.json(statusOf(error), message));
  });
  ifSlow(() => state.hasEnded || state.log !== undefined, () => {
    state.timer = setTimeout(begin, streamAfterMs);
  });
  return promise;
}

export function onAbort(signal: AbortSignal, fn: () => void): void {
  if (signal.aborted) fn();
  else signal.addEventListener("abort", fn, { once: true });
}

export function takesStream(c: Ctx): boolean {
  return c.accepts("text/event-stream") !== undefined;
}

export interface Sender extends Pick<Incoming, "core" | "caller" | "principal" | "fetch"> {
  readonly sessions: Sessions;
  readonly c: Ctx;
  readonly guard: BearerGuard | undefined;
}

export function invalidRequest(message: string): McpError {
  return new McpError(rpcCodes.invalidRequest, message);
}

/** Builds a refusal. Below the endpoint it is thrown, which answers with it. */
export function failure(
  c: Ctx,
  { status, error, id }: {
    readonly status: number;
    readonly error: unknown;
    readonly id?: string | number | undefined;
  },
): Response {
  return c.json(status, wireError(id, errorBody(error)));
}

export function challenge(
  c: Ctx,
  { status, challenge }: { readonly status: 401 | 403; readonly challenge: string },
): Response {
  c.header("WWW-Authenticate", challenge);
  const message = status === 401
    ? "An access token is needed"
    : "The access token does not allow this";
  return failure(c, { status, error: invalidRequest(message) });
}

/** @throws {Response} where the caller lacks a scope that the request needs. */
export function requireScopes({ c, core, guard, caller }: Sender, request: RpcRequest): void {
  const scopes = scopesOf(core, request);
  if (scopes.length === 0) return;
  if (guard === undefined) {
    // Fail closed: without tokens no caller can have a scope.
    c.log.error("mcp request refused: it needs scopes, and the server has no auth", { scopes });
    throw failure(c, { status: 403, error: invalidRequest("This needs a scope"), id: request.id });
  }
  const admission = guard.admitTo(c, caller, scopes);
  if (admission.kind === "refused") throw challenge(c, admission);
}
