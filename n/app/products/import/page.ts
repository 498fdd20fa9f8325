import { type Ctx, type Result, use } from "@fw/fw";
import * as ui from "@fw/fw/ui";
import { productLabels, productMessages } from "@/lib/product_messages.ts";
import { Products } from "@/lib/products.ts";

/** GET /products/import */
export async function Page(c: Ctx): Promise<Result> {
  return await importRows(c);
}

/** POST /products/import */
export async function POST(c: Ctx): Promise<Result> {
  return await importRows(c);
}

async function importRows(c: Ctx): Promise<Result> {
  return await ui.importPage(c, {
    title: c.t(productMessages, "import"),
    list: c.href("/products"),
    add: (file, isPreview) => use(c, Products).addFile(file, isPreview),
    label: (name) => c.t(productLabels, name),
  });
}
