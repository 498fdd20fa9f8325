import { all, isBox, on } from "../dom.js";

const fields = "input, select, textarea";
const controls = `${fields}, button, fieldset`;
const groups = "[data-ui-show-when]";

/**
 * Disables a control in a hidden group, and enables it once every group around it is shown.
 * @param {any} control @returns {boolean} Whether that changed it.
 */
function setControl(control) {
  const isHidden = !!control.closest(`${groups}[hidden]`);
  const isChanged = isHidden ? !control.disabled : control.hasAttribute("data-ui-off");
  if (isChanged) control.disabled = control.toggleAttribute("data-ui-off", isHidden);
  return isChanged;
}

/** Shows or hides a group. @param {any} group @returns {number} How many of its controls changed. */
function showGroup(group) {
  const [name, ...value] = group.dataset.uiShowWhen.split("=");
  const form = group.form ?? group.closest("form");
  group.hidden = !all(document, fields).some((control) =>
    // A control may belong to the form by its attribute and stand outside it.
    control.name === name && (!form || control.form === form) &&
    !control.matches(":disabled") && (control.checked || !isBox(control)) &&
    // A select has as many values as options that are chosen.
    [...control.selectedOptions ?? [control]].some((one) => one.value === value.join("="))
  );
  return all(group, controls).filter(setControl).length;
}

/**
 * Shows and hides every conditional group; what is hidden is disabled, so that it does not travel. A file
 * over its limit makes its field invalid: the browser says so instead of sending it.
 */
export function showGroups() {
  const found = all(document, groups);
  // A group may depend on a later one. The number of rounds is bounded for groups that depend on each other.
  found.every(() => found.filter(showGroup).length);
  for (const field of all(document, "[data-ui-max]")) {
    const [max, ...text] = field.dataset.uiMax.split("=");
    field.setCustomValidity(
      [...field.files].some((file) => file.size > max) ? text.join("=") : "",
    );
  }
}

on("input", showGroups);
on("change", showGroups);
on("reset", () => setTimeout(showGroups));
// A browser that comes back fills in what was typed.
addEventListener("pageshow", showGroups);
