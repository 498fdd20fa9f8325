import { parseMarkdown } from "../chat/markdown_parse.js";
import { shownJson } from "../chat/shown_json.js";
import { all, closest, doc, make, on } from "./dom.js";

/** The answer that is coming, by the chat it belongs to. @type {WeakMap<any, AbortController>} */
const running = new WeakMap();

/** How often text that comes is shown, in milliseconds. */
const paintMs = 50;

on("submit", (event) => {
  const form = /** @type {any} */ (event.target);
  const chat = closest(form, "[data-ui-chat]");
  if (!chat || event.defaultPrevented) return;
  event.preventDefault();
  if (!running.has(chat)) send(chat, form, /** @type {any} */ (event).submitter);
});

on("click", ({ target }) => {
  const button = closest(target, ".ui-chat-form button[type=button]");
  if (button) running.get(button.closest("[data-ui-chat]"))?.abort();
});

// Enter sends, as in other chats; a line break is Shift and Enter.
on("keydown", (event) => {
  const { key, shiftKey, isComposing, target } = /** @type {any} */ (event);
  if (key !== "Enter" || shiftKey || isComposing || !closest(target, ".ui-chat textarea")) return;
  event.preventDefault();
  if (target.value.trim()) target.form.requestSubmit();
});

/**
 * Sends a message or a decision and shows what comes.
 *
 * @param {any} chat
 * @param {any} form
 * @param {any} pressed
 */
async function send(chat, form, pressed) {
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form, pressed)));
  const words = JSON.parse(chat.dataset.uiChat);
  const log = chat.querySelector(".ui-chat-log");
  const field = form.querySelector("textarea");
  const text = body.has("decision") ? "" : field.value.trim();
  const controller = new AbortController();
  running.set(chat, controller);
  setBusy(chat, "true");
  const asked = text && turn(words.you, "user", make("p", {}, text));
  const answer = new Answer(words, waitingIn(form));
  log.append(...(asked ? [asked] : []), answer.element);
  log.scrollTop = log.scrollHeight;
  if (text) field.value = "";
  let reason = "";
  try {
    const response = await fetch(form.action, {
      method: "POST",
      body,
      headers: { Accept: "text/event-stream" },
      // The sign-in page would come in the place of the answer, or be on another site.
      redirect: "manual",
      signal: controller.signal,
    });
    // Who is no longer signed in gets what the guard of the page says.
    if (response.type === "opaqueredirect" || response.status === 401) return location.reload();
    if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) {
      reason = await problemOf(response);
      throw new Error();
    }
    for await (const { event, data } of eventsOf(response)) {
      follow(log, () => answer.take(event, data));
      if (event === "done") finish(form, words, data);
      if (event === "error" && data.history) {
        finish(form, words, { history: data.history, pending: [] });
        field.value ||= data.draft ?? "";
      }
    }
    if (!answer.isOver) throw new Error();
  } catch {
    const isStopped = controller.signal.aborted;
    answer.note(isStopped ? words.stopped : reason || words.failed);
    if (isStopped) keep(form, text, answer.text);
    // Nothing has happened: the person can send it again.
    else if (!answer.text && text && !field.value) field.value = text;
  } finally {
    controller.abort();
    running.delete(chat);
    setBusy(chat);
    follow(log, () => answer.paint());
    // A question alone is no answer: it stands above the field.
    if (answer.element.childElementCount < 2) answer.element.remove();
    if (doc.activeElement === doc.body || form.contains(doc.activeElement)) field.focus();
  }
}

/** Screen readers wait for an answer that is whole. @param {any} chat @param {"true"} [busy] */
function setBusy(chat, busy) {
  chat.querySelector(".ui-chat-log").ariaBusy = busy ?? null;
  for (const button of all(chat, ".ui-chat-form button")) {
    if (button.type === "button") button.hidden = !busy;
    else button.disabled = !!busy;
  }
}

/** Changes the log and stays at its end, where the person is there. @param {any} log @param {() => void} change */
function follow(log, change) {
  const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
  change();
  if (isAtEnd) log.scrollTop = log.scrollHeight;
}

/**
 * One side's words.
 *
 * @param {string} name
 * @param {string} side
 * @param {Node[]} children
 */
function turn(name, side, ...children) {
  return make(
    "article",
    { class: `ui-chat-message ui-chat-${side}` },
    make("p", { class: "ui-sr-only" }, name),
    ...children,
  );
}

/**
 * The calls that wait for a person, by the history that the form holds.
 *
 * @param {any} form
 * @returns {any[]}
 */
function waitingIn(form) {
  /** @type {any[]} */
  const history = JSON.parse(form.elements.namedItem("history")?.value || "[]");
  const at = history.findLastIndex(({ role }) => role === "assistant");
  const answered = history.slice(at + 1).map(({ callId }) => callId);
  return (history[at]?.toolCalls ?? []).filter((/** @type {any} */ { id }) =>
    !answered.includes(id)
  );
}

/** What a problem document says (RFC 9457). @param {Response} response */
async function problemOf(response) {
  try {
    const { detail, title } = await response.json();
    return String(detail ?? title ?? "");
  } catch {
    return "";
  }
}

/** A call of a tool. @param {string} tool @param {unknown} args */
function stepOf(tool, args) {
  return make(
    "details",
    { class: "ui-chat-step" },
    make("summary", {}, tool),
    make("pre", {}, shownJson(args)),
  );
}

