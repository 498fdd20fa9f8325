/**
 * What the parts of the script take from its core. The build gives each part these names of the core that
 * runs on the page, so that no module runs twice.
 */
export * from "./dom.js";
export { ask } from "./dialog.js";
export { focusOn, reveal } from "./focus.js";
export { showGroups } from "./form/fields.js";
export { decided, submit } from "./form/submit.js";
export { forget, hydrate, setUp } from "./hydrate.js";
export { closeMenus } from "./menu.js";
export { loadPart } from "./part.js";
export { toast } from "./toast.js";
