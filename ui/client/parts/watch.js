import { all, closest } from "../core.js";

/**
 * Sets up each element that matches, now and whenever one comes into the page.
 *
 * @param {string} selector
 * @param {(element: any) => void} set
 */
export function watch(selector, set) {
  const seen = new WeakSet();
  /** @param {any} root */
  const visit = (root) => {
    if (root.nodeType !== 1 && root.nodeType !== 9) return;
    const found = all(root, selector);
    for (const element of found) {
      if (seen.has(element)) continue;
      seen.add(element);
      set(element);
    }
  };
  visit(document);
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) addedNodes.forEach(visit);
  }).observe(document, { childList: true, subtree: true });
}

/**
 * What is around the target of an event, or is it.
 *
 * @param {Event} event
 * @param {string} selector
 * @returns {any}
 */
export const around = ({ target }, selector) =>
  target instanceof Element ? closest(target, selector) : null;
