/** Pagination of lists, and the breadcrumb. */

import * as h from "../html/mod.ts";
import type { Child, Node } from "../html/mod.ts";
import { icon } from "./icon/icon.ts";
import { word } from "./labels.ts";

/** Options of {@linkcode pagination}. */
export interface PaginationOptions {
  /** The current page, from 1. A number outside the list counts as the nearest page. */
  readonly page: number;
  /** Number of pages. */
  readonly pages: number;
  /** Returns the URL of a page. */
  readonly href: (page: number) => string;
  /** Note before the pages, such as "1–10 of 96". @default none */
  readonly note?: Child;
}

/** Options of {@linkcode pager}; a link without a URL is shown disabled. */
export interface PagerOptions {
  /** The URL of the first page. @default none: it is the current page */
  readonly first?: string | undefined;
  /** The URL of the previous page. @default none */
  readonly previous?: string | undefined;
  /** The URL of the next page. @default none */
  readonly next?: string | undefined;
  /** The URL of the last page. @default none: it is the current page */
  readonly last?: string | undefined;
  /** Note before the links: the number of rows, capped. @default none */
  readonly note?: Child;
}

/**
 * Renders the pagination of a list with cursors: first, previous, next, last.
 *
 * @param options The links.
 * @param children More attributes.
 * @returns A `nav`.
 *
 * @example
 * ```ts
 * import * as ui from "@fw/fw/ui";
 *
 * ui.pager({ next: "?after=42", last: "?before=end", note: "More than 1,000" });
 * ```
 */
export function pager(options: PagerOptions, ...children: Child[]): Node {
  return h.nav(
    h.class("ui-pagination"),
    h.aria("label", word("pagination")),
    ...children,
    options.note !== undefined && h.span(h.class("ui-pagination-range"), options.note),
    // If the links do not fit, they wrap to the next line together.
    h.span(
      h.class("ui-row"),
      step(options.first, undefined, [word("first")]),
      step(options.previous, "prev", [icon("chevron-left"), h.span(word("previous"))]),
      step(options.next, "next", [h.span(word("next")), icon("chevron-right")]),
      step(options.last, undefined, [word("last")]),
    ),
  );
}

/**
 * Renders links to the pages of a list: the first, the last, the current and its neighbours, with
 * an ellipsis for each gap. The current page is not a link; at an end there is no further link.
 *
 * @param options The pages.
 * @param children More attributes.
 * @returns A `nav`, or nothing for a single page.
 *
 * @example
 * ```ts
 * import * as ui from "@fw/fw/ui";
 *
 * ui.pagination({ page: 3, pages: 12, href: (page) => `?page=${page}` });
 * ```
 */
export function pagination(options: PaginationOptions, ...children: Child[]): Node {
  const pages = Math.floor(options.pages);
  if (!(pages > 1 && pages < Infinity)) return h.fragment();
  const page = Math.min(Math.max(Math.floor(options.page) || 1, 1), pages);
  const { href } = options;
  return h.nav(
    h.class("ui-pagination"),
    h.aria("label", word("pagination")),
    ...children,
    options.note !== undefined && h.span(h.class("ui-pagination-range"), options.note),
    page > 1 && step(href(page - 1), "prev", [icon("chevron-left"), h.span(word("previous"))]),
    h.ol(h.map(shownPages(page, pages), (at) => h.li(pageItem(at, { page, href })))),
    page < pages && step(href(page + 1), "next", [h.span(word("next")), icon("chevron-right")]),
  );
}

function step(href: string | undefined, rel: string | undefined, content: readonly Child[]): Node {
  const look = h.class("ui-page ui-page-step");
  if (href === undefined) return h.span(look, h.aria("disabled", "true"), ...content);
  return h.a(look, h.href(href), h.rel(rel), ...content);
}

/** Returns the pages to link, in order; 0 stands for a gap. */
function shownPages(page: number, pages: number): number[] {
  const kept = [1, page - 1, page, page + 1, pages].filter((at) => at >= 1 && at <= pages);
  const shown: number[] = [];
  for (const at of new Set(kept)) {
    if (at > (shown.at(-1) ?? 0) + 1) shown.push(0);
    shown.push(at);
  }
  return shown;
}

function pageItem(at: number, { page, href }: Pick<PaginationOptions, "page" | "href">): Node {
  if (at === 0) return h.span(h.class("ui-page-gap"), "…");
  if (at === page) return h.span(h.class("ui-page"), h.aria("current", "page"), at);
  const name = word("page").replace("{page}", String(at));
  return h.a(h.class("ui-page"), h.href(href(at)), h.aria("label", name), at);
}

/** One step of a breadcrumb. */
export interface Crumb {
  /** Label of the step. */
  readonly text: Child;
  /** URL of the step. @default none: it is the current page */
  readonly href?: string | URL;
}

/**
 * Renders a breadcrumb.
 *
 * @param steps The steps; the last is the current page and not a link.
 * @param children More attributes.
 * @returns A `nav`.
 *
 * @example
 * ```ts
 * import * as ui from "@fw/fw/ui";
 *
 * ui.breadcrumb([{ text: "Events", href: "/events" }, { text: "Fado at dusk" }]);
 * ```
 */
export function breadcrumb(steps: readonly Crumb[], ...children: Child[]): Node {
  return h.nav(
    h.class("ui-breadcrumb"),
    h.aria("label", word("breadcrumb")),
    ...children,
    h.ol(h.map(steps, ({ text, href }) =>
      h.li(
        href === undefined ? h.span(h.aria("current", "page"), text) : h.a(h.href(href), text),
      ))),
  );
}
