import { all, bare, byId, doc, make, toast } from "../core.js";
import { parse } from "./parts.js";

/** What cannot hold a message, since it holds nothing but its own parts. */
const strict =
  "table, thead, tbody, tfoot, tr, td, th, caption, li, dt, dd, dl, ul, ol, option, select";

/** Removes what was said of an earlier failure. @param {string} id */
export const forgetFailure = (id) =>
  all(document, `[data-ui-failure="${CSS.escape(id)}"]`).forEach((one) => one.remove());

/**
 * What the server said of its failure: its page or its problem document, without what is no content.
 * @param {any} answer @returns {Promise<any>}
 */
async function textOf(answer) {
  let text = "";
  try {
    text = await answer.text();
  } catch {
    // It broke off. That it failed is known all the same.
  }
  if (!answer.headers.get("Content-Type")?.startsWith("text/html")) {
    return make("p", {}, textOfProblem(text));
  }
  const content = parse(text);
  for (const one of all(content, "style, script, link, meta, title, base, template")) one.remove();
  for (const name of ["id", "autofocus"]) {
    for (const one of all(content, `[${name}]`)) one.removeAttribute(name);
  }
  for (const one of all(content, "h1, h2")) {
    one.replaceWith(make("p", { class: "ui-alert-title" }, ...one.childNodes));
  }
  for (const one of all(content, "main")) one.replaceWith(...one.childNodes);
  return content;
}

/** What is to be read of a problem document, or of plain text. @param {string} text */
function textOfProblem(text) {
  try {
    const { title, detail, request_id: id } = JSON.parse(text);
    return [detail ?? title, id && `(${id})`].filter(Boolean).join(" ");
  } catch {
    return text.slice(0, 500);
  }
}

/** Says above an element that it cannot change without a connection. @param {string} id */
export function tellOffline(id) {
  const text = doc.querySelector("[data-ui-offline]")?.dataset.uiOffline;
  return tellFailure(id, new Response(text ?? "There is no connection. Try again."));
}

/**
 * Shows what the server said of its failure, and keeps what is there: in the form that was sent, else above the
 * element that was to change.
 * @param {string} id What was to change. @param {any} answer @param {any} [form]
 * @param {() => boolean} [isPassing] Whether the place is about to change, or is gone.
 */
export async function tellFailure(id, answer, form, isPassing) {
  const content = await textOf(answer);
  // An empty message would hide that something failed.
  if (!content.textContent.trim()) content.append(`${answer.status} ${answer.statusText ?? ""}`);
  if (isPassing?.()) return toast("error", content.textContent.trim().replace(/\s+/g, " "));
  const notice = make(
    "div",
    { class: "ui-alert ui-destructive", role: "alert", "data-ui-failure": id },
    content,
  );
  let place = bare(form ?? {}).isConnected ? form : byId(id);
  if (form === place) bare(form).prepend(notice);
  else {
    while (place && bare(place).parentElement?.matches(strict)) place = bare(place).parentElement;
    if (place) bare(place).before(notice);
    else doc.body.prepend(notice);
  }
  bare(notice).scrollIntoView({ block: "nearest" });
}
