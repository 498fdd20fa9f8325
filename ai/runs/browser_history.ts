import { createHash, randomBytes } from "node:crypto";
import { type Ctx, httpError } from "../../mod.ts";
import {
  appKeys,
  browserId,
  equalSecrets,
  perApplication,
  randomToken,
  requestHeaders,
  signedIn,
  signText,
} from "../../runtime/addon.ts";
import { AiError } from "../errors.ts";
import type { AssistantMessage, Message } from "../message.ts";
import { findUnanswered, matchDecisions } from "./approval.ts";
import {
  type IdCaller,
  type KeptState,
  signedStates,
  type StateBinding,
  usedIds,
} from "./kept_state.ts";
import type { RunInput } from "./types.ts";

const statesOf = signedStates("ai approval ticket");
const usedOf = usedIds();

/**
 * Returns who may decide on calls of a path: the bearer of a token, or the browser, whose id changes at
 * sign-in. Call it before the head of the response is sent, because it may set a cookie.
 */
export function ownerOf(c: Ctx): string {
  const authorization = requestHeaders(c).get("authorization");
  const caller = authorization === null
    ? `browser ${browserId(c)}`
    : `bearer ${createHash("sha256").update(authorization).digest("base64url")}`;
  // The path, not its pattern, because a tool may act on the resource that the path names.
  return `${caller} at ${c.url.pathname}`;
}

export function callerOf(c: Ctx): IdCaller {
  const { provider = "", subject = "" } = c.get(signedIn) ?? {};
  return subject === "" ? { ip: c.clientIp } : { user: JSON.stringify([provider, subject]) };
}

function createBinding(owner: string, history: readonly Message[]): StateBinding {
  return { principal: owner, method: "approval", params: findUnanswered(history) };
}

/** Adds a ticket that proves that the calls of a paused run are waiting, because the browser keeps the history. */
export function addTicket(
  c: Ctx,
  { owner, messages }: { readonly owner: string; readonly messages: readonly Message[] },
): readonly Message[] {
  const at = messages.findLastIndex(({ role }) => role === "assistant");
  const binding = createBinding(owner, messages);
  const ticket = statesOf(c.app).seal({ id: randomToken(), answers: {} }, binding);
  return messages.map((message, index) =>
    index === at && message.role === "assistant" ? { ...message, ticket } : message
  );
}

/** Redeems the ticket of a history's last calls. @throws {HttpError} 409 for calls that do not wait, 503. */
export async function takeTicket(
  c: Ctx,
  input: RunInput,
  history: readonly Message[],
): Promise<void> {
  const { calls } = findUnanswered(history);
  if (calls.length === 0) return;
  const isMessage = typeof input === "string";
  // Decisions that match no call have no effect, so check them before using the ticket.
  if (!isMessage) checkDecisions(input, history);
  const last = history.findLast((message) => message.role === "assistant");
  const state: KeptState | undefined = last?.ticket === undefined
    ? undefined
    : statesOf(c.app).open(last.ticket, createBinding(ownerOf(c), history));
  const isTaken = state !== undefined && await usedOf(c.app).take(state.id, callerOf(c));
  if (!isTaken && !isMessage) throw notWaiting();
}

function checkDecisions(input: Exclude<RunInput, string>, history: readonly Message[]): void {
  const decisions = input.filter((each) => "callId" in each);
  try {
    matchDecisions(decisions, findUnanswered(history).calls);
  } catch (error) {
    throw error instanceof AiError ? notWaiting(error) : error;
  }
}

function notWaiting(cause?: AiError): Error {
  return httpError(409, "This was already decided, or it waited too long. Ask again.", {
    code: "ai_bad_history",
    cause,
  });
}

const keysOf = perApplication((app) => {
  const keys = appKeys(app, "ai provider members");
  return keys.length === 0 ? [randomBytes(32)] : keys;
});

/** Signs the provider's members of a message, together with the rest of the message. */
function signExtra(
  key: Uint8Array,
  { content, toolCalls = [], refusal, extra }: AssistantMessage,
): string {
  const calls = toolCalls.map(({ id, name, arguments: args, extra }) => [id, name, args, extra]);
  return signText(JSON.stringify([content, calls, refusal, extra]), key);
}

function hasExtra({ toolCalls = [], extra }: AssistantMessage): boolean {
  return extra !== undefined || toolCalls.some((call) => call.extra !== undefined);
}

/** Signs the provider's members of every message, because the browser keeps and could change them. */
export function signExtras(c: Ctx, messages: readonly Message[]): readonly Message[] {
  const [key] = keysOf(c.app);
  return messages.map((message) =>
    message.role === "assistant" && hasExtra(message) && key !== undefined
      ? { ...message, signature: signExtra(key, message) }
      : message
  );
}

/** Drops the provider's members of a message whose signature does not match. */
export function verifyExtras(c: Ctx, message: Message): Message {
  if (message.role !== "assistant") return message;
  const { signature = "", ...signed } = message;
  if (!hasExtra(signed)) return signed;
  if (keysOf(c.app).some((key) => equalSecrets(signature, signExtra(key, signed)))) return signed;
  const { extra: _, toolCalls, ...rest } = signed;
  return {
    ...rest,
    ...(toolCalls === undefined
      ? {}
      : { toolCalls: toolCalls.map(({ extra: _, ...call }) => call) }),
  };
}
