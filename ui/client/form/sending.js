import { bare, closest, isOurs, isSpecial, on, settingOf } from "../dom.js";

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

/** The timers of forms about to be sent automatically. @type {Map<any, number>} */
const timers = new Map();

/** @param {any} event */
function sendLater({ type, target, isComposing }) {
  if (isComposing) return;
  const wanted = type === "compositionend" ? "input" : type;
  const asking = closest(target, `[data-ui-submit-on^=${wanted}]`);
  const { form } = target;
  if (!asking || !form) return;
  const ms = bare(asking).getAttribute("data-ui-submit-on").split(" ")[1];
  // Do not submit an invalid value, which may be incomplete: the browser's message would take the focus.
  const send = () =>
    timers.get(form) === timer && bare(form).matches(":valid") && bare(form).requestSubmit();
  const timer = setTimeout(send, ms);
  timers.set(form, timer);
}

// The last input event of a composition still has `isComposing`.
for (const type of ["input", "change", "compositionend"]) on(type, sendLater);
// Pressing Enter sends the form at once, and a link that leaves the page takes precedence.
on("submit", ({ target }) => timers.delete(target));
on("click", (event) => {
  const link = closest(event.target, "a:not([href^='#'],[target],[download])");
  if (link && !isSpecial(event)) timers.clear();
});
