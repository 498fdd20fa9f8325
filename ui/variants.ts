/** Variants and sizes: class attributes that never vary, so they are values and not functions. */

import * as h from "../html/mod.ts";
import type { Node } from "../html/mod.ts";

/** The main action: the look of a button that names no variant. */
export const primary: Node = h.class("ui-primary");
/** A quieter action, or a badge beside others. */
export const secondary: Node = h.class("ui-secondary");
/** A border on the page's own colour. */
export const outline: Node = h.class("ui-outline");
/** No border and no colour until it is pointed at. */
export const ghost: Node = h.class("ui-ghost");
/** A button that looks like a link. */
export const link: Node = h.class("ui-link");
/** An action that destroys, or a message of a failure. */
export const destructive: Node = h.class("ui-destructive");
/** A message that something worked. */
export const success: Node = h.class("ui-success");
/** A message that asks for care. */
export const warning: Node = h.class("ui-warning");
/** A message that only tells. */
export const info: Node = h.class("ui-info");

/** The smaller size. */
export const small: Node = h.class("ui-small");
/** The larger size. */
export const large: Node = h.class("ui-large");
/** As wide as high: a button of one icon, which then needs `aria-label`. */
export const square: Node = h.class("ui-square");
/** Text that stays on its line, such as a number in a narrow column. */
export const nowrap: Node = h.class("ui-nowrap");
/** As wide as its container. */
export const wide: Node = h.class("ui-wide");
/** The caption of a table for screen readers alone: a heading above it says the same. */
export const hiddenCaption: Node = h.class("ui-hidden-caption");

/** At the edge where lines begin: the side of a sheet. */
export const start: Node = h.class("ui-start");
/** In line with the end of its button: the list of a menu near the edge of the page. */
export const end: Node = h.class("ui-end");

/** A filled dot before the text of a badge: it is live. */
export const dot: Node = h.class("ui-dot");
/** A ring before the text of a badge, for what is not live. */
export const hollow: Node = h.class("ui-hollow");
/** Half of a line of fields. */
export const half: Node = h.class("ui-half");
/** A third of a line of fields. */
export const third: Node = h.class("ui-third");
/** Text that matters less. */
export const muted: Node = h.class("ui-muted");
