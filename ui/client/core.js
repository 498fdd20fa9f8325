/**
 * The core's exports for the other parts of the script. The build binds them to the core that runs on the
 * page, so that no module runs twice.
 */
export * from "./dom.js";
export { ask, decided, submit } from "./dialog.js";
export { showGroups } from "./form/fields.js";
export { forget, hydrate, setUp } from "./hydrate.js";
export { closeMenus } from "./menu.js";
export { loadPart } from "./part.js";
export { shelter, surface, toast } from "./toast.js";
