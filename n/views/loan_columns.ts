import type { Ctx } from "@fw/fw";
import { formatOf } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";
import { loanBadge, loanLabels, loanMessages } from "@/lib/loan_messages.ts";
import { type LoanRow, loanTitle } from "@/lib/loans.ts";

/** The columns of the list of loans. */
export function loanColumns(c: Ctx): readonly ui.Column<LoanRow>[] {
  return [
    {
      title: c.t(loanMessages, "row"),
      key: "name",
      cell: (row) =>
        ui.item(loanTitle(row), {
          href: c.href("/loans/{id}", { id: row.id }),
          image: ui.thumb(
            row.photoHash
              ? c.href("/loans/{id}/photo", { id: row.id }, { query: { v: row.photoHash } })
              : undefined,
          ),
          detail: row.notes?.slice(0, 100),
        }),
    },
    {
      title: c.t(loanLabels, "status"),
      kind: "badge",
      cell: (row) => row.status && loanBadge(c, "status", row.status),
    },
    {
      title: c.t(loanLabels, "price"),
      kind: "money",
      key: "price",
      cell: (row) => ui.amount(c, row.price, "EUR"),
    },
    { title: c.t(loanLabels, "stock"), numeric: true, cell: (row) => row.stock },
    {
      title: c.t(loanLabels, "released"),
      kind: "date",
      cell: (row) =>
        row.released &&
        formatOf(c.language).date(new Date(row.released), { dateStyle: "medium" }),
    },
  ];
}
