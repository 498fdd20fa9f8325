import { thrownMessage } from "../../runtime/addon.ts";
import type { AnyTool, Offer } from "../agent.ts";
import { AiError, publicToolMessage } from "../errors.ts";
import { abortable } from "../http/wait.ts";
import { countTool } from "../metrics.ts";
import type { RunOptions, Step } from "./types.ts";
import { checkCounts, checkTimeout } from "../options.ts";
import type { ToolCall } from "../message.ts";
import { cutLine, firstChars, parseJsonText } from "../json.ts";

/** Maximum number of tools that run in one round; the model is told that others were refused. */
export const maxToolCalls = 64;

/** Maximum number of tools that run at the same time. */
const maxParallelTools = 8;

type Defaulted = "history" | "maxTurns" | "toolTimeoutMs" | "maxResultChars";

export type CheckedRunOptions =
  & { readonly [Name in Defaulted]: NonNullable<RunOptions[Name]> }
  & Pick<RunOptions, "metrics" | "context">;

export function checkRunOptions(options: RunOptions): CheckedRunOptions {
  const { history = [], maxTurns = 10, toolTimeoutMs = 60_000, metrics, context } = options;
  const { maxResultChars = 100_000 } = options;
  checkCounts({ maxTurns, maxResultChars });
  checkTimeout("toolTimeoutMs", toolTimeoutMs);
  return { history, maxTurns, toolTimeoutMs, maxResultChars, metrics, context };
}

export interface Round extends CheckedRunOptions {
  readonly agent: string;
  readonly offer: Offer;
  readonly signal: AbortSignal;
}

const maxErrorChars = 2_000;

/** Parses the arguments of a call; `isJson` is false for invalid JSON. */
export function parseCallArguments(
  call: ToolCall,
): { readonly value: unknown; readonly isJson: boolean } {
  const value = parseJsonText(call.arguments);
  return value === undefined ? { value: call.arguments, isJson: false } : { value, isJson: true };
}

/** Runs the calls of a round in parallel, up to the limit. Yields steps as they end; throws if aborted. */
export async function* runCalls(calls: readonly ToolCall[], round: Round): AsyncGenerator<Step> {
  const waiting = [...calls];
  const finished: Step[] = [];
  let running = 0;
  let wake = Promise.withResolvers<void>();
  const startNext = (): void => {
    const call = waiting.shift();
    if (call === undefined) return;
    running++;
    runCall(call, round).then((step) => {
      running--;
      finished.push(step);
      startNext();
      wake.resolve();
    });
  };
  const stop = (): void => wake.resolve();
  round.signal.addEventListener("abort", stop, { once: true });
  try {
    while (running < maxParallelTools && waiting.length > 0) startNext();
    while (running > 0 || finished.length > 0) {
      if (finished.length === 0) await wake.promise;
      round.signal.throwIfAborted();
      wake = Promise.withResolvers();
      yield* finished.splice(0);
    }
  } finally {
    waiting.length = 0;
    round.signal.removeEventListener("abort", stop);
  }
}

/** Runs one call; its result or error becomes text for the model. */
async function runCall(call: ToolCall, round: Round): Promise<Step> {
  const startedAt = performance.now();
  const args = parseCallArguments(call);
  const tool = round.offer.byName.get(call.name);
  let output: string;
  let isError = false;
  let isUnexpected = false;
  try {
    if (tool === undefined || !args.isJson) {
      const fault = tool && `The arguments of "${tool.name}" are not JSON.`;
      throw new AiError("ai_bad_arguments", fault ?? unknownTool(call.name, round.offer));
    }
    const about = { id: call.id, args: args.value };
    output = cut(resultText(await callInTime(tool, about, round)), round.maxResultChars);
  } catch (error) {
    isError = true;
    const isTimeout = error instanceof DOMException && error.name === "TimeoutError";
    isUnexpected = publicToolMessage(error) === undefined && !isTimeout;
    output = toolErrorText(error);
  }
  const durationMs = performance.now() - startedAt;
  if (round.metrics !== undefined) {
    countTool(round.metrics, { tool: tool?.name ?? "unknown", durationMs, isError });
  }
  return {
    agent: round.agent,
    callId: call.id,
    tool: call.name,
    arguments: args.value,
    output,
    isError,
    ...(isUnexpected ? { isUnexpected } : {}),
    durationMs,
  };
}

/** Calls a tool and abandons it after its timeout, even if it ignores its signal. */
async function callInTime(
  tool: AnyTool,
  call: { readonly id: string; readonly args: unknown },
  { signal: runs, context, toolTimeoutMs }: Round,
): Promise<unknown> {
  const { timeoutMs = toolTimeoutMs } = tool;
  const late = new AbortController();
  const timer = timeoutMs === Infinity ? undefined : setTimeout(() => {
    const message = `The tool took longer than ${timeoutMs} ms.`;
    late.abort(new DOMException(message, "TimeoutError"));
  }, timeoutMs);
  const signal = AbortSignal.any([runs, late.signal]);
  try {
    const work = tool.call(call.args, { signal, callId: call.id, context });
    return await abortable(work, signal);
  } finally {
    clearTimeout(timer);
  }
}

const maxListedNames = 20;

function unknownTool(name: string, { tools }: Offer): string {
  const names = tools.slice(0, maxListedNames).map((tool) => tool.name).join(", ");
  return `There is no tool "${cutLine(name)}". ${names === "" ? "" : `There is: ${names}.`}`.trim();
}

export function toolErrorText(error: unknown): string {
  const message = publicToolMessage(error) ?? thrownMessage(error);
  return `error: ${cut(message === "" ? "the tool failed" : message, maxErrorChars)}`;
}

function resultText(result: unknown): string {
  if (typeof result === "string") return result;
  if (result === undefined) return "";
  return JSON.stringify(result, (_, value) => typeof value === "bigint" ? String(value) : value) ??
    String(result);
}

function cut(text: string, maxChars: number): string {
  const start = firstChars(text, maxChars);
  if (text.length <= maxChars) return start;
  return `${start}\n[cut off after ${maxChars} characters]`;
}
