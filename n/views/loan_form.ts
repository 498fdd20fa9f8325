import { type Bound, type Ctx, type Node, use } from "@fw/fw";
import * as ui from "@fw/fw/ui";
import { loanLabels, loanMessages, loanValue } from "@/lib/loan_messages.ts";
import {
  changedLoanFiles,
  loanFiles,
  LoanInput,
  type LoanRow,
  Loans,
  loanTitle,
} from "@/lib/loans.ts";

/** The form of a new loan, or of one that changes, with what was sent. */
export async function loanForm(
  c: Ctx,
  row?: LoanRow,
  sent?: Bound<LoanInput>,
): Promise<Node> {
  c.title = c.t(loanMessages, row === undefined ? "new" : "editTitle");
  return ui.formPage(c, LoanInput, {
    title: c.title,
    cancel: row === undefined ? c.href("/loans") : c.href("/loans/{id}", { id: row.id }),
    of: row && loanTitle(row),
    values: sent ?? row,
    files: row === undefined ? loanFiles : changedLoanFiles,
    labels: (name) => c.t(loanLabels, name),
    help: row === undefined ? {} : {
      photo: ui.currentFile({
        href: c.href("/loans/{id}/photo", { id: row.id }, { query: { v: row.photoHash } }),
        name: row.photoName,
        isPicture: true,
      }),
    },
    fields: {
      name: { count: true },
      status: {
        choices: ["draft", "active", "archived"].map((value) => ({
          value,
          label: loanValue(c, "status", value),
        })),
      },
      eventId: {
        type: "combobox",
        source: c.href("/loans/choices/{name}", { name: "event" }),
        choices: await use(c, Loans).eventChoices(
          (sent?.value ?? row)?.eventId,
        ),
      },
      notes: { type: "textarea" },
      photo: { type: "dropzone" },
    },
    layout: (field) => [
      ui.formSection(
        c.t(loanMessages, "basics"),
        c.t(loanMessages, "basicsHelp"),
        field(
          "name",
          "eventId",
          "notes",
        ),
      ),
      ui.formSection(
        c.t(loanMessages, "facts"),
        c.t(loanMessages, "factsHelp"),
        field(
          "status",
          "price",
          "stock",
          "released",
        ),
      ),
      ui.formSection(
        c.t(loanMessages, "files"),
        c.t(loanMessages, "filesHelp"),
        field(
          "photo",
        ),
      ),
    ],
  });
}
