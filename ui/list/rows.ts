/** The rows of a list: images, the main link of a row, actions on several rows. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import { csrfInput, type Ctx } from "../../mod.ts";
import { icon } from "../icon/icon.ts";
import type { IconName } from "../icon/shapes.ts";
import { word } from "../labels.ts";
import { sortParts } from "../parts.ts";

/**
 * Renders the small image of a row, or an icon.
 *
 * @param src The URL of the image; `undefined` for none.
 * @param children `h.alt` if the image shows more than the text beside it; attributes.
 * @returns An `img`, or a `span` with an icon.
 */
export function thumb(src: string | URL | undefined, ...children: Child[]): Node {
  return src === undefined
    ? h.span(h.class("ui-thumb"), h.aria("hidden", "true"), ...children, icon("image"))
    : h.img(h.class("ui-thumb"), h.src(src), h.alt(""), h.loading("lazy"), ...children);
}

/** Options of {@linkcode item}. */
export interface ItemOptions {
  /** URL of the link, which covers the row. @default the name is not a link */
  readonly href?: string | URL | undefined;
  /** The image: {@linkcode thumb}, {@linkcode avatar}. @default none */
  readonly image?: Child;
  /** A second line, truncated to the available width. @default none */
  readonly detail?: Child;
}

/**
 * Renders the first cell of a row: image, name and a second line. The link covers the row, so a click
 * anywhere in it opens the item, except on the row's checkbox and menu.
 *
 * @param name The name of the row.
 * @param options Link, image, second line.
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
 * Renders a container for a table with selectable rows and its {@linkcode bulkBar}.
 *
 * @param children {@linkcode dataTable} with `select`, {@linkcode bulkBar}, attributes.
 * @returns A `div`.
 */
export function rows(...children: Child[]): Node {
  return h.div(h.class("ui-rows"), ...children);
}

/**
 * Renders the actions on the chosen rows, a form that posts their values. With the script it
 * appears with the first chosen row and shows the count; without one it is a row of buttons.
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
    // For the script, this button acts as an unchecked box for all rows.
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
 * @param value The value sent as `act`.
 * @param children Text, an icon, attributes.
 * @returns A `button`.
 */
export function bulkItem(value: string, ...children: Child[]): Node {
  return h.button(h.class("ui-menu-item"), actAttributes(value), ...children);
}

function actAttributes(value: string): Node {
  return h.attrs(h.type("submit"), h.name("act"), h.value(value));
}

/**
 * Renders a button of a {@linkcode bulkBar}; on phones only its icon is visible.
 *
 * @param value The value sent as `act`.
 * @param name The icon.
 * @param children The text, variants such as {@linkcode destructive}, attributes.
 * @returns A `button`.
 */
export function bulkButton(value: string, name: IconName, ...children: Child[]): Node {
  const { attributes, content } = sortParts(children);
  return h.button(
    h.class("ui-button ui-ghost ui-small"),
    actAttributes(value),
    ...attributes,
    icon(name),
    h.span(...content),
  );
}

/** The file of {@linkcode currentFile}. */
export interface CurrentFile {
  /** The URL. */
  readonly href: string;
  /** The name; without a name nothing is shown. */
  readonly name: string | null | undefined;
  /** Whether the file is an image. @default false */
  readonly isPicture?: boolean;
}

/**
 * Renders the help of a file field whose current file is kept unless another is chosen.
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
