import { ask, bare, byId, doc, isOurs, loadPart, setBusy, submit, toast } from "../core.js";
import { fillForms, now } from "./drafts.js";
import { forgetFailure, tellFailure, tellOffline, texts } from "./failure.js";
import { forgetKept, goTo } from "./history.js";
import { lines, visit } from "./lines.js";
import { change, navigate, showAnswer } from "./navigate.js";
import { parse, piecesOf } from "./parts.js";
import { around, direct, placeAll, replace, successorOf } from "./place.js";
import { takeAhead } from "./prefetch.js";

/**
 * A request for an element. A repeated press of a write (`isPost`) has the same `key`, and its response may be the
 * page with the element (`isPage`). `onEnd` is called after a request without a user, whose failure is not shown.
 * `entry` updates the history. `isAgain` marks a retry after being offline. `place` is the default for elements
 * without one.
 * @typedef {{ url: URL, isPost?: boolean, isPage?: boolean, isAgain?: boolean, verb?: string, body?: BodyInit, place?: string,
 *   form?: any, pressed?: any, key?: string, onEnd?: (status?: number) => void, entry?: typeof import("./history.js").push }} Asked
 */

/**
 * Replaces the element with the id by the HTML's element with that id, and places late parts.
 * @param {string} id If empty, each element of the HTML replaces the one with its own id.
 * @param {string} html @param {number} [status] @returns {boolean} Whether something was placed.
 */
export function swap(id, html, status) {
  const content = parse(html);
  const isPlaced = placeAll(content, { status });
  const ids = id ? [id] : [...content.children].map((one) => bare(one).getAttribute("id"));
  return ids.map((each) => replace(each, content, { status })).some(Boolean) || isPlaced;
}

/**
 * Whether the page was left or the target removed. Then a read is useless, and a write only reports
 * its outcome.
 * @param {any} flight
 */
const isStray = ({ visit: own, target }) =>
  own !== visit || (target && !doc.contains(successorOf(target)));

/**
 * Requests an element and replaces the current one. The browser handles responses that cannot be shown.
 * @param {string} id @param {Asked} asked
 */
export function load(id, asked) {
  const line = lines.get(id) ?? [];
  const last = line.at(-1);
  // User actions take precedence.
  if (last && asked.onEnd) return asked.onEnd();
  // The shown response lacks only late parts.
  if (last?.isShown || last?.asked.isPost === undefined) line.pop()?.abort();
  // A repeated press sends nothing new.
  else if (last.asked.key === asked.key) return;
  const flight = { asked, at: now(), visit, target: byId(id) };
  line.push(Object.assign(new AbortController(), flight));
  lines.set(id, line);
  if (line.length === 1) sendAll(id, line);
}

/** Sends the queued requests in sequence. @param {string} id @param {any[]} line */
async function sendAll(id, line) {
  while (line[0]) {
    const [flight] = line;
    if (!isStray(flight)) forgetFailure(id);
    showBusy(flight, "true");
    const after = await send(id, flight, () => line.length > 1);
    flight.undo?.();
    const isOver = flight.signal.aborted;
    flight.asked.onEnd?.(flight.status);
    // A later request owns the queue, unless the page was left and restored.
    if (isOver && lines.get(id) === line && line[0] !== flight) return;
    showBusy(flight, null);
    if (after === again) continue;
    line.shift();
    while (line[0]?.signal.aborted) line.shift();
    if (line[0]) continue;
    if (lines.get(id) === line) lines.delete(id);
    if (!isOver && !isStray(flight)) after?.();
  }
}

/** @param {any} flight @param {"true" | null} value */
function showBusy({ target, asked: { onEnd, pressed } }, value) {
  if (target && !onEnd) setBusy(successorOf(target), value);
  if (pressed) setBusy(pressed, value);
  const row = pressed?.parentNode?.parentNode;
  for (const one of row ? row.querySelectorAll(`[name^="${CSS.escape(pressed.value)}."]`) : []) {
    one.disabled = !!value; // What is sent meanwhile lacks a row that the button removes.
  }
}

const again = () => {}; // The marker for a retry by the user.

/**
 * @param {string} id @param {any} flight @param {() => boolean} hasNext Whether the queue has more.
 * @returns {Promise<(() => void) | undefined | void>} What to do if not.
 */
async function send(id, flight, hasNext) {
  const { asked, signal } = flight;
  const { url, isPost, isPage, isAgain, verb, body, form, onEnd } = asked;
  const isPassing = () => hasNext() || isStray(flight);
  /** @type {any} */
  let answer;
  /** A copy of the response, in case it is not shown. @type {any} */
  let spare;
  try {
    if (form && bare(form).querySelector("template[data-ui-optimistic]")) {
      flight.undo = (await loadPart("live")).foresee(form);
    }
    const isUpload = form && bare(form).getAttribute("data-ui-upload-to");
    const how = isUpload ? (await loadPart("live")).upload : fetch;
    answer = await how(
      url,
      {
        method: isPost ? verb ?? "POST" : "GET",
        headers: { Accept: "text/html", "FW-Fragment": isPage ? "*" : id },
        signal,
        body,
      },
      form,
      flight,
    );
    flight.status = answer.status;
    // Pages prefetched or left before a write are outdated.
    if (isPost) {
      takeAhead(url);
      forgetKept(0);
    }
    spare = answer.status < 400 ? answer : answer.clone?.() ?? answer;
    const disposition = answer.headers.get("Content-Disposition") ?? "";
    if (isPost && answer.blob && /^attachment/i.test(disposition)) {
      return (await loadPart("live")).save(answer, disposition);
    }
    if (isStray(flight)) return await tellOutcome(id, flight, answer);
    const from = new URL(answer.url || url);
    const location = answer.headers.get("FW-Location");
    if (location && !onEnd) return () => goOn(new URL(location, from), flight);
    // A redirect from elsewhere, such as a proxy, may have led to another site.
    const isSafe = isOurs(from);
    if (isSafe && answer.status >= 500 && !onEnd) {
      return await tellFailure(id, answer, form, isPassing);
    }
    if (isSafe && await show(id, answer, flight, hasNext)) return;
  } catch {
    // No response, or a later request owns the target.
    if (signal.aborted) return;
  }
  if (onEnd) return;
  if (isStray(flight)) return await tellOutcome(id, flight, spare);
  // The form in the page may no longer match the queued data. Below 404, its page would discard what was typed.
  if (spare?.status >= 400 && (isPage || hasNext() || spare.status < 404)) {
    return await tellFailure(id, spare, form, isPassing);
  }
  if (!spare) showBusy(flight, null);
  if (!isPost && !spare && (isAgain || !navigator.onLine)) {
    return tellOffline(id, () => load(id, { ...asked, isAgain: true }));
  }
  return await fallBack(flight, spare?.status);
}

