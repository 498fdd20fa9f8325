import { all, on, plain } from "../dom.js";

const controls = "input, select, textarea, button, fieldset, object";

/**
 * Whether one of the controls of that name has the value.
 *
 * @param {any} form
 * @param {string | undefined} name
 * @param {string} value
 */
function hasValue(form, name, value) {
  return all(form, "input, select, textarea").some((control) => {
    if (control.name !== name || control.matches(":disabled")) return false;
    if (control.selectedOptions) return all(control, ":checked").some((one) => one.value === value);
    return control.value === value && (control.checked || !/^(checkbox|radio)$/.test(control.type));
  });
}

/**
 * Shows and hides every conditional group; what is hidden is disabled, so that it does not travel. A file
 * over its limit makes its field invalid: the browser says so instead of sending it.
 */
export function showGroups() {
  for (const group of all(document, "[data-ui-show-when]")) {
    const [name, ...value] = group.dataset.uiShowWhen.split("=");
    const isHidden = !hasValue(group.closest("form") ?? document, name, value.join("="));
    group.hidden = isHidden;
    for (const control of all(group, controls)) {
      if (isHidden && !control.disabled) control.dataset.uiOff = control.disabled = true;
      else if (!isHidden && control.dataset.uiOff) {
        control.disabled = false;
        delete control.dataset.uiOff;
      }
    }
  }
  for (const field of all(document, "[data-ui-max]")) {
    const [max, ...text] = field.dataset.uiMax.split("=");
    field.setCustomValidity(
      [...field.files].some((file) => file.size > max) ? text.join("=") : "",
    );
  }
}

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

/** Says when a list offers nothing that fits what is typed. @param {any} event */
function tellNothing({ target: { list, value } }) {
  const region = list?.nextElementSibling;
  if (!region?.dataset.uiNone) return;
  const isFound = [...list.options]
    .some((one) => plain(`${one.value} ${one.label}`).includes(plain(value)));
  region.textContent = isFound ? "" : region.dataset.uiNone;
}

on("input", tellNothing);
on("input", showGroups);
on("change", showGroups);
on("reset", () => setTimeout(showGroups));
// A browser that comes back fills in what was typed.
addEventListener("pageshow", showGroups);
