import { all, bare, on } from "../dom.js";

/**
 * What a person changed in the controls of an element, by the key that a control keeps when the element
 * is rendered again: for each control of that key its state, or `false` where it is left alone.
 *
 * @typedef {Map<string, (object | false)[]>} Drafts
 */

/** Buttons are among them: nobody changes their value, so they have no draft. */
const kept = "input:not([type=hidden i]), select, textarea, details:not([data-ui-menu])";

/** When a control was last changed by a person, on the clock of this module. @type {WeakMap<any, number>} */
const changes = new WeakMap();
let clock = 0;

/** The time on that clock: what is changed after this call has a later one. */
export const now = () => ++clock;

/** Whether a control was changed after a time. @param {any} control @param {number} time */
export const isChangedSince = (control, time) => (changes.get(control) ?? 0) > time;

on("input", ({ target }) => changes.set(target, now()), { capture: true });
on("change", ({ target }) => changes.set(target, now()), { capture: true });

/** Whether a control is ticked rather than filled in. @param {any} control */
export const isBox = ({ type }) => /^(checkbox|radio)$/.test(type);

/** Whether a control differs from what the server rendered. @param {any} control */
export function isDraft(control) {
  const { options, files, type, localName } = control;
  if (type === "password" || files) return false;
  if (options) return all(control, "option").some((one) => one.selected !== one.defaultSelected);
  return localName === "details" ||
    (isBox(control)
      ? control.checked !== control.defaultChecked
      : control.value !== control.defaultValue);
}

/** The controls of an element by their keys. @param {any} element @returns {Map<string, any[]>} */
function controlsOf(element) {
  const controls = new Map();
  for (const control of all(element, kept)) {
    const { id, form, name, value } = control;
    const key = id ||
      [form && bare(form).getAttribute("action"), name, isBox(control) && value].join(" ");
    controls.set(key, [...controls.get(key) ?? [], control]);
  }
  return controls;
}

/**
 * Reads the state of the controls of an element.
 *
 * @param {any} element
 * @param {(control: any) => boolean} isWanted
 * @returns {Drafts}
 */
export function readDrafts(element, isWanted) {
  const read = (/** @type {any} */ control) => {
    const { value, checked, files, open, options } = control;
    const chosen = options && all(control, ":checked").map((option) => option.value);
    return isWanted(control) && { value, checked, files, open, chosen, at: changes.get(control) };
  };
  return new Map([...controlsOf(element)].map(([key, list]) => [key, list.map(read)]));
}

/**
 * Puts what was read into the same controls of an element. Where there are more or fewer of a key,
 * nobody knows which is which.
 *
 * @param {any} element
 * @param {Drafts | undefined} drafts
 */
export function writeDrafts(element, drafts) {
  for (const [key, controls] of controlsOf(element)) {
    const states = drafts?.get(key);
    if (states?.length !== controls.length) continue;
    for (const [at, control] of controls.entries()) {
      const { chosen, files, value, checked, open, at: time } = /** @type {any} */ (states[at]);
      if (!states[at]) continue;
      if (time) changes.set(control, time);
      if (chosen) {
        for (const option of control.options) option.selected = chosen.includes(option.value);
      } else if (files) control.files = files;
      else if (control.localName === "details") control.open = open;
      else Object.assign(control, { value, checked });
    }
  }
}
