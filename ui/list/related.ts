/** The rows that refer to another row, on its page. */

import * as h from "../../html/mod.ts";
import type { Node } from "../../html/mod.ts";
import type { Ctx } from "../../mod.ts";
import { buttonLink } from "../button.ts";
import { card, cardHeader } from "../display.ts";
import { icon } from "../icon/icon.ts";
import { word } from "../labels.ts";
import { cappedCount } from "../shell.ts";
import type { Column } from "../table.ts";
import { muted, outline, small } from "../variants.ts";
import { newestRows } from "./overview.ts";

/** Options of {@linkcode relatedRows}. */
export interface RelatedRowsOptions<Row> {
  /** The heading. */
  readonly title: string;
  /** The newest rows, and their number, which a store caps at 1,001. */
  readonly page: { readonly rows: readonly Row[]; readonly total: number };
  /** The columns; the first names the row. */
  readonly columns: readonly Column<Row>[];
  /** The URL of the list of all of them. */
  readonly href: string;
  /** The link to a new row: URL and text. */
  readonly create: readonly [href: string, text: string];
  /** Whether the user may not add rows, which hides the link. @default false */
  readonly isReadOnly?: boolean;
  /** The text without rows. */
  readonly empty: string;
}

/**
 * Renders the newest rows that refer to another row, for its {@linkcode detailPage}: a card with their number,
 * links to all of them and to a new one, and a table.
 *
 * @param c The request.
 * @param options The rows and the links.
 * @returns A card.
 *
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import { testPage } from "@fw/fw/testing";
 * import * as ui from "@fw/fw/ui";
 *
 * const page = (c: Ctx) =>
 *   ui.relatedRows(c, {
 *     title: "Lines",
 *     page: { rows: [{ name: "Mug" }], total: 1 },
 *     columns: [{ title: "Line", cell: ({ name }) => name }],
 *     href: "/lines?invoiceId=7",
 *     create: ["/lines/new?invoiceId=7", "New line"],
 *     empty: "No lines yet",
 *   });
 * await testPage({ page }, "/invoices/7").wantContains('href="/lines?invoiceId=7"');
 * ```
 */
export function relatedRows<Row>(c: Ctx, options: RelatedRowsOptions<Row>): Node {
  const { title, page: { rows, total }, columns, href, create, isReadOnly, empty } = options;
  return card(
    cardHeader(
      h.h2(title),
      total > 0 && h.a(h.href(href), word("seeAll"), " ", cappedCount(c, total)),
      !isReadOnly && buttonLink(create[0], outline, small, icon("plus"), create[1]),
    ),
    rows.length === 0 ? h.p(muted, empty) : newestRows(title, rows, columns),
  );
}