/** An answer as it comes: texts and steps in their order. */
class Answer {
  /** @param {Record<string, string>} words @param {any[]} waiting The calls that waited before it. */
  constructor(words, waiting) {
    this.waiting = waiting;
    this.element = turn(words.assistant ?? "", "assistant");
    this.text = "";
    this.isOver = false;
    this.part = "";
    this.body = /** @type {any} */ (undefined);
    /** The blocks that are shown, to leave alone those that stay. @type {string[]} */
    this.shown = [];
    /** @type {Map<string, any>} */
    this.steps = new Map();
    this.timer = 0;
  }

  /**
   * @param {string} event
   * @param {any} data
   */
  take(event, data) {
    if (event === "text") {
      this.text += data.text;
      this.part += data.text;
      this.timer ||= setTimeout(() => follow(this.element.parentNode, () => this.paint()), paintMs);
    } else if (event === "tool_call") {
      this.paint();
      const step = stepOf(data.tool, data.arguments);
      step.setAttribute("aria-busy", "true");
      this.steps.set(data.callId, step);
      this.element.append(step);
      this.body = undefined;
    } else if (event === "tool_result") {
      const step = this.steps.get(data.callId);
      step?.append(make("pre", {}, data.output));
      step?.removeAttribute("aria-busy");
      step?.classList.toggle("ui-chat-error", data.isError);
    } else if (event === "error") {
      this.isOver = true;
      this.note(data.message);
      this.showRejected(data.history ?? []);
    } else if (event === "done") {
      this.isOver = true;
      this.showRejected(data.history);
      // A refusal does not come as text.
      if (!this.text && data.status === "done") this.part = data.output;
    }
  }

  /** Shows the calls that waited and did not run. @param {any[]} history */
  showRejected(history) {
    for (const call of this.waiting.filter(({ id }) => !this.steps.has(id))) {
      const result = history.findLast(({ callId }) => callId === call.id);
      if (!result) continue;
      const step = stepOf(call.name, parsed(call.arguments));
      step.classList.add("ui-chat-error");
      step.append(make("pre", {}, result.content));
      this.element.firstChild.after(step);
    }
  }

  /** Shows the text so far. Only the blocks that changed are made again. */
  paint() {
    clearTimeout(this.timer);
    this.timer = 0;
    if (!this.part) return;
    if (!this.body) {
      this.element.append(this.body = make("div", { class: "ui-markdown" }));
      this.shown = [];
    }
    const blocks = parseMarkdown(this.part);
    const texts = blocks.map((block) => JSON.stringify(block));
    const same = texts.findIndex((text, at) => text !== this.shown[at]);
    const from = same < 0 ? texts.length : same;
    while (this.body.childNodes.length > from) this.body.lastChild.remove();
    this.body.append(...blocks.slice(from).map(nodeOf));
    this.shown = texts;
  }

  /** @param {string | undefined} text */
  note(text) {
    this.paint();
    this.element.append(make("p", { class: "ui-chat-note", role: "status" }, text ?? ""));
  }
}

/** The arguments of a call; the text itself where it is no JSON. @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * The node of parsed Markdown. What is made is an element or a text, never HTML.
 *
 * @param {import("../chat/markdown_parse.js").Piece} piece
 * @returns {string | Node}
 */
function nodeOf(piece) {
  if (typeof piece === "string") return piece;
  const { tag, href = false, start = false, children } = piece;
  const rel = href && "noopener noreferrer nofollow";
  return make(tag, { href, rel, start }, ...children.map(nodeOf));
}

/**
 * Keeps the history and shows the calls that wait.
 *
 * @param {any} form
 * @param {Record<string, string>} words
 * @param {any} result
 */
function finish(form, words, { history, pending }) {
  keepHistory(form, history);
  const button = (/** @type {string} */ verb, /** @type {string} */ id, look = "") =>
    make(
      "button",
      { class: `ui-button ${look}`, name: "decision", value: `${verb} ${id}`, formnovalidate: "" },
      words[verb] ?? "",
    );
  form.querySelector(".ui-chat-pending").replaceChildren(
    ...pending.map((/** @type {any} */ call) =>
      make(
        "fieldset",
        { class: "ui-chat-call" },
        make("legend", {}, (words.question ?? "").replace("{tool}", () => call.tool)),
        make("pre", {}, shownJson(call.arguments)),
        make(
          "div",
          { class: "ui-actions" },
          button("approve", call.callId),
          button("reject", call.callId, "ui-outline"),
        ),
      )
    ),
  );
}

/** Keeps what was said before the person stopped the answer. @param {any} form @param {string} text @param {string} answer */
function keep(form, text, answer) {
  if (!text) return;
  const history = JSON.parse(form.elements.namedItem("history")?.value || "[]");
  keepHistory(form, [
    ...history,
    { role: "user", content: text },
    ...(answer ? [{ role: "assistant", content: answer }] : []),
  ]);
}

/** @param {any} form @param {object[]} history */
function keepHistory(form, history) {
  let field = form.elements.namedItem("history");
  if (!field) form.append(field = make("input", { type: "hidden", name: "history" }));
  field.value = JSON.stringify(history);
}

/**
 * The events of an answer, as this framework writes them: lines of `event` and `data`.
 *
 * @param {Response} response
 */
async function* eventsOf({ body }) {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = "";;) {
    const { done, value } = await reader?.read() ?? { done: true };
    if (done) return;
    const frames = (text + value).split("\n\n");
    text = frames.pop() ?? "";
    for (const frame of frames) {
      let event = "";
      let data = "";
      for (const line of frame.split("\n")) {
        if (line.startsWith("event: ")) event = line.slice(7);
        else if (line.startsWith("data: ")) data += line.slice(6);
      }
      if (data) yield { event, data: JSON.parse(data) };
    }
  }
}
