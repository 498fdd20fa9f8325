import { type Ctx, type Node, type Result, use } from "@fw/fw";
import { keep } from "@fw/fw/data";
import { loanMessages } from "@/lib/loan_messages.ts";
import { loanFiles, LoanInput, Loans } from "@/lib/loans.ts";
import { loanForm } from "@/views/loan_form.ts";

/** GET /loans/new */
export async function Page(c: Ctx): Promise<Node> {
  return await loanForm(c);
}

/** POST /loans/new */
export async function POST(c: Ctx): Promise<Result> {
  const input = await c.tryBind(LoanInput, { files: loanFiles });
  const row = input.ok && await keep(
    input.errors,
    use(c, Loans).add(input.value, input.files),
  );
  if (!row) {
    c.status(422);
    return await loanForm(c, undefined, input);
  }
  c.flash("success", c.t(loanMessages, "created"));
  return c.redirect(c.href("/loans/{id}", { id: row.id }));
}
