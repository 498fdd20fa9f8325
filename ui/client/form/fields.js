import { all, isBox, on } from "../dom.js";

const fields = "input, select, textarea";
const controls = `${fields}, button, fieldset`;
const groups = "[data-ui-show-when]";

/**
 * Disables a control in a hidden group, and enables it once every group around it is shown.
 * @param {any} control @returns {boolean} Whether the control changed.
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
    // A control outside the form may belong to it by its `form` attribute.
    control.name === name && (!form || control.form === form) &&
    !control.matches(":disabled") && (control.checked || !isBox(control)) &&
    // A select has one value per chosen option.
    [...control.selectedOptions ?? [control]].some((one) => one.value === value.join("="))
  );
  return all(group, controls).filter(setControl).length;
}

/**
 * Shows and hides every conditional group; hidden controls are disabled, so they are not sent. A file
 * over its limit makes its field invalid, so the browser shows the message instead of sending the form.
 */
export function showGroups() {
  const found = all(document, groups);
  // A group may depend on a later one. The number of rounds is limited, because groups may depend on each other.
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
// After navigating back, the browser restores typed values.
addEventListener("pageshow", showGroups);
