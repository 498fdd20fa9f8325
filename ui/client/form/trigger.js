import { bare, closest, on } from "../dom.js";

/** The timers of forms that are sent automatically. @type {WeakMap<any, number>} */
const timers = new WeakMap();

/** @param {any} event */
function sendLater({ type, target, isComposing }) {
  if (isComposing) return;
  const wanted = type === "compositionend" ? "input" : type;
  const asking = closest(target, `[data-ui-submit-on^=${wanted}]`);
  const { form } = target;
  if (!asking || !form) return;
  const ms = bare(asking).getAttribute("data-ui-submit-on").split(" ")[1];
  // Do not submit an invalid value, which may be incomplete: the browser's message would take the focus.
  const send = () => bare(form).matches(":valid") && bare(form).requestSubmit();
  clearTimeout(timers.get(form));
  timers.set(form, setTimeout(send, ms));
}

on("input", sendLater);
on("change", sendLater);
// The last input event of a composition still has `isComposing`.
on("compositionend", sendLater);
// Pressing Enter sends the form at once.
on("submit", ({ target }) => clearTimeout(timers.get(target)));
