import { type Ctx, httpError } from "../../mod.ts";
import { randomToken } from "../../runtime/addon.ts";
import type { Message } from "../message.ts";
import { findUnanswered } from "./pending_calls.ts";
import { signedStates, type StateBinding } from "./signed_state.ts";
import { usedIds } from "./used_ids.ts";

const statesOf = signedStates("ai approval ticket");
const usedOf = usedIds();

/** Returns what the user was shown: the pending calls, and whose model asks for them. */
function bindingOf(history: readonly Message[]): StateBinding {
  return { principal: "", method: "approval", params: findUnanswered(history) };
}

/**
 * Adds to the last answer of a paused run what proves that its calls wait: the browser carries the history,
 * and could make up calls and approve them.
 */
export function addTicket(c: Ctx, messages: readonly Message[]): readonly Message[] {
  const at = messages.findLastIndex(({ role }) => role === "assistant");
  const ticket = statesOf(c.app).seal({ id: randomToken(), answers: {} }, bindingOf(messages));
  return messages.map((message, index) =>
    index === at && message.role === "assistant" ? { ...message, ticket } : message
  );
}

/**
 * Checks that the calls at the end of a history wait for a decision, and that none was given.
 *
 * @throws {HttpError} 409 where they do not; 503 where too many were decided to remember one more.
 */
export function takeTicket(c: Ctx, history: readonly Message[]): void {
  const binding = bindingOf(history);
  if (findUnanswered(history).calls.length === 0) return;
  const last = history.findLast((message) => message.role === "assistant");
  const state = statesOf(c.app).open(last?.ticket, binding);
  if (state !== undefined && usedOf(c.app).take(state.id)) return;
  throw httpError(409, "This was decided already, or it waited too long. Ask again.", {
    code: "ai_bad_history",
  });
}
