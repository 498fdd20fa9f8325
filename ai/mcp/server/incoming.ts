import type { Ctx, Logger, Metrics } from "../../../mod.ts";
import { type RpcRequest, type WireMessage, wireNotification } from "../protocol/messages.ts";
import type { Exchange, McpCaller } from "./call.ts";
import { CallContext } from "./call_context.ts";
import type { Core } from "./core.ts";
import type { RequestMeta } from "./meta.ts";

export interface Incoming {
  readonly core: Core;
  readonly request: RpcRequest;
  readonly c: Ctx | undefined;
  readonly caller: McpCaller | undefined;
  /** Whose half-finished calls these are; `""` where users are not told apart. */
  readonly principal: string;
  readonly fetch: Exchange["fetch"];
  readonly log?: Logger;
  readonly metrics?: Metrics | undefined;
  readonly controller: AbortController;
  readonly send: (message: WireMessage) => void;
}

export function createCallContext(
  i: Incoming,
  client: RequestMeta,
  ask: Exchange["ask"],
): CallContext {
  const { caller, c, fetch, log, controller: { signal }, send, request: { id } } = i;
  const notify: Exchange["notify"] = (method, params) => send(wireNotification(method, params));
  return new CallContext({ ...client, caller, c, fetch, log, notify, ask, signal }, String(id));
}
