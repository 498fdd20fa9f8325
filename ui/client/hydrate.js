import { setTheme } from "./cookies.js";
import { setCommand } from "./dialog.js";
import { all } from "./dom.js";
import { showGroups } from "./form/fields.js";
import { loadPartsFor } from "./part.js";
import { setScroller } from "./scroller.js";
import { setTabs } from "./tabs.js";
import { fade, setToaster } from "./toast.js";

/** What each element needs once it is in the page. @type {[string, (element: any) => void][]} */
const needs = [
  ["[data-ui-tabs]", setTabs],
  ["[data-ui-theme]", setTheme],
  ["[commandfor]", setCommand],
  ["[data-ui-toaster]", setToaster],
  [".ui-table-wrap", setScroller],
  ["[data-ui-fade]", fade],
];
const ready = new WeakSet();

/**
 * Sets up the elements that match: those of the page, and what comes later.
 * @param {string} selector @param {(element: any) => void} set
 */
export function setUp(selector, set) {
  needs.push([selector, set]);
  hydrate(document);
}

/** Lets an element be set up again, whose content has changed. @param {any} element */
export const forget = (element) => ready.delete(element);

/** Sets up what a swap or a script has put into the page; twice does no harm. @param {any} element */
export function hydrate(element) {
  for (const [selector, set] of needs) {
    for (const found of all(element, selector)) {
      if (ready.has(found)) continue;
      ready.add(found);
      try {
        set(found);
      } catch (error) {
        // Markup that lacks something must not keep the rest from working.
        reportError(error);
      }
    }
  }
  showGroups();
  loadPartsFor(element);
}
