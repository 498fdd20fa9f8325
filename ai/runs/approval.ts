import type { AnyTool, Offer } from "../agent.ts";
import type { AssistantMessage, Message, ToolCall } from "../message.ts";
import type { Decision } from "./types.ts";
import { parseCallArguments, toolErrorText } from "./tool_calls.ts";
import { AiError } from "../errors.ts";
import { cutLine } from "../json.ts";

export function rejectionText({ reason }: Decision): string {
  const why = reason === undefined || reason === "" ? "." : `: ${reason}`;
  return toolErrorText(`The user rejected this call${why}`);
}

export async function splitByApproval(
  calls: readonly ToolCall[],
  { offer: { byName }, context }: { readonly offer: Offer; readonly context: unknown },
): Promise<{ readonly free: ToolCall[]; readonly guarded: ToolCall[] }> {
  const free: ToolCall[] = [];
  const guarded: ToolCall[] = [];
  for (const call of calls) {
    const { value, isJson } = parseCallArguments(call);
    // An invalid call needs no approval; the model gets the error.
    const mustWait = isJson && await needsApproval(byName.get(call.name), { args: value, context });
    (mustWait ? guarded : free).push(call);
  }
  return { free, guarded };
}

export async function needsApproval(
  tool: Pick<AnyTool, "needsApproval"> | undefined,
  { args, context }: { readonly args: unknown; readonly context?: unknown },
): Promise<boolean> {
  const { needsApproval: rule = false } = tool ?? {};
  if (typeof rule === "boolean") return rule;
  try {
    return await rule(args, context);
  } catch {
    // If the rule fails, require approval.
    return true;
  }
}

export interface Unanswered {
  readonly calls: readonly ToolCall[];
  readonly agent: string | undefined;
}

const nothing: Unanswered = { calls: [], agent: undefined };

export function findUnanswered(messages: readonly Message[]): Unanswered {
  const answered = new Set<string>();
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (message?.role === "tool") answered.add(message.callId);
    else if (message?.role === "assistant") {
      const calls = (message.toolCalls ?? []).filter(({ id }) => !answered.has(id));
      return { calls, agent: message.agent };
    } else return nothing;
  }
  return nothing;
}

export function lastAgentName(messages: readonly Message[]): string | undefined {
  const last = messages.findLast((message): message is AssistantMessage =>
    message.role === "assistant" && message.agent !== undefined
  );
  return last?.agent;
}

/** Matches decisions with waiting calls. @throws {AiError} `ai_bad_history` for a call that does not wait. */
export function matchDecisions(
  decisions: readonly Decision[],
  calls: readonly ToolCall[],
): ReadonlyMap<string, Decision> {
  const waiting = new Set(calls.map(({ id }) => id));
  // One decision must not apply to two calls.
  if (waiting.size < calls.length) {
    throw new AiError("ai_bad_history", "Two calls that wait for a decision have the same id.");
  }
  for (const { callId } of decisions) {
    // Refuse a second decision about the same call.
    if (waiting.delete(callId)) continue;
    const fault = `No call "${cutLine(callId)}" waits for a decision.`;
    throw new AiError("ai_bad_history", `${fault} Pass the messages of the paused run as history.`);
  }
  return new Map(decisions.map((decision) => [decision.callId, decision]));
}
