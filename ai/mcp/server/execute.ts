import type { Ctx } from "../../../mod.ts";
import { cutLine, isJsonObject } from "../../json.ts";
import type { RpcParams, RpcRequest } from "../protocol/messages.ts";
import { count, errorName, knownMethod, observe, type Subject } from "../protocol/telemetry.ts";
import type { Core } from "./core.ts";
import { withDeadline } from "./deadline.ts";
import { toolOf } from "./dispatch.ts";
import type { Incoming } from "./incoming.ts";
import type { RequestMeta } from "./meta.ts";
import { runSession } from "./sessions/run.ts";
import { Session } from "./sessions/session.ts";
import { runStateless } from "./stateless.ts";

/**
 * Runs a request in its time and its span, in the envelope of its era, and counts it.
 *
 * @throws {McpError} what the client gets instead.
 */
export function execute(incoming: Incoming, client: Session | RequestMeta): Promise<RpcParams> {
  const { core, request, c, metrics = c?.app.metrics, controller } = incoming;
  const { id, method, params: { name, uri, _meta: meta } } = request;
  const tool = toolOf(core, request)?.tool;
  const isPrompt = method === "prompts/get" && typeof name === "string";
  const { revision } = client instanceof Session ? client.client : client;
  const subject: Subject = {
    side: "server",
    method: knownMethod(method),
    tool: tool?.name,
    prompt: isPrompt ? core.catalog.prompts.get(name)?.name : undefined,
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
  const deadline = {
    timeoutMs: tool?.timeoutMs ?? core.callTimeoutMs,
    stop: (reason: unknown) => controller.abort(reason),
  };
  return observe(
    subject,
    observation,
    () =>
      withDeadline(
        (clock) =>
          client instanceof Session
            ? runSession(incoming, client, clock)
            : runStateless(incoming, client),
        deadline,
      ),
  );
}

export function countRefusal(core: Core, { method }: RpcRequest, c: Ctx, error: unknown): void {
  const subject = { side: "server", method: knownMethod(method), attributes: {} } as const;
  const metrics = core.metrics ?? c.app.metrics;
  count(subject, errorName(error, "server"), { metrics, durationMs: 0 });
}
