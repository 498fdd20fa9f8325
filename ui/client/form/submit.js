/** What was decided of a form or link that is about to be followed. @type {Map<any, "asked" | "real">} */
export const decided = new Map();

/**
 * Sends a form as if its button had been pressed, whatever its fields are called.
 * @param {any} form @param {any} pressed
 * @param {"asked" | "real"} decision It was asked about, or the browser shall send it.
 */
export function submit(form, pressed, decision) {
  decided.set(form, decision);
  HTMLFormElement.prototype.requestSubmit.call(form, pressed?.isConnected ? pressed : null);
  decided.delete(form);
}
