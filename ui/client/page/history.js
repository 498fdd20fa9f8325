import { all, bare, byId, doc, pageOf, targetOf } from "../core.js";
import { isDraft, isKeepable, readDrafts } from "./drafts.js";

/** The ids that were replaced since the page came: what going back must replace again. @type {Set<string>} */
const replaced = new Set();
/**
 * What an entry of the history looked like when it was left: how far it was scrolled, and by the ids of what was
 * replaced, what was typed, and what was shown, for as long as that is kept.
 * @typedef {{ y: number, drafts?: Map<string, import("./drafts.js").Drafts>, title?: string,
 *   regions?: Map<string, any> }} Left
 */

/** The entries that were left, by their key. @type {Map<number, Left>} */
const left = new Map();
/** Those whose elements are kept, the oldest first. @type {Left[]} */
const kept = [];
const mostKept = 10;
/** Forgets what was shown: a form may have signed out who saw it. */
export const forgetKept = () => kept.splice(0).forEach((one) => delete one.regions);
/** The entry that was shown last in an element. @type {WeakMap<any, number>} */
const owners = new WeakMap();

/** The page that is shown. */
let shown = pageOf(location.href);
/** The key of the entry that is shown. */
let entry = history.state?.key ?? Math.random();
let scrollTimer = 0;
/** How often the page that is shown was left: what was asked before that belongs to another one. */
export let visit = 0;
/** @type {(() => void)[]} */
const leavers = [];

/** Calls back when the page that is shown is left. @param {() => void} run */
export const onLeave = (run) => leavers.push(run);

/** Ends what the page that is shown has asked for. */
export function leave() {
  visit++;
  for (const run of leavers) run();
}

/** Keeps where the entry is scrolled to. @param {URL} [url] Its new address. */
function saveScroll(url) {
  clearTimeout(scrollTimer);
  history.replaceState({ ...history.state, ui: true, y: scrollY, key: entry }, "", url);
}

/** Keeps the entry that is about to be left. What was sent is not a draft. @param {any} [form] What was sent. */
function leaveEntry(form) {
  const drafts = new Map();
  const regions = new Map();
  const isWanted = (/** @type {any} */ one) =>
    isKeepable(one) && isDraft(one) && one.form !== (form ?? 0);
  for (const id of replaced) {
    const region = byId(id);
    if (!region) continue;
    drafts.set(id, readDrafts(region, isWanted));
    regions.set(id, region);
    owners.set(region, entry);
  }
  const state = { y: scrollY, drafts, regions, title: doc.title };
  left.set(entry, state);
  if (kept.push(state) > mostKept) delete kept.shift()?.regions;
}

/**
 * The elements of an entry that was left, if nothing has changed them since: another page took their place. An island
 * that lost its place has ended, so those with one are fetched.
 * @param {Left | undefined} back @param {string[]} ids @returns {DocumentFragment | undefined}
 */
export function keptOf(back, ids) {
  const regions = ids.map((id) => back?.regions?.get(id));
  const isWhole = ids[0] &&
    regions.every((region) =>
      region && !bare(region).isConnected && owners.get(region) === entry &&
      !all(region, "[data-fw-island]")[0]
    );
  if (!isWhole) return;
  const content = doc.createDocumentFragment();
  content.append(...regions);
  return content;
}

/**
 * Makes an entry for what is about to be shown.
 * @param {URL} url @param {string[]} ids What is replaced. @param {any} [form] What was sent.
 */
export function push(url, ids, form) {
  for (const id of ids) replaced.add(id);
  history.scrollRestoration = "manual";
  saveScroll();
  if (url.href !== location.href) {
    leaveEntry(form);
    entry = Math.random();
    history.pushState({ ui: true, y: 0, key: entry }, "", url);
  }
  shown = pageOf(location.href);
}

/** Gives the entry that is shown another address. @param {URL} url @param {string[]} ids What is replaced. */
export function rename(url, ids) {
  for (const id of ids) replaced.add(id);
  history.scrollRestoration = "manual";
  saveScroll(url);
  shown = pageOf(location.href);
}

/**
 * Calls back when another page of the history is to be shown again.
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
    } else if (state?.ui || (!state && replaced.size)) {
      // An entry without a state is the browser's own, of a link to a place on a page.
      const back = left.get(entry) ?? state ?? { y: 0 };
      // Fields beside a list say what it shows, and they are not kept.
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
// What another document comes back to, the browser scrolls by itself.
addEventListener("pagehide", () => {
  if (!history.state?.ui) return;
  saveScroll();
  history.scrollRestoration = "auto";
});
addEventListener("pageshow", ({ persisted }) => {
  if (persisted && replaced.size) history.scrollRestoration = "manual";
});
