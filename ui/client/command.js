import { all, doc, on, plain } from "./dom.js";

/** Makes a field and a list of links a combobox (ARIA 1.2) that filters. @param {any} dialog */
export function setCommands(dialog) {
  const input = dialog.querySelector("input");
  const list = dialog.querySelector(".ui-command-list");
  const items = all(list, ".ui-menu-item");
  // A live region tells what it comes to hold, not that it is shown.
  const empty = dialog.querySelector(".ui-command-empty");
  const nothing = empty.textContent;
  empty.hidden = false;
  const shown = () => items.filter((item) => !item.hidden);
  const choose = (/** @type {any} */ chosen) => {
    for (const item of items) item.ariaSelected = item === chosen;
    chosen?.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", chosen?.id ?? "");
  };
  const filter = () => {
    const words = plain(input.value).split(/\s+/);
    for (const item of items) {
      const text = plain(`${item.textContent} ${item.dataset.uiWords ?? ""}`);
      item.hidden = !words.every((word) => text.includes(word));
    }
    for (const group of all(list, "[role=group]")) {
      group.hidden = !group.querySelector(".ui-menu-item:not([hidden])");
    }
    empty.textContent = shown().length ? "" : nothing;
    choose(shown()[0]);
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
    const entries = shown();
    const at = entries.findIndex((item) => item.ariaSelected === "true");
    if (event.key === "Enter") entries[at]?.click();
    else if (event.key === "ArrowDown") choose(entries[at + 1] ?? entries[0]);
    else if (event.key === "ArrowUp") choose(entries.at(at - 1));
    else return;
    event.preventDefault();
  };
  list.onclick = (/** @type {any} */ { target }) =>
    target.closest(".ui-menu-item") && dialog.close();
  dialog.onclose = () => {
    input.value = "";
    filter();
  };
  filter();
}

on("keydown", (event) => {
  // What fills in forms sends keys without a name.
  if (event.key?.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
  const dialog = doc.querySelector("dialog[data-ui-command]");
  if (!dialog) return;
  event.preventDefault();
  if (!dialog.open) dialog.showModal();
});
