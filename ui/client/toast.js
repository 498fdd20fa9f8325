import { closest, doc, make, on } from "./dom.js";

/**
 * Removes an element after a while, but not while somebody points at it or is in it.
 *
 * @param {HTMLElement} element
 * @param {number} ms
 */
export function leave(element, ms) {
  setTimeout(() => {
    if (element.matches(":hover, :focus-within")) leave(element, 1_000);
    else element.remove();
  }, ms);
}

/**
 * Shows a message at the place of messages.
 *
 * @param {string} kind `info`, `success` or `error`.
 * @param {string} text
 * @param {number} ms After how long it leaves; 0 for never, as an error does.
 */
export function toast(kind, text, ms = kind === "error" ? 0 : 6_000) {
  const place = doc.querySelector("[data-ui-toaster]") ??
    make("div", { class: "ui-toaster", "aria-live": "polite", "data-ui-toaster": "" });
  if (!place.isConnected) doc.body.append(place);
  const message = make(
    "div",
    {
      class: `ui-toast ui-${kind === "error" ? "destructive" : kind}`,
      "data-ui-toast": "",
      role: kind === "error" && "alert",
    },
    make("p", {}, text),
    make("button", {
      class: "ui-toast-close",
      type: "button",
      "data-ui-close": "",
      "aria-label": place.dataset.uiCloseLabel ?? "Close",
    }, "×"),
  );
  place.append(message);
  if (ms) leave(message, ms);
}

on("click", ({ target }) => {
  const close = closest(target, "[data-ui-toast] [data-ui-close]");
  close?.closest("[data-ui-toast]")?.remove();
});
