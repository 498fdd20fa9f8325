import { type Ctx, FieldErrors, httpError } from "../mod.ts";
import { readJsonBody } from "../runtime/addon.ts";
import { takeTicket, verifyExtras } from "./runs/browser_history.ts";
import type { ContentPart, Message, ToolCall } from "./message.ts";
import { isForeign } from "./origin.ts";
import type { Decision, RunInput } from "./runs/types.ts";
import { asObject, isJsonObject, parseJsonText } from "./json.ts";

/** A browser's request to a chat. */
export interface ChatInput {
  /** The input of `run`: the message or the decisions. */
  readonly input: RunInput;
  /** The conversation so far, without messages of the role `system`. */
  readonly history: readonly Message[];
}

/** Maximum length of a message, in UTF-16 code units. */
const maxMessageChars = 20_000;

/** Maximum number of messages in a history, and its maximum length as JSON: every turn sends it all. */
const [maxMessages, maxHistoryChars] = [1_000, 400_000];

/**
 * Reads a chat request, as JSON (`message`, `history`, `decisions`) or as a form (`message`, `history` as
 * JSON text, `decision` as `approve <id>` or `reject <id>`).
 *
 * The history comes from the browser, so its user may have changed it: do not base permissions on it.
 * Tools check what this user may do, as a handler does, and instructions stay on the server. For a
 * trusted history, store it and send only its id.
 *
 * @throws {FieldErrors} with every fault of the body: an empty message or one of over 20,000 characters, an
 * empty list of decisions, a history that is malformed or has over 1,000 messages or 400,000 characters.
 * @throws {HttpError} 403 for a page of another site that neither the route's nor the application's CORS
 * policy lists, 409 for decisions about calls that `sendRun` did not mark as waiting or that were already
 * decided, 400, 413 or 415 for a body that cannot be read.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readChat } from "@fw/fw/ai";
 * import { testRoute, withForm } from "@fw/fw/testing";
 * import type { Handler } from "@fw/fw";
 *
 * const POST: Handler = async (c) => c.json(200, await readChat(c));
 * const route = { pattern: "/chat", methods: { POST } };
 * const response = await testRoute(route, "POST", "/chat", withForm({ message: "Hi" }));
 * assertEquals(JSON.parse(response.body), { input: "Hi", history: [] });
 * ```
 */
export async function readChat(c: Ctx): Promise<ChatInput> {
  if (isForeign(c)) {
    c.app.security.report(c, "csrf", { reason: "foreign-origin" });
    throw httpError(403, "A page of another site may not send this.");
  }
  const isJson = /^application\/json\b/i.test(c.request.headers.get("content-type") ?? "");
  const fields = isJson ? asObject(await readJsonBody(c)) : await readForm(c);
  const errors = new FieldErrors();
  const [input, history] = [parseInput(fields, errors), parseHistory(fields.history, errors)];
  if (errors.any()) throw errors;
  await takeTicket(c, input, history);
  return { input, history: history.map((message) => verifyExtras(c, message)) };
}

async function readForm(c: Ctx): Promise<Readonly<Record<string, unknown>>> {
  const history = await c.form("history") ?? "";
  return {
    // A form sends line breaks as CRLF, which `maxlength` counts as one character.
    message: (await c.form("message"))?.replaceAll("\r\n", "\n"),
    history: history === "" ? undefined : parseJsonText(history) ?? history,
    decisions: formDecision(await c.form("decision")),
  };
}

function formDecision(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  const [verb = "", ...rest] = text.split(" ");
  if (verb !== "approve" && verb !== "reject") return text;
  return [{ callId: rest.join(" "), approved: verb === "approve" }];
}

function parseInput(
  { message, decisions }: Readonly<Record<string, unknown>>,
  errors: FieldErrors,
): RunInput {
  if (decisions !== undefined && decisions !== null) {
    // A run without decisions would pause again, and `sendRun` would sign calls that no model made.
    const parsed = parseAll(decisions, parseDecision) ?? [];
    if (parsed.length > 0) return parsed;
    errors.add("decisions", "is malformed");
    return [];
  }
  const text = typeof message === "string" ? message.trim() : "";
  if (text === "") errors.add("message", "is required");
  if (text.length > maxMessageChars) {
    errors.add("message", `has at most ${maxMessageChars} characters`);
  }
  return text;
}

function parseHistory(history: unknown, errors: FieldErrors): readonly Message[] {
  if (history === undefined || history === null) return [];
  const isFine = Array.isArray(history) && history.length <= maxMessages &&
    JSON.stringify(history).length <= maxHistoryChars;
  const messages = isFine ? parseAll(history, parseMessage) : undefined;
  if (messages !== undefined) return messages;
  errors.add("history", "is malformed or too long");
  return [];
}

function parseMessage(value: unknown): Message | undefined {
  if (!isJsonObject(value)) return undefined;
  const { role, content, callId } = value;
  if (role === "user") return isContent(content) ? { role, content } : undefined;
  if (typeof content !== "string") return undefined;
  if (role === "tool") {
    return typeof callId === "string" ? { role, callId, content } : undefined;
  }
  // Only the server writes instructions, so refuse the role "system" from a browser.
  return role === "assistant" ? parseAssistant(content, value) : undefined;
}

function parseAssistant(
  content: string,
  { toolCalls, agent, refusal, extra, signature, ticket }: Readonly<Record<string, unknown>>,
): Message | undefined {
  const calls = toolCalls === undefined ? undefined : parseAll(toolCalls, parseCall);
  if (calls === undefined && toolCalls !== undefined) return undefined;
  return {
    role: "assistant",
    content,
    ...(calls && { toolCalls: calls }),
    ...(typeof agent === "string" ? { agent } : {}),
    ...(typeof refusal === "string" ? { refusal } : {}),
    ...(isJsonObject(extra) ? { extra } : {}),
    ...(typeof signature === "string" ? { signature } : {}),
    ...(typeof ticket === "string" ? { ticket } : {}),
  };
}

function isContent(value: unknown): value is string | readonly ContentPart[] {
  if (typeof value === "string") return true;
  return Array.isArray(value) && value.every((part) =>
    isJsonObject(part) &&
    (part.type === "text"
      ? typeof part.text === "string"
      : part.type === "image"
      ? isData(part.url, /^data:image\//i)
      : part.type === "file" && typeof part.name === "string" && isData(part.url, /^data:/i))
  );
}

/** Checks a URL that holds its content, because the server would fetch another one. */
function isData(url: unknown, form: RegExp): boolean {
  return typeof url === "string" && form.test(url);
}

function parseCall(value: unknown): ToolCall | undefined {
  const { id, name, arguments: args, extra } = asObject(value);
  if (typeof id !== "string" || typeof name !== "string" || typeof args !== "string") {
    return undefined;
  }
  return { id, name, arguments: args, ...(isJsonObject(extra) ? { extra } : {}) };
}

function parseDecision(value: unknown): Decision | undefined {
  const { callId, approved, reason } = asObject(value);
  if (typeof callId !== "string" || typeof approved !== "boolean") return undefined;
  if (reason === undefined) return { callId, approved };
  return typeof reason === "string" ? { callId, approved, reason } : undefined;
}

/** Parses the items of a list; `undefined` if one is malformed. */
function parseAll<T>(
  list: unknown,
  parse: (item: unknown) => T | undefined,
): readonly T[] | undefined {
  const items = Array.isArray(list) ? list.map(parse) : [undefined];
  return items.every((item) => item !== undefined) ? items : undefined;
}
