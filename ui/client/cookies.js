import { all, closest, doc, on, page } from "./dom.js";

/** Sets a cookie that the server reads too. @param {string} name @param {string} value */
function keep(name, value) {
  doc.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=lax`;
}

const system = matchMedia("(prefers-color-scheme: dark)");

/** The user's choice: `light`, `dark` or `system`. */
const chosen = () => doc.cookie.match(/(^| )fw_theme=(\w+)/)?.[2] ?? "system";

/** Shows the theme on a control: the toggle button or one of the three choices. @param {any} control */
export function setTheme(control) {
  if (control.value) control.checked = control.value === chosen();
  else control.ariaPressed = page.classList.contains("dark");
}

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
// Another window of the site may have changed the theme.
addEventListener("focus", applyTheme);
// The time zone for times that the server renders; `c.zone` validates it.
keep("fw_zone", Intl.DateTimeFormat().resolvedOptions().timeZone);
