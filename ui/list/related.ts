/** The rows that refer to another row, on its page. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import type { Ctx, StructSchema } from "../../mod.ts";
import { readFormFields } from "../../runtime/addon.ts";
import { buttonLink } from "../button.ts";
import { card, cardHeader } from "../display.ts";
import { icon } from "../icon/icon.ts";
import { word } from "../labels.ts";
import { cappedCount } from "../shell.ts";
import type { Column } from "../table.ts";
import { amount } from "../time.ts";
import { muted, outline, small } from "../variants.ts";
import { details } from "./details.ts";
import { written } from "./history.ts";
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

/** Options of {@linkcode childRows}. */
export interface ChildRowsOptions<T> {
  /** The heading. */
  readonly title: string;
  /** The struct of a row in the form, whose fields other than `id` are the columns. */
  readonly schema: StructSchema<T>;
  /** The rows; a property `productName` is shown for `productId`. */
  readonly rows: readonly T[];
  /** Returns the label of a field. */
  readonly label: (name: Exclude<keyof T & string, "id">) => string;
  /** Returns the display text of a `oneof` value. @default the stored value */
  readonly value?: (name: keyof T & string, value: string) => Child;
  /** The fields of money that are summed. @default all, or none beside a number, which may be a quantity */
  readonly sums?: readonly (keyof T & string)[];
  /** The amount of a row, such as its quantity times its price: the last column, and the only sum. @default none */
  readonly amount?: {
    readonly label: string;
    readonly currency: string;
    /** Returns the amount, in cents. */
    readonly value: (row: T) => number;
  };
}

/**
 * Renders the rows that belong to another row, such as the lines of an invoice, for its {@linkcode detailPage}: a card
 * with a table and sums of money.
 *
 * @param c The request, for language and zone.
 * @param options The rows, and their struct and labels.
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
  const { title, schema, rows, label, value, amount: computed } = options;
  if (rows.length === 0) return h.fragment();
  const fields = readFormFields(schema).filter(({ path }) => path !== "id");
  const named = fields.map((facts) => ({
    ...facts,
    label: label(facts.path as Exclude<keyof T & string, "id">),
  }));
  const columns = named.map((facts): Column<T> => {
    const { path, kind, oneOf, label: title } = facts;
    return {
      title,
      ...(kind === "money" || isNumber(facts)) && { numeric: true },
      ...kind === "money" && { kind: "money" },
      cell: (row) => {
        const shown = memberOf(row, path.replace(/Id$/, "Name")) ?? memberOf(row, path) ?? "";
        const text = shown instanceof Date ? shown.toISOString() : String(shown);
        if (kind === "text" && oneOf.length > 0 && value && text !== "") {
          return value(path as keyof T & string, text);
        }
        return kind === "text" || text === "" ? text : written(c, facts, text);
      },
    };
  });
  if (computed !== undefined) {
    const { label, currency, value } = computed;
    columns.push({ title: label, kind: "money", cell: (row) => amount(c, value(row), currency) });
  }
  const summed = options.sums ??
    (fields.some(isNumber) ? [] : fields.map(({ path }) => path as keyof T & string));
  const sums = computed !== undefined ? [computed] : named.flatMap(({ path, label, currency }) => {
    if (currency === undefined || !summed.some((each) => each === path)) return [];
    return [{ label, currency, value: (row: T) => Number(memberOf(row, path) ?? 0) }];
  });
  return card(
    cardHeader(h.h2(title)),
    newestRows(title, rows, columns),
    sums.length > 0 && details(sums.map(({ label, currency, value }) => {
      const sum = rows.reduce((total, row) => total + value(row), 0);
      return [label, h.strong(amount(c, sum, currency))];
    })),
  );
}

/** Reports whether a field is a number other than an amount of money and the id of a row. */
function isNumber({ path, kind }: { readonly path: string; readonly kind: string }): boolean {
  return /^(?:int|int64|float)$/.test(kind) && !/Id$/.test(path);
}

function memberOf(row: object, name: string): unknown {
  return Object.hasOwn(row, name) ? Reflect.get(row, name) : undefined;
}
