/** Sends the chat form and shows the events of the answer as they arrive. */
const chat = document.querySelector(".chat");
const [log, form] = [chat.querySelector(".chat-log"), chat.querySelector(".chat-form")];
const field = form.querySelector("textarea");
let running;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (running === undefined) send(event.submitter);
});

form.querySelector("button[type=button]").addEventListener("click", () => running?.abort());

// Enter sends, as in other chats; Shift+Enter inserts a line break.
field.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  if (field.value.trim()) form.requestSubmit();
});

/** Sends a message or a decision. */
async function send(pressed) {
  const body = new URLSearchParams(new FormData(form, pressed));
  const text = body.has("decision") ? "" : field.value.trim();
  const controller = running = new AbortController();
  const answer = new Answer(waitingCalls());
  showBusy();
  log.append(...text ? [turn("You", "user", make("p", {}, text))] : [], answer.element);
  log.scrollTop = log.scrollHeight;
  if (text) field.value = "";
  let reason = "There was no answer. Try again.";
  try {
    const response = await fetch(form.action, {
      method: "POST",
      body,
      headers: { Accept: "text/event-stream" },
      // A redirect would put the sign-in page in place of the answer.
      redirect: "manual",
      signal: controller.signal,
    });
    if (response.type === "opaqueredirect" || response.status === 401) return location.reload();
    if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) {
      throw new Error(reason = await readRefusal(response) || reason);
    }
    for await (const { event, data } of readEvents(response)) {
      follow(() => answer.take(event, data));
      if (event === "done") finish(data);
      if (event === "error" && data.history) {
        finish({ history: data.history, pending: [] });
        field.value ||= data.draft ?? "";
      }
    }
    if (!answer.isOver) throw new Error(reason);
  } catch {
    const isStopped = controller.signal.aborted;
    answer.note(isStopped ? "Stopped." : reason);
    if (isStopped && text) keepStopped(text, answer.text);
    // The message had no effect, so the user can send it again.
    else if (!answer.text && text && !field.value) field.value = text;
  } finally {
    controller.abort();
    await answer.format();
    running = undefined;
    showIdle();
    // An answer that is only a question is removed: the question stands above the field.
    if (answer.element.childElementCount < 2) answer.element.remove();
    if (document.activeElement === document.body || form.contains(document.activeElement)) {
      field.focus();
    }
  }
}

/** Returns why a message was refused: the errors of a page are HTML, those of a route JSON. */
async function readRefusal(response) {
  const text = await response.text();
  const page = new DOMParser().parseFromString(text, "text/html");
  const { title, detail = title } = parseJson(text);
  return page.querySelector("h1 ~ p")?.textContent ?? detail;
}

/** Shows that an answer is being written; screen readers then wait until it is complete. */
function showBusy() {
  log.ariaBusy = "true";
  for (const button of form.querySelectorAll("button")) {
    if (button.type === "button") button.hidden = false;
    else button.disabled = true;
  }
}

function showIdle() {
  log.ariaBusy = null;
  for (const button of form.querySelectorAll("button")) {
    if (button.type === "button") button.hidden = true;
    else button.disabled = false;
  }
}

/** Changes the log and keeps it scrolled to the end if it was there before. */
function follow(change) {
  const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
  change();
  if (isAtEnd) log.scrollTop = log.scrollHeight;
}

/** A streamed answer: texts and steps in order. */
class Answer {
  constructor(waiting) {
    this.waiting = waiting;
    this.element = turn("Assistant", "assistant");
    this.text = "";
    this.isOver = false;
    this.body = undefined;
    this.steps = new Map();
  }

  take(event, data) {
    if (event === "text") this.write(data.text);
    else if (event === "tool_call") {
      const step = makeStep(data.tool, data.arguments);
      step.ariaBusy = "true";
      this.steps.set(data.callId, step);
      this.element.append(step);
      this.body = undefined;
    } else if (event === "tool_result") {
      const step = this.steps.get(data.callId);
      step?.append(make("pre", {}, data.output));
      step?.removeAttribute("aria-busy");
      step?.classList.toggle("chat-error", data.isError);
    } else if (event === "error" || event === "done") {
      this.isOver = true;
      if (event === "error") this.note(data.message);
      // A refusal is not streamed as text.
      else if (!this.text && data.status === "done") this.write(data.output);
      this.showRejected(data.history ?? []);
    }
  }

