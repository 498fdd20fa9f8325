import { all, closest, on } from "../core.js";

on("click", (event) => {
  const button = closest(event.target, "[data-ui-reveal]");
  if (!button) return;
  const input = button.parentElement.querySelector("input");
  const isShown = input.type === "password";
  input.type = isShown ? "text" : "password";
  button.ariaPressed = isShown;
});

// Hide the password before sending, because browsers save only fields of type `password`.
on("submit", ({ target }) => {
  for (const button of all(target, '[data-ui-reveal][aria-pressed="true"]')) button.click();
}, { capture: true });

/** @param {any} control */
function countCharacters(control) {
  const count = control?.closest(".ui-field")?.querySelector("[data-ui-char-count]");
  if (!count) return;
  count.textContent = count.dataset.uiCharCount
    .replace("{count}", control.value.length)
    .replace("{max}", control.maxLength);
}

on("input", ({ target }) => countCharacters(closest(target, "[maxlength]")));
// A swap keeps what was typed.
on("fw:swap", ({ target }) => all(target, "[maxlength]").forEach(countCharacters));
