import { setTheme } from "./cookies.js";
import { setCommand } from "./dialog.js";
import { all } from "./dom.js";
import { showGroups } from "./form/fields.js";
import { loadPartsFor } from "./part.js";
import { setTabs } from "./tabs.js";
import { fade, setToaster } from "./toast.js";

/** Makes a scroll container a tab stop only while it overflows. @param {any} wrap */
function setScroller(wrap) {
  const look = () => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = wrap;
    if (scrollWidth > clientWidth || scrollHeight > clientHeight) wrap.tabIndex = 0;
    else wrap.removeAttribute("tabindex");
  };
  const observer = new ResizeObserver(look);
  for (const one of [wrap, ...wrap.children]) observer.observe(one);
}

/** The setup functions of elements, by selector. @type {[string, (element: any) => void][]} */
const needs = [
  ["[data-ui-tabs]", setTabs],
  ["[data-ui-theme]", setTheme],
  ["[commandfor]", setCommand],
  ["[data-ui-toaster]", setToaster],
  [".ui-table-wrap", setScroller],
  ["[data-ui-fade]", fade],
  [".ui-find kbd", (kbd) => /^M/.test(navigator.platform) && (kbd.textContent = "⌘K")],
  // The server's state, before the user changes it or a draft is restored.
  ["details", (details) => details.uiOpen ??= details.open],
];
const ready = new WeakSet();

/**
 * Sets up matching elements, both present and future ones.
 * @param {string} selector @param {(element: any) => void} set
 */
export function setUp(selector, set) {
  needs.push([selector, set]);
  hydrate(document);
}

/** Marks an element whose content has changed, so that it is set up again. @param {any} element */
export const forget = (element) => ready.delete(element);

/** Sets up elements that a swap or a script added to the page; safe to repeat. @param {any} element */
export function hydrate(element) {
  for (const [selector, set] of needs) {
    for (const found of all(element, selector)) {
      if (ready.has(found)) continue;
      ready.add(found);
      try {
        set(found);
      } catch (error) {
        // Incomplete markup must not stop the rest from working.
        reportError(error);
      }
    }
  }
  showGroups();
  loadPartsFor(element);
}
