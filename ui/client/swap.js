/** The part of the script that replaces elements of the page and navigates between pages. */
import "./page/follow.js";

export { now } from "./page/drafts.js";
export { parse, tellSwap } from "./page/parts.js";
export { rerender } from "./page/place.js";
export { load, swap } from "./page/swap.js";
