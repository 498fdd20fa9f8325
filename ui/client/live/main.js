/** The part of the script for what is loaded later, again and again, and for uploads. */
import "./later.js";
import "./more.js";
import "./stream.js";

export { save, upload } from "./upload.js";
