import { hydrate } from "./hydrate.js";
import { swap } from "./swap.js";
import { toast } from "./toast.js";
import "./form.js";
import "./link.js";
import "./trigger.js";

Object.assign(globalThis, { ui: { swap, hydrate, toast } });
hydrate(document);
