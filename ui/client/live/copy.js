import { closest, doc, on, toast } from "../core.js";

on("click", async (event) => {
  const button = closest(event.target, "[data-ui-copy]");
  if (!button) return;
  const code = button.previousElementSibling;
  try {
    await navigator.clipboard.writeText(code.textContent);
    toast("success", button.dataset.uiCopy, 2000);
  } catch {
    // Without https or permission, the user copies the selected line.
    doc.getSelection().selectAllChildren(code);
  }
});
