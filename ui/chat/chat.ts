/** A conversation with a model: the log, the field, and the calls that wait for a person. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import { type Ctx, nonceAttr } from "../../mod.ts";
import { word } from "../labels.ts";
import { markdown } from "./markdown.ts";
import { sortParts } from "../parts.ts";
import { shownJson } from "./shown_json.js";

/** A tool call in a {@link ChatMessage}. */
export interface ChatToolCall {
  /** The id that the result refers to. */
  readonly id: string;
  /** The name of the tool. */
  readonly name: string;
  /** The arguments as JSON text. */
  readonly arguments: string;
}

/** A message of a conversation, as `@fw/fw/ai` has it in the history of a run. */
export interface ChatMessage {
  /** `user`, `assistant` or `tool`; others are not shown. */
  readonly role: string;
  /** A text, or a list of parts of which those with text are shown. */
  readonly content: string | readonly { readonly type: string; readonly text?: string }[];
  /** What the model called. */
  readonly toolCalls?: readonly ChatToolCall[];
  /** The call that a message of the role `tool` answers. */
  readonly callId?: string;
}

/** Options of {@link chat}. */
export interface ChatOptions {
  /** Where the form is sent: a handler that reads it with `readChat` and answers with `sendRun`. */
  readonly action: string;
  /** The conversation so far; the calls at its end without a result wait for a decision. @default none */
  readonly messages?: readonly ChatMessage[];
  /** What stands in the empty field. @default nothing */
  readonly placeholder?: string;
  /** The longest message, in UTF-16 code units: that of `readChat`. @default 20000 */
  readonly maxMessageChars?: number;
  /** Why there is no answer, as `sendRun` passes it to its page as `error`. @default there is one */
  readonly error?: ChatFailure | undefined;
}

/** Why a conversation got no answer. */
export interface ChatFailure {
  /** A sentence for the person, at the end of the log. */
  readonly message: string;
  /** The message that got no answer, for the field. @default none */
  readonly draft?: string | undefined;
}

/**
 * Renders a conversation with a model. With {@linkcode chatScript} the answer is streamed and can
 * be stopped; without a script the form gets the page with the whole answer, or with what failed
 * (`error`). Text of the model is rendered by {@linkcode markdown}, so that none of it becomes
 * HTML.
 *
 * @param id The id; a page may have several chats.
 * @param options Where it is sent, and the conversation so far.
 * @param children What the form carries, such as `csrfInput(c)`; what stands before the first message;
 * attributes of the element around it.
 * @returns A `section`.
 *
 * @example
 * ```ts
 * import { type Ctx, csrfInput, type Node } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * export function Page(c: Ctx): Node {
 *   return h.fragment(
 *     ui.chat("help", { action: c.href("/help"), placeholder: "Ask about events" }, csrfInput(c)),
 *     ui.chatScript(c),
 *   );
 * }
 * ```
 */
export function chat(id: string, options: ChatOptions, ...children: Child[]): Node {
  const { action, messages = [], placeholder, maxMessageChars = 20_000, error } = options;
  const { attributes, content } = sortParts(children);
  const [fieldId, titleId, latestId] = [`${id}-message`, `${id}-title`, `${id}-latest`];
  const turns = turnsOf(messages);
  return h.section(
    h.class("ui-chat"),
    h.id(id),
    h.data("ui-chat", JSON.stringify(scriptWords())),
    h.aria("labelledby", titleId),
    ...attributes,
    // Headings of the model begin at h3.
    h.h2(h.class("ui-sr-only"), h.id(titleId), word("chat")),
    h.div(
      h.class("ui-chat-log"),
      h.role("log"),
      h.aria("labelledby", titleId),
      // A log that scrolls must be reachable by the keyboard.
      h.tabindex(0),
      // Without a script the page opens at the answer, since the form leads to it.
      ...turns.map((turn) => showTurn(turn, turn === turns.at(-1) ? latestId : undefined)),
      error !== undefined && h.p(h.class("ui-chat-note"), h.role("status"), error.message),
    ),
    h.form(
      h.class("ui-chat-form"),
      h.method("post"),
      h.action(action.includes("#") ? action : `${action}#${latestId}`),
      ...content,
      messages.length > 0 &&
        h.input(h.type("hidden"), h.name("history"), h.value(JSON.stringify(messages))),
      h.div(h.class("ui-chat-pending"), ...pendingCalls(messages).map(showPending)),
      h.label(h.class("ui-sr-only"), h.for(fieldId), word("chatMessage")),
      h.textarea(
        h.class("ui-input ui-textarea"),
        h.id(fieldId),
        h.name("message"),
        h.rows(2),
        h.required(),
        h.maxlength(maxMessageChars),
        placeholder !== undefined && h.placeholder(placeholder),
        error?.draft,
      ),
      h.div(
        h.class("ui-actions"),
        h.button(h.class("ui-button ui-outline"), h.type("button"), h.hidden(), word("chatStop")),
        h.button(h.class("ui-button"), h.type("submit"), word("chatSend")),
      ),
    ),
  );
}

