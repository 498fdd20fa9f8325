import { all, bare, byId, doc, front, make, toast } from "../core.js";
import { now } from "./drafts.js";
import { parse } from "./parts.js";

/** Elements that cannot contain a message, because they allow only certain children. */
const strict =
  "table, thead, tbody, tfoot, tr, td, th, caption, li, dt, dd, dl, ul, ol, option, select";

/** The element with the texts of the script, which `ui.head` writes. */
export const texts = () => doc.querySelector("[data-ui-offline]");

/** Removes the notices of an earlier failure. @param {string} id */
export const forgetFailure = (id) =>
  all(document, `[data-ui-failure="${CSS.escape(id)}"]`).forEach((one) => one.remove());

/**
 * Returns the content of the server's error page or problem document.
 * @param {any} answer @param {string} id The part to take from a whole page. @returns {Promise<any>}
 */
async function textOf(answer, id) {
  // The body may break off; the failure is still known.
  const text = await answer.text().catch(() => "");
  if (!answer.headers.get("Content-Type")?.startsWith("text/html")) {
    return make("p", {}, textOfProblem(text));
  }
  const content = parse(text);
  const part = byId(id, content);
  if (part) content.replaceChildren(...bare(part).childNodes);
  for (const one of all(content, "*")) {
    const element = bare(one);
    element.removeAttribute("id");
    element.removeAttribute("autofocus");
    if (element.matches("style, script, link, meta, title, base, template")) element.remove();
    else if (element.matches("h1, h2")) {
      element.replaceWith(make("p", { class: "ui-alert-title" }, ...element.childNodes));
    } else if (element.matches("main")) element.replaceWith(...element.childNodes);
  }
  return content;
}

/** Returns the message of a problem document or plain text. @param {string} text */
function textOfProblem(text) {
  try {
    const { title, detail, request_id: id } = JSON.parse(text);
    return [detail ?? title, id && `(${id})`].filter(Boolean).join(" ");
  } catch {
    return text.slice(0, 500);
  }
}

/**
 * Shows above an element that there is no connection, until there is one or the user retries.
 * @param {string} id @param {() => void} retry
 */
export function tellOffline(id, retry) {
  const { uiOffline, uiRetry } = texts().dataset;
  const again = make("button", { class: "ui-button ui-outline ui-small" }, uiRetry);
  const notice = notify(id, make("p", {}, uiOffline, " ", again));
  const at = now();
  again.onclick = retry;
  // Do not retry if the user has typed or requested something since.
  const go = () => notice.isConnected && now() === at + 1 && retry();
  // Browsers report a connection before it is usable.
  addEventListener("online", () => setTimeout(go, 1_000), { once: true });
}

/**
 * Shows the server's error without replacing content: in the sent form, else above the target element.
 * @param {string} id The target. @param {any} answer @param {any} [form]
 * @param {() => boolean} [isPassing] Whether the target is about to change, or is gone.
 */
export async function tellFailure(id, answer, form, isPassing) {
  const content = await textOf(answer, id);
  // An empty message would hide the failure.
  if (!content.textContent.trim()) content.append(`${answer.status} ${answer.statusText ?? ""}`);
  if (isPassing?.()) return toast("error", content.textContent.trim().replace(/\s+/g, " "));
  notify(id, content, form);
}

/** Shows a notice. @param {string} id @param {Node} content @param {any} [form] */
function notify(id, content, form) {
  const notice = make(
    "div",
    { class: "ui-alert ui-destructive", role: "alert", "data-ui-failure": id },
    content,
  );
  let place = doc.contains(form) ? form : byId(id);
  if (form === place) bare(form).prepend(notice);
  else {
    while (place && bare(place).parentElement?.matches(strict)) place = bare(place).parentElement;
    const around = front() ?? doc.body;
    if (around.contains(place)) bare(place).before(notice);
    else around.prepend(notice);
  }
  notice.scrollIntoView({ block: "nearest" });
  return notice;
}
