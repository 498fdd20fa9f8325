import { isOurs, on, settingOf } from "../dom.js";

/** The forms that the browser is sending. @type {Set<any>} */
const sent = new Set();

// Runs after the page's handlers, which may send the form themselves.
addEventListener("submit", (event) => {
  const { target: form, submitter, defaultPrevented } = /** @type {any} */ (event);
  if (defaultPrevented || !/^post$/i.test(settingOf(form, submitter, "method") ?? "")) return;
  if (!isOurs(/** @type {any} */ (location), settingOf(form, submitter, "target"))) return;
  if (sent.has(form)) event.preventDefault();
  sent.add(form);
});

/** Allows sending again when the page is shown again or stays because the response was a file. */
const release = () => sent.clear();
addEventListener("pageshow", release);
// @ts-ignore -- not every browser tells that a navigation came to nothing
globalThis.navigation?.addEventListener("navigateerror", release);
// After a change, the form may be sent again.
on("input", release);
