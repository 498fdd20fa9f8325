import { all, bare, byId, doc, goTo, isOurs } from "../dom.js";
import { ask } from "../dialog.js";
import { isChangedSince, now, readDrafts, writeDrafts } from "./drafts.js";
import { exchange } from "./exchange.js";
import { forgetFailure, tellFailure } from "./failure.js";
import { fillForms } from "../form/fields.js";
import { focusOn, refocus, reveal } from "./focus.js";
import { parse, piecesOf, tellSwap } from "./parts.js";
import { takeAhead } from "./prefetch.js";
import { submit } from "../form/submit.js";
import { toast } from "../toast.js";
import { endTip } from "../tooltip.js";
import { upload } from "../form/upload.js";

/**
 * What is asked for in the place of an element.
 *
 * @typedef {object} Asked
 * @property {URL} url
 * @property {boolean} [isPost]
 * @property {BodyInit} [body]
 * @property {any} [form] The form that is sent.
 * @property {any} [pressed] The button that sent it.
 * @property {string} [key] What a post sends: a second press has the same.
 * @property {typeof import("./history.js").push} [entry] What gives the history its entry, if anything does.
 */

/**
 * Replaces the element of an id by that of the content.
 *
 * @param {string} id
 * @param {DocumentFragment | Document} content
 * @param {number} status
 * @param {number} [since] When it was asked for: what was typed after that stays.
 * @returns {boolean} Whether both are there.
 */
export function replace(id, content, status, since = Infinity) {
  const old = byId(id);
  const next = byId(id, content);
  if (!old || !next) return false;
  const { activeElement } = doc;
  const lost = bare(old).contains(activeElement) && activeElement;
  endTip();
  const typed = readDrafts(old, (control) => isChangedSince(control, since));
  const shown = exchange(old, next);
  writeDrafts(shown, typed);
  tellSwap(shown, status);
  const [wrong] = status === 422 ? all(shown, "[aria-invalid=true]") : [];
  if (wrong) {
    reveal(wrong);
    focusOn(wrong, {});
  } else if (lost && lost !== doc.activeElement) refocus(shown, lost);
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

/**
 * What is sent for each element: the first is on its way. A read gives way to what comes after it; a
 * write is never stopped, and what comes after it waits.
 *
 * @type {Map<string, any[]>}
 */
const lines = new Map();

// What goes on when the page is left must not lead anywhere.
addEventListener("pagehide", () => {
  for (const line of lines.values()) line[0].abort();
  lines.clear();
});

/**
 * Asks for an element and puts it in the place of the one that is there. What cannot be shown is left
 * to the browser.
 *
 * @param {string} id
 * @param {Asked} asked
 */
export function load(id, asked) {
  const line = lines.get(id) ?? [];
  const last = line.at(-1);
  // Only late parts are missing of what is shown.
  if (last?.isShown || last?.asked.isPost === undefined) line.pop()?.abort();
  // A second press sends the same.
  else if (last.asked.key === asked.key) return;
  line.push(Object.assign(new AbortController(), { asked, at: now() }));
  lines.set(id, line);
  if (line.length === 1) sendAll(id, line);
}

/** Sends what waits, one after the other. @param {string} id @param {any[]} line */
async function sendAll(id, line) {
  while (line[0]) {
    const [flight] = line;
    forgetFailure(id);
    setBusy(id, "true");
    const after = await send(id, flight, () => line.length > 1);
    // What came later has the line now, unless the page was left and comes back.
    const isOver = flight.signal.aborted;
    if (!isOver || !lines.has(id)) setBusy(id, null);
    if (isOver) return;
    if (after === again) continue;
    line.shift();
    if (!line[0]) {
      lines.delete(id);
      after?.();
    }
  }
}

/** @param {string} id @param {"true" | null} busy */
function setBusy(id, busy) {
  const target = byId(id);
  if (target) target.ariaBusy = busy;
}

/** The person wants the same once more. */
const again = () => {};

/**
 * @param {string} id
 * @param {any} flight
 * @param {() => boolean} hasNext Whether more waits.
 * @returns {Promise<(() => void) | undefined | void>} What to do when nothing waits.
 */
async function send(id, flight, hasNext) {
  const { asked, signal } = flight;
  const { url, isPost, body, form } = asked;
  /** @type {any} */
  let answer;
  /** The same, for what was not shown. @type {any} */
  let spare;
  try {
    const how = form && bare(form).getAttribute("data-ui-upload-to") ? upload : fetch;
    answer = await how(url, {
      method: isPost ? "POST" : "GET",
      headers: { Accept: "text/html", "FW-Fragment": id },
      signal,
      body,
    }, form);
    // What was fetched ahead of a write shows what was there before.
    if (isPost) takeAhead(url);
    spare = answer.status < 400 ? answer : answer.clone?.() ?? answer;
    const from = new URL(answer.url || url);
    const location = answer.headers.get("FW-Location");
    if (location) return () => goTo(new URL(location, from));
    // A redirect that the application did not give may have led to another site.
    const isSafe = isOurs(from);
    if (isSafe && answer.status >= 500) return await tellFailure(id, answer, form, hasNext());
    if (isSafe && await show(id, answer, flight, hasNext)) return;
  } catch {
    // No answer; or whoever came later has the target now.
    if (signal.aborted) return;
  }
  // What waits has other data than the form that would be sent.
  if (spare?.status >= 400 && hasNext()) return await tellFailure(id, spare, form, hasNext());
  if (!spare) setBusy(id, null);
  return await fallBack(asked, spare?.status);
}

/**
 * Shows an answer.
 *
 * @param {string} id
 * @param {any} answer
 * @param {any} flight
 * @param {() => boolean} hasNext Whether more waits.
 * @returns {Promise<any>} Whether it held what it should.
 */
async function show(id, answer, flight, hasNext) {
  const { asked: { url, body, form, entry }, at } = flight;
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
      const title = content.querySelector("title:not(svg *)")?.textContent ??
        decodeURIComponent(headers.get("FW-Title") ?? "");
      const to = new URL(answer.url || url);
      if (byId(id, content)) entry?.(to, ids, form);
      for (const each of ids) isShown = replace(each, content, status, at) || isShown;
      if (!isShown) {
        // In development the script that reloads pages warns of it.
        dispatchEvent(new CustomEvent("fw:miss", { detail: ids }));
        return false;
      }
      flight.isShown = true;
      if (hasNext()) return true;
      if (!entry) continue;
      if (!form) fillForms(content, ids);
      if (title) doc.title = title;
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
 * @param {number} [status] `undefined` where there was no answer.
 */
async function fallBack({ url, isPost, form, pressed }, status) {
  if (!isPost || (status && status < 400)) return () => goTo(url);
  if (status) return () => submit(form, pressed, "real");
  const isAgain = await ask(form, "data-ui-again", pressed, {
    "": "Send it again?",
    "-text": "There was no answer, but it may have arrived.",
    "-ok": "Send again",
    "-cancel": "Cancel",
  });
  return isAgain ? again : undefined;
}
