import type { Ctx, Metrics } from "../../../mod.ts";
import { cutLine, isJsonObject } from "../../json.ts";
import type { RpcParams, RpcRequest } from "../protocol/messages.ts";
import { count, errorName, knownMethod, observe, type Subject } from "../protocol/telemetry.ts";
import type { Core } from "./core.ts";
import { type CallClock, withDeadline } from "./deadline.ts";
import { toolOf } from "./dispatch.ts";

export interface Execution {
  readonly core: Core;
  readonly request: RpcRequest;
  readonly revision: string | undefined;
  readonly c?: Ctx;
  readonly metrics?: Metrics | undefined;
  readonly stop: (reason: unknown) => void;
}

export function execute(
  work: (clock: CallClock) => Promise<RpcParams>,
  { core, request, revision, c, metrics = c?.app.metrics, stop }: Execution,
): Promise<RpcParams> {
  const { id, method, params: { name, uri, _meta: meta } } = request;
  const tool = toolOf(core, request)?.tool;
  const isPrompt = method === "prompts/get" && typeof name === "string";
  const subject: Subject = {
    side: "server",
    method: knownMethod(method),
    tool: tool?.name,
    prompt: isPrompt ? core.catalog.prompt(name)?.name : undefined,
    uri,
    attributes: {
      "mcp.protocol.version": revision,
      "network.transport": c === undefined ? "pipe" : "tcp",
    },
  };
  const observation = {
    metrics: core.metrics ?? metrics,
    traceparent: isJsonObject(meta) ? meta.traceparent : undefined,
    // The id of the session stays out: it lets its holder in where the server has no guard.
    id: cutLine(String(id)),
  };
  const deadline = { timeoutMs: tool?.timeoutMs ?? core.callTimeoutMs, stop };
  return observe(subject, observation, () => withDeadline(work, deadline));
}

export function countRefusal(
  { core, request, c }: { readonly core: Core; readonly request: RpcRequest; readonly c: Ctx },
  error: unknown,
): void {
  const subject = { side: "server", method: knownMethod(request.method), attributes: {} } as const;
  const metrics = core.metrics ?? c.app.metrics;
  count(subject, errorName(error, "server"), { metrics, durationMs: 0 });
}
