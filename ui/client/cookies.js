import { all, closest, doc, on, page } from "./dom.js";

/** Keeps what the server reads too. @param {string} name @param {string} value */
function keep(name, value) {
  doc.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=lax`;
}

const system = matchMedia("(prefers-color-scheme: dark)");

/** What the person chose: `light`, `dark`, or what follows the system. */
const chosen = () => doc.cookie.match(/(^| )fw_theme=(\w+)/)?.[2] ?? "system";

/** Says which is on: at the button that switches, or at one of the three choices. @param {any} control */
export function setTheme(control) {
  if (control.value) control.checked = control.value === chosen();
  else control.ariaPressed = page.classList.contains("dark");
}

/** Shows the theme that was chosen, else the system's. */
function applyTheme() {
  const theme = chosen();
  page.classList.toggle("dark", theme === "dark" || (theme !== "light" && system.matches));
  all(document, "[data-ui-theme]").forEach(setTheme);
}

on("click", ({ target }) => {
  const control = closest(target, "[data-ui-theme]");
  if (!control) return;
  keep("fw_theme", control.value || (page.classList.contains("dark") ? "light" : "dark"));
  applyTheme();
});

system.onchange = applyTheme;
// Another window of the site may have changed it.
addEventListener("focus", applyTheme);
// The zone of times that the server writes; the server checks it: `c.zone`.
keep("fw_zone", Intl.DateTimeFormat().resolvedOptions().timeZone);
