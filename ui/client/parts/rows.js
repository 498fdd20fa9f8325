import { closest, doc, on, setUp } from "../core.js";

/** The boxes of the rows whose form this is. @param {string} id @returns {any[]} */
const boxesOf = (
  id,
) => [...doc.querySelectorAll(`.ui-select-cell input[form="${CSS.escape(id)}"]`)];

/** @type {any} The box that was clicked last: Shift chooses from there. */
let last;

on("click", (event) => {
  const all = closest(event.target, "[data-ui-select-all]");
  if (all) {
    const id = all.dataset.uiSelectAll;
    for (const box of boxesOf(id)) box.checked = all.checked;
    count(id);
    return;
  }
  const box = closest(event.target, ".ui-select-cell input[form]");
  if (!box) return;
  const id = box.getAttribute("form");
  const boxes = boxesOf(id);
  const [from, to] = [boxes.indexOf(last), boxes.indexOf(box)].sort((a, b) => a - b);
  if (event.shiftKey && last?.getAttribute("form") === id && from !== undefined && from >= 0) {
    for (const each of boxes.slice(from, (to ?? 0) + 1)) each.checked = box.checked;
  }
  last = box;
  count(id);
});

/** Says how many rows are chosen. @param {string} id */
function count(id) {
  const boxes = boxesOf(id);
  const chosen = boxes.filter(({ checked }) => checked).length;
  const note = doc.getElementById(id)?.querySelector("[data-ui-selected]");
  if (note instanceof HTMLElement) {
    note.textContent = (note.dataset.uiSelected ?? "").replace("{count}", String(chosen));
  }
  for (const all of doc.querySelectorAll(`[data-ui-select-all="${CSS.escape(id)}"]`)) {
    if (!(all instanceof HTMLInputElement)) continue;
    all.checked = chosen > 0 && chosen === boxes.length;
    all.indeterminate = chosen > 0 && chosen < boxes.length;
  }
}

// The browser may have kept what was chosen before a reload.
setUp("[data-ui-select-all]", (all) => count(all.dataset.uiSelectAll));
