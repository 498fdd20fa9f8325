import { bare, isOurs, on } from "../dom.js";

/** The forms that the browser is sending. @type {Set<any>} */
const sent = new Set();

// After the handlers of the page, which may send the form by themselves.
addEventListener("submit", (event) => {
  const { target: form, submitter, defaultPrevented } = /** @type {any} */ (event);
  const setting = (/** @type {string} */ name) =>
    submitter?.getAttribute(`form${name}`) ?? bare(form).getAttribute(name) ?? "";
  if (defaultPrevented || !/^post$/i.test(setting("method"))) return;
  if (!isOurs(/** @type {any} */ (location), setting("target"))) return;
  if (sent.has(form)) event.preventDefault();
  sent.add(form);
});

/** A page that is shown again, or that stays because the response was a file, may send its forms again. */
const release = () => sent.clear();
addEventListener("pageshow", release);
// @ts-ignore -- not every browser tells that a navigation came to nothing
globalThis.navigation?.addEventListener("navigateerror", release);
// What is changed is something else to send.
on("input", release);
