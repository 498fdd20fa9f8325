import { all, showGroups } from "../core.js";
import { keyOf, stateOf, write } from "./drafts.js";

/**
 * Gives the forms that ask the values that the same fields have in other content: a field beside a list says what the
 * list shows.
 * @param {DocumentFragment | Document} content @param {string[]} ids What was replaced, and says so by itself.
 */
export function fillForms(content, ids) {
  const isShown = ids.map((id) => `#${CSS.escape(id)} *`);
  const selector = `form:not([method=post i]) :is(input, textarea, select):not(${isShown})`;
  const values = Map.groupBy(all(content, selector), keyOf);
  for (const field of all(document, selector)) {
    const same = values.get(keyOf(field))?.shift();
    if (same) write(field, stateOf(same));
  }
  showGroups();
}
