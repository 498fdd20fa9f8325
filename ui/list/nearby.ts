/** The search of a 404 page, in the list that would contain its URL. */

import * as h from "../../html/mod.ts";
import type { Node } from "../../html/mod.ts";
import type { Ctx } from "../../mod.ts";
import { submit } from "../button.ts";
import { word } from "../labels.ts";
import type { NavItem } from "../shell.ts";
import { outline } from "../variants.ts";
import { search } from "./filter.ts";

/**
 * Renders the search of the list above the request's URL, with the last part of the URL filled in.
 *
 * @param c The request.
 * @param items The navigation of the application, whose entries are lists that search by `q`.
 * @returns A form, or nothing if no entry is above the URL.
 *
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import { testPage } from "@fw/fw/testing";
 * import * as ui from "@fw/fw/ui";
 *
 * const page = (c: Ctx) => ui.nearby(c, [{ label: "Products", href: "/products" }]);
 * await testPage({ pattern: "/{path...}", page }, "/products/mugs").wantContains('value="mugs"');
 * ```
 */
export function nearby(c: Ctx, items: readonly NavItem[]): Node {
  const { pathname } = c.url;
  const entries = items.flatMap((item) => [item, ...item.items ?? []]);
  const { label, href } =
    entries.find(({ href = "/" }) => href !== "/" && pathname.startsWith(`${href}/`)) ?? {};
  if (label === undefined || href === undefined) return h.fragment();
  const last = decodeURIComponent(pathname.slice(pathname.lastIndexOf("/") + 1));
  return h.form(
    h.class("ui-row"),
    h.role("search"),
    h.action(href),
    search(label, h.name("q"), h.value(last.replaceAll("-", " ").slice(0, 100))),
    submit(outline, word("find")),
  );
}
