import { doc, make } from "../core.js";

/**
 * Adds a message's button, if the page has a CSRF token for its form.
 * @param {any} message @param {any} action
 */
export function addAction(message, { text, href, fields = {} }) {
  const token = doc.querySelector("[name=_csrf]");
  if (!token) return;
  const inputs = Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value) => make("input", { type: "hidden", name, value }))
  );
  const button = make("button", { class: "ui-button ui-outline ui-small" }, text);
  message.lastChild.before(
    make("form", { method: "post", action: href }, token.cloneNode(), ...inputs, button),
  );
}