/**
 * Loads the script of {@linkcode chat}, `ui.chat.js`, which the command `ui --chat` writes to
 * `public/`. Only pages with a chat need it.
 *
 * @param c The context of the request, for the nonce and the URL with a fingerprint.
 * @returns A `script`.
 */
export function chatScript(c: Ctx): Node {
  return h.script(nonceAttr(c), h.type("module"), h.src(c.asset("/ui.chat.js")));
}

/** Returns the words that the script writes. */
function scriptWords(): Record<string, string> {
  return {
    you: word("chatYou"),
    assistant: word("chatAssistant"),
    approve: word("chatApprove"),
    reject: word("chatReject"),
    question: word("chatQuestion"),
    stopped: word("chatStopped"),
    failed: word("chatFailed"),
  };
}

/** One tool call with its result. */
interface Step {
  readonly call: ChatToolCall;
  readonly output: string | undefined;
}

/** What one side said, with the steps of the model between two messages of the person. */
interface Turn {
  readonly isUser: boolean;
  readonly parts: (string | Step)[];
}

function turnsOf(messages: readonly ChatMessage[]): Turn[] {
  const outputs = new Map(
    messages.flatMap(({ role, callId, content }) =>
      role === "tool" && callId !== undefined ? [[callId, textOf(content)] as const] : []
    ),
  );
  const turns: Turn[] = [];
  for (const { role, content, toolCalls = [] } of messages) {
    if (role !== "user" && role !== "assistant") continue;
    const isUser = role === "user";
    let turn = turns.at(-1);
    if (turn === undefined || isUser || turn.isUser) turns.push(turn = { isUser, parts: [] });
    const text = textOf(content);
    if (text !== "") turn.parts.push(text);
    for (const call of toolCalls) turn.parts.push({ call, output: outputs.get(call.id) });
  }
  // An answer may have neither a text nor a call.
  return turns.filter(({ parts }) => parts.length > 0);
}

function textOf(content: ChatMessage["content"]): string {
  return typeof content === "string" ? content : content.map(({ text = "" }) => text).join("\n");
}

function showTurn({ isUser, parts }: Turn, id: string | undefined): Node {
  return h.article(
    id !== undefined && h.id(id),
    h.class(`ui-chat-message ${isUser ? "ui-chat-user" : "ui-chat-assistant"}`),
    h.p(h.class("ui-sr-only"), isUser ? word("chatYou") : word("chatAssistant")),
    ...parts.map((part) => {
      if (typeof part !== "string") return showStep(part);
      return isUser ? h.p(part) : markdown(part);
    }),
  );
}

function showStep({ call, output }: Step): Node {
  const isError = output?.startsWith("error:") ?? false;
  return h.details(
    h.class(`ui-chat-step${isError ? " ui-chat-error" : ""}`),
    h.summary(call.name),
    h.pre(shownArguments(call.arguments)),
    output !== undefined && h.pre(output),
  );
}

/** A model may write a name twice, and characters that hide others: a person sees what the tool gets. */
function shownArguments(text: string): string {
  try {
    return shownJson(JSON.parse(text));
  } catch {
    return shownJson(text);
  }
}

/** Returns the calls of the last answer that have no result. */
function pendingCalls(messages: readonly ChatMessage[]): readonly ChatToolCall[] {
  const lastAt = messages.findLastIndex(({ role }) => role === "assistant");
  const after = messages.slice(lastAt + 1);
  if (after.some(({ role }) => role !== "tool")) return [];
  const answered = new Set(after.map(({ callId }) => callId));
  return (messages[lastAt]?.toolCalls ?? []).filter(({ id }) => !answered.has(id));
}

function showPending({ id, name, arguments: args }: ChatToolCall): Node {
  const decide = (verb: string, look: string, text: string): Node =>
    h.button(
      h.class(`ui-button ${look}`),
      h.type("submit"),
      h.name("decision"),
      h.value(`${verb} ${id}`),
      // The field for the next message is empty.
      h.formnovalidate(),
      text,
    );
  return h.fieldset(
    h.class("ui-chat-call"),
    h.legend(word("chatQuestion").replace("{tool}", () => name)),
    h.pre(shownArguments(args)),
    h.div(
      h.class("ui-actions"),
      decide("approve", "", word("chatApprove")),
      decide("reject", "ui-outline", word("chatReject")),
    ),
  );
}
