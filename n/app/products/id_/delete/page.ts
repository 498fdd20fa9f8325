import { type Ctx, FieldErrors, int, type Node, type Result, use } from "@fw/fw";
import { keep } from "@fw/fw/data";
import * as ui from "@fw/fw/ui";
import { productMessages } from "@/lib/product_messages.ts";
import { Products, productTitle } from "@/lib/products.ts";

/** GET /products/{id}/delete */
export async function Page(c: Ctx<"/products/{id}/delete">): Promise<Node> {
  const row = await use(c, Products).get(c.param("id", int()));
  c.title = c.t(productMessages, "deleteTitle", { title: productTitle(row) });
  return ui.askPage(c, { title: c.title, cancel: c.href("/products/{id}", { id: row.id }) });
}

/** POST /products/{id}/delete */
export async function POST(c: Ctx<"/products/{id}/delete">): Promise<Result> {
  const id = c.param("id", int());
  // Another row may refer to it.
  if (!await keep(new FieldErrors(), use(c, Products).remove(id))) {
    c.flash("error", c.t(productMessages, "inUse"));
    return c.redirect(c.href("/products/{id}", { id }));
  }
  c.flash("success", c.t(productMessages, "deleted"));
  return c.redirect(c.href("/products"));
}
