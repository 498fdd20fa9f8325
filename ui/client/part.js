import { all, doc } from "./dom.js";

/** What the second part of the script is for: pages without any of it never load it. */
const users = [
  ...["swap", "navigate", "upload-to", "load", "poll", "more", "live"].map((name) =>
    `[data-ui-${name}]`
  ),
  "[data-fw-island]",
].join();

/** @type {Promise<typeof import("./swap.js")> | undefined} */
let part;

/** Loads the part that replaces elements of the page: once, and again after a failure. */
export function loadPart() {
  // `ui.head` writes the address with its fingerprint.
  const address = doc.querySelector("script[data-ui-part]")?.dataset.uiPart ??
    new URL("ui.swap.js", import.meta.url);
  part ??= import(address);
  part.catch(() => part = undefined);
  return /** @type {NonNullable<typeof part>} */ (part);
}

/** Loads the part where an element needs it. @param {any} element */
export function loadPartFor(element) {
  // An entry of the history that the part wrote is shown again by the part.
  if (all(element, users)[0] || history.state?.ui) loadPart().catch(reportError);
}
