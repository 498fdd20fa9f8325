import { all, bare, byId, closest, doc, focusOn, make, reveal, shelter, surface } from "../core.js";
import { isChangedSince, isDraft, keyOf, own, readDrafts, writeDrafts } from "./drafts.js";
import { canMorph, morph } from "./morph.js";
import { parse, saidBy, tellSwap } from "./parts.js";

/**
 * How to place content: from a response with a `status`, requested at the time `since`. In the sent `form` only
 * later changes are kept; on another page (`isOther`) no drafts; `isWhole` replaces instead of morphing.
 * @typedef {{ status?: number, since?: number, form?: any, isOther?: boolean, isWhole?: boolean }} Placed
 */

/** The replacement of each replaced element. @type {WeakMap<any, any>} */
const successors = new WeakMap();

/** Returns an element or its latest replacement. @param {any} element @returns {any} */
export const successorOf = (element) =>
  successors.has(element) ? successorOf(successors.get(element)) : element;

/** The id of the region that contains a link or form. @param {any} node */
export function around(node) {
  // Only the browser can ask before unsaved input is left.
  const id = !onbeforeunload && !closest(node, "[data-ui-no-navigate]") &&
    closest(node, "[data-ui-navigate]")?.dataset.uiNavigate;
  return byId(id) && id;
}

/**
 * Replaces the element with an id by the content's element with that id.
 * @param {string} id @param {DocumentFragment | Document} content @param {Placed} [how]
 * @returns {boolean} Whether both are there.
 */
export function replace(id, content, how) {
  const old = byId(id);
  const next = byId(id, content);
  if (!old || !next) return false;
  exchange(old, next, how);
  return true;
}

/** @param {any} old @param {any} next @param {Placed} [how] */
function exchange(old, next, { status = 200, since = Infinity, form, isOther, isWhole } = {}) {
  const isFresh = (/** @type {any} */ control) => isChangedSince(control, since);
  // The files of a refused form need not be chosen again.
  const isWrong = status === 422;
  const isWanted = (/** @type {any} */ control) =>
    isDraft(control) &&
    (isFresh(control) || (isWrong && control.files) ||
      !(isOther || (form && control.form === form)));
  const giveBack = takeFocus(old);
  shelter(old);
  for (const one of all(old, "select")) one.uiPlain?.();
  const starts = all(old, "[autofocus]");
  const said = saidBy(old);
  let shown = next;
  if (!isWhole && canMorph(old, next)) shown = morph(old, next, isWanted, isFresh);
  else {
    const drafts = readDrafts(old, isWanted);
    bare(old).replaceWith(next);
    writeDrafts(next, drafts);
  }
  if (shown !== old) successors.set(old, shown);
  // A kept element may come back.
  successors.delete(shown);
  surface();
  tellSwap(shown, status, said);
  const [wrong] = isWrong ? all(shown, "[aria-invalid=true]") : [];
  if (wrong) {
    reveal(wrong);
    return focusOn(wrong, {});
  }
  const start = all(shown, "[autofocus]").find((one) => !starts.includes(one));
  // Do not take the focus from a field in use.
  if (start && !("defaultValue" in doc.activeElement)) start.focus();
  else giveBack(shown);
}

/**
 * Updates an island to its new HTML, or only its rows that have a place.
 * @param {any} island @param {string} html @param {Placed & { rows?: number }} how
 * @returns {boolean} Whether the number of rows matches.
 */
export function rerender(island, html, how) {
  const next = island.cloneNode();
  const content = parse(html);
  if (how.rows && content.childNodes.length !== how.rows) return false;
  own.island = island;
  try {
    if (how.rows) placeAll(content, how);
    else {
      next.append(content);
      exchange(island, next, how);
    }
  } finally {
    own.island = null;
  }
  return true;
}

/**
 * Places the top-level elements that have a place (`data-fw-place`): `morph`, `replace`, `append`, `prepend`,
 * `before`, `after` or `remove`, and the id of the target.
 * @param {DocumentFragment} content Placed elements are removed from it. @param {Placed} [how]
 * @returns {boolean} Whether something was placed.
 */
export function placeAll(content, how = {}) {
  let isPlaced = false;
  for (const element of [...content.children]) {
    const part = bare(element);
    const [verb = "", id] = part.getAttribute("data-fw-place")?.split(" ") ?? [];
    if (!verb) continue;
    part.remove();
    part.removeAttribute("data-fw-place");
    const own = part.getAttribute("id");
    const target = byId(id ?? own);
    if (!target) continue;
    isPlaced = true;
    // An element already on the page, such as one that a stream repeats, is updated in place.
    const there = own && byId(own);
    if (verb === "remove") removeElement(target);
    else if (verb === "morph" || verb === "replace") {
      exchange(target, element, { ...how, isWhole: verb === "replace" });
    } else if (there) exchange(there, element, how);
    else if (/^(append|prepend|before|after)$/.test(verb)) {
      bare(target)[verb](element);
      tellSwap(element, how.status ?? 200);
    }
  }
  return isPlaced;
}

/**
 * Sets the place that a trigger names (`ui.swap`) on the content's element with the id, else on all top-level
 * elements without a place. `remove` needs no element.
 * @param {DocumentFragment} content @param {string} id @param {string} place
 */
export function direct(content, id, place) {
  const own = byId(id, content) ?? (place === "remove" && make("i", {}));
  if (own && closest(own, "[data-fw-place]")) return;
  if (own) content.prepend(own);
  for (const element of own ? [own] : content.children) {
    const part = bare(element);
    // An additional element with an id on the page replaces that one.
    const isBeside = !own && /^(morph|replace)$/.test(place) && byId(part.getAttribute("id"));
    if (part.hasAttribute("data-fw-place") || isBeside) continue;
    part.setAttribute("data-fw-place", `${place} ${id}`);
  }
}

/** Removes an element; its focus moves to the next similar element. @param {any} element */
function removeElement(element) {
  const place = bare(element).parentElement;
  const giveBack = takeFocus(place);
  shelter(element);
  bare(element).remove();
  surface();
  giveBack(place);
  tellSwap(place, 200);
}

/**
 * Remembers the focus in an element.
 * @param {any} element
 * @returns {(place: any) => void} Restores it: to the same control or link, else to the next similar one.
 */
function takeFocus(element) {
  const lost = /** @type {any} */ (doc.activeElement);
  if (!lost || !bare(element).contains(lost)) return () => {};
  const { selectionStart, selectionEnd, localName, name } = lost;
  const key = keyOf(lost);
  const kin = (/** @type {any} */ place) =>
    all(place, localName).filter((one) => one.name === name && !one.disabled);
  const same = (/** @type {any} */ place) => kin(place).filter((one) => keyOf(one) === key);
  const [at, nth] = [kin(element).indexOf(lost), same(element).indexOf(lost)];
  return (place) => {
    const now = /** @type {any} */ (doc.activeElement);
    if (now !== doc.body && !bare(place).contains(now)) return;
    const those = kin(place);
    const next = same(place)[nth] ?? same(place)[0] ?? those[at] ?? those.at(-1) ?? place;
    if (next === now) return;
    focusOn(next);
    // Only some controls have a selection, and not every type of input.
    if (Number.isInteger(next.selectionEnd)) next.setSelectionRange(selectionStart, selectionEnd);
  };
}
