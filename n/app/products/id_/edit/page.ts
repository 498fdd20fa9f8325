import { type Ctx, int, type Node, type Result, use } from "@fw/fw";
import { keep } from "@fw/fw/data";
import { productMessages } from "@/lib/product_messages.ts";
import { ProductInput, Products } from "@/lib/products.ts";
import { productForm } from "@/views/product_form.ts";

/** GET /products/{id}/edit */
export async function Page(c: Ctx<"/products/{id}/edit">): Promise<Node> {
  return await productForm(c, await use(c, Products).get(c.param("id", int())));
}

/** POST /products/{id}/edit */
export async function POST(c: Ctx<"/products/{id}/edit">): Promise<Result> {
  const row = await use(c, Products).get(c.param("id", int()));
  const input = await c.tryBind(ProductInput);
  const isKept = input.ok && await keep(
    input.errors,
    use(c, Products).change(row.id, input.value),
  );
  if (!isKept) {
    c.status(422);
    return await productForm(c, row, input);
  }
  c.flash("success", c.t(productMessages, "changed"));
  return c.redirect(c.href("/products/{id}", { id: row.id }));
}
