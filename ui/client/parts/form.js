import { around } from "./watch.js";

/** The forms with a foot that were changed and not sent. */
const changed = new Set();

/** @param {BeforeUnloadEvent} event */
const ask = (event) => {
  if ([...changed].some((form) => form.isConnected)) event.preventDefault();
};

/** @param {any} form @param {boolean} isChanged */
function mark(form, isChanged) {
  const note = form.querySelector("[data-ui-unsaved]");
  if (!note) return;
  if (isChanged) changed.add(form);
  else changed.delete(form);
  // Only while something would be lost: such a handler keeps a page out of the back/forward cache.
  globalThis.onbeforeunload = changed.size > 0 ? ask : null;
  note.textContent = isChanged ? note.dataset.uiUnsaved : "";
}

for (const type of ["input", "change"]) {
  document.addEventListener(type, (event) => {
    const form = around(event, "form");
    if (form?.method === "post") mark(form, true);
  });
}

document.addEventListener("submit", (event) => {
  const form = around(event, "form");
  if (form) mark(form, false);
});
document.addEventListener("reset", (event) => {
  const form = around(event, "form");
  if (form) mark(form, false);
});
