import type { Node } from "@fw/fw";
import * as h from "@fw/fw/h";

/** Where a list is, and how its pages are reached. */
export interface PageOf {
  /** The page that is shown, from 1. */
  readonly page: number;
  /** How many pages there are. */
  readonly pages: number;
  /** The URL of a page. */
  readonly urlOf: (page: number) => string;
}

/** Links to the other pages of a list; nothing when there is only one. */
export function pagination({ page, pages, urlOf }: PageOf): Node {
  if (pages <= 1) return h.fragment();
  return h.nav(
    h.class("pagination"),
    h.aria("label", "Pages"),
    step({ label: "Earlier", rel: "prev", url: page > 1 ? urlOf(page - 1) : undefined }),
    h.ol(h.map(Array.from({ length: pages }, (_, index) => index + 1), (number) =>
      h.li(h.a(
        h.href(urlOf(number)),
        number === page && h.aria("current", "page"),
        h.span(h.class("visually-hidden"), "Page "),
        number,
      )))),
    step({ label: "Later", rel: "next", url: page < pages ? urlOf(page + 1) : undefined }),
  );
}

function step(
  { label, rel, url }: {
    readonly label: string;
    readonly rel: string;
    readonly url?: string | undefined;
  },
): Node {
  return url === undefined
    ? h.span(h.class("step"))
    : h.a(h.class("step"), h.href(url), h.rel(rel), label);
}
