import { pageOf, targetOf } from "./dom.js";

/** The ids that were replaced since the page came: what going back must replace again. */
const replaced = new Set();

/** The page that is shown. */
let shown = pageOf(location.href);
let scrollTimer = 0;

/** @type {(url: URL, ids: string[], y: number, isSeen: boolean) => void} */
let goBack = () => {};

/** Says what shows a page of the history again. @param {typeof goBack} run */
export function onBack(run) {
  goBack = run;
}

/** Keeps where the entry is scrolled to. */
function saveScroll() {
  clearTimeout(scrollTimer);
  history.replaceState({ ...history.state, ui: true, y: scrollY }, "");
}

/**
 * Makes an entry for what is about to be shown.
 *
 * @param {URL} url
 * @param {string[]} ids What is replaced.
 */
export function push(url, ids) {
  for (const id of ids) replaced.add(id);
  history.scrollRestoration = "manual";
  saveScroll();
  if (url.href !== location.href) history.pushState({ ui: true, y: 0 }, "", url);
  shown = pageOf(location.href);
}

if (history.state?.ui && history.scrollRestoration === "manual") scrollTo(0, history.state.y);

addEventListener("scroll", () => {
  clearTimeout(scrollTimer);
  if (history.state?.ui) scrollTimer = setTimeout(saveScroll, 150);
});
addEventListener("popstate", ({ state, hasUAVisualTransition }) => {
  clearTimeout(scrollTimer);
  const isShown = pageOf(location.href) === shown;
  if (isShown) {
    if (state?.ui) scrollTo(0, state.y);
    else targetOf(location.hash)?.scrollIntoView();
  } else if (state?.ui) {
    shown = pageOf(location.href);
    goBack(new URL(location.href), [...replaced], state.y, hasUAVisualTransition);
  }
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
