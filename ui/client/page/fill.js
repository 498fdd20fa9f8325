import { all, showGroups } from "../core.js";
import { keyOf, stateOf, write } from "./drafts.js";

/**
 * Updates the fields of `get` forms from other content, so that a filter beside a list shows the list's state.
 * @param {DocumentFragment | Document} content @param {string[]} ids The replaced elements, which are already
 * current.
 */
export function fillForms(content, ids) {
  const isShown = ids.map((id) => `#${CSS.escape(id)} *`);
  const selector =
    `form:not([method=post i]) :is(input, textarea, select):not(.ui-tags *, ${isShown})`;
  const values = Map.groupBy(all(content, selector), keyOf);
  for (const field of all(document, selector)) {
    const same = values.get(keyOf(field))?.shift();
    if (same) write(field, stateOf(same));
  }
  showGroups();
}
