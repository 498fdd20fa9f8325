import "./command.js";
import "./drop.js";
import "./field.js";
import "./form.js";
import "./rows.js";
import "./tags.js";
import "./time.js";
export { addAction } from "./toast.js";
