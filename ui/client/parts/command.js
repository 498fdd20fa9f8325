import { all, isComposing, setUp } from "../core.js";
import { plain } from "./tags.js";

/** Hides the items that lack a word of the text; returns the others. @param {any[]} items @param {string} text */
function sift(items, text) {
  const words = plain(text).split(" ");
  return items.filter((item) => {
    const own = plain(`${[item.textContent, item.dataset.uiWords]}`);
    return !(item.hidden = !words.every((word) => own.includes(word)));
  });
}

/** Turns a field and a list of links into a filtering combobox (ARIA 1.2). @param {any} dialog */
function setCommands(dialog) {
  const input = dialog.querySelector("input");
  const list = dialog.querySelector(".ui-command-list");
  const items = all(list, ".ui-menu-item");
  // A live region announces new content, not that it becomes visible.
  const empty = dialog.querySelector(".ui-command-empty");
  const nothing = empty.textContent;
  empty.hidden = false;
  let shown = items;
  const choose = (/** @type {any} */ chosen) => {
    for (const item of items) item.ariaSelected = item === chosen;
    chosen?.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", chosen?.id ?? "");
  };
  const filter = () => {
    shown = sift(items, input.value);
    for (const group of all(list, "[role=group]")) {
      group.hidden = !group.querySelector(".ui-menu-item:not([hidden])");
    }
    empty.textContent = shown[0] ? "" : nothing;
    // Prefer a word that begins with the text: "or" matches "Orders" better than "Editors".
    const text = plain(input.value);
    const begins = (/** @type {any} */ item) =>
      ` ${plain(item.textContent).trim()}`.includes(` ${text}`);
    choose(shown.find(begins) ?? shown[0]);
  };
  list.role = "listbox";
  list.ariaLabel = input.ariaLabel;
  for (const [at, item] of items.entries()) {
    item.role = "option";
    item.id ||= `${list.id}-${at}`;
    item.tabIndex = -1;
  }
  input.oninput = filter;
  input.onkeydown = (/** @type {KeyboardEvent} */ event) => {
    // Enter may accept an input method's suggestion.
    if (isComposing(event)) return;
    const at = shown.findIndex((item) => item.ariaSelected === "true");
    if (event.key === "Enter") shown[at]?.click();
    else if (event.key === "ArrowDown") choose(shown[at + 1] ?? shown[0]);
    else if (event.key === "ArrowUp") choose(shown.at(at - 1));
    else return;
    event.preventDefault();
  };
  list.onclick = (/** @type {any} */ { target }) =>
    target.closest(".ui-menu-item") && dialog.close();
  dialog.onclose = () => {
    input.value = "";
    filter();
  };
  if (dialog.open) filter();
  // The dialog was closed before this part loaded.
  else dialog.onclose();
}

setUp("[data-ui-command]", setCommands);
