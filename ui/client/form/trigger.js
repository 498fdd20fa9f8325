import { bare, closest, on } from "../dom.js";

/** What is about to send a form by itself. @type {WeakMap<any, number>} */
const timers = new WeakMap();

/** @param {any} event */
function sendLater({ type, target, isComposing }) {
  if (isComposing) return;
  const wanted = type === "compositionend" ? "input" : type;
  const asking = closest(target, `[data-ui-submit-on^=${wanted}]`);
  const { form } = target;
  if (!asking || !form) return;
  const ms = bare(asking).getAttribute("data-ui-submit-on").split(" ")[1];
  // What is not valid yet is being typed: a bubble that says so would take the focus.
  const send = () => bare(form).matches(":valid") && bare(form).requestSubmit();
  clearTimeout(timers.get(form));
  timers.set(form, setTimeout(send, ms));
}

on("input", sendLater);
on("change", sendLater);
// Its last event of input still composes.
on("compositionend", sendLater);
// Whoever presses Enter does not wait.
on("submit", ({ target }) => clearTimeout(timers.get(target)));
