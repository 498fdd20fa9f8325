/** The part of the script for what is loaded later, again and again, for uploads and for hints. */
import "./later.js";
import "./more.js";
import "./stream.js";
import "./tooltip.js";

export { foresee } from "./optimistic.js";
export { save, upload } from "./upload.js";