  write(text) {
    this.text += text;
    if (this.body === undefined) {
      this.body = make("div", { class: "chat-text is-coming" });
      this.element.append(this.body);
    }
    this.body.append(text);
  }

  /** Shows the waiting calls that were rejected. */
  showRejected(history) {
    for (const call of this.waiting.filter(({ id }) => !this.steps.has(id))) {
      const result = history.findLast(({ callId }) => callId === call.id);
      if (!result) continue;
      const step = makeStep(call.name, parseJson(call.arguments));
      step.classList.add("chat-error");
      step.append(make("pre", {}, result.content));
      this.element.firstChild.after(step);
    }
  }

  /** Has the server render the Markdown, which shows the model's HTML as text. */
  async format() {
    for (const body of this.element.querySelectorAll(".is-coming")) {
      const fields = new URLSearchParams(new FormData(form));
      for (const name of ["message", "history"]) fields.delete(name);
      fields.set("text", body.textContent);
      const response = await fetch(chat.dataset.markdown, { method: "POST", body: fields })
        .catch(() => undefined);
      if (!response?.ok) continue;
      const html = await response.text();
      follow(() => {
        body.innerHTML = html;
        body.classList.remove("is-coming");
      });
    }
  }

  note(text) {
    this.element.append(make("p", { class: "chat-note", role: "status" }, text));
  }
}

/** Stores the history and shows the waiting calls. */
function finish({ history, pending }) {
  keepHistory(history);
  const button = (verb, id, text, look = "") => {
    const value = `${verb} ${id}`;
    const names = { class: `ui-button ${look}`, name: "decision", value, formnovalidate: "" };
    return make("button", names, text);
  };
  form.querySelector(".chat-pending").replaceChildren(...pending.map((call) => {
    const decide = make("div", { class: "ui-actions" });
    decide.append(
      button("approve", call.callId, "Approve"),
      button("reject", call.callId, "Reject", "ui-outline"),
    );
    const legend = make("legend", {}, `Run ${call.tool}?`);
    return make("fieldset", { class: "chat-call" }, legend, makeArguments(call.arguments), decide);
  }));
}

/** Stores the part of an answer that arrived before the user stopped it. */
function keepStopped(text, answer) {
  keepHistory([
    ...readHistory(),
    { role: "user", content: text },
    ...answer ? [{ role: "assistant", content: answer }] : [],
  ]);
}

function readHistory() {
  return JSON.parse(form.querySelector("[name=history]")?.value ?? "[]");
}

function keepHistory(history) {
  let kept = form.querySelector("[name=history]");
  if (!kept) form.append(kept = make("input", { type: "hidden", name: "history" }));
  kept.value = JSON.stringify(history);
}

/** Returns the calls that wait for approval. */
function waitingCalls() {
  const history = readHistory();
  const at = history.findLastIndex(({ role }) => role === "assistant");
  const answered = history.slice(at + 1).map(({ callId }) => callId);
  return (history[at]?.toolCalls ?? []).filter(({ id }) => !answered.includes(id));
}

function turn(name, side, ...children) {
  const heading = make("p", { class: "ui-sr-only" }, name);
  return make("article", { class: `chat-message chat-${side}` }, heading, ...children);
}

function makeStep(tool, args) {
  return make("details", { class: "chat-step" }, make("summary", {}, tool), makeArguments(args));
}

/** Formats arguments for display, with invisible characters as escapes. */
function makeArguments(args) {
  const text = (JSON.stringify(args, null, 2) ?? "").replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (char) => char === "\n" ? char : `\\u{${char.codePointAt(0).toString(16)}}`,
  );
  return make("pre", {}, text);
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Reads the events of an answer, as written by sendRun. */
async function* readEvents({ body }) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = "";;) {
    const { done, value } = await reader.read();
    if (done) return;
    const frames = (text + value).split("\n\n");
    text = frames.pop();
    for (const frame of frames) {
      let [event, data] = ["", ""];
      for (const line of frame.split("\n")) {
        if (line.startsWith("event: ")) event = line.slice(7);
        else if (line.startsWith("data: ")) data += line.slice(6);
      }
      if (data) yield { event, data: JSON.parse(data) };
    }
  }
}
