import { all, closest, doc, on, onKey, plain } from "./dom.js";

/** What was typed in a menu, until nothing is typed for a while. */
let typed = "";
let typedTimer = 0;

/**
 * The item to which what is typed leads. The same letter again leads to the next.
 * @param {any[]} items @param {number} at The one that has the focus. @param {string} key
 */
function findTyped(items, at, key) {
  clearTimeout(typedTimer);
  typedTimer = setTimeout(() => typed = "", 500);
  typed += plain(key);
  const word = [...typed].every((letter) => letter === typed[0]) ? typed.slice(0, 1) : typed;
  const from = word === typed && typed[1] ? at : at + 1;
  return [...items.slice(from), ...items.slice(0, from)]
    .find((item) => plain(item.textContent).trim().startsWith(word));
}

/** Closes the open menus in which the node is not. @param {any} [node] */
export function closeMenus(node) {
  for (const menu of all(document, "[data-ui-menu][open]")) {
    if (!menu.contains(node)) closeMenu(menu);
  }
}

/** @param {any} menu */
function closeMenu(menu) {
  const isInside = menu.contains(doc.activeElement);
  menu.open = false;
  if (isInside) menu.querySelector("summary").focus();
}

on("pointerdown", ({ target }) => closeMenus(target));
on("focusin", ({ target }) => closeMenus(target));
on("click", ({ target }) => {
  if (closest(target, ".ui-menu-item")) closeMenus();
});
onKey((event) => {
  const menu = closest(event.target, "[data-ui-menu]");
  if (!menu) return;
  const items = all(menu, ".ui-menu-item:not(:disabled)");
  const at = items.findIndex((item) => item === doc.activeElement);
  /** @type {Record<string, number>} */
  const steps = { ArrowDown: at + 1, ArrowUp: at < 0 ? -1 : at - 1, Home: 0, End: -1 };
  const { key, ctrlKey, metaKey, altKey, target } = event;
  const opens = !menu.open && closest(target, "summary");
  const step = opens && /^( |Enter)$/.test(key) ? 0 : steps[key];
  const isLetter = key.length === 1 && key !== " " && !ctrlKey && !metaKey && !altKey;
  if (key === "Escape" && menu.open) closeMenu(menu);
  else if (step !== undefined && (menu.open || opens)) {
    menu.open = true;
    items.at(step % items.length)?.focus();
  } else if (menu.open && isLetter && !closest(target, "input, select, textarea")) {
    findTyped(items, at, key)?.focus();
  } else return;
  event.preventDefault();
});
