/** The filters of a list: search, tabs with counts, active filters. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import { icon } from "../icon/icon.ts";
import { word } from "../labels.ts";
import { menuOf } from "../overlay.ts";

/** One of the choices of {@linkcode segmented}. */
export interface Segment {
  /** Label of the segment; an icon needs {@linkcode visuallyHidden} text. */
  readonly label: Child;
  /** URL of the segment. */
  readonly href: string | URL;
  /** Number of entries, capped: `96`, `1,000+`. @default none */
  readonly count?: number | string | undefined;
  /** Whether the segment is the current one. @default false */
  readonly current?: boolean;
}

/**
 * Renders a segmented control: a few views of the same content, as links, so that each has a URL.
 *
 * @param label The name of the group.
 * @param segments The choices.
 * @param children More attributes.
 * @returns A `nav`.
 *
 * @example
 * ```ts
 * import * as ui from "@fw/fw/ui";
 *
 * ui.segmented("Status", [
 *   { label: "All", href: "/products", count: 96, current: true },
 *   { label: "Draft", href: "/products?status=draft", count: 22 },
 * ]);
 * ```
 */
export function segmented(
  label: string,
  segments: readonly Segment[],
  ...children: Child[]
): Node {
  return h.nav(
    h.class("ui-segmented"),
    h.aria("label", label),
    ...children,
    h.map(segments, (each) =>
      h.a(
        h.href(each.href),
        each.current === true && h.aria("current", "page"),
        each.label,
        each.count !== undefined && h.span(h.class("ui-count"), each.count),
      )),
  );
}

/**
 * Renders a search field with its icon.
 *
 * @param label The label, which an empty field shows.
 * @param attributes `h.name`, `h.value`, `h.maxlength` and the rest.
 * @returns A `div` for {@linkcode toolbar}.
 */
export function search(label: string, ...attributes: Child[]): Node {
  return h.div(
    h.class("ui-search"),
    icon("search"),
    h.input(
      h.class("ui-input"),
      h.type("search"),
      h.aria("label", label),
      h.placeholder(label),
      ...attributes,
    ),
  );
}

/**
 * Lays out the active filters.
 *
 * @param children {@linkcode filterChip}s, {@linkcode addFilter}, attributes.
 * @returns A `div`.
 */
export function chips(...children: Child[]): Node {
  return h.div(h.class("ui-chips"), ...children);
}

/**
 * Renders an active filter, with a link that removes it.
 *
 * @param label The name of the filter.
 * @param value The value of the filter.
 * @param href The URL of the list without the filter.
 * @param children More attributes.
 * @returns A `span` for {@linkcode chips}.
 *
 * @example
 * ```ts
 * import * as ui from "@fw/fw/ui";
 *
 * ui.chips(ui.filterChip("Price", "under €150", "/products"));
 * ```
 */
export function filterChip(
  label: string,
  value: Child,
  href: string | URL,
  ...children: Child[]
): Node {
  return h.span(
    h.class("ui-chip"),
    ...children,
    h.span(label),
    value,
    h.a(
      h.href(href),
      h.aria("label", word("removeFilter").replace("{filter}", () => label)),
      icon("x"),
    ),
  );
}

/**
 * Renders the button that opens the inactive filters.
 *
 * @param children {@linkcode menuLink}s, or a form with fields; attributes of the `details`.
 * @returns A `details` for {@linkcode chips}.
 */
export function addFilter(...children: Child[]): Node {
  return menuOf(h.group(h.class("ui-chip"), icon("plus"), word("filter")), children);
}
