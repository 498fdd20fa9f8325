import { type Ctx, use } from "@fw/fw";
import { exportCsv, inBatches } from "@fw/fw/data";
import { ProductInput, ProductQuery, Products } from "@/lib/products.ts";

/**
 * Returns the list as it is narrowed and sorted, as CSV.
 *
 * openapi:omit
 */
export async function GET(c: Ctx): Promise<Response> {
  const query = await c.bindQuery(ProductQuery);
  const rows = inBatches((at) => use(c, Products).list({ ...query, at: at ?? null }, 1_000));
  return await c.download(exportCsv(ProductInput, rows), { name: "products.csv" });
}
