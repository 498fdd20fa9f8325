import { type Ctx, type Result, use } from "@fw/fw";
import * as ui from "@fw/fw/ui";
import { loanLabels, loanMessages } from "@/lib/loan_messages.ts";
import { Loans } from "@/lib/loans.ts";

/** GET /loans/import */
export async function Page(c: Ctx): Promise<Result> {
  return await importRows(c);
}

/** POST /loans/import */
export async function POST(c: Ctx): Promise<Result> {
  return await importRows(c);
}

async function importRows(c: Ctx): Promise<Result> {
  return await ui.importPage(c, {
    title: c.t(loanMessages, "import"),
    list: c.href("/loans"),
    add: (file, isPreview) => use(c, Loans).addFile(file, isPreview),
    label: (name) => c.t(loanLabels, name),
  });
}
