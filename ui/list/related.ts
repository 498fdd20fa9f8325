/** The rows that refer to another row, on its page. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import type { Ctx } from "../../mod.ts";
import { buttonLink } from "../button.ts";
import { card, cardHeader } from "../display.ts";
import { icon } from "../icon/icon.ts";
import { word } from "../labels.ts";
import { findMember } from "../form/values.ts";
import { cappedCount } from "../shell.ts";
import type { Column } from "../table.ts";
import { amount } from "../time.ts";
import { muted, outline, small } from "../variants.ts";
import { details } from "./details.ts";
import type { FieldName, FieldTexts } from "../form/field_texts.ts";
import { fieldColumns, isNumber, plainFields } from "./fields.ts";
import { written } from "./history.ts";
import { rowsTable } from "./overview.ts";

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
      !isReadOnly && !c.isExport && buttonLink(create[0], outline, small, icon("plus"), create[1]),
    ),
    rows.length === 0 ? h.p(muted, empty) : rowsTable(title, rows, columns),
  );
}

/** Options of {@linkcode childRows}. */
export interface ChildRowsOptions<T> extends FieldTexts<T> {
  /** The heading. */
  readonly title: string;
  /** The rows; the columns are the fields of their struct other than `id`. */
  readonly rows: readonly T[];
  /**
   * The amounts of money and the numbers that are summed.
   *
   * @default all amounts, or none beside a number, which may be a quantity
   */
  readonly sums?: readonly FieldName<T>[];
  /** The amount of a row, such as its quantity times its price: the last column and sum. @default none */
  readonly amount?: {
    readonly label: string;
    readonly currency: string;
    /** Returns the amount, in cents. */
    readonly value: (row: T) => number;
  };
}

/**
 * Renders the rows that belong to another row, such as the lines of an invoice, for its {@linkcode detailPage}: a card
 * with a table and sums.
 *
 * @param c The request, for language and zone.
 * @param options The rows, and the texts of their fields.
 * @returns A card, or nothing without rows.
 *
 * @example
 * ```ts
 * import { type Ctx, money, struct, text } from "@fw/fw";
 * import { testPage } from "@fw/fw/testing";
 * import * as ui from "@fw/fw/ui";
 *
 * const Line = struct({ what: text("required"), price: money("EUR") });
 * const rows = [{ what: "Rope", price: 1250 }, { what: "Net", price: 800 }];
 * const label = (name: string) => name === "what" ? "Item" : "Price";
 * const page = (c: Ctx) => ui.childRows(c, { title: "Lines", schema: Line, rows, label });
 * await testPage({ page }, "/invoices/7").wantContains("€20.50");
 * ```
 */
export function childRows<T extends object>(c: Ctx, options: ChildRowsOptions<T>): Node {
  const { title, schema, rows, amount: computed } = options;
  if (rows.length === 0) return h.fragment();
  const fields = plainFields(schema);
  const names = fields.map(({ path }) => path as FieldName<T>);
  const columns: Column<T>[] = fieldColumns(c, { ...options, names });
  if (computed !== undefined) {
    const { label, currency, value } = computed;
    columns.push({ title: label, kind: "money", cell: (row) => amount(c, value(row), currency) });
  }
  const summed = options.sums ??
    (computed !== undefined || fields.some(isNumber)
      ? []
      : names.filter((_, at) => fields[at]?.kind === "money"));
  const sums = summed.map((name): readonly [string, Child] => {
    const facts = fields.find(({ path }) => path === name);
    const sum = rows.reduce((total, row) => total + Number(findMember(row, name) ?? 0), 0);
    return [options.label(name), written(c, facts, String(Number(sum.toPrecision(15))))];
  });
  if (computed !== undefined) {
    const sum = rows.reduce((total, row) => total + computed.value(row), 0);
    sums.push([computed.label, amount(c, sum, computed.currency)]);
  }
  return card(
    cardHeader(h.h2(title)),
    rowsTable(title, rows, columns),
    sums.length > 0 && details(sums.map(([label, sum]) => [label, h.strong(sum)])),
  );
}
