import { all, bare, closest, on } from "../core.js";

/** The changed but unsent forms with a foot. */
const changed = new Set();

/** @param {BeforeUnloadEvent} event */
const ask = (event) => {
  if ([...changed].some((form) => bare(form).isConnected)) event.preventDefault();
};

/** Marks a form as changed or unchanged. @param {any} form @param {boolean} isChanged */
function mark(form, isChanged) {
  const note = all(form, "[data-ui-unsaved]")[0];
  if (!note) return;
  if (isChanged) changed.add(form);
  else changed.delete(form);
  // Only while changes would be lost, because the handler disables the back/forward cache.
  globalThis.onbeforeunload = changed.size > 0 ? ask : null;
  note.textContent = isChanged ? note.dataset.uiUnsaved : "";
}

/** The events of a form, and whether it is changed afterwards. */
const events = { input: true, change: true, submit: false, reset: false };
for (const [type, isChanged] of Object.entries(events)) {
  on(type, (event) => {
    const form = closest(event.target, "form");
    if (form && bare(form).method === "post") mark(form, isChanged);
    // Before the handler that may send the form.
  }, { capture: true });
}
