import { pageOf, targetOf } from "./dom.js";

/** The ids that were replaced since the page came: what going back must replace again. @type {Set<string>} */
const replaced = new Set();

/** The page that is shown. */
let shown = pageOf(location.href);
let scrollTimer = 0;

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

/**
 * Calls back when another page of the history is to be shown again.
 *
 * @param {(url: URL, ids: string[], y: number, isSeen: boolean) => void} show
 */
export function onBack(show) {
  addEventListener("popstate", ({ state, hasUAVisualTransition }) => {
    clearTimeout(scrollTimer);
    const page = pageOf(location.href);
    if (page === shown) {
      if (state?.ui) scrollTo(0, state.y);
      else targetOf(location.hash)?.scrollIntoView();
    } else if (state?.ui) {
      shown = page;
      show(new URL(location.href), [...replaced], state.y, hasUAVisualTransition);
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
