import type { Ctx } from "../../../../mod.ts";
import { invalidParams } from "../../protocol/errors.ts";
import { isJsonObject } from "../../../json.ts";
import {
  type RpcParams,
  type RpcRequest,
  type WireMessage,
  wireNotification,
} from "../../protocol/messages.ts";
import { newestSessionRevision, sessionRevisions } from "../../protocol/revision.ts";
import { type Exchange, isLogLevel, type McpCaller } from "../call.ts";
import { CallContext } from "../call_context.ts";
import type { Core } from "../core.ts";
import type { CallClock } from "../deadline.ts";
import { capabilitiesOf, dispatch } from "../dispatch.ts";
import type { Session, SessionClient } from "./session.ts";
import { parseImplementation, parseProgressToken } from "../stateless.ts";

export function parseInitialize({ params }: RpcRequest): SessionClient {
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== "string") throw invalidParams("protocolVersion is missing");
  if (!isJsonObject(capabilities)) throw invalidParams("capabilities are missing");
  const isServed = sessionRevisions.includes(protocolVersion);
  return {
    // A client that asks for another revision gets the newest, and may leave.
    revision: isServed ? protocolVersion : newestSessionRevision,
    capabilities: usedCapabilities(capabilities),
    client: parseImplementation(clientInfo),
  };
}

/** Keeps what is asked for later: a session must not hold whatever a client writes. */
function usedCapabilities({ elicitation, sampling, roots }: RpcParams): RpcParams {
  const mark = (value: unknown): RpcParams | undefined => isJsonObject(value) ? {} : undefined;
  const asks = isJsonObject(elicitation)
    ? Object.fromEntries(
      ["form", "url"].filter((mode) => isJsonObject(elicitation[mode])).map((mode) => [mode, {}]),
    )
    : undefined;
  return { elicitation: asks, sampling: mark(sampling), roots: mark(roots) };
}

export function initializeResult(core: Core, { revision }: SessionClient): RpcParams {
  const { info: serverInfo, instructions } = core;
  return {
    protocolVersion: revision,
    capabilities: capabilitiesOf(core),
    serverInfo,
    ...(instructions === undefined ? {} : { instructions }),
  };
}

export interface SessionRequest {
  readonly core: Core;
  readonly session: Session;
  readonly request: RpcRequest;
  readonly caller: McpCaller | undefined;
  readonly c: Ctx | undefined;
  readonly fetch: Exchange["fetch"];
  readonly log?: Exchange["log"];
  readonly signal: AbortSignal;
  readonly clock: CallClock;
  readonly send: (message: WireMessage) => void;
}

export async function runSession(r: SessionRequest): Promise<RpcParams> {
  const { core, session, request: { method, params } } = r;
  switch (method) {
    case "ping":
      return {};
    case "logging/setLevel":
      if (!isLogLevel(params.level)) throw invalidParams("Unknown log level");
      session.logLevel = params.level;
      return {};
    case "resources/subscribe":
      session.subscribe(readUri(params));
      return {};
    case "resources/unsubscribe":
      session.unsubscribe(readUri(params));
      return {};
    default:
      return await dispatch(method, { core, params, call: contextOf(r) });
  }
}

function readUri({ uri }: RpcParams): string {
  if (typeof uri === "string" && uri.length <= maxUriChars) return uri;
  throw invalidParams("The parameter uri must be a text of at most 2048 characters");
}

const maxUriChars = 2_048;

function contextOf(r: SessionRequest): CallContext {
  const { session, caller, c, fetch, log, signal, send, clock } = r;
  const { revision, capabilities, client } = session.client;
  return new CallContext({
    revision,
    capabilities,
    client,
    logLevel: session.logLevel,
    progressToken: parseProgressToken(r.request.params),
    signal,
    c,
    caller,
    fetch,
    log,
    notify: (method, params) => send(wireNotification(method, params)),
    ask: (method, { params }) =>
      clock.hold(session.ask(method, { params: withElicitationId(params), signal, send })),
  }, String(r.request.id));
}

/** Revision 2025-11-25 names the visit of a page. */
function withElicitationId(params: RpcParams): RpcParams {
  return params.mode === "url" ? { ...params, elicitationId: crypto.randomUUID() } : params;
}
