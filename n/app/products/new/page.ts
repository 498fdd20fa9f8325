import { type Ctx, type Node, type Result, use } from "@fw/fw";
import { keep } from "@fw/fw/data";
import { productMessages } from "@/lib/product_messages.ts";
import { ProductInput, Products } from "@/lib/products.ts";
import { productForm } from "@/views/product_form.ts";

/** GET /products/new */
export async function Page(c: Ctx): Promise<Node> {
  return await productForm(c);
}

/** POST /products/new */
export async function POST(c: Ctx): Promise<Result> {
  const input = await c.tryBind(ProductInput);
  const row = input.ok && await keep(
    input.errors,
    use(c, Products).add(input.value),
  );
  if (!row) {
    c.status(422);
    return await productForm(c, undefined, input);
  }
  c.flash("success", c.t(productMessages, "created"));
  return c.redirect(c.href("/products/{id}", { id: row.id }));
}
