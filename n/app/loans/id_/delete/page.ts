import { type Ctx, FieldErrors, int, type Node, type Result, use } from "@fw/fw";
import { keep } from "@fw/fw/data";
import * as ui from "@fw/fw/ui";
import { loanMessages } from "@/lib/loan_messages.ts";
import { Loans, loanTitle } from "@/lib/loans.ts";

/** GET /loans/{id}/delete */
export async function Page(c: Ctx<"/loans/{id}/delete">): Promise<Node> {
  const row = await use(c, Loans).get(c.param("id", int()));
  c.title = c.t(loanMessages, "deleteTitle", { title: loanTitle(row) });
  return ui.askPage(c, { title: c.title, cancel: c.href("/loans/{id}", { id: row.id }) });
}

/** POST /loans/{id}/delete */
export async function POST(c: Ctx<"/loans/{id}/delete">): Promise<Result> {
  const id = c.param("id", int());
  // Another row may refer to it.
  if (!await keep(new FieldErrors(), use(c, Loans).remove(id))) {
    c.flash("error", c.t(loanMessages, "inUse"));
    return c.redirect(c.href("/loans/{id}", { id }));
  }
  c.flash("success", c.t(loanMessages, "deleted"));
  return c.redirect(c.href("/loans"));
}
