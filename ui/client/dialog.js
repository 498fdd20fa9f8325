import { bare, byId, closest, doc, isSpecial, make, on } from "./dom.js";

const hasCommands = "commandForElement" in HTMLButtonElement.prototype;
const hasClosedBy = "closedBy" in HTMLDialogElement.prototype;

/**
 * Removes `popovertarget`, for older browsers, from a button with a command: Chromium warns about both.
 * @param {Element} button
 */
export function setCommand(button) {
  if (hasCommands) button.removeAttribute("popovertarget");
}

/** The decisions about forms and links that are about to be followed. @type {Map<any, "asked" | "real">} */
export const decided = new Map();

/**
 * Submits a form as if its button had been pressed, even if a field is named `requestSubmit`.
 * @param {any} form @param {any} pressed
 * @param {"asked" | "real"} decision `asked`: confirmed by the user; `real`: sent by the browser.
 */
export function submit(form, pressed, decision) {
  decided.set(form, decision);
  HTMLFormElement.prototype.requestSubmit.call(form, pressed?.isConnected ? pressed : null);
  decided.delete(form);
}

/**
 * Asks for confirmation with the texts of an element's attributes.
 * @param {any} element @param {any} pressed The button or link that led here, which labels OK.
 * @param {string} name The attribute.
 * @returns {Promise<boolean>} Whether the user confirmed.
 */
export function ask(element, pressed, name = "data-ui-confirm") {
  const say = (/** @type {string} */ part, other = "") =>
    bare(element).getAttribute(name + part) ?? other;
  const look = pressed?.matches(".ui-destructive") ? " ui-destructive" : "";
  const no = make(
    "button",
    { class: "ui-button ui-outline", autofocus: "" },
    say("-cancel", "Cancel"),
  );
  const ok = say("-ok", pressed?.textContent.trim() || "OK");
  const yes = make("button", { class: `ui-button${look}`, value: "yes" }, ok);
  const dialog = make(
    "dialog",
    {
      class: "ui-dialog",
      role: "alertdialog",
      closedby: "any",
      "aria-labelledby": "ui-ask",
      "aria-describedby": "ui-ask-text",
    },
    make("h2", { id: "ui-ask" }, say("")),
    make("p", { id: "ui-ask-text", hidden: !say("-text") && "" }, say("-text")),
    make("form", { class: "ui-actions", method: "dialog" }, no, yes),
  );
  doc.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) =>
    dialog.onclose = () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    }
  );
}

on("submit", async (event) => {
  const { target: form, submitter: pressed } = event;
  const asking = pressed?.dataset.uiConfirm ? pressed : form;
  if (event.defaultPrevented || decided.has(form)) return;
  if (!bare(asking).getAttribute("data-ui-confirm")) return;
  event.preventDefault();
  if (await ask(asking, pressed)) submit(form, pressed, "asked");
});

on("click", async (event) => {
  const link = closest(event.target, "a[href][data-ui-confirm]");
  if (!link?.dataset.uiConfirm || decided.has(link)) return;
  if (event.defaultPrevented || isSpecial(event)) return;
  event.preventDefault();
  if (!await ask(link, link)) return;
  decided.set(link, "asked");
  link.click();
  decided.delete(link);
});

// Fallbacks for older browsers.
on("click", (event) => {
  const { target } = event;
  if (!hasClosedBy && bare(target).matches("dialog[closedby=any]") && isBeside(event)) {
    target.close();
  }
  if (hasCommands) return;
  const opener = closest(target, "[data-ui-open]");
  const closed = closest(target, "[data-ui-close]:not([data-ui-toast] *)")?.closest("dialog");
  if (!opener && !closed) return;
  // Otherwise the button would open the dialog as a popover.
  event.preventDefault();
  closed?.close();
  byId(opener?.dataset.uiOpen)?.showModal();
});

/** Whether a click on a dialog was outside its box. @param {any} click */
function isBeside({ target, clientX: x, clientY: y }) {
  const { left, right, top, bottom } = target.getBoundingClientRect();
  return x < left || x > right || y < top || y > bottom;
}
