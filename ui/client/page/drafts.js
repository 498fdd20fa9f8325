import { all, bare, isBox, on } from "../core.js";

/**
 * What a person changed in the controls of an element, by the key that a control keeps when the element
 * is rendered again: for each control of that key its state, or `false` where it is left alone.
 * @typedef {Map<string, (any | false)[]>} Drafts
 */

/** Buttons are not among them: nobody changes their value, so they have no draft. */
const kept = "input:not([type=hidden i]), select, textarea, details, [contenteditable]";
/** What has a state of its own, which is not a draft. */
const foreign = "[data-fw-island], [data-fw-keep]";

/** When a control was last changed by a person, on the clock of this module. @type {WeakMap<any, number>} */
const changes = new WeakMap();
let clock = 0;

/** The time on that clock: what is changed after this call has a later one. */
export const now = () => ++clock;

/** Whether a control was changed after a time. @param {any} control @param {number} time */
export const isChangedSince = (control, time) => (changes.get(control) ?? 0) > time;

const noteChange = (/** @type {Event} */ { target }) => void changes.set(target, now());
on("input", noteChange, { capture: true });
on("change", noteChange, { capture: true });

/** Whether a control differs from what the server rendered. @param {any} control */
export function isDraft(control) {
  const { options, files, type, localName, isContentEditable } = control;
  if (localName === "details") return true;
  if (isContentEditable) return changes.has(control);
  if (files) return files.length > 0;
  if (options) return all(control, "option").some((one) => one.selected !== one.defaultSelected);
  return isBox({ type })
    ? control.checked !== control.defaultChecked
    : control.value !== control.defaultValue;
}

/** What the server rendered as the state of a control. @param {any} control */
export const defaultOf = ({ options, type, defaultChecked, defaultValue }) =>
  options
    ? [...options].filter((one) => one.defaultSelected).map((one) => one.value).join()
    : isBox({ type })
    ? defaultChecked
    : defaultValue;

/** Whether a control may be kept for when one comes back: no password and no file, and no open menu. @param {any} control */
export const isKeepable = (control) =>
  control.type !== "password" && !control.files && !control.matches("[data-ui-menu]");

/**
 * What tells a control or link from others when they are rendered again: its id, else the nearest one
 * around it, its form, its name, and what it stands for.
 * @param {any} control
 */
export function keyOf(control) {
  const { id, form, name, type, value, href, localName, firstElementChild } = control;
  const stands = /^(checkbox|radio|submit|button|image)$/.test(type) ? value : href;
  const label = localName === "details" && firstElementChild?.textContent;
  const around = bare(control).closest("[id]")?.getAttribute("id");
  const action = form && bare(form).getAttribute("action");
  return id || JSON.stringify([around, action, localName, name, stands, label]);
}

/** The island that changes itself now, or nothing. */
export const own = { island: null };

/** Whether an element is a control that can have a draft. @param {any} element */
export const isControl = (element) =>
  element.matches(kept) && (element.closest(foreign) ?? own.island) === own.island;

/** The controls of an element by their keys. @param {any} element @returns {Map<string, any[]>} */
const controlsOf = (element) => Map.groupBy(all(element, kept).filter(isControl), keyOf);

/** The state of a control. @param {any} control */
export function stateOf(control) {
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
 * Puts what was read into the same controls of an element. Where there are more or fewer of a key,
 * nobody knows which is which.
 * @param {any} element @param {Drafts | undefined} drafts
 * @param {(control: any, state: any) => boolean} [isWanted] Another control gets the state of its markup.
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
}

/** Gives a control a state that was read. @param {any} control @param {any} state */
export function write(control, { chosen, files, value, checked, open, at }) {
  if (at) changes.set(control, at);
  if (chosen) {
    for (const option of control.options) option.selected = chosen.includes(option.value);
  } else if (files) control.files = files;
  else if (control.localName === "details") control.open = open;
  else if (!control.isContentEditable) Object.assign(control, { value, checked });
}

/** Gives a control the state that its markup says. @param {any} control */
function undraft(control) {
  const { files, options, localName, isContentEditable, type } = control;
  changes.delete(control);
  if (localName === "details" || isContentEditable) return;
  if (options) { for (const one of options) one.selected = one.defaultSelected; }
  else if (isBox({ type })) control.checked = control.defaultChecked;
  else if (files) { if (files.length) control.value = ""; }
  else if (control.value !== control.defaultValue) control.value = control.defaultValue;
}
