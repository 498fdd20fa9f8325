import { all, closest, on, page } from "./dom.js";

const key = "ui-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

/** @param {any} button */
export function setTheme(button) {
  button.ariaPressed = page.classList.contains("dark");
}

/** Shows the theme that was chosen, else the system's. @param {string | null} theme */
function applyTheme(theme) {
  page.classList.toggle("dark", theme ? theme === "dark" : system.matches);
  all(document, "[data-ui-theme]").forEach(setTheme);
}

/** Calls with what the browser keeps for the site; it may refuse to keep anything. @param {(storage: Storage) => any} run */
function tryStorage(run) {
  try {
    return run(localStorage);
  } catch {
    return null;
  }
}

const storedTheme = () => tryStorage((storage) => storage.getItem(key));

on("click", ({ target }) => {
  if (!closest(target, "[data-ui-theme]")) return;
  const theme = page.classList.contains("dark") ? "light" : "dark";
  applyTheme(theme);
  tryStorage((storage) => storage.setItem(key, theme));
});

system.addEventListener("change", () => applyTheme(storedTheme()));
// Another window of the site may have changed it.
addEventListener("storage", (event) => event.key === key && applyTheme(storedTheme()));
