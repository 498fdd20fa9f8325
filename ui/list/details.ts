/** The details of an item, its events, and lists of items. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import { card, cardHeader } from "../display.ts";
import { icon } from "../icon/icon.ts";
import type { IconName } from "../icon/shapes.ts";
import { word } from "../labels.ts";

/**
 * Renders a description list of an item's facts, each with its term. Values are aligned to the end of
 * their line; {@linkcode wide} puts them beside their terms.
 *
 * @param entries Terms and values; an `undefined` value is omitted with its term.
 * @param children Attributes.
 * @returns A `dl`.
 *
 * @example
 * ```ts
 * import * as ui from "@fw/fw/ui";
 *
 * ui.details([["Price", "€24.00"], ["Stock", 12]]);
 * ```
 */
export function details(
  entries: readonly (readonly [term: Child, value: Child])[],
  ...children: Child[]
): Node {
  return h.dl(
    h.class("ui-details"),
    ...children,
    h.map(
      entries.filter(([, value]) => value !== undefined && value !== null),
      ([term, value]) => h.fragment(h.dt(term), h.dd(value)),
    ),
  );
}

/**
 * Renders a long text of a row in a card, keeping its line breaks.
 *
 * @param title The heading.
 * @param text The text.
 * @returns A card, or nothing for an empty text.
 */
export function textCard(title: Child, text: string | null | undefined): Node {
  if (!text) return h.fragment();
  const lines = h.mapIndex(text.split("\n"), (line, at) => h.fragment(at > 0 && h.br(), line));
  return card(cardHeader(h.h2(title)), h.p(lines));
}

/** One event of {@linkcode timeline}. */
export interface TimelineEvent {
  /** Text of the event. */
  readonly text: Child;
  /** The time: {@linkcode time}, or a text. @default not shown */
  readonly at?: Child;
  /** The icon of the event's kind. @default "clock" */
  readonly icon?: IconName;
  /** The tone of the icon, such as {@linkcode success}. @default none */
  readonly tone?: Child;
  /** Additional content, such as a quote. @default none */
  readonly more?: Child;
}

/**
 * Renders events, newest first.
 *
 * @param events The events.
 * @param children Attributes.
 * @returns An `ol`.
 *
 * @example
 * ```ts
 * import * as ui from "@fw/fw/ui";
 *
 * ui.timeline([{ text: "Ada changed the price", at: "09:14", icon: "edit" }]);
 * ```
 */
export function timeline(events: readonly TimelineEvent[], ...children: Child[]): Node {
  return h.ol(
    h.class("ui-timeline"),
    ...children,
    h.map(events, ({ text, at, icon: name = "clock", tone, more }) =>
      h.li(
        sign(name, h.class("ui-small"), tone),
        h.div(text),
        h.isNode(at) ? at : h.span(h.class("ui-muted"), at),
        more !== undefined && h.div(more),
      )),
  );
}

/**
 * Renders an icon in a circle. Tones: {@linkcode success}, {@linkcode warning}, {@linkcode info},
 * {@linkcode destructive}.
 *
 * @param name The icon.
 * @param children Variants and attributes.
 * @returns A `span`, which screen readers skip.
 */
export function sign(name: IconName, ...children: Child[]): Node {
  return h.span(h.class("ui-sign"), h.aria("hidden", "true"), ...children, icon(name));
}

/**
 * Renders a list of items; in a card it extends to the edges, and {@linkcode outline} frames it.
 *
 * @param children {@linkcode listItem}s, attributes.
 * @returns A `ul`.
 */
export function itemList(...children: Child[]): Node {
  return h.ul(h.class("ui-list"), ...children);
}

/** Options of a {@linkcode listItem}. */
export interface ListItemOptions {
  /** A {@linkcode sign}, {@linkcode avatar} or {@linkcode thumb}. @default none */
  readonly image?: Child;
  /** A second line. @default none */
  readonly detail?: Child;
}

/**
 * Renders an item of a list: icon, name and actions.
 *
 * @param name The name of the item.
 * @param options Icon, second line.
 * @param children Badges, buttons, attributes.
 * @returns An `li` for {@linkcode itemList}.
 *
 * @example
 * ```ts
 * import * as ui from "@fw/fw/ui";
 *
 * ui.itemList(ui.listItem("Firefox on Linux", { image: ui.sign("laptop"), detail: "Lisbon" }));
 * ```
 */
export function listItem(name: Child, options: ListItemOptions, ...children: Child[]): Node {
  const { image, detail } = options;
  return h.li(
    image,
    h.div(
      h.class("ui-list-text"),
      h.strong(name),
      detail !== undefined && h.p(detail),
    ),
    ...children,
  );
}

/**
 * Renders the images of an item, the first one large.
 *
 * @param pictures URLs with alternative texts; `href` is the page that shows the image large.
 * @param children Attributes.
 * @returns A `div`.
 */
export function media(
  pictures: readonly { readonly src: string; readonly alt: string; readonly href?: string }[],
  ...children: Child[]
): Node {
  const [first, ...rest] = pictures;
  return h.div(
    h.class("ui-media"),
    ...children,
    first !== undefined && h.figure(h.img(h.src(first.src), h.alt(first.alt))),
    h.map(rest, ({ src, alt, href }) => {
      const image = h.img(h.src(src), h.alt(alt), h.loading("lazy"));
      return href === undefined ? image : h.a(h.href(href), image);
    }),
  );
}

/**
 * Renders a line of code, with a copy button if there is a script.
 *
 * @param text The line.
 * @param children {@linkcode wide}, attributes.
 * @returns A `div`.
 */
export function snippet(text: string, ...children: Child[]): Node {
  return h.div(
    h.class("ui-snippet"),
    ...children,
    // Prevents line breaks at the hyphens of an option.
    h.code(
      text.split(/( --[\w-]{1,24})(?!\S)/).map((part, at) =>
        at % 2 === 1 ? [" ", h.span(h.class("ui-nowrap"), part.trim())] : part
      ),
    ),
    h.button(
      h.class("ui-button ui-ghost ui-square ui-small"),
      h.type("button"),
      h.data("ui-copy", word("copied")),
      h.aria("label", word("copy")),
      icon("copy"),
    ),
  );
}
