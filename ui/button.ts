/** Buttons, and links that look like buttons. */

import * as h from "../html/mod.ts";
import type { Child, Node } from "../html/mod.ts";
import { csrfInput, type Ctx, type FlashAction } from "../mod.ts";
import { values } from "./fragment/sending.ts";

/**
 * Renders a button that does not submit a form. Variants: {@linkcode primary} (the default),
 * {@linkcode secondary}, {@linkcode outline}, {@linkcode ghost}, {@linkcode link}, {@linkcode
 * destructive}; sizes: {@linkcode small}, {@linkcode large}, {@linkcode square}, {@linkcode wide}.
 *
 * @param children Variants, attributes, icons and text, in any order.
 * @returns A `button` of the type `button`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * assertEquals(
 *   h.render(ui.button(ui.outline, ui.small, "Copy")),
 *   '<button class="ui-button ui-outline ui-small" type="button">Copy</button>',
 * );
 * ```
 */
export function button(...children: Child[]): Node {
  return h.button(h.class("ui-button"), h.type("button"), ...children);
}

/**
 * Renders a button that submits its form.
 *
 * @param children Variants, attributes, icons and text, in any order.
 * @returns A `button` of the type `submit`.
 */
export function submit(...children: Child[]): Node {
  return h.button(h.class("ui-button"), h.type("submit"), ...children);
}

/**
 * Renders a link that looks like a button.
 *
 * @param href The URL of the link.
 * @param children Variants, attributes, icons and text, in any order.
 * @returns An `a`.
 */
export function buttonLink(href: string | URL, ...children: Child[]): Node {
  return h.a(h.class("ui-button"), h.href(href), ...children);
}

/**
 * Lays out buttons side by side at the end of a form, a card or a dialog; in narrow spaces they
 * stack.
 *
 * @param children Buttons and attributes.
 * @returns A `div`.
 */
export function actions(...children: Child[]): Node {
  return h.div(h.class("ui-actions"), ...children);
}

/**
 * Renders a button in its own form, which it posts.
 *
 * @param c The request, for the CSRF token.
 * @param action Text, URL and fields.
 * @param children Variants and attributes of the button.
 * @returns A `form`.
 *
 * @example
 * ```ts
 * import type { Ctx, Node } from "@fw/fw";
 * import * as ui from "@fw/fw/ui";
 *
 * export function publish(c: Ctx): Node {
 *   return ui.postButton(c, { text: "Publish", href: "/posts/7/publish" }, ui.outline);
 * }
 * ```
 */
export function postButton(
  c: Ctx,
  { text, href, fields = {} }: FlashAction,
  ...children: Child[]
): Node {
  return h.form(
    h.method("post"),
    h.action(href),
    csrfInput(c),
    values(fields),
    submit(...children, text),
  );
}
