/**
 * The core's exports for the other parts of the script. The build binds them to the core that runs on the
 * page, so that no module runs twice.
 */
export * from "./dom.js";
export { ask } from "./dialog.js";
export { focusOn, reveal } from "./focus.js";
export { showGroups } from "./form/fields.js";
export { decided, submit } from "./form/submit.js";
export { forget, hydrate, setUp } from "./hydrate.js";
export { closeMenus } from "./menu.js";
export { loadPart } from "./part.js";
export { surface, toast } from "./toast.js";
