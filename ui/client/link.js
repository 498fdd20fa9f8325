import { isConfirmed } from "./dialog.js";
import { byId, isOurs, isSpecial, on, pageOf } from "./dom.js";
import { navigate } from "./navigate.js";
import { prefetchLinks } from "./prefetch.js";
import { decided } from "./submit.js";
import { load } from "./swap.js";

/** Whether the script may follow a link. @param {any} link */
const canFollow = (link) => isOurs(link, link.target) && !link.hasAttribute("download");

/** The id of the region that a link replaces, if it does. @param {any} link @returns {string | undefined} */
function regionOf(link) {
  if (!canFollow(link) || link.closest("[data-ui-no-navigate]") || link.dataset.uiSwap) return;
  // A place on this page is the browser's.
  if (link.hash && pageOf(link.href) === pageOf(location.href)) return;
  const id = link.closest("[data-ui-navigate]")?.dataset.uiNavigate;
  return byId(id) ? id : undefined;
}

on("click", async (event) => {
  const link = /** @type {any} */ (event.target).closest("a[href]");
  if (!link || event.defaultPrevented || isSpecial(event)) return;
  const { uiConfirm, uiSwap } = link.dataset;
  if (uiConfirm && !decided.has(link)) {
    event.preventDefault();
    if (!await isConfirmed(link, link)) return;
    decided.set(link, "asked");
    link.click();
    decided.delete(link);
  } else if (uiSwap && canFollow(link)) {
    event.preventDefault();
    load(uiSwap, { url: new URL(link.href), isPushed: !("uiNoPush" in link.dataset) });
  } else {
    const region = regionOf(link);
    if (!region) return;
    event.preventDefault();
    navigate(new URL(link.href), [region]);
  }
});

prefetchLinks((link) => regionOf(link) !== undefined);
