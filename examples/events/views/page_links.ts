import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { messages } from "@/lib/messages.ts";

/** The cursors of the adjacent pages. */
export interface PageLinks {
  readonly next: string | undefined;
  readonly previous: string | undefined;
  /** Returns the URL of the page at a cursor; `undefined` for the first page, `last` for the last. */
  readonly href: (at: string | undefined) => string;
}

/**
 * Renders links to the adjacent pages and to both ends of the list; nothing for a single page.
 *
 * @param list The id of the element that a link replaces.
 */
export function pageLinks(c: Ctx, { next, previous, href }: PageLinks, list: string): Node {
  if (next === undefined && previous === undefined) return h.fragment();
  const link = (at: string | undefined, ...content: readonly h.Child[]): Node =>
    h.a(h.class("ui-page ui-page-step"), h.href(href(at)), ...content);
  return h.nav(
    h.class("ui-pagination"),
    h.aria("label", c.t(messages, "pages")),
    ui.navigate(list),
    previous !== undefined && h.fragment(
      link(undefined, c.t(messages, "first")),
      link(previous, h.rel("prev"), ui.icon("chevron-left"), c.t(messages, "earlier")),
    ),
    next !== undefined && h.fragment(
      link(next, h.rel("next"), c.t(messages, "later"), ui.icon("chevron-right")),
      link("last", c.t(messages, "last")),
    ),
  );
}
