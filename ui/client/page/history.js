import { all, bare, byId, closest, doc, targetOf } from "../core.js";
import { isDraft, isKeepable, readDrafts } from "./drafts.js";

/** The ids replaced since the page loaded, which going back must replace again. @type {Set<string>} */
const replaced = new Set();
/**
 * The state of a history entry when it was left: its scroll position and, by id of a replaced element, the
 * drafts and the elements, as long as they are kept.
 * @typedef {{ y: number, drafts?: Map<string, import("./drafts.js").Drafts>, title?: string,
 *   regions?: Map<string, any> }} Left
 */

/** The left entries by key; the last is the one left last. @type {Map<number, Left>} */
const left = new Map();
/** Drops the kept elements of all entries but the last few. @param {number} most */
export const forgetKept = (most) =>
  [...left.values()].reverse().slice(most).forEach((one) => delete one.regions);
/** The entry that an element showed last. @type {WeakMap<any, number>} */
const owners = new WeakMap();

/** The URL without its fragment. @param {string} url */
export const pageOf = (url) => /** @type {string} */ (url.split("#")[0]);

/** Loads a web page in the browser, even if only the fragment of its URL differs. @param {URL} url */
export function goTo(url) {
  if (!url.protocol.startsWith("http")) return;
  const isHere = pageOf(url.href) === pageOf(location.href);
  location.assign(url);
  if (isHere && url.hash) location.reload();
}

let shown = pageOf(location.href);
/** The pages that swaps have shown. @type {Set<string>} */
const ours = new Set();
let entry = history.state?.key ?? Math.random();
let scrollTimer = 0;

/** Saves the scroll position of the entry. @param {URL} [url] Its new URL. */
function saveScroll(url) {
  clearTimeout(scrollTimer);
  history.replaceState({ ...history.state, ui: true, y: scrollY, key: entry }, "", url);
}

/** Saves the entry that is about to be left. Sent values are not drafts. @param {any} [form] The sent form. */
function leaveEntry(form) {
  const drafts = new Map();
  const regions = new Map();
  const isWanted = (/** @type {any} */ one) =>
    isKeepable(one) && isDraft(one) && one.form !== (form ?? 0);
  const any = [...replaced].map((id) => `#${CSS.escape(id)}`).join();
  for (const id of replaced) {
    const region = byId(id);
    // It comes with the region around it.
    if (region && closest(bare(region).parentNode, any)) replaced.delete(id);
    else if (region) {
      drafts.set(id, readDrafts(region, isWanted));
      regions.set(id, region);
      owners.set(region, entry);
    }
  }
  left.delete(entry);
  left.set(entry, { y: scrollY, drafts, regions, title: doc.title });
  forgetKept(10);
}

/**
 * The kept elements of a left entry, if nothing else has changed them since. Removed islands have ended, and
 * late parts may be missing, so elements with them are fetched again.
 * @param {Left | undefined} back @param {string[]} ids @returns {DocumentFragment | undefined}
 */
export function keptOf(back, ids) {
  const regions = ids.map((id) => back?.regions?.get(id));
  const isWhole = ids[0] &&
    regions.every((region) =>
      region && !doc.contains(region) && owners.get(region) === entry &&
      !all(region, "[data-fw-island], [id^=fw-late-]")[0]
    );
  if (!isWhole) return;
  const content = doc.createDocumentFragment();
  content.append(...regions);
  return content;
}

/**
 * Adds an entry for the content about to be shown.
 * @param {URL} url @param {string[]} ids The replaced elements. @param {any} [form] The sent form.
 */
export function push(url, ids, form) {
  rename(undefined, ids);
  if (url.href === location.href) return;
  leaveEntry(form);
  entry = Math.random();
  history.pushState({ ui: true, y: 0, key: entry }, "", url);
  ours.add(shown = pageOf(location.href));
}

/** Changes the URL of the current entry. @param {URL | undefined} url @param {string[]} ids The replaced elements. */
export function rename(url, ids) {
  ids.forEach(replaced.add, replaced);
  history.scrollRestoration = "manual";
  saveScroll(url);
  ours.add(shown = pageOf(location.href));
}

/**
 * Calls back to show another page of the history again.
 * @param {(url: URL, ids: string[], how: { back: Left, isSeen: boolean }) => void} show
 */
export function onBack(show) {
  addEventListener("popstate", ({ state, hasUAVisualTransition }) => {
    clearTimeout(scrollTimer);
    const page = pageOf(location.href);
    if (page !== shown) leaveEntry();
    entry = state?.key ?? Math.random();
    if (page === shown) {
      if (state?.ui) scrollTo(0, state.y);
      else targetOf(location.hash)?.scrollIntoView();
    } else if (state?.ui || ours.has(page)) {
      // A link to a fragment adds an entry without a state, and other scripts replace it.
      const back = left.get(entry) ?? state ?? {};
      // The fields beside a list, which are not kept, must match it, so fetch it.
      if (new URL(shown).pathname === location.pathname) delete back.regions;
      shown = page;
      show(new URL(location.href), [...replaced], { back, isSeen: hasUAVisualTransition });
    }
  });
}

if (history.state?.ui && history.scrollRestoration === "manual") scrollTo(0, history.state.y);

addEventListener("scroll", () => {
  clearTimeout(scrollTimer);
  if (history.state?.ui) scrollTimer = setTimeout(saveScroll, 150);
});
// When returning from another document, the browser restores the scroll position.
addEventListener("pagehide", () => {
  if (!history.state?.ui) return;
  saveScroll();
  history.scrollRestoration = "auto";
});
addEventListener("pageshow", ({ persisted }) => {
  if (persisted && replaced.size) history.scrollRestoration = "manual";
});
