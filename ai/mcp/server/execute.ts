import type { Ctx, Metrics } from "../../../mod.ts";
import { isTracing, noSpan, type Span, startSpan } from "../../telemetry/tracing.ts";
import { McpError, rpcCodes } from "../protocol/errors.ts";
import { cutLine, isJsonObject } from "../../json.ts";
import type { RpcParams, RpcRequest } from "../protocol/messages.ts";
import {
  attributesOf,
  count,
  finish,
  knownMethod,
  type Outcome,
  spanName,
  type Subject,
} from "../protocol/telemetry.ts";
import type { Core } from "./core.ts";
import { type CallClock, withDeadline } from "./deadline.ts";
import type { CompiledTool } from "./offers/tools.ts";

/** The facts about a request before it runs. */
export interface Execution {
  readonly core: Core;
  readonly request: RpcRequest;
  readonly tool: CompiledTool | undefined;
  readonly revision: string | undefined;
  readonly c?: Ctx;
  readonly metrics?: Metrics | undefined;
  readonly stop: (reason: unknown) => void;
}

/**
 * Runs a request in its time and its span, and counts it.
 *
 * @throws {McpError} what the client gets instead.
 */
export function execute(
  work: (clock: CallClock) => Promise<RpcParams>,
  execution: Execution,
): Promise<RpcParams> {
  const { core, tool, stop } = execution;
  const deadline = { timeoutMs: tool?.tool.timeoutMs ?? core.callTimeoutMs, stop };
  const subject = subjectOf(execution);
  const startedAt = performance.now();
  const span = isTracing() ? openSpan(execution, subject) : noSpan;
  const end = (outcome: Outcome): void => {
    const durationMs = performance.now() - startedAt;
    const metrics = core.metrics ?? execution.metrics ?? execution.c?.app.metrics;
    finish(subject, outcome, { side: "server", metrics, durationMs, span });
  };
  return withDeadline((clock) => span.run(() => work(clock)), deadline).then((result) => {
    end({ kind: "result", result });
    return result;
  }, (error) => {
    end({ kind: "error", error, type: typeOf(error) });
    throw error;
  });
}

export function countRefusal(
  { core, request, c }: Pick<Execution, "core" | "request"> & { readonly c: Ctx },
  error: unknown,
): void {
  const subject = { method: knownMethod(request.method), attributes: {} };
  const metrics = core.metrics ?? c.app.metrics;
  count(subject, typeOf(error), { side: "server", metrics, durationMs: 0 });
}

function typeOf(error: unknown): string {
  if (error instanceof McpError) return String(error.code);
  const isAbort = error instanceof DOMException && error.name === "AbortError";
  return isAbort ? "aborted" : String(rpcCodes.internalError);
}

function subjectOf({ core, request, tool, revision, c }: Execution): Subject {
  const { name } = request.params;
  const isPrompt = request.method === "prompts/get" && typeof name === "string";
  return {
    method: knownMethod(request.method),
    tool: tool?.tool.name,
    prompt: isPrompt ? core.catalog.prompt(name)?.name : undefined,
    attributes: {
      "mcp.protocol.version": revision,
      "network.transport": c === undefined ? "pipe" : "tcp",
    },
  };
}

/** The id of the session stays out: it lets its holder in where the server has no guard. */
function openSpan({ request }: Execution, subject: Subject): Span {
  const { id, params: { uri, _meta: meta } } = request;
  return startSpan(spanName(subject), {
    kind: "server",
    traceparent: isJsonObject(meta) ? meta.traceparent : undefined,
    attributes: {
      ...attributesOf(subject),
      "jsonrpc.request.id": cutLine(String(id)),
      "mcp.resource.uri": typeof uri === "string" ? cutLine(uri, maxUriChars) : undefined,
    },
  });
}

const maxUriChars = 2_048;
