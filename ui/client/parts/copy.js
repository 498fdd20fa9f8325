import { on } from "../core.js";
import { around } from "./watch.js";

on("click", async (event) => {
  const button = around(event, "[data-ui-copy]");
  if (!button) return;
  const text = button.parentElement?.querySelector("code")?.textContent ?? "";
  await navigator.clipboard.writeText(text);
  const { ui } = /** @type {any} */ (globalThis);
  ui?.toast("success", button.dataset.uiCopy, 2000);
});
