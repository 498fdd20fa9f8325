import { all, bare, isBox, on, showGroups } from "../core.js";

/**
 * The user's changes in an element's controls, by the key that a control keeps across renderings: the
 * state of each control with that key, or `false` if it is not kept.
 * @typedef {Map<string, (any | false)[]>} Drafts
 */

/** The controls that can have a draft. Users cannot change buttons. */
const kept = "input:not([type=hidden i], .ui-tags *), select, textarea, details, [contenteditable]";
/** Elements whose state is not a draft. */
const foreign = "[data-fw-island], [data-fw-keep]";

/** When the user last changed a control, on this module's clock. @type {WeakMap<any, number>} */
const changes = new WeakMap();
let clock = 0;

/** Returns the time on that clock; changes after this call have a later one. */
export const now = () => ++clock;

/** Whether a control was changed after a time. @param {any} control @param {number} time */
export const isChangedSince = (control, time) => (changes.get(control) ?? 0) > time;

for (const type of ["input", "change"]) {
  on(type, ({ target }) => changes.set(target, now()), { capture: true });
}

/** Whether a control differs from what the server rendered. @param {any} control */
export function isDraft(control) {
  const { options, files, open, isContentEditable } = control;
  if (open !== undefined) return true;
  if (isContentEditable) return changes.has(control);
  if (files) return files.length > 0;
  if (options) return all(control, "option").some((one) => one.selected !== one.defaultSelected);
  return isBox(control)
    ? control.checked !== control.defaultChecked
    : control.value !== control.defaultValue;
}

/** The state of a control as rendered by the server. @param {any} control */
export const defaultOf = ({ options, type, defaultChecked, defaultValue, uiOpen, open }) =>
  options
    ? [...options].filter((one) => one.defaultSelected).map((one) => one.value).join()
    : isBox({ type })
    ? defaultChecked
    : defaultValue ?? uiOpen ?? open;

/** Whether to keep a control's draft for going back: not for passwords, files and menus. @param {any} control */
export const isKeepable = (control) =>
  control.type !== "password" && !control.files && !control.matches("[data-ui-menu]");

/**
 * The key that identifies a control or link across renderings: its id, else the nearest ancestor's id
 * with its form, name and value or target. @param {any} control
 */
export function keyOf(control) {
  const { id, uiId = id, form, name, type, value, href, localName, firstElementChild } = control;
  const stands = /^(checkbox|radio|submit|button|image)$/.test(type) ? value : href;
  const label = localName === "details" && firstElementChild?.textContent;
  const around = bare(control).closest("[id]")?.getAttribute("id");
  const action = form && bare(form).getAttribute("action");
  return uiId || JSON.stringify([around, action, localName, name, stands, label]);
}

/** The island that is updating itself, if any. */
export const own = { island: null };

/** Whether an element is a control that can have a draft. @param {any} element */
export const isControl = (element) =>
  element.matches(kept) && (element.closest(foreign) ?? own.island) === own.island;

/** The controls of an element by their keys. @param {any} element @returns {Map<string, any[]>} */
const controlsOf = (element) => Map.groupBy(all(element, kept).filter(isControl), keyOf);

/** The state of a control. @param {any} control */
function stateOf(control) {
  const { value, checked, files, open, options } = control;
  const chosen = options && all(control, ":checked").map((option) => option.value);
  const at = changes.get(control);
  return { value, checked, files, open, chosen, at, said: defaultOf(control) };
}

/**
 * Reads the state of the controls of an element.
 * @param {any} element @param {(control: any) => boolean} isWanted @returns {Drafts}
 */
export function readDrafts(element, isWanted) {
  const read = (/** @type {any} */ control) => isWanted(control) && stateOf(control);
  return new Map([...controlsOf(element)].map(([key, list]) => [key, list.map(read)]));
}

/**
 * Restores drafts in the matching controls of an element. If the number of controls with a key
 * differs, they cannot be matched.
 * @param {any} element @param {Drafts | undefined} drafts
 * @param {(control: any, state: any) => boolean} [isWanted] Other controls get the state of their markup.
 */
export function writeDrafts(element, drafts, isWanted) {
  for (const [key, controls] of controlsOf(element)) {
    const states = drafts?.get(key);
    for (const [at, control] of controls.entries()) {
      const state = states?.length === controls.length && states[at];
      if (state && (!isWanted || isWanted(control, state))) write(control, state);
      else if (isWanted) undraft(control);
    }
  }
  showGroups();
}

/** Restores a saved state of a control. @param {any} control @param {any} state */
export function write(control, { chosen, files, value, checked, open, at }) {
  if (at) changes.set(control, at);
  if (chosen) {
    for (const option of control.options) option.selected = chosen.includes(option.value);
    control.uiShow?.();
  } else if (files) control.files = files;
  else if (!control.isContentEditable) {
    control.uiOpen ??= control.open;
    Object.assign(control, { value, checked, open });
  }
}

/** Resets a control to the state of its markup. @param {any} control */
function undraft(control) {
  const { files, options, isContentEditable } = control;
  changes.delete(control);
  if (isContentEditable) return;
  if (options) { for (const one of options) one.selected = one.defaultSelected; }
  else if (isBox(control)) control.checked = control.defaultChecked;
  else if (files) control.value = "";
  else if (control.value !== control.defaultValue) control.value = control.defaultValue;
}

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
