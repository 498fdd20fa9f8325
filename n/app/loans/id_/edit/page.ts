import { type Ctx, int, type Node, type Result, use } from "@fw/fw";
import { keep } from "@fw/fw/data";
import { loanMessages } from "@/lib/loan_messages.ts";
import { changedLoanFiles, LoanInput, Loans } from "@/lib/loans.ts";
import { loanForm } from "@/views/loan_form.ts";

/** GET /loans/{id}/edit */
export async function Page(c: Ctx<"/loans/{id}/edit">): Promise<Node> {
  return await loanForm(c, await use(c, Loans).get(c.param("id", int())));
}

/** POST /loans/{id}/edit */
export async function POST(c: Ctx<"/loans/{id}/edit">): Promise<Result> {
  const row = await use(c, Loans).get(c.param("id", int()));
  const input = await c.tryBind(LoanInput, { files: changedLoanFiles });
  const isKept = input.ok && await keep(
    input.errors,
    use(c, Loans).change(row.id, input.value, input.files),
  );
  if (!isKept) {
    c.status(422);
    return await loanForm(c, row, input);
  }
  c.flash("success", c.t(loanMessages, "changed"));
  return c.redirect(c.href("/loans/{id}", { id: row.id }));
}
