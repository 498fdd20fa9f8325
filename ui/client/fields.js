import { all, on } from "./dom.js";

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

/** Shows and hides every conditional group; what is hidden is disabled, so that it does not travel. */
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
}

on("input", showGroups);
on("change", showGroups);
on("reset", () => setTimeout(showGroups));
// A browser that comes back fills in what was typed.
addEventListener("pageshow", showGroups);
