/** The rows of a list: pictures, the main link of a row, acts on several rows. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import { csrfInput, type Ctx } from "../../mod.ts";
import { icon } from "../icon/icon.ts";
import type { IconName } from "../icon/shapes.ts";
import { word } from "../labels.ts";

/**
 * Renders the small picture of a row; an icon where there is none.
 *
 * @param src The URL of the picture; `undefined` for none.
 * @param children `h.alt` where the picture says more than the text beside it; attributes.
 * @returns An `img`, or a `span` with an icon.
 */
export function thumb(src: string | URL | undefined, ...children: Child[]): Node {
  return src === undefined
    ? h.span(h.class("ui-thumb"), h.aria("hidden", "true"), ...children, icon("image"))
    : h.img(h.class("ui-thumb"), h.src(src), h.alt(""), h.loading("lazy"), ...children);
}

/** Options of {@linkcode item} beside the name. */
export interface ItemOptions {
  /** URL of the name; its box covers the row. @default the name is not a link */
  readonly href?: string | URL | undefined;
  /** The picture: {@linkcode thumb}, {@linkcode avatar}. @default none */
  readonly image?: Child;
  /** A second line, cut at the end of its line. @default none */
  readonly detail?: Child;
}

/**
 * Renders the first cell of a row: picture, name and a second line. The link covers the row, so a click
 * anywhere in it opens the thing, while boxes and menus of the row stay their own.
 *
 * @param name What the row is called.
 * @param options Link, picture, second line.
 * @returns A `div`.
 *
 * @example
 * ```ts
 * import * as ui from "@fw/fw/ui";
 *
 * ui.item("Stoneware mug", { href: "/products/7", image: ui.thumb(undefined), detail: "350 ml" });
 * ```
 */
export function item(name: Child, options: ItemOptions = {}): Node {
  const { href, image, detail } = options;
  return h.div(
    h.class("ui-item"),
    image,
    href === undefined ? h.span(name) : h.a(h.href(href), name),
    detail !== undefined && h.render(detail) !== "" && h.p(detail),
  );
}

/**
 * Holds a table whose rows can be chosen together with its {@linkcode bulkBar}.
 *
 * @param children {@linkcode dataTable} with `select`, {@linkcode bulkBar}, attributes.
 * @returns A `div`.
 */
export function rows(...children: Child[]): Node {
  return h.div(h.class("ui-rows"), ...children);
}

/**
 * Renders what can be done with the chosen rows, a form that posts their values. With the script it
 * appears with the first chosen row and counts; without one it is a row of buttons.
 *
 * @param c The request, for the CSRF token.
 * @param id The id of the form, which `select.form` of {@linkcode dataTable} names.
 * @param children {@linkcode submit}s with `h.name` and `h.value` or `h.formaction`; `h.action`.
 * @returns A `form`.
 *
 * @example
 * ```ts
 * import type { Ctx, Node } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * export function archiveBar(c: Ctx): Node {
 *   return ui.bulkBar(c, "bulk", h.action("/products/bulk"), ui.bulkButton("archive", "archive", "Archive"));
 * }
 * ```
 */
export function bulkBar(c: Ctx, id: string, ...children: Child[]): Node {
  return h.form(
    h.class("ui-bulk"),
    h.id(id),
    h.method("post"),
    csrfInput(c),
    h.p(h.role("status"), h.data("ui-selected", word("selected")), word("selectedRows")),
    ...children,
    // An unchecked box for all of them, as far as the script sees.
    h.button(
      h.class("ui-button ui-ghost ui-square ui-small ui-script-only"),
      h.type("button"),
      h.data("ui-select-all", id),
      h.aria("label", word("selectNone")),
      icon("x"),
    ),
  );
}

/**
 * Renders an entry of a {@linkcode menu} in a {@linkcode bulkBar}.
 *
 * @param value What is sent as `act`.
 * @param children Text, an icon, attributes.
 * @returns A `button`.
 */
export function bulkItem(value: string, ...children: Child[]): Node {
  return h.button(
    h.class("ui-menu-item"),
    h.type("submit"),
    h.name("act"),
    h.value(value),
    ...children,
  );
}

/**
 * Renders a button of a {@linkcode bulkBar}; on phones its icon alone is seen.
 *
 * @param value What is sent as `act`.
 * @param name The icon.
 * @param children The text, variants such as {@linkcode destructive}, attributes.
 * @returns A `button`.
 */
export function bulkButton(value: string, name: IconName, ...children: Child[]): Node {
  const attributes = children.filter((child) => h.isNode(child) && child.kind === 2);
  const text = children.filter((child) => !attributes.includes(child));
  return h.button(
    h.class("ui-button ui-ghost ui-small"),
    h.type("submit"),
    h.name("act"),
    h.value(value),
    ...attributes,
    icon(name),
    h.span(...text),
  );
}

/** A file that {@linkcode currentFile} names. */
export interface CurrentFile {
  /** Its URL. */
  readonly href: string;
  /** Its name; where there is none, nothing is shown. */
  readonly name: string | null | undefined;
  /** Whether it is a picture. @default false */
  readonly isPicture?: boolean;
}

/**
 * Renders the help of a field for a file that is kept where none is chosen.
 *
 * @param file URL and name.
 * @returns Help for {@linkcode form}.
 */
export function currentFile({ href, name, isPicture = false }: CurrentFile): Node {
  if (!name) return h.fragment();
  const [before, after] = word("currentFile").split("{file}");
  const text = h.span(h.class("ui-spacer"), before, h.a(h.href(href), name), after);
  return h.span(h.class("ui-row"), isPicture && thumb(href), text);
}
