import { all, bare, byId, doc, goTo, isOurs } from "./dom.js";
import { ask } from "./dialog.js";
import { fillForms } from "./fields.js";
import { focusOn, refocus, reveal } from "./focus.js";
import { push } from "./history.js";
import { parse, piecesOf, tellSwap } from "./parts.js";
import { submit } from "./submit.js";
import { toast } from "./toast.js";
import { endTip } from "./tooltip.js";
import { upload } from "./upload.js";

/**
 * What is asked for in the place of an element.
 *
 * @typedef {object} Asked
 * @property {URL} url
 * @property {boolean} [isPost]
 * @property {BodyInit} [body]
 * @property {any} [form] The form that is sent.
 * @property {any} [pressed] The button that sent it.
 * @property {boolean} [isPushed] Whether the history gets an entry.
 */

/**
 * Replaces the element of an id by that of the content.
 *
 * @param {string} id
 * @param {DocumentFragment | Document} content
 * @param {number} status
 * @returns {boolean} Whether both are there.
 */
export function replace(id, content, status) {
  const old = byId(id);
  const next = byId(id, content);
  if (!old || !next) return false;
  const { activeElement } = doc;
  const lost = bare(old).contains(activeElement) && activeElement;
  endTip();
  bare(old).replaceWith(next);
  tellSwap(next, status);
  const [wrong] = status === 422 ? all(next, "[aria-invalid=true]") : [];
  if (wrong) {
    reveal(wrong);
    focusOn(wrong, {});
  } else if (lost) refocus(next, lost);
  return true;
}

/**
 * Replaces the element of the id by the one of that id in the HTML, and puts late parts in place.
 *
 * @param {string} id
 * @param {string} html
 * @param {number} status
 * @returns {boolean} Whether both are there.
 */
export function swap(id, html, status = 200) {
  return replace(id, parse(html), status);
}

/** What is on its way, by the id that it replaces: of two, the later wins. @type {Map<string, any>} */
const flights = new Map();

// What goes on when the page is left must not lead anywhere.
addEventListener("pagehide", () => flights.forEach((flight) => flight.abort()));

/** Whether the form is on its way: a second press would do the same thing twice. @param {any} form */
export const isSending = (form) => [...flights.values()].some((flight) => flight.form === form);

/**
 * Asks for an element and puts it in the place of the one that is there. What cannot be shown is left
 * to the browser.
 *
 * @param {string} id
 * @param {Asked} asked
 */
export async function load(id, asked) {
  const { url, isPost, body, form } = asked;
  const flight = Object.assign(new AbortController(), { form });
  flights.get(id)?.abort();
  flights.set(id, flight);
  const target = byId(id);
  if (target) target.ariaBusy = "true";
  let status = 0;
  try {
    const send = form && bare(form).getAttribute("data-ui-upload-to") ? upload : fetch;
    const answer = await send(url, {
      method: isPost ? "POST" : "GET",
      headers: { Accept: "text/html", "FW-Fragment": id },
      signal: flight.signal,
      body,
    }, form);
    status = answer.status;
    const from = new URL(answer.url || url);
    const location = answer.headers.get("FW-Location");
    if (location) return goTo(new URL(location, from));
    // A redirect that the application did not give may have led to another site.
    if (isOurs(from) && status < 500 && await show(id, answer, asked)) return;
  } catch {
    // No answer; or whoever came later has the target now.
    if (flight.signal.aborted) return;
  } finally {
    if (flights.get(id) === flight) {
      flights.delete(id);
      if (target) target.ariaBusy = null;
    }
  }
  await fallBack(asked, status);
}

/**
 * Shows an answer.
 *
 * @param {string} id
 * @param {any} answer
 * @param {Asked} asked
 * @returns {Promise<any>} Whether it held what it should.
 */
async function show(id, answer, { url, body, form, isPushed }) {
  const { status, headers } = answer;
  const flashes = JSON.parse(decodeURIComponent(headers.get("FW-Flash") ?? "[]"));
  for (const { kind, text } of flashes) toast(kind, text);
  const ids = headers.get("FW-Swap")?.split(" ") ?? [id];
  // A handler may have nothing to show. Files that were too much would be too much again.
  let isShown = status === 204 || (status === 413 && body instanceof FormData && flashes[0]);
  try {
    for await (const piece of piecesOf(answer)) {
      const content = parse(piece);
      if (isShown) continue;
      if (isPushed && byId(id, content)) push(new URL(answer.url || url), ids);
      for (const each of ids) isShown = replace(each, content, status) || isShown;
      if (!isShown) return false;
      if (!isPushed) continue;
      if (!form) fillForms(content, ids);
      const title = content.querySelector("title:not(svg *)");
      if (title) doc.title = title.textContent;
    }
  } catch (error) {
    // Of what is shown already, a late part may be missing.
    if (!isShown) throw error;
  }
  return isShown;
}

/**
 * Leaves to the browser what cannot be shown here. Nothing is sent twice in silence: what was refused
 * (4xx) is sent again to be seen, what was done is not, and where nobody knows the person is asked.
 *
 * @param {Asked} asked
 * @param {number} status 0 where there was no answer.
 */
async function fallBack({ url, isPost, form, pressed }, status) {
  if (!isPost || (status && status < 400)) return goTo(url);
  const isAgain = (status && status < 500) || await ask(form, "data-ui-again", pressed, {
    "": "Send it again?",
    "-text": "There was no answer, but it may have arrived.",
    "-ok": "Send again",
    "-cancel": "Cancel",
  });
  if (isAgain) submit(form, pressed, "real");
}
