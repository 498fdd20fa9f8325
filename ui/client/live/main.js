/** The part of the script for lazy loading, polling, streams, uploads, tooltips and copying. */
import "./copy.js";
import "./later.js";
import "./more.js";
import "./stream.js";
import "./tooltip.js";

export { foresee } from "./optimistic.js";
export { save, upload } from "./upload.js";
