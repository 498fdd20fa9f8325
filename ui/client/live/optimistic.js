import { all, bare, byId, doc } from "../core.js";

/**
 * Shows the expected response of a form at once, from its template and the form's values.
 * @param {any} form @returns {() => void} Undoes it, once.
 */
export function foresee(form) {
  /** @type {(() => void)[]} */
  const undos = [];
  const isDeep = true;
  const content = doc.importNode(all(form, "template[data-ui-optimistic]")[0].content, isDeep);
  for (const one of all(content, "[data-ui-value]")) {
    const name = one.dataset.uiValue;
    const value = /** @type {any} */ (new FormData(form).get(name));
    const chosen = all(form, `[name="${CSS.escape(name)}"] option:checked`)[0];
    one.textContent = chosen?.text ?? value?.name ?? value ?? "";
  }
  for (const part of [...content.children]) {
    const element = bare(part);
    const [verb, id] = element.dataset.fwPlace?.split(" ") ?? ["morph"];
    const target = byId(id ?? element.id);
    if (!target) continue;
    element.removeAttribute("data-fw-place");
    element.ariaBusy = "true";
    if (verb === "morph" || verb === "replace" || verb === "remove") {
      // Keep the target itself, so that it can be restored with its state.
      const stand = verb === "remove" ? doc.createComment("") : part;
      bare(target).replaceWith(stand);
      undos.push(() => bare(stand).replaceWith(target));
    } else if (/^(append|prepend|before|after)$/.test(verb)) {
      bare(target)[verb](part);
      undos.push(() => element.remove());
    }
  }
  return () => undos.splice(0).forEach((undo) => undo());
}
