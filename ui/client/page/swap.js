import {
  all,
  ask,
  bare,
  byId,
  closest,
  doc,
  goTo,
  isOurs,
  loadPart,
  submit,
  toast,
} from "../core.js";
import { now } from "./drafts.js";
import { forgetFailure, tellFailure, tellOffline } from "./failure.js";
import { fillForms } from "./fill.js";
import { onLeave, visit } from "./history.js";
import { change, navigate, showAnswer } from "./navigate.js";
import { parse, piecesOf } from "./parts.js";
import { around, direct, placeAll, replace, successorOf } from "./place.js";
import { takeAhead } from "./prefetch.js";

/**
 * What is asked for in the place of an element. Of a write (`isPost`) a second press has the same `key`, and the answer
 * may be the page that has the element (`isPage`). `onEnd` is called at the end of what nobody pressed, since nothing
 * else tells that it failed. `entry` gives the history its entry. What failed offline may do so again (`isAgain`).
 * `place` is the way of what names none.
 * @typedef {{ url: URL, isPost?: boolean, isPage?: boolean, isAgain?: boolean, verb?: string, body?: BodyInit, place?: string,
 *   form?: any, pressed?: any, key?: string, onEnd?: (status?: number) => void, entry?: typeof import("./history.js").push }} Asked
 */

/**
 * Replaces the element of the id by the one of that id in the HTML, and puts late parts in place.
 * @param {string} id Without one, each element of the HTML goes where its own id is.
 * @param {string} html @param {number} [status] @returns {boolean} Whether something was placed.
 */
export function swap(id, html, status) {
  const content = parse(html);
  const isPlaced = placeAll(content, { status });
  const ids = id ? [id] : [...content.children].map((one) => bare(one).getAttribute("id"));
  return ids.map((each) => replace(each, content, { status })).some(Boolean) || isPlaced;
}

/**
 * What is sent for each element of the page that is shown: the first is on its way. A read gives way to
 * what comes after it; a write is never stopped, and what comes after it waits.
 * @type {Map<string, any[]>}
 */
const lines = new Map();

// What goes on when the page is left must not lead anywhere.
addEventListener("pagehide", () => {
  for (const line of lines.values()) line[0].abort();
  lines.clear();
});

onLeave(() => {
  for (const line of lines.values()) for (const one of line) if (!one.asked.isPost) one.abort();
  lines.clear();
});

/**
 * Whether what asked is gone: its page was left, or its element was removed. Then a read is of no use,
 * and a write may only say how it ended.
 * @param {any} flight
 */
const isStray = ({ visit: own, target }) =>
  own !== visit || (target && !bare(successorOf(target)).isConnected);

/**
 * Asks for an element and puts it in the place of the one that is there. What cannot be shown is left to the browser.
 * @param {string} id @param {Asked} asked
 */
export function load(id, asked) {
  const line = lines.get(id) ?? [];
  const last = line.at(-1);
  // What was pressed comes first.
  if (last && asked.onEnd) return asked.onEnd();
  // Only late parts are missing of what is shown.
  if (last?.isShown || last?.asked.isPost === undefined) line.pop()?.abort();
  // A second press sends the same.
  else if (last.asked.key === asked.key) return;
  const flight = { asked, at: now(), visit, target: byId(id) };
  line.push(Object.assign(new AbortController(), flight));
  lines.set(id, line);
  if (line.length === 1) sendAll(id, line);
}

/** Sends what waits, one after the other. @param {string} id @param {any[]} line */
async function sendAll(id, line) {
  while (line[0]) {
    const [flight] = line;
    if (!isStray(flight)) forgetFailure(id);
    setBusy(flight, "true");
    const after = await send(id, flight, () => line.length > 1);
    flight.undo?.();
    const isOver = flight.signal.aborted;
    flight.asked.onEnd?.(flight.status);
    // What came later has the line now, unless the page was left and comes back.
    if (isOver && lines.get(id) === line && line[0] !== flight) return;
    setBusy(flight, null);
    if (after === again) continue;
    line.shift();
    while (line[0]?.signal.aborted) line.shift();
    if (line[0]) continue;
    if (lines.get(id) === line) lines.delete(id);
    if (!isOver && !isStray(flight)) after?.();
  }
}

/** @param {any} flight @param {"true" | null} busy */
function setBusy({ target, asked }, busy) {
  if (target && !asked.onEnd) successorOf(target).ariaBusy = busy;
  if (asked.pressed) asked.pressed.ariaBusy = busy;
}

/** The person wants the same once more. */
const again = () => {};

/**
 * @param {string} id @param {any} flight @param {() => boolean} hasNext Whether more waits.
 * @returns {Promise<(() => void) | undefined | void>} What to do when nothing waits.
 */