/** Follows a redirect, in the region around the form or target. @param {URL} url @param {any} flight */
function goOn(url, { target, asked: { form, isPost } }) {
  const region = around(form ?? target ?? doc.body);
  if (region && isOurs(url)) navigate(url, [region], { isPost });
  else goTo(url);
}

/**
 * Reports the outcome of a write whose page was left, without changing the current page.
 * @param {string} id @param {any} flight @param {any} [answer] `undefined` without one.
 */
async function tellOutcome(id, { asked: { isPost, form } }, answer) {
  if (!isPost) return;
  if (!answer) return toast("error", texts().dataset.uiAgainText);
  tellFlashes(answer);
  if (answer.status >= 400) await tellFailure(id, answer, form, () => true);
}

/** Shows the messages of a response. @param {any} answer @returns {number} How many. */
function tellFlashes({ headers }) {
  const flashes = JSON.parse(decodeURIComponent(headers.get("FW-Flash") ?? "[]"));
  for (const { kind, text, action } of flashes) {
    const message = toast(kind, text, action && 20_000);
    if (action) loadPart("parts").then(({ addAction }) => addAction(message, action));
  }
  return flashes.length;
}

/**
 * Shows a response.
 * @param {string} id @param {any} answer @param {any} flight @param {() => boolean} hasNext Whether the queue has more.
 * @returns {Promise<any>} Whether it contained the target.
 */
async function show(id, answer, flight, hasNext) {
  const { asked: { url, isPost, isPage, body, form, entry, place, onEnd }, at, signal, target } =
    flight;
  const { status, headers } = answer;
  // A successful write closes its dialog before the messages choose their place.
  const dialog = isPost && status < 300 && form && bare(form).closest("dialog[open]");
  dialog?.close?.();
  const flashes = tellFlashes(answer);
  const listed = headers.get("FW-Swap")?.split(" ").filter(Boolean);
  const ids = listed ?? [id];
  if (isPage && status !== 204) {
    return await showAnswer(answer, { url, ids, back: {}, signal, kept: { since: at, form } });
  }
  // A handler may have nothing to show. Files that were too large would be refused again.
  let isShown = (status === 204 && place !== "remove") ||
    (status === 413 && body instanceof FormData && flashes);
  try {
    for await (const piece of piecesOf(answer)) {
      if (isStray(flight)) return true;
      const content = parse(piece, headers.get("FW-Next"));
      if (isShown) continue;
      if (place && status < 400) direct(content, id, place);
      const title = content.querySelector("title:not(svg *)")?.textContent ??
        decodeURIComponent(headers.get("FW-Title") ?? "");
      const to = new URL(answer.url || url);
      const isOther = entry && to.pathname !== location.pathname;
      const lacking = listed?.filter((/** @type {string} */ each) => !byId(each, content)) ?? [];
      await change(onEnd || !target || !bare(target).closest("[data-ui-transition]"), () => {
        if (isStray(flight)) throw flight;
        if (byId(id, content)) entry?.(to, ids, form);
        flight.undo?.();
        // Late parts may follow, but the element is shown.
        showBusy(flight, null);
        const how = { status, since: at, form, isOther };
        isShown = placeAll(content, how);
        for (const each of ids) isShown = replace(each, content, how) || isShown;
      });
      const detail = isShown ? lacking : ids;
      // In development, the reload script shows a warning.
      if (detail[0]) dispatchEvent(new CustomEvent("fw:miss", { detail }));
      if (!isShown) return false;
      flight.isShown = true;
      if (hasNext()) return true;
      if (!entry) continue;
      if (!form) fillForms(content, ids);
      if (title) doc.title = title;
    }
  } catch (error) {
    // The response is already shown and may lack only a late part.
    if (!isShown) throw error;
  }
  return isShown;
}

/**
 * Leaves a response that cannot be shown to the browser. A refused form (from 404 on) is sent again to show its page,
 * a successful one is not, and without a response the user is asked first.
 * @param {any} flight @param {number} [status] `undefined` without a response.
 */
async function fallBack({ asked: { url, isPost, form, pressed } }, status) {
  if (!isPost || (status && status < 400)) return () => goTo(url);
  if (status) return () => submit(form, pressed, "real");
  return await ask(texts(), pressed, "data-ui-again") ? again : undefined;
}
