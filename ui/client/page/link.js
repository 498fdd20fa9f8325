import { closest, isOurs, isSpecial, on, pageOf } from "../core.js";
import { push, rename } from "./history.js";
import { navigate } from "./navigate.js";
import { around } from "./place.js";
import { prefetchLinks } from "./prefetch.js";
import { load } from "./swap.js";

/** What gives the history an entry for what a link or a form shows, if anything does. @param {any} node */
export function entryOf(node) {
  if (closest(node, "[data-ui-no-push]")) return undefined;
  return closest(node, "[data-ui-replace-url]") ? rename : push;
}

/** Whether the script may follow a link. A place on this page is the browser's. @param {any} link */
const canFollow = (link) =>
  isOurs(link, link.target) && !link.hasAttribute("download") &&
  !(link.href.includes("#") && pageOf(link.href) === pageOf(location.href));

/** What says which element a link replaces; the links in rows of a table lead away. @param {any} link */
const swapOf = (link) =>
  link.closest("[data-ui-swap]:not(form), [data-ui-no-navigate], tbody")?.dataset ?? {};

/** The id of the region that a link replaces, if it does. @param {any} link */
const regionOf = (link) => canFollow(link) && !swapOf(link).uiSwap && around(link);

on("click", (event) => {
  const link = closest(event.target, "a[href]");
  // A link in a drawing is the browser's: its address is none as text.
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
