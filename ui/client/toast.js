import { all, bare, closest, doc, focusOn, front, make, on, onKey } from "./dom.js";

/** Maximum number of messages shown at once; the others wait. */
const most = 3;

/** The element that had the focus before the messages. @type {any} */
let before;

/**
 * Removes an element after a delay, but not while it is hovered or has the focus.
 * @param {HTMLElement} element @param {number} ms
 */
export function leave(element, ms) {
  setTimeout(() => {
    if (bare(element).matches(":hover, :focus-within")) leave(element, 1_000);
    else bare(element).remove();
  }, ms);
}

/** Starts the removal timer of an element; a message's timer starts when it is shown. @param {any} element */
export const fade = (element) =>
  closest(element, "[data-ui-toaster]") || leave(element, bare(element).dataset.uiFade || 5_000);

/** The region for messages. @type {any} */
let region;

/** Shows the first few messages of a region; a second region joins the first. @param {any} place */
export function setToaster(place) {
  if (region?.isConnected && region !== place) {
    region.append(...place.children);
    return place.remove();
  }
  region = place;
  const started = new WeakSet();
  const arrange = () => {
    for (const [at, message] of all(place, "[data-ui-toast]").entries()) {
      message.hidden = at >= most;
      if (message.hidden || started.has(message)) continue;
      started.add(message);
      if (message.dataset.uiFade) leave(message, message.dataset.uiFade);
    }
  };
  new MutationObserver(arrange).observe(place, { childList: true });
  arrange();
}

/** @param {any} place @param {any} modal The dialog; `null` for the page. */
function put(place, modal) {
  (modal ?? doc.body).append(place);
  // In a transformed dialog, `position: fixed` is relative to the dialog; a popover avoids that.
  place.popover = modal && "manual";
  if (modal) place.showPopover();
}

/** Moves the region into a modal dialog, because everything outside it is inert. */
export function surface() {
  const modal = front() ?? null;
  if (region?.isConnected && region.closest("dialog") !== modal) put(region, modal);
}

/** Moves the region out of an element that is about to change. @param {any} element */
export const shelter = (element) =>
  all(element, "[data-ui-toaster]").forEach((place) => put(place, null));

for (const type of ["toggle", "close"]) on(type, surface, { capture: true });

/**
 * Shows a message in the region for messages.
 * @param {string} kind `info`, `success` or `error`. @param {string} text
 * @param {number} ms Time until it disappears; 0 for never, the default of errors.
 */
export function toast(kind, text, ms = kind === "error" ? 0 : 6_000) {
  if (!region?.isConnected) {
    const made = make("div", { class: "ui-toaster", "aria-live": "polite", "data-ui-toaster": "" });
    doc.body.append(made);
    setToaster(made);
  }
  surface();
  const message = make(
    "div",
    {
      class: `ui-toast ui-${kind === "error" ? "destructive" : kind}`,
      "data-ui-toast": "",
      "data-ui-fade": ms || false,
      role: kind === "error" && "alert",
    },
    make("p", {}, text),
    make("button", {
      class: "ui-toast-close",
      type: "button",
      "data-ui-close": "",
      "aria-label": region.dataset.uiCloseLabel ?? "Close",
    }, "×"),
  );
  region.append(message);
  return message;
}

const closers = () => all(document, "[data-ui-toast]:not([hidden]) [data-ui-close]");

on("click", ({ target }) => {
  const close = closest(target, "[data-ui-close]");
  const message = close?.closest("[data-ui-toast]");
  if (!message) return;
  const buttons = closers();
  const at = buttons.indexOf(close);
  const next = buttons[at + 1] ?? buttons[at - 1];
  const hasFocus = message.contains(doc.activeElement);
  message.remove();
  if (next) next.focus();
  else if (hasFocus) focusOn(before?.isConnected ? before : doc.querySelector("main") ?? doc.body);
});
on("focusin", ({ target, relatedTarget }) => {
  const from = closest(target, "[data-ui-toaster]");
  // After removing a focused message there is no previously focused element.
  if (from && relatedTarget && !from.contains(relatedTarget)) before = relatedTarget;
});
// An error stays until it is closed, so F8 moves to it from anywhere on the page.
onKey((event) => {
  if (event.key !== "F8") return;
  const buttons = closers();
  if (buttons[0]) event.preventDefault();
  (buttons.find((one) => one.closest(".ui-destructive")) ?? buttons[0])?.focus();
});
