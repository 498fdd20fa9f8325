/** The box in the middle of a page of its own: signing in, and errors. */

import * as h from "../html/mod.ts";
import type { Child, Node } from "../html/mod.ts";
import { sortParts } from "./parts.ts";

/**
 * Renders the column of a page to sign in, to sign up or to choose a password.
 *
 * @param title The heading, an `h1`.
 * @param text A sentence more; `undefined` for none.
 * @param children Forms, buttons, {@linkcode orLine}, attributes.
 * @returns A `div`.
 *
 * @example
 * ```ts
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * ui.authCard(
 *   "Welcome back",
 *   "Sign in to look after your products.",
 *   ui.button(ui.wide, ui.icon("passkey"), "Sign in with a passkey"),
 *   ui.orLine("or with your password"),
 *   ui.form(h.method("post")),
 * );
 * ```
 */
export function authCard(title: Child, text: Child, ...children: Child[]): Node {
  const { attributes, outer, messages, content } = sortParts(children);
  return h.div(
    h.class("ui-auth-card"),
    ...attributes,
    ...outer,
    h.div(h.class("ui-auth-title"), h.h1(title), text !== undefined && h.p(text)),
    ...messages,
    ...content,
  );
}

/**
 * Renders a line between two ways to do a thing, with a word in it.
 *
 * @param text The word: "or".
 * @returns A `p`.
 */
export function orLine(text: Child): Node {
  return h.p(h.class("ui-or"), text);
}

/**
 * Renders what a page says where something went wrong: one sentence, never a bare number.
 *
 * @param title What happened, an `h1`.
 * @param children What it means, what to do, attributes.
 * @returns A `div`.
 *
 * @example
 * ```ts
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * ui.fault("This page does not exist", h.p("The address may be mistyped."), ui.buttonLink("/", "Home"));
 * ```
 */
export function fault(title: Child, ...children: Child[]): Node {
  const { attributes, outer, content } = sortParts(children);
  return h.div(h.class("ui-fault"), ...attributes, ...outer, h.h1(title), ...content);
}

/**
 * Lays out settings: the navigation between their parts, beside it the parts.
 *
 * @param label The name of the navigation.
 * @param links {@linkcode navLink}s.
 * @param children The parts, attributes.
 * @returns A `div`.
 */
export function settings(label: string, links: Child, ...children: Child[]): Node {
  const { attributes, outer, content } = sortParts(children);
  return h.div(
    h.class("ui-settings"),
    ...attributes,
    ...outer,
    h.nav(h.aria("label", label), links),
    h.div(h.class("ui-stack"), ...content),
  );
}
