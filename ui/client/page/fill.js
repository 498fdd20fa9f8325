import { all, showGroups } from "../core.js";

/**
 * Gives the forms that ask the values that they have in other content, where they are the same forms: a
 * field beside a list says what the list shows.
 *
 * @param {DocumentFragment | Document} content
 * @param {string[]} ids What was replaced, and says so by itself.
 */
export function fillForms(content, ids) {
  const isShown = ids.map((id) => `#${CSS.escape(id)} *`);
  const selector = `form:not([method=post i]) :is(input, textarea, option):not(${isShown})`;
  const values = all(content, selector);
  for (const [at, field] of all(document, selector).entries()) {
    const { localName, name, value, checked, selected } = values[at] ?? field;
    if (localName !== field.localName || name !== field.name) continue;
    if (localName === "option") field.selected = selected;
    else Object.assign(field, { value, checked });
  }
  showGroups();
}
