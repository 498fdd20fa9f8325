import { all, closest, doc, on, onKey } from "./dom.js";

/** Closes the open menus that do not contain the node. @param {any} [node] */
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
on("click", ({ target }) => closest(target, ".ui-menu-item") && closeMenus());
onKey((event) => {
  const menu = closest(event.target, "[data-ui-menu]");
  if (!menu) return;
  const items = all(menu, ".ui-menu-item:not(:disabled)");
  const at = items.findIndex((item) => item === doc.activeElement);
  /** @type {Record<string, number>} */
  const steps = { ArrowDown: at + 1, ArrowUp: at < 0 ? -1 : at - 1, Home: 0, End: -1 };
  const { key, target } = event;
  const opens = !menu.open && closest(target, "summary");
  const step = opens && /^( |Enter)$/.test(key) ? 0 : steps[key];
  if (key === "Escape" && menu.open) closeMenu(menu);
  else if (
    step !== undefined && !closest(target, "input, select, textarea") && (menu.open || opens)
  ) {
    menu.open = true;
    items.at(step % items.length)?.focus();
  } else return;
  event.preventDefault();
});
