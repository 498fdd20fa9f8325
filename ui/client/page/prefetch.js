import { closest, on } from "../core.js";

/** Options for fetching a page; the browser follows redirects. @type {RequestInit} */
export const pageRequest = { headers: { Accept: "text/html" }, redirect: "manual" };

const freshMs = 10_000;
/** The last prefetched page. @type {{ href: string, until: number, answer: Promise<Response> } | undefined} */
let ahead;
let aheadTimer = 0;

/** @param {string} href */
function fetchAhead(href) {
  // @ts-ignore -- not every browser tells how dear data is
  if (navigator.connection?.saveData) return;
  if (href === location.href || (ahead?.href === href && Date.now() < ahead.until)) return;
  const headers = { Accept: "text/html", Purpose: "prefetch" };
  const answer = fetch(href, { ...pageRequest, headers, priority: "low" });
  answer.catch(() => {});
  ahead = { href, until: Date.now() + freshMs, answer };
}

/** Takes the prefetched page of a URL and drops any other. @param {URL} url */
export function takeAhead({ href }) {
  clearTimeout(aheadTimer);
  const taken = ahead?.href === href && Date.now() < ahead.until && ahead.answer;
  ahead = undefined;
  return taken;
}

/** Prefetches the targets of links that the user points at. @param {(link: any) => unknown} isWanted */
export function prefetchLinks(isWanted) {
  const consider = (/** @type {any} */ { target, type }) => {
    clearTimeout(aheadTimer);
    const link = closest(target, "a[href]");
    if (link && isWanted(link)) {
      aheadTimer = setTimeout(fetchAhead, type === "touchstart" ? 0 : 80, link.href);
    }
  };
  on("pointerover", (event) => event.pointerType === "mouse" && consider(event));
  on("focusin", (event) => closest(event.target, ":focus-visible") && consider(event));
  on("touchstart", consider, { passive: true });
}
