import type { Ctx } from "@fw/fw";
import { formatOf } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";
import { productBadge, productLabels, productMessages } from "@/lib/product_messages.ts";
import { type ProductRow, productTitle } from "@/lib/products.ts";

/** The columns of the list of products. */
export function productColumns(c: Ctx): readonly ui.Column<ProductRow>[] {
  return [
    {
      title: c.t(productMessages, "row"),
      key: "name",
      cell: (row) => ui.item(productTitle(row), { href: c.href("/products/{id}", { id: row.id }) }),
    },
    {
      title: c.t(productLabels, "status"),
      kind: "badge",
      cell: (row) => row.status && productBadge(c, "status", row.status),
    },
    {
      title: c.t(productLabels, "price"),
      kind: "money",
      key: "price",
      cell: (row) => ui.amount(c, row.price, "EUR"),
    },
    { title: c.t(productLabels, "stock"), numeric: true, cell: (row) => row.stock },
    {
      title: c.t(productLabels, "released"),
      kind: "date",
      cell: (row) =>
        row.released &&
        formatOf(c.language).date(new Date(row.released), { dateStyle: "medium" }),
    },
  ];
}
