import { type Ctx, notFound, use } from "@fw/fw";
import * as ui from "@fw/fw/ui";
import { Loans } from "@/lib/loans.ts";

/**
 * Returns the options of a field that hold `q`, for what is typed in it.
 *
 * openapi:omit
 */
export async function GET(c: Ctx<"/loans/choices/{name}">): Promise<Response> {
  const q = c.url.searchParams.get("q") ?? "";
  if (c.param("name") === "event") {
    return c.html(200, ui.selectOptions(await use(c, Loans).eventChoices(q)));
  }
  throw notFound();
}
