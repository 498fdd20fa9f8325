/** Variants and sizes: constant class attributes, so they are values instead of functions. */

import * as h from "../html/mod.ts";
import type { Node } from "../html/mod.ts";

/** The main action, which is the default variant of a button. */
export const primary: Node = h.class("ui-primary");
/** A less prominent action or badge. */
export const secondary: Node = h.class("ui-secondary");
/** A border on the page's background. */
export const outline: Node = h.class("ui-outline");
/** No border and no background until hovered. */
export const ghost: Node = h.class("ui-ghost");
/** A button that looks like a link. */
export const link: Node = h.class("ui-link");
/** A destructive action, or an error message. */
export const destructive: Node = h.class("ui-destructive");
/** A success message. */
export const success: Node = h.class("ui-success");
/** A warning message. */
export const warning: Node = h.class("ui-warning");
/** An informational message. */
export const info: Node = h.class("ui-info");

/** The smaller size. */
export const small: Node = h.class("ui-small");
/** The larger size. */
export const large: Node = h.class("ui-large");
/** A square button with only an icon, which needs an `aria-label`. */
export const square: Node = h.class("ui-square");
/** Text without line breaks, such as a number in a narrow column. */
export const nowrap: Node = h.class("ui-nowrap");
/** As wide as its container. */
export const wide: Node = h.class("ui-wide");
/** A table caption only for screen readers, if a heading above contains the same text. */
export const hiddenCaption: Node = h.class("ui-hidden-caption");

/** At the start edge, such as for a sheet. */
export const start: Node = h.class("ui-start");
/** Aligned to the end of its button, for a menu near the edge of the page. */
export const end: Node = h.class("ui-end");

/** A filled dot before the text of a badge, for a live state. */
export const dot: Node = h.class("ui-dot");
/** A ring before the text of a badge, for a state that is not live. */
export const hollow: Node = h.class("ui-hollow");
/** Half of a row of fields. */
export const half: Node = h.class("ui-half");
/** A third of a row of fields. */
export const third: Node = h.class("ui-third");
/** Less important text. */
export const muted: Node = h.class("ui-muted");
