/** The decisions about forms and links that are about to be followed. @type {Map<any, "asked" | "real">} */
export const decided = new Map();

/**
 * Submits a form as if its button had been pressed, even if a field is named `requestSubmit`.
 * @param {any} form @param {any} pressed
 * @param {"asked" | "real"} decision `asked`: confirmed by the user; `real`: sent by the browser.
 */
export function submit(form, pressed, decision) {
  decided.set(form, decision);
  HTMLFormElement.prototype.requestSubmit.call(form, pressed?.isConnected ? pressed : null);
  decided.delete(form);
}
