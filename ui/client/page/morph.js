// @ts-ignore -- the build joins the library
import { Idiomorph } from "npm:idiomorph@0.7.4/dist/idiomorph.esm.js";
import { all, bare, doc, forget } from "../core.js";
import { defaultOf, isControl, keyOf, own, readDrafts, writeDrafts } from "./drafts.js";

/** Whether a form hides members that the library reads, by a control that is named like one. @param {any} element */
const isHiding = (element) =>
  all(element, "form :is([name], [id])").some(({ name, id }) =>
    [name, id].some((one) => one in Element.prototype && !/^(role|id|slot|part|prefix)$/.test(one))
  );

/** What the script sets up by the markup inside, and must set up again when that changes. */
const set = "[data-ui-tabs], [data-ui-command], [commandfor]";
/** What it sets on elements, which no markup of the server has. */
const ownAttribute = /^(role|tabindex|hidden|aria-.+)$/;
const owned =
  "[data-ui-tabs] > *, [data-ui-tabs] > * > [role=tab], [data-ui-theme], .ui-table-wrap";

/** Whether an attribute is the page's own. Who pulls at the corner of a text area sets its style. @param {string} name @param {any} element */
const isOwn = (name, element) =>
  name === "style"
    ? element.id || element.localName === "textarea"
    : (ownAttribute.test(name) && element.matches(owned)) ||
      (name === "tabindex" && element === doc.activeElement);

/** What the loader of islands is found by. */
export const islands = Symbol.for("fw.islands");

/** What is replaced as a whole where it differs: its state belongs to what it was made of. */
const whole = "[data-fw-island], [data-ui-fade]";

/** Whether an element can be changed into another one. @param {any} old @param {any} next */
export const canMorph = (old, next) =>
  old.localName === next.localName && !isHiding(old) && !isHiding(next);

/**
 * Gives an element the attributes of another one.
 * @param {any} old @param {any} next
 * @param {(name: string, isGone: boolean) => boolean} isTaken Whether one changes, or goes that the other lacks.
 */
export function takeAttributes(old, next, isTaken) {
  for (const name of new Set([...old.getAttributeNames(), ...next.getAttributeNames()])) {
    const value = next.getAttribute(name);
    const isGone = value === null;
    if (old.getAttribute(name) === value || !isTaken(name, isGone)) continue;
    if (isGone) old.removeAttribute(name);
    else old.setAttribute(name, value);
  }
}

/**
 * Changes an element into another one, node by node, and keeps what a person did there: drafts, the
 * focus, the selection, what is scrolled, open dialogs, media, islands.
 * @param {any} old @param {any} next
 * @param {(control: any) => boolean} isWanted Whether the draft of a control stays.
 * @param {(control: any) => boolean} isFresh Whether it stays although the server says something else now.
 * @returns {any} What is in the page now.
 */
export function morph(old, next, isWanted, isFresh) {
  const drafts = readDrafts(old, isWanted);
  const fresh = new Set(all(old, "*").filter(isFresh).map(keyOf));
  const held = new WeakSet();
  /** @type {[any, any][]} */
  const exchanged = [];

  /** @param {any} from @param {any} to */
  function canChange(from, to) {
    if (from.matches("[data-fw-keep]") && to.matches("[data-fw-keep]")) return false;
    if (from.isEqualNode(to)) return false;
    if (from !== own.island && (from.matches(whole) || to.matches(whole))) {
      // One that takes new props by itself stays.
      // @ts-ignore -- the loader of islands sets it
      if (!globalThis[islands]?.(from, to)) exchanged.push([from, to]);
      return false;
    }
    if (from.matches(set)) forget(from);
    if (!isControl(from) || !isWanted(from) || keyOf(from) !== keyOf(to)) return true;
    if (from.isContentEditable) return false;
    if (!isFresh(from) && defaultOf(from) !== defaultOf(to)) return true;
    held.add(from);
    // The text stays, and with it the caret; what the server says now is what it is compared with.
    if ("defaultValue" in from) from.defaultValue = to.defaultValue;
    return true;
  }

  /** @param {any} from @param {any} to */
  function change(from, to) {
    if (from.nodeType !== Node.ELEMENT_NODE) {
      if (from.data !== to.data) from.data = to.data;
      return false;
    }
    const isChanged = canChange(from, to);
    if (isChanged) {
      takeAttributes(from, to, (name, isGone) =>
        !(name === "value" && held.has(from)) &&
        !(name === "open" && from.localName === "dialog") &&
        !(isGone && isOwn(name, from)));
    }
    return isChanged;
  }

  if (change(old, next)) Idiomorph.morph(old, next, change);
  for (const [from, to] of exchanged) bare(from).replaceWith(to);
  const shown = exchanged.find(([from]) => from === old)?.[1] ?? old;
  writeDrafts(
    shown,
    drafts,
    (control, { said }) => fresh.has(keyOf(control)) || said === defaultOf(control),
  );
  return shown;
}
