import {
  bool,
  type Ctx,
  FieldErrors,
  type Node,
  type Result,
  struct,
  text,
  texts,
  use,
} from "@fw/fw";
import { keep } from "@fw/fw/data";
import * as ui from "@fw/fw/ui";
import { bookLoanLabels, bookLoanMessages, bookLoanValue } from "../../lib/book_loan_messages.ts";
import { BookLoanQuery, BookLoans, bookLoanTitle } from "../../lib/book_loans.ts";
import { bookLoanColumns } from "../../views/book_loan_columns.ts";

/** GET /book-loans */
export async function Page(c: Ctx): Promise<Node> {
  c.title = c.t(bookLoanMessages, "title");
  const query = await c.bindQuery(BookLoanQuery);
  const store = use(c, BookLoans);
  const page = await store.list(query, ui.pageSize(c));
  return ui.listPage(c, {
    title: c.title,
    text: c.t(bookLoanMessages, "about"),
    page,
    note: page.total > 1_000
      ? c.t(bookLoanMessages, "many", { most: 1_000 })
      : c.t(bookLoanMessages, "count", { count: page.total }),
    columns: bookLoanColumns(c),
    label: bookLoanTitle,
    // if search
    search: c.t(bookLoanMessages, "search"),
    // end
    // each view
    tabs: {
      name: "genre",
      label: c.t(bookLoanLabels, "genre"),
      choices: ["novel", "essay"].map((value) => ({
        value,
        label: bookLoanValue(c, "genre", value),
      })),
      // if search
      // A search is too dear to be counted for each.
      // end
      counts: query.q ? undefined : await store.countEach(query, "genre", ["novel", "essay"]),
    },
    // end
    // if filters
    filters: [
      // each otherFilter
      {
        name: "readerId",
        label: c.t(bookLoanLabels, "readerId"),
        choices: await store.readerChoices(query.readerId),
      },
      {
        name: "mood",
        label: c.t(bookLoanLabels, "mood"),
        choices: ["novel", "essay"].map((value) => ({
          value,
          label: bookLoanValue(c, "mood", value),
        })),
      },
      {
        name: "lent",
        label: c.t(bookLoanLabels, "lent"),
        choices: [
          { value: "yes", label: c.t(bookLoanMessages, "yes") },
          { value: "no", label: c.t(bookLoanMessages, "no") },
        ],
      },
      // end
    ],
    // end
    create: [c.href("/book-loans/new"), c.t(bookLoanMessages, "new")],
    // if import
    importHref: c.href("/book-loans/import"),
    // end
    // if csv
    exportHref: c.href("/book-loans/export"),
    // end
    // if audit
    deleted: query.deleted === "yes",
    // end
    edit: (row) => c.href("/book-loans/{id}/edit", { id: row.id }),
    remove: (row) => c.href("/book-loans/{id}/delete", { id: row.id }),
    acts: {
      value: (row) => row.id,
      buttons: [
        // each view
        ui.menu(
          c.t(bookLoanLabels, "genre"),
          ["novel", "essay"].map((value) =>
            ui.bulkItem(`genre.${value}`, bookLoanValue(c, "genre", value))
          ),
        ),
        // end
        ui.bulkButton("delete", "trash", ui.destructive, c.t(bookLoanMessages, "delete")),
      ],
    },
    empty: [c.t(bookLoanMessages, "empty"), c.t(bookLoanMessages, "begin")],
  });
}

/** What is done with the chosen rows. */
const Act = struct({ act: text("required,max=100"), id: texts("max=100"), sure: bool() });

/** POST /book-loans */
export async function POST(c: Ctx): Promise<Result> {
  const { act, id, sure } = await c.bind(Act);
  const ids = id.map(Number).filter(Number.isSafeInteger);
  const back = c.url.pathname + c.url.search;
  const count = ids.length;
  if (count === 0) return c.redirect(back);
  const isPurge = act === "purge";
  if ((act === "delete" || isPurge) && !sure) {
    c.title = c.t(bookLoanMessages, "deleteSome", { count });
    return ui.askPage(c, {
      title: c.title,
      text: c.t(bookLoanMessages, isPurge ? "purgeText" : "deleteText"),
      cancel: c.href("/book-loans"),
      fields: { act, id: ids, sure: "on" },
    });
  }
  // each view
  const set = (["novel", "essay"] as const).find((value) => act === `genre.${value}`);
  if (set !== undefined) {
    await use(c, BookLoans).changeAll(ids, { genre: set });
    c.flash("success", c.t(bookLoanMessages, "changedSome", { count }));
  }
  // end
  // if audit
  if (act === "restore") {
    const back = await keep(new FieldErrors(), use(c, BookLoans).restoreAll(ids));
    if (back === undefined) c.flash("error", c.t(bookLoanMessages, "taken"));
    else c.flash("success", c.t(bookLoanMessages, "restoredSome", { count }));
  }
  if (isPurge) {
    // Another row may refer to one of them.
    const gone = await keep(new FieldErrors(), use(c, BookLoans).purgeAll(ids));
    if (gone === undefined) c.flash("error", c.t(bookLoanMessages, "inUse"));
    else c.flash("success", c.t(bookLoanMessages, "deletedSome", { count }));
  }
  // end
  if (act === "delete") {
    // Another row may refer to one of them.
    const gone = await keep(new FieldErrors(), use(c, BookLoans).removeAll(ids));
    if (gone === undefined) c.flash("error", c.t(bookLoanMessages, "inUse"));
    else {
      c.flash(
        "success",
        c.t(bookLoanMessages, "deletedSome", { count }),
        // if audit
        ui.restoring(c.href("/book-loans"), ids),
        // end
      );
    }
  }
  return c.redirect(back);
}
