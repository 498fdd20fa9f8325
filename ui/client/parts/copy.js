import { closest, on, toast } from "../core.js";

on("click", async (event) => {
  const button = closest(event.target, "[data-ui-copy]");
  if (!button) return;
  const text = button.parentElement?.querySelector("code")?.textContent ?? "";
  await navigator.clipboard.writeText(text);
  toast("success", button.dataset.uiCopy, 2000);
});
