import { AiError } from "../errors.ts";
import type { AssistantMessage, Message, ToolCall } from "../message.ts";
import type { Decision } from "./types.ts";
import { cutLine } from "../json.ts";

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

/**
 * Matches decisions with the calls that wait for one.
 *
 * @throws {AiError} `ai_bad_history` for a decision about a call that does not wait.
 */
export function matchDecisions(
  decisions: readonly Decision[],
  calls: readonly ToolCall[],
): ReadonlyMap<string, Decision> {
  const waiting = new Set(calls.map(({ id }) => id));
  // One decision must not count for two calls.
  if (waiting.size < calls.length) {
    throw new AiError("ai_bad_history", "Two calls that wait for a decision have the same id.");
  }
  for (const { callId } of decisions) {
    // Two decisions about one call contradict each other, or count twice.
    if (waiting.delete(callId)) continue;
    throw new AiError(
      "ai_bad_history",
      `No call "${
        cutLine(callId)
      }" waits for a decision. Give the messages of the paused run as history.`,
    );
  }
  return new Map(decisions.map((decision) => [decision.callId, decision]));
}
