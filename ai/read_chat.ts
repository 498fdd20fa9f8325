import {
  type Ctx,
  fieldError,
  httpError,
  type StandardIssue,
  type StandardSchema,
} from "../mod.ts";
import { takeTicket, verifyExtras } from "./runs/browser_history.ts";
import type { ContentPart, Message, ToolCall } from "./message.ts";
import { checkLimits } from "./options.ts";
import { isForeign } from "./origin.ts";
import type { Decision, RunInput } from "./runs/types.ts";
import { isJsonObject, parseJsonText } from "./json.ts";

/** A browser's request to a chat. */
export interface ChatInput {
  /** The input of `run`: the message or the decisions. */
  readonly input: RunInput;
  /** The conversation so far, without messages of the role `system`. */
  readonly history: readonly Message[];
}

/** Options of {@link readChat}. */
export interface ReadChatOptions {
  /** Maximum length of a message, in UTF-16 code units. @default 20000 */
  readonly maxMessageChars?: number;
  /** Maximum number of messages in a history. @default 1000 */
  readonly maxMessages?: number;
  /** Maximum length of a history as JSON, in UTF-16 code units; every turn sends it all. @default 400000 */
  readonly maxHistoryChars?: number;
}

/**
 * Reads a chat request, as JSON (`message`, `history`, `decisions`) or as a form (`message`, `history` as
 * JSON text, `decision` as `approve <id>` or `reject <id>`).
 *
 * The history comes from the browser, so its user may have changed it: do not base permissions on it.
 * Tools check what this user may do, as a handler does, and instructions stay on the server. For a
 * trusted history, store it and send only its id.
 *
 * @throws {FieldErrors} for an empty or too long message, an empty list of decisions or a malformed
 * history.
 * @throws {RangeError} for a limit that is not a whole number.
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
export async function readChat(c: Ctx, options: ReadChatOptions = {}): Promise<ChatInput> {
  if (isForeign(c)) {
    c.app.security.report(c, "csrf", { reason: "foreign-origin" });
    throw httpError(403, "A page of another site may not send this.");
  }
  const { maxMessageChars = 20_000, maxMessages = 1_000, maxHistoryChars = 400_000 } = options;
  const limits = { maxMessageChars, maxMessages, maxHistoryChars };
  checkLimits(limits);
  const schema = schemaOf(limits);
  const isJson = /^application\/json\b/i.test(c.request.headers.get("content-type") ?? "");
  const chat = isJson ? await c.bindJson(schema) : await readForm(c, schema);
  await takeTicket(c, chat.input, chat.history);
  return { ...chat, history: chat.history.map((message) => verifyExtras(c, message)) };
}

async function readForm(c: Ctx, schema: StandardSchema<unknown, ChatInput>): Promise<ChatInput> {
  const fields = {
    // A form sends line breaks as CRLF, which `maxlength` counts as one character.
    message: (await c.form("message"))?.replaceAll("\r\n", "\n"),
    history: parseHistory(await c.form("history")),
    decisions: parseDecision(await c.form("decision")),
  };
  const result = await schema["~standard"].validate(fields);
  if (result.issues === undefined) return result.value;
  const [issue] = result.issues;
  throw fieldError(String(issue?.path?.[0] ?? "message"), issue?.message ?? "is invalid");
}

function parseHistory(text: string | undefined): unknown {
  if (text === undefined || text === "") return undefined;
  const history = parseJsonText(text);
  return history === undefined ? text : history;
}

function parseDecision(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  const [verb = "", ...rest] = text.split(" ");
  if (verb !== "approve" && verb !== "reject") return text;
  return [{ callId: rest.join(" "), approved: verb === "approve" }];
}

function schemaOf(limits: Required<ReadChatOptions>): StandardSchema<unknown, ChatInput> {
  return {
    "~standard": {
      version: 1,
      vendor: "fw",
      validate: (value) => {
        const issues: StandardIssue[] = [];
        const members = isJsonObject(value) ? value : {};
        const history = checkHistory(members.history, { limits, issues });
        const input = checkInput(members, { limits, issues });
        return issues.length > 0 ? { issues } : { value: { input, history } };
      },
    },
  };
}

interface Checking {
  readonly limits: Required<ReadChatOptions>;
  readonly issues: StandardIssue[];
}

function checkInput(
  { message, decisions }: Readonly<Record<string, unknown>>,
  { limits, issues }: Checking,
): RunInput {
  if (decisions !== undefined) {
    // A run without decisions would pause again, and `sendRun` would sign calls that no model made.
    if (Array.isArray(decisions) && decisions.length > 0 && decisions.every(isDecision)) {
      return decisions.map(ownDecision);
    }
    issues.push({ message: "is malformed", path: ["decisions"] });
    return "";
  }
  const text = typeof message === "string" ? message.trim() : "";
  if (text === "") issues.push({ message: "is required", path: ["message"] });
  if (text.length > limits.maxMessageChars) {
    issues.push({ message: `has at most ${limits.maxMessageChars} characters`, path: ["message"] });
  }
  return text;
}

function checkHistory(history: unknown, { limits, issues }: Checking): readonly Message[] {
  if (history === undefined || history === null) return [];
  const isFine = Array.isArray(history) && history.length <= limits.maxMessages &&
    JSON.stringify(history).length <= limits.maxHistoryChars;
  const messages = isFine ? history.map(parseMessage) : [undefined];
  if (messages.every((message) => message !== undefined)) return messages;
  issues.push({ message: "is malformed or too long", path: ["history"] });
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
  if (toolCalls !== undefined && !(Array.isArray(toolCalls) && toolCalls.every(isToolCall))) {
    return undefined;
  }
  return {
    role: "assistant",
    content,
    ...(toolCalls === undefined ? {} : { toolCalls: toolCalls.map(ownCall) }),
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

function isToolCall(value: unknown): value is ToolCall {
  return isJsonObject(value) && typeof value.id === "string" && typeof value.name === "string" &&
    typeof value.arguments === "string";
}

function ownCall({ id, name, arguments: args, extra }: ToolCall): ToolCall {
  return { id, name, arguments: args, ...(isJsonObject(extra) ? { extra } : {}) };
}

function isDecision(value: unknown): value is Decision {
  return isJsonObject(value) && typeof value.callId === "string" &&
    typeof value.approved === "boolean" &&
    (value.reason === undefined || typeof value.reason === "string");
}

function ownDecision({ callId, approved, reason }: Decision): Decision {
  return { callId, approved, ...(reason === undefined ? {} : { reason }) };
}
