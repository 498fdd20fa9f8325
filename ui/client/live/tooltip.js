import { bare, closest, doc, make, on, onKey, page } from "../core.js";

const selector = "[data-ui-tooltip]";

/** The only bubble, in the page only while shown. */
const tip = make("div", { id: "ui-tip", class: "ui-tooltip", role: "tooltip", popover: "manual" });

/** The element whose hint is shown. @type {any} */
let owner;
/** The element's own description. */
let description = "";
let tipTimer = 0;

/** @param {any} element */
function showTip(element) {
  if (element === owner) return;
  endTip();
  owner = element;
  const own = bare(element);
  description = own.getAttribute("aria-describedby") ?? "";
  tip.textContent = own.title;
  // Otherwise the browser would also show its own.
  own.title = "";
  own.setAttribute("aria-describedby", `${description} ui-tip`.trim());
  // Everything outside a modal dialog is inert.
  (own.closest("dialog") ?? doc.body).append(tip);
  tip.showPopover?.();
  const box = own.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = tip;
  const left = Math.min(box.left + (box.width - width) / 2, page.clientWidth - width - 8);
  tip.style.left = `${Math.max(8, left)}px`;
  tip.style.top = `${box.top > height + 12 ? box.top - height - 6 : box.bottom + 6}px`;
}

/** Hides the hint and restores the element's attributes. */
function endTip() {
  clearTimeout(tipTimer);
  if (!owner) return;
  bare(owner).title ||= tip.textContent;
  if (description) bare(owner).setAttribute("aria-describedby", description);
  else bare(owner).removeAttribute("aria-describedby");
  owner = undefined;
  tip.remove();
}

/** Handles the pointer leaving, which does not hide a hint shown by focus. */
const passOn = () => (owner && bare(owner).matches(":focus-visible")) || endTip();

on("pointerover", (event) => {
  const { target } = event;
  const element = closest(target, selector);
  clearTimeout(tipTimer);
  if (element) tipTimer = setTimeout(showTip, event.pointerType === "mouse" ? 300 : 0, element);
  // On its way to the bubble the pointer may cross other elements.
  else if (!tip.contains(target)) tipTimer = setTimeout(passOn, 150);
});
page.addEventListener("pointerleave", passOn);
on("focusin", ({ target }) => {
  const element = closest(target, selector);
  if (element && bare(target).matches(":focus-visible")) showTip(element);
});
on("focusout", endTip);
on("fw:swap", endTip);
on("scroll", endTip, { capture: true });
// Keep the owner until the pointer leaves it, so that the hint does not reappear at once.
onKey((event) => {
  if (event.key !== "Escape" || !tip.isConnected) return;
  // Keep an enclosing dialog open.
  event.preventDefault();
  tip.remove();
});
