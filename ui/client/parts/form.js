import { around } from "./watch.js";

const CHANGED = true;
const SENT = false;

/** The forms with a foot that were changed and not sent. */
const changed = new Set();

/** @param {BeforeUnloadEvent} event */
const ask = (event) => {
  if ([...changed].some((form) => form.isConnected)) event.preventDefault();
};

/** Notes whether a form was changed. @param {any} form @param {boolean} isChanged */
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
    if (form?.method === "post") mark(form, CHANGED);
  });
}

document.addEventListener("submit", (event) => {
  const form = around(event, "form");
  if (form) mark(form, SENT);
});
document.addEventListener("reset", (event) => {
  const form = around(event, "form");
  if (form) mark(form, SENT);
});
