import type { Bound, Ctx, Node } from "@fw/fw";
import * as ui from "@fw/fw/ui";
import { productLabels, productMessages, productValue } from "@/lib/product_messages.ts";
import { ProductInput, type ProductRow, productTitle } from "@/lib/products.ts";

/** The form of a new product, or of one that changes, with what was sent. */
export function productForm(
  c: Ctx,
  row?: ProductRow,
  sent?: Bound<ProductInput>,
): Node {
  c.title = c.t(productMessages, row === undefined ? "new" : "editTitle");
  return ui.formPage(c, ProductInput, {
    title: c.title,
    cancel: row === undefined ? c.href("/products") : c.href("/products/{id}", { id: row.id }),
    of: row && productTitle(row),
    values: sent ?? row,
    labels: (name) => c.t(productLabels, name),
    fields: {
      name: { count: true },
      status: {
        choices: ["draft", "active", "archived"].map((value) => ({
          value,
          label: productValue(c, "status", value),
        })),
      },
    },
    layout: (field) => [
      ui.formSection(
        c.t(productMessages, "basics"),
        c.t(productMessages, "basicsHelp"),
        field(
          "name",
        ),
      ),
      ui.formSection(
        c.t(productMessages, "facts"),
        c.t(productMessages, "factsHelp"),
        field(
          "status",
          "price",
          "stock",
          "released",
        ),
      ),
    ],
  });
}
