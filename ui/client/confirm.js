import { isConfirmed } from "./dialog.js";
import { bare, closest, isSpecial, on } from "./dom.js";
import { decided, submit } from "./form/submit.js";

on("submit", async (event) => {
  const form = /** @type {any} */ (event.target);
  const pressed = /** @type {any} */ (event.submitter);
  const asking = pressed?.dataset.uiConfirm ? pressed : form;
  if (event.defaultPrevented || decided.has(form)) return;
  if (!bare(asking).getAttribute("data-ui-confirm")) return;
  event.preventDefault();
  if (await isConfirmed(asking, pressed)) submit(form, pressed, "asked");
});

on("click", async (event) => {
  const link = closest(event.target, 'a[href][data-ui-confirm]:not([data-ui-confirm=""])');
  if (!link || event.defaultPrevented || isSpecial(event) || decided.has(link)) return;
  event.preventDefault();
  if (!await isConfirmed(link, link)) return;
  decided.set(link, "asked");
  link.click();
  decided.delete(link);
});
