import { on, page } from "./dom.js";

const key = "ui-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

/** @param {any} button */
export function setTheme(button) {
  button.ariaPressed = page.classList.contains("dark");
}

/** Shows the theme that was chosen, else the system's. @param {string | null} theme */
function applyTheme(theme) {
  page.classList.toggle("dark", theme ? theme === "dark" : system.matches);
  document.querySelectorAll("[data-ui-theme]").forEach(setTheme);
}

function storedTheme() {
  try {
    return localStorage.getItem(key);
  } catch {
    // A browser may refuse to keep anything.
    return null;
  }
}

on("click", ({ target }) => {
  if (/** @type {Element} */ (target).closest("[data-ui-theme]")) turnTheme();
});

function turnTheme() {
  const theme = page.classList.contains("dark") ? "light" : "dark";
  applyTheme(theme);
  try {
    localStorage.setItem(key, theme);
  } catch {
    // Then the choice holds for this page.
    return;
  }
}

system.addEventListener("change", () => applyTheme(storedTheme()));
// Another window of the site may have changed it.
addEventListener("storage", (event) => event.key === key && applyTheme(storedTheme()));
