import * as core from "./core.js";
import { hydrate } from "./hydrate.js";
import { loadPart } from "./part.js";
import { toast } from "./toast.js";
import "./form/sending.js";

/** @param {[string, string, number?]} what */
const swap = async (...what) => (await loadPart("swap")).swap(...what);

Object.assign(globalThis, { [Symbol.for("fw.ui")]: core, ui: { swap, hydrate, toast } });
hydrate(document);
