import { all, byId, closest, on, setUp } from "../core.js";

/** The checkboxes of the rows that belong to a form. @param {string} id */
const boxesOf = (id) => all(document, `.ui-select-cell input[form="${CSS.escape(id)}"]`);

/** @type {any} The box clicked last, where a Shift selection starts. */
let last;

on("click", (event) => {
  const whole = closest(event.target, "[data-ui-select-all]");
  if (whole) {
    const id = whole.dataset.uiSelectAll;
    for (const box of boxesOf(id)) box.checked = whole.type !== "button" && whole.checked;
    if (whole.type === "button") (last?.isConnected ? last : boxesOf(id)[0])?.focus();
    return count(id);
  }
  const box = closest(event.target, ".ui-select-cell input[form]");
  if (!box) return;
  const id = box.getAttribute("form");
  const boxes = boxesOf(id);
  const [from = -1, to = -1] = [boxes.indexOf(last), boxes.indexOf(box)].sort((a, b) => a - b);
  const range = event.shiftKey && from >= 0 ? boxes.slice(from, to + 1) : [];
  for (const each of range) each.checked = box.checked;
  last = box;
  count(id);
});

/** Shows how many rows are chosen. @param {string} id */
function count(id) {
  const boxes = boxesOf(id);
  const chosen = boxes.filter(({ checked }) => checked).length;
  const note = byId(id)?.querySelector("[data-ui-selected]");
  if (note) note.textContent = note.dataset.uiSelected.replace("{count}", chosen);
  for (const whole of all(document, `[data-ui-select-all="${CSS.escape(id)}"]`)) {
    whole.checked = chosen > 0 && chosen === boxes.length;
    whole.indeterminate = chosen > 0 && chosen < boxes.length;
  }
}

/** @param {any} whole */
const countAll = (whole) => count(whole.dataset.uiSelectAll);
// The browser may restore the selection after a reload, and a swap keeps it.
setUp("[data-ui-select-all]", countAll);
on("fw:swap", () => all(document, "[data-ui-select-all]").forEach(countAll));
