import { type Ctx, FieldErrors, type Node, type Result, use } from "@fw/fw";
import { keep } from "@fw/fw/data";
import * as ui from "@fw/fw/ui";
import { bookLoanFields, bookLoanLabels, bookLoanMessages } from "../../lib/book_loan_messages.ts";
import { BookLoanQuery, BookLoans, bookLoanTitle } from "../../lib/book_loans.ts";
import { sessions } from "../../lib/sessions.ts";
import { bookLoanColumns } from "../../views/book_loan_columns.ts";

/** GET /book-loans */
export async function Page(c: Ctx): Promise<Node> {
  c.title = c.t(bookLoanMessages, "title");
  const query = await c.bindQuery(BookLoanQuery);
  const store = use(c, BookLoans);
  const page = await store.list(query, ui.pageSize(c));
  // if chosen
  // The form of a new book loan starts with these.
  const chosen = {
    // each chosen
    readerId: query.readerId,
    // end
  };
  // end
  return ui.listPage(c, {
    title: c.title,
    text: c.t(bookLoanMessages, "about"),
    page,
    note: page.total > 1_000
      ? c.t(bookLoanMessages, "many", { most: 1_000 })
      : c.t(bookLoanMessages, "count", { count: page.total }),
    columns: bookLoanColumns(c),
    label: bookLoanTitle,
    // if search:
    search: c.t(bookLoanMessages, "search"),
    // each view
    tabs: {
      ...ui.fieldFilter(bookLoanFields(c), "genre"),
      // if search:
      // A search is too expensive to count for each view.
      counts: /* if search */ query.q
        ? undefined
        : /* end */ await store.countEach(query, "genre", ["active", "lost"]),
    },
    // end
    // if otherFilter
    filters: [
      // each otherFilter
      {
        name: "readerId",
        label: c.t(bookLoanLabels, "readerId"),
        choices: await store.choices("readerId", {
          asked: query.readerId,
          stored: page.rows.map((row) => row.readerId),
        }),
      },
      ui.fieldFilter(bookLoanFields(c), "mood"),
      ui.fieldFilter(bookLoanFields(c), "lent"),
      ui.fieldFilter(bookLoanFields(c), "closes"),
      // end
    ],
    // end
    // if writer:
    isReadOnly: !(await sessions.user(c))?.roles.includes("librarian"),
    create: [
      c.href("/book-loans/new", /* if chosen */ {}, { query: chosen } /* end */),
      c.t(bookLoanMessages, "new"),
    ],
    // if import:
    importHref: c.href("/book-loans/import"),
    // if csv:
    exportHref: c.href("/book-loans/export"),
    // if audit:
    deleted: query.deleted === "yes",
    edit: (row) => c.href("/book-loans/{id}/edit", { id: row.id }),
    remove: (row) => c.href("/book-loans/{id}/delete", { id: row.id }),
    acts: { value: (row) => row.id },
    empty: [c.t(bookLoanMessages, "empty"), c.t(bookLoanMessages, "begin")],
  });
}

/** POST /book-loans */
export async function POST(c: Ctx): Promise<Result> {
  const store = use(c, BookLoans);
  return await ui.actOnRows(c, {
    rows: (count) => c.t(bookLoanMessages, "count", { count }),
    names: async (ids, state) => (await store.getAll(ids, state)).map(bookLoanTitle),
    // Another row may refer to one of them.
    remove: (ids) => keep(new FieldErrors(), store.removeAll(ids)),
    // each view
    set: {
      name: "genre",
      values: ["active", "lost"],
      run: (ids, genre) => store.changeAll(ids, { genre }),
    },
    // end
    // if audit
    restore: (ids) => keep(new FieldErrors(), store.restoreAll(ids)),
    purge: async (ids) => {
      // if signed
      // Final deletion needs more than a session, because it cannot be undone.
      await sessions.requireRecent(10 * 60_000)(c);
      // end
      return await keep(new FieldErrors(), store.purgeAll(ids));
    },
    // end
  });
}
