import { all, closest, on, onKey } from "./dom.js";

/** The elements that need each part of the script; other pages do not load it. */
const users = {
  swap: "[data-ui-swap], [data-ui-navigate], [data-ui-upload-to], [data-fw-island]",
  live: "[data-ui-load], [data-ui-poll], [data-ui-more], [data-ui-live], [data-ui-upload-to], " +
    "[data-ui-tooltip], [data-ui-copy]",
  parts: "[data-ui-drop], [data-ui-reveal], [data-ui-char-count], " +
    "[data-ui-unsaved], [data-ui-select-all], .ui-select-cell, [data-ui-tags], [data-ui-relative]",
};

/** @type {Record<string, Promise<any> | undefined>} */
const loaded = {};

/** Loads a part of the script once, or again after a failure. @param {string} name */
export function loadPart(name) {
  // `ui.head` writes the URLs with their fingerprints.
  const attribute = `data-ui-file-${name}`;
  const address = all(document, `[${attribute}]`)[0].getAttribute(attribute);
  const part = loaded[name] ??= import(address);
  part.catch(() => loaded[name] = undefined);
  return part;
}

/** Loads the parts that an element needs. @param {any} element */
export function loadPartsFor(element) {
  for (const [name, selector] of Object.entries(users)) {
    // The swap part must restore the history entries that it wrote.
    if (all(element, selector)[0] || (name === "swap" && history.state?.ui)) {
      loadPart(name).catch(reportError);
    }
  }
}

// Set up the palette only after it opens.
on("focusin", ({ target }) => closest(target, "[data-ui-command]") && loadPart("parts"));
onKey((event) => {
  // Autofill sends key events without `key`.
  const isControl = event.ctrlKey || event.metaKey;
  if (!/^k$/i.test(event.key) || !isControl || event.shiftKey || event.altKey) return;
  const dialog = all(document, "dialog[data-ui-command]")[0];
  if (!dialog) return;
  event.preventDefault();
  if (!dialog.open) dialog.showModal();
});
