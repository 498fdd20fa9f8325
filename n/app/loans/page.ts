import { type Ctx, FieldErrors, type Node, type Result, use } from "@fw/fw";
import { keep } from "@fw/fw/data";
import * as ui from "@fw/fw/ui";
import { loanLabels, loanMessages, loanValue } from "@/lib/loan_messages.ts";
import { LoanQuery, Loans, loanTitle } from "@/lib/loans.ts";
import { loanColumns } from "@/views/loan_columns.ts";

/** GET /loans */
export async function Page(c: Ctx): Promise<Node> {
  c.title = c.t(loanMessages, "title");
  const query = await c.bindQuery(LoanQuery);
  const store = use(c, Loans);
  const page = await store.list(query, ui.pageSize(c));
  return ui.listPage(c, {
    title: c.title,
    text: c.t(loanMessages, "about"),
    page,
    note: page.total > 1_000
      ? c.t(loanMessages, "many", { most: 1_000 })
      : c.t(loanMessages, "count", { count: page.total }),
    columns: loanColumns(c),
    label: loanTitle,
    search: c.t(loanMessages, "search"),
    tabs: {
      name: "status",
      label: c.t(loanLabels, "status"),
      choices: ["draft", "active", "archived"].map((value) => ({
        value,
        label: loanValue(c, "status", value),
      })),
      // A search is too dear to be counted for each.
      counts: query.q
        ? undefined
        : await store.countEach(query, "status", ["draft", "active", "archived"]),
    },
    filters: [
      {
        name: "eventId",
        label: c.t(loanLabels, "eventId"),
        choices: await store.eventChoices(query.eventId),
      },
    ],
    create: [c.href("/loans/new"), c.t(loanMessages, "new")],
    importHref: c.href("/loans/import"),
    exportHref: c.href("/loans/export"),
    edit: (row) => c.href("/loans/{id}/edit", { id: row.id }),
    remove: (row) => c.href("/loans/{id}/delete", { id: row.id }),
    acts: { value: (row) => row.id },
    empty: [c.t(loanMessages, "empty"), c.t(loanMessages, "begin")],
  });
}

/** POST /loans */
export async function POST(c: Ctx): Promise<Result> {
  const store = use(c, Loans);
  return await ui.actOnRows(c, {
    // Another row may refer to one of them.
    remove: (ids) => keep(new FieldErrors(), store.removeAll(ids)),
    set: {
      name: "status",
      values: ["draft", "active", "archived"],
      run: (ids, status) => store.changeAll(ids, { status }),
    },
  });
}
