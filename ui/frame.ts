/** The frame of a page around its content, and the layout of content. */

import * as h from "../html/mod.ts";
import type { Child, Node } from "../html/mod.ts";
import { icon } from "./icon/icon.ts";
import { word } from "./labels.ts";
import { ghost, outline } from "./variants.ts";

/**
 * Renders a link that skips to the content and appears on focus. Put it first in `body`.
 *
 * @param target The id of the content.
 * @param children Text and attributes.
 * @returns An `a`.
 */
export function skipLink(target: string, ...children: Child[]): Node {
  return h.a(h.class("ui-skip"), h.href(`#${target}`), ...children);
}

/**
 * Renders the bar at the top of every page.
 *
 * @param children {@linkcode brand}, {@linkcode nav}, {@linkcode spacer}, {@linkcode themeToggle},
 * buttons, attributes.
 * @returns A `header`.
 *
 * @example
 * ```ts
 * import * as ui from "@fw/fw/ui";
 *
 * ui.header(
 *   ui.brand("/", "Lookout"),
 *   ui.nav(ui.navLink("/", "Home", true), ui.navLink("/events", "Events")),
 *   ui.spacer(),
 *   ui.themeToggle(),
 * );
 * ```
 */
export function header(...children: Child[]): Node {
  return h.header(h.class("ui-header"), ...children);
}

/**
 * Renders the name of the application, with a link to its start page.
 *
 * @param href The URL of the link.
 * @param text The name.
 * @param children Attributes, or a mark after the name.
 * @returns An `a`.
 */
export function brand(href: string | URL, text: Child, ...children: Child[]): Node {
  return h.a(h.class("ui-brand"), h.href(href), text, ...children);
}

/**
 * Renders the main navigation. A second one on a page needs its own name, by `h.aria("label", …)`.
 *
 * @param children {@linkcode navLink}s and attributes.
 * @returns A `nav`.
 */
export function nav(...children: Child[]): Node {
  return h.nav(h.class("ui-nav"), h.aria("label", word("nav")), ...children);
}

/**
 * Renders a link of a navigation.
 *
 * @param href The URL of the link.
 * @param text The label.
 * @param current Whether it links to the current page or one above it.
 * @default current false
 * @param children Attributes, or a count after the text.
 * @returns An `a`, with `aria-current` if it is current.
 */
export function navLink(
  href: string | URL,
  text: Child,
  current: boolean = false,
  ...children: Child[]
): Node {
  return h.a(
    h.class("ui-nav-link"),
    h.href(href),
    current && h.aria("current", "page"),
    text,
    ...children,
  );
}

/**
 * Pushes the following elements to the end of their row.
 *
 * @returns A `span`.
 */
export function spacer(): Node {
  return h.span(h.class("ui-spacer"));
}

/**
 * Renders the button that switches between light and dark; a cookie keeps the choice. Without the cookie the
 * system's setting applies. Without a script the button is hidden; {@linkcode themeForm} works without one.
 *
 * @param attributes More attributes of the button; {@linkcode outline} frames it.
 * @returns A `button`.
 */
export function themeToggle(...attributes: Child[]): Node {
  return h.button(
    h.class("ui-button ui-square ui-theme-toggle"),
    !attributes.includes(outline) && ghost,
    h.type("button"),
    h.bool("data-ui-theme"),
    h.aria("label", word("theme")),
    h.aria("pressed", "false"),
    ...attributes,
    icon("moon"),
    icon("sun"),
  );
}

/**
 * Centres content on the page at a readable width.
 *
 * @param children Content and attributes.
 * @returns A `div`.
 */
export function container(...children: Child[]): Node {
  return h.div(h.class("ui-container"), ...children);
}

/**
 * Renders the footer of every page.
 *
 * @param children Content and attributes.
 * @returns A `footer`.
 */
export function footer(...children: Child[]): Node {
  return h.footer(h.class("ui-footer"), ...children);
}

/**
 * Renders the heading of a page, with its actions.
 *
 * @param title The heading, an `h1`.
 * @param children A description, buttons, attributes.
 * @returns A `div`.
 */
export function pageHeader(title: Child, ...children: Child[]): Node {
  return h.div(h.class("ui-page-header"), h.h1(title), ...children);
}

/**
 * Stacks content vertically with spacing.
 *
 * @param children Content and attributes.
 * @returns A `div`.
 */
export function stack(...children: Child[]): Node {
  return h.div(h.class("ui-stack"), ...children);
}

/**
 * Lays out content side by side, wrapping in narrow spaces.
 *
 * @param children Content and attributes.
 * @returns A `div`.
 */
export function row(...children: Child[]): Node {
  return h.div(h.class("ui-row"), ...children);
}

/**
 * Lays out content in as many columns as fit.
 *
 * @param children Content and attributes.
 * @returns A `div`.
 */
export function grid(...children: Child[]): Node {
  return h.div(h.class("ui-grid"), ...children);
}

/**
 * Lays out main content with a side column, if there is room.
 *
 * @param main The content.
 * @param side The side column, 20rem wide.
 * @param children Attributes; {@linkcode start} keeps each at its own height.
 * @returns A `div`.
 */
export function split(main: Child, side: Child, ...children: Child[]): Node {
  return h.div(h.class("ui-split"), ...children, main, side);
}

/**
 * Renders a line between two parts.
 *
 * @param attributes Attributes of the line.
 * @returns An `hr`.
 */
export function separator(...attributes: Child[]): Node {
  return h.hr(h.class("ui-separator"), ...attributes);
}

/**
 * Renders text for screen readers only.
 *
 * @param children Text and attributes.
 * @returns A `span`.
 */
export function visuallyHidden(...children: Child[]): Node {
  return h.span(h.class("ui-sr-only"), ...children);
}
