import { hydrate } from "./hydrate.js";
import { swap } from "./page/swap.js";
import { toast } from "./toast.js";
import "./form/form.js";
import "./page/link.js";
import "./page/trigger.js";

Object.assign(globalThis, { ui: { swap, hydrate, toast } });
hydrate(document);
