import { type Ctx, use } from "@fw/fw";
import * as ui from "@fw/fw/ui";
import { BookLoans } from "../../../../lib/book_loans.ts";

/**
 * Returns the options of a field that contain the typed text, `q`.
 *
 * openapi:omit
 */
export async function GET(c: Ctx<"/book-loans/choices/{name}">): Promise<Response> {
  const q = c.url.searchParams.get("q") ?? "";
  const choices = await use(c, BookLoans).choices(c.param("name"), { asked: q });
  return c.html(200, ui.selectOptions(choices));
}
