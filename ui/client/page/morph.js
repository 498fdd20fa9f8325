// @ts-ignore -- the build joins the library
import { Idiomorph } from "npm:idiomorph@0.7.4/dist/idiomorph.esm.js";
import { all, bare, busy, doc, forget } from "../core.js";
import { defaultOf, isControl, keyOf, own, readDrafts, writeDrafts } from "./drafts.js";

/** Whether the name of a form control hides a member that the library reads. @param {any} element */
const isHiding = (element) =>
  all(element, "form :is([name], [id])").some(({ name, id }) =>
    [name, id].some((one) => one in Element.prototype && !/^(role|id|slot|part|prefix)$/.test(one))
  );

/** Elements that must be set up again when their content changes. */
const set = "[data-ui-tabs], [data-ui-command], [commandfor]";
/** Attributes that the script sets and the server's markup lacks. */
const ownAttribute = /^(role|tabindex|hidden|aria-.+)$/;
const owned =
  "[data-ui-tabs] > *, [data-ui-tabs] > * > [role=tab], [data-ui-theme], .ui-table-wrap";

/** Whether the page set an attribute, as resizing a text area does. @param {string} name @param {any} element */
const isOwn = (name, element) =>
  name === "aria-busy"
    ? busy.has(element)
    : name === "style"
    ? element.id || element.localName === "textarea"
    : (ownAttribute.test(name) && element.matches(owned)) ||
      (name === "tabindex" && element === doc.activeElement);

/** The loader of islands, if the page has it. */
export const islands = () => /** @type {any} */ (globalThis)[Symbol.for("fw.islands")];

/** Elements that are replaced as a whole, because their state belongs to their original content. */
const whole = "[data-fw-island], [data-ui-fade], template";

/** Elements that keep their content, such as an upload's progress. */
const kept = "[data-fw-keep], [data-ui-upload-box]";

/** Whether an element can be morphed into another. @param {any} old @param {any} next */
export const canMorph = (old, next) =>
  old.localName === next.localName && !isHiding(old) && !isHiding(next);

/**
 * Copies the attributes of another element.
 * @param {any} old @param {any} next
 * @param {(name: string, isGone: boolean) => boolean} isTaken Whether to change one, or remove a missing one.
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
 * Morphs an element into another, node by node, keeping the user's state: drafts, focus, selection,
 * scroll positions, open dialogs, media, islands.
 * @param {any} old @param {any} next
 * @param {(control: any) => boolean} isWanted Whether to keep the draft of a control.
 * @param {(control: any) => boolean} isFresh Whether to keep it even if the server's value changed.
 * @returns {any} The element now in the page.
 */
export function morph(old, next, isWanted, isFresh) {
  const drafts = readDrafts(old, isWanted);
  const fresh = new Set(all(old, "*").filter(isFresh).map(keyOf));
  const held = new WeakSet();
  /** @type {[any, any][]} */
  const exchanged = [];

  /** @param {any} from @param {any} to */
  function canChange(from, to) {
    if (from.matches(kept) && to.matches(kept)) return false;
    from.uiOpen = to.open;
    // Nodes are equal even if the contents of their templates differ.
    if (from.isEqualNode(to) && !all(from, "template")[0]) return false;
    if (from !== own.island && (from.matches(whole) || to.matches(whole))) {
      // An island that accepts new props stays.
      if (!islands()?.(from, to)) exchanged.push([from, to]);
      return false;
    }
    if (from.matches(set)) forget(from);
    if (!isControl(from) || !isWanted(from) || keyOf(from) !== keyOf(to)) return true;
    if (from.isContentEditable) return false;
    if (!isFresh(from) && defaultOf(from) !== defaultOf(to)) return true;
    held.add(from);
    // Keep the text and the caret; from now on, compare with the server's new value.
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