async function send(id, flight, hasNext) {
  const { asked, signal } = flight;
  const { url, isPost, isPage, isAgain, verb, body, form, onEnd } = asked;
  const isPassing = () => hasNext() || isStray(flight);
  /** @type {any} */
  let answer;
  /** The same, for what was not shown. @type {any} */
  let spare;
  try {
    if (form && all(form, "template[data-ui-optimistic]")[0]) {
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
    // What was fetched ahead of a write shows what was there before.
    if (isPost) takeAhead(url);
    spare = answer.status < 400 ? answer : answer.clone?.() ?? answer;
    const disposition = answer.headers.get("Content-Disposition") ?? "";
    if (isPost && answer.blob && /^attachment/i.test(disposition)) {
      return (await loadPart("live")).save(answer, disposition);
    }
    if (isStray(flight)) return await tellOutcome(id, flight, answer);
    const from = new URL(answer.url || url);
    const location = answer.headers.get("FW-Location");
    if (location && !onEnd) return () => goOn(new URL(location, from), flight);
    // A redirect that the application did not give may have led to another site.
    const isSafe = isOurs(from);
    if (isSafe && answer.status >= 500 && !onEnd) {
      return await tellFailure(id, answer, form, isPassing);
    }
    if (isSafe && await show(id, answer, flight, hasNext)) return;
  } catch {
    // No answer; or whoever came later has the target now.
    if (signal.aborted) return;
  }
  if (onEnd) return;
  if (isStray(flight)) return await tellOutcome(id, flight, spare);
  // What waits has other data than the form that would be sent.
  if (spare?.status >= 400 && (isPage || hasNext())) {
    return await tellFailure(id, spare, form, isPassing);
  }
  if (!spare) setBusy(flight, null);
  if (!isPost && !spare && (isAgain || !navigator.onLine)) {
    return tellOffline(id, () => load(id, { ...asked, isAgain: true }));
  }
  return await fallBack(flight, spare?.status);
}

/** Follows a redirect: in the region that is around what asked. @param {URL} url @param {any} flight */
function goOn(url, { target, asked: { form, isPost } }) {
  const region = around(form ?? target ?? doc.body);
  if (region && isOurs(url)) navigate(url, [region], { isPost });
  else goTo(url);
}

/**
 * Says how a write ended whose page was left: it may change nothing on the one that is shown.
 * @param {string} id @param {any} flight @param {any} [answer] `undefined` where there was none.
 */
async function tellOutcome(id, { asked: { isPost, form } }, answer) {
  if (!isPost) return;
  if (!answer) return toast("error", saidOf(form, "-text"));
  tellFlashes(answer);
  if (answer.status >= 400) await tellFailure(id, answer, form, () => true);
}

/** Shows the messages that come with an answer. @param {any} answer @returns {number} How many. */
function tellFlashes({ headers }) {
  const flashes = JSON.parse(decodeURIComponent(headers.get("FW-Flash") ?? "[]"));
  for (const { kind, text, action } of flashes) {
    const message = toast(kind, text, action && 20_000);
    if (action) loadPart("parts").then(({ addAction }) => addAction(message, action));
  }
  return flashes.length;
}

/**
 * Shows an answer.
 * @param {string} id @param {any} answer @param {any} flight @param {() => boolean} hasNext Whether more waits.
 * @returns {Promise<any>} Whether it held what it should.
 */
async function show(id, answer, flight, hasNext) {
  const { asked: { url, isPost, isPage, body, form, entry, place, onEnd }, at, signal, target } =
    flight;
  const { status, headers } = answer;
  // What was done closes its dialog, before the messages look for their place.
  const dialog = isPost && status < 300 && form && closest(form, "dialog[open]");
  dialog?.close?.();
  const flashes = tellFlashes(answer);
  const listed = headers.get("FW-Swap")?.split(" ").filter(Boolean);
  const ids = listed ?? [id];
  if (isPage && status !== 204) {
    return await showAnswer(answer, { url, ids, back: {}, signal, kept: { since: at, form } });
  }
  // A handler may have nothing to show. Files that were too much would be too much again.
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
      const lacking = listed?.filter((/** @type {string} */ each) => !byId(each, content));
      if (lacking?.[0]) console.error(`${url} lacks #${lacking.join(", #")} of FW-Swap`);
      await change(onEnd || !target || !closest(target, "[data-ui-transition]"), () => {
        if (isStray(flight)) throw flight;
        if (byId(id, content)) entry?.(to, ids, form);
        flight.undo?.();
        const how = { status, since: at, form, isOther };
        isShown = placeAll(content, how);
        for (const each of ids) isShown = replace(each, content, how) || isShown;
      });
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

/** The words of the question before something is sent again. @type {Record<string, string>} */
const words = {
  "": "Send it again?",
  "-text": "There was no answer, but it may have arrived.",
  "-ok": "Send again",
  "-cancel": "Cancel",
};

/** @param {any} form @param {string} part @returns {string} */
const saidOf = (form, part) => bare(form).getAttribute(`data-ui-again${part}`) ?? words[part];

/**
 * Leaves to the browser what cannot be shown here. Nothing is sent twice in silence: what was refused (4xx) is sent
 * again to be seen, what was done is not, and where nobody knows the person is asked.
 * @param {any} flight @param {number} [status] `undefined` where there was no answer.
 */
async function fallBack({ asked: { url, isPost, form, pressed } }, status) {
  if (!isPost || (status && status < 400)) return () => goTo(url);
  if (status) return () => submit(form, pressed, "real");
  return await ask(form, "data-ui-again", pressed, words) ? again : undefined;
}
