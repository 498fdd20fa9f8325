import { type Ctx, use } from "@fw/fw";
import { exportCsv, inBatches } from "@fw/fw/data";
import { LoanInput, LoanQuery, Loans } from "@/lib/loans.ts";

/**
 * Returns the list as it is narrowed and sorted, as CSV.
 *
 * openapi:omit
 */
export async function GET(c: Ctx): Promise<Response> {
  const query = await c.bindQuery(LoanQuery);
  const rows = inBatches((at) => use(c, Loans).list({ ...query, at: at ?? null }, 1_000));
  return await c.download(exportCsv(LoanInput, rows), { name: "loans.csv" });
}
