/** The view of a conversation: the log, the message field and the calls that wait for approval. */
import { csrfInput, type Ctx, type Node, nonceAttr } from "@fw/fw";
import type { Message, RunFailure, ToolCall } from "@fw/fw/ai";
import * as h from "@fw/fw/h";
import { markdown } from "@/lib/markdown.ts";
import { shownArguments } from "@/lib/shown_json.ts";

/** The content of {@linkcode chat}. */
export interface ChatOptions {
  /** The conversation; tool calls at its end without a result wait for approval. */
  readonly messages: readonly Message[];
  /** The reason for a missing answer. */
  readonly error?: RunFailure | undefined;
  /** The placeholder of the message field. */
  readonly placeholder: string;
}

/** A tool call with its result. */
interface Step {
  readonly call: ToolCall;
  readonly output: string | undefined;
}

/** The messages and steps of one side until the other side's turn. */
interface Turn {
  readonly isUser: boolean;
  readonly parts: (string | Step)[];
}

/** Renders a chat whose form is sent by `public/chat.js` or, without JavaScript, by the browser. */
export function chat(c: Ctx, { messages, error, placeholder }: ChatOptions): Node {
  const turns = toTurns(messages);
  return h.section(
    h.class("chat"),
    h.data("markdown", c.href("/markdown")),
    h.aria("labelledby", "chat-title"),
    h.h2(h.class("ui-sr-only"), h.id("chat-title"), "Conversation"),
    h.div(
      h.class("chat-log"),
      h.role("log"),
      h.aria("labelledby", "chat-title"),
      // A scrollable log must be focusable by keyboard.
      h.tabindex(0),
      ...turns.map((turn) => showTurn(turn, turn === turns.at(-1))),
      error !== undefined && h.p(h.class("chat-note"), h.role("status"), error.message),
    ),
    h.form(
      h.class("chat-form"),
      h.method("post"),
      // Without JavaScript, the fragment scrolls the page to the answer.
      h.action(`${c.href("/")}#latest`),
      csrfInput(c),
      messages.length > 0 &&
        h.input(h.type("hidden"), h.name("history"), h.value(JSON.stringify(messages))),
      h.div(h.class("chat-pending"), ...pendingCalls(messages).map(showPending)),
      h.label(h.class("ui-sr-only"), h.for("chat-message"), "Message"),
      h.textarea(
        h.class("ui-input ui-textarea"),
        h.id("chat-message"),
        h.name("message"),
        h.rows(2),
        h.required(),
        // The same limit as in readChat.
        h.maxlength(20_000),
        h.placeholder(placeholder),
        error?.draft,
      ),
      h.div(
        h.class("ui-actions"),
        h.button(h.class("ui-button ui-outline"), h.type("button"), h.hidden(), "Stop"),
        h.button(h.class("ui-button"), h.type("submit"), "Send"),
      ),
    ),
    h.script(nonceAttr(c), h.type("module"), h.src(c.asset("/chat.js"))),
  );
}

function toTurns(messages: readonly Message[]): Turn[] {
  const outputs = new Map(
    messages.flatMap((message) =>
      message.role === "tool" ? [[message.callId, message.content] as const] : []
    ),
  );
  const turns: Turn[] = [];
  for (const message of messages) {
    if (message.role !== "user" && message.role !== "assistant") continue;
    const isUser = message.role === "user";
    let turn = turns.at(-1);
    if (turn === undefined || isUser || turn.isUser) turns.push(turn = { isUser, parts: [] });
    const text = textOf(message.content);
    if (text !== "") turn.parts.push(text);
    const calls = message.role === "assistant" ? message.toolCalls ?? [] : [];
    for (const call of calls) turn.parts.push({ call, output: outputs.get(call.id) });
  }
  // An answer may have neither text nor calls.
  return turns.filter(({ parts }) => parts.length > 0);
}

function textOf(content: Message["content"]): string {
  if (typeof content === "string") return content;
  return content.map((part) => part.type === "text" ? part.text : "").join("\n");
}

function showTurn({ isUser, parts }: Turn, isLatest: boolean): Node {
  return h.article(
    isLatest && h.id("latest"),
    h.class(`chat-message ${isUser ? "chat-user" : "chat-assistant"}`),
    h.p(h.class("ui-sr-only"), isUser ? "You" : "Assistant"),
    ...parts.map((part) => {
      if (typeof part !== "string") return showStep(part);
      return isUser ? h.p(part) : h.div(h.class("chat-text"), markdown(part));
    }),
  );
}

function showStep({ call, output }: Step): Node {
  const isError = output?.startsWith("error:") ?? false;
  return h.details(
    h.class(`chat-step${isError ? " chat-error" : ""}`),
    h.summary(call.name),
    h.pre(shownArguments(call.arguments)),
    output !== undefined && h.pre(output),
  );
}

/** Returns the calls of the last answer without a result. */
function pendingCalls(messages: readonly Message[]): readonly ToolCall[] {
  const lastAt = messages.findLastIndex(({ role }) => role === "assistant");
  const last = messages[lastAt];
  const after = messages.slice(lastAt + 1);
  if (last?.role !== "assistant" || after.some(({ role }) => role !== "tool")) return [];
  const answered = after.map((message) => message.role === "tool" ? message.callId : "");
  return (last.toolCalls ?? []).filter(({ id }) => !answered.includes(id));
}

function showPending({ id, name, arguments: args }: ToolCall): Node {
  const decide = (verb: string, look: string, text: string): Node =>
    h.button(
      h.class(`ui-button ${look}`),
      h.type("submit"),
      h.name("decision"),
      h.value(`${verb} ${id}`),
      // The buttons do not require the empty message field.
      h.formnovalidate(),
      text,
    );
  return h.fieldset(
    h.class("chat-call"),
    h.legend(`Run ${name}?`),
    h.pre(shownArguments(args)),
    h.div(
      h.class("ui-actions"),
      decide("approve", "", "Approve"),
      decide("reject", "ui-outline", "Reject"),
    ),
  );
}
