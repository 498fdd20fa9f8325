import { invalidParams } from "../../protocol/errors.ts";
import { isJsonObject } from "../../../json.ts";
import type { RpcParams, RpcRequest } from "../../protocol/messages.ts";
import { newestSessionRevision, sessionRevisions } from "../../protocol/revision.ts";
import { isLogLevel } from "../call.ts";
import type { Core } from "../core.ts";
import type { CallClock } from "../deadline.ts";
import { capabilitiesOf, dispatch } from "../dispatch.ts";
import { createCallContext, type Incoming } from "../incoming.ts";
import { parseImplementation, parseProgressToken } from "../meta.ts";
import type { Session, SessionClient } from "./session.ts";

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
    instructions,
  };
}

export async function runSession(
  i: Incoming,
  session: Session,
  clock: CallClock,
): Promise<RpcParams> {
  const { core, request: { method, params } } = i;
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
  }
  const { send, controller: { signal } } = i;
  const { client, logLevel } = session;
  const about = { ...client, logLevel, progressToken: parseProgressToken(params) };
  const call = createCallContext(
    i,
    about,
    (method, { params }) =>
      clock.hold(session.ask(method, { params: withElicitationId(params), signal, send })),
  );
  return await dispatch(method, { core, params, call });
}

function readUri({ uri }: RpcParams): string {
  if (typeof uri === "string" && uri.length <= maxUriChars) return uri;
  throw invalidParams("The parameter uri must be a text of at most 2048 characters");
}

const maxUriChars = 2_048;

function withElicitationId(params: RpcParams): RpcParams {
  return params.mode === "url" ? { ...params, elicitationId: crypto.randomUUID() } : params;
}
