import { bare, byId, doc } from "./dom.js";

/** Opens the tabs and `details` that hide an element. @param {any} element */
export function reveal(element) {
  for (let at = element; at; at = bare(at).parentElement) {
    if (at.localName === "details") at.open = true;
    if (at.role === "tabpanel" && at.hidden) byId(at.getAttribute("aria-labelledby"))?.click();
  }
}

/**
 * Focuses an element, making it focusable, such as a heading, while it has the focus.
 * @param {any} element @param {FocusOptions} options
 */
export function focusOn(element, options = { preventScroll: true }) {
  const place = bare(element);
  place.focus(options);
  if (doc.activeElement === element) return;
  place.tabIndex = -1;
  place.addEventListener("blur", () => place.removeAttribute("tabindex"), { once: true });
  place.focus(options);
}
