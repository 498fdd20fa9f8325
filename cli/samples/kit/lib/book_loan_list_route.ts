import type { Ctx } from "@fw/fw";
import * as ui from "@fw/fw/ui";
import { bookLoanReferences } from "./book_loan_list.ts";

/**
 * Returns the options of a field of the book loans that contain the typed text, `q`.
 *
 * openapi:omit
 */
export async function GET(c: Ctx<"/book-loans/choices/{name}">): Promise<Response> {
  const q = c.url.searchParams.get("q") ?? "";
  return c.html(200, ui.selectOptions(await bookLoanReferences(c, c.param("name"), q)));
}
