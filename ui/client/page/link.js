import { closest, isOurs, isSpecial, on } from "../core.js";
import { pageOf, push, rename } from "./history.js";
import { navigate } from "./navigate.js";
import { around } from "./place.js";
import { prefetchLinks } from "./prefetch.js";
import { load } from "./swap.js";

/** The function that updates the history for a link or form, if any. @param {any} node */
export function entryOf(node) {
  if (closest(node, "[data-ui-no-push]")) return undefined;
  return closest(node, "[data-ui-replace-url]") ? rename : push;
}

/** Whether the script may follow a link; the browser handles fragments of this page. @param {any} link */
const canFollow = (link) =>
  isOurs(link, link.target) && !link.hasAttribute("download") &&
  !(link.href.includes("#") && pageOf(link.href) === pageOf(location.href));

/** The swap settings that apply to a link; links in table rows have none. @param {any} link */
const swapOf = (link) =>
  link.closest("[data-ui-swap]:not(form), [data-ui-no-navigate], tbody")?.dataset ?? {};

/** The id of the region that a link replaces, if any. @param {any} link */
const regionOf = (link) => canFollow(link) && !swapOf(link).uiSwap && around(link);

on("click", (event) => {
  const link = closest(event.target, "a[href]");
  // Leave SVG links to the browser, because their `href` is not a string.
  if (!link?.protocol || event.defaultPrevented || isSpecial(event)) return;
  const { uiSwap, uiPlace } = swapOf(link);
  const swapped = canFollow(link) && uiSwap;
  const region = regionOf(link);
  if (!swapped && !region) return;
  event.preventDefault();
  const url = new URL(link.href);
  if (region) navigate(url, [region]);
  else load(swapped, { url, entry: entryOf(link), place: uiPlace });
});

prefetchLinks(regionOf);
