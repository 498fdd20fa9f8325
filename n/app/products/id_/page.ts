import { type Ctx, int, type Node, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import { formatOf } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";
import { productBadge, productLabels, productMessages } from "@/lib/product_messages.ts";
import { Products, productTitle } from "@/lib/products.ts";

/** GET /products/{id} */
export async function Page(c: Ctx<"/products/{id}">): Promise<Node> {
  const row = await use(c, Products).get(c.param("id", int()));
  const beside = await use(c, Products).neighbours(row.id);
  c.title = productTitle(row);
  const known = ui.card(
    ui.cardHeader(h.h2(c.t(productMessages, "row"))),
    ui.fieldDetails({
      status: row.status && productBadge(c, "status", row.status),
      price: ui.amount(c, row.price, "EUR"),
      stock: row.stock,
      released: row.released &&
        formatOf(c.language).date(new Date(row.released), { dateStyle: "medium" }),
    }, (name) => c.t(productLabels, name)),
  );
  return ui.detailPage(
    c,
    {
      title: c.title,
      text: `#${row.id}`,
      badge: row.status && productBadge(c, "status", row.status),
      edit: c.href("/products/{id}/edit", { id: row.id }),
      remove: {
        href: c.href("/products/{id}/delete", { id: row.id }),
        title: c.t(productMessages, "deleteTitle", { title: c.title }),
      },
      beside: beside.map((id) => id === undefined ? undefined : c.href("/products/{id}", { id })),
      known,
    },
  );
}
