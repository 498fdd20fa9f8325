import { type Bound, type Ctx, type Node, use } from "@fw/fw";
import { rowTag } from "@fw/fw/data";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { bookLoanFields, bookLoanMessages } from "../lib/book_loan_messages.ts";
import {
  bookLoanFiles,
  BookLoanInput,
  type BookLoanRow,
  BookLoans,
  bookLoanTitle,
} from "../lib/book_loans.ts";

/** The form of a new or changed book loan, with submitted values. */
export async function bookLoanForm(
  c: Ctx,
  row?: BookLoanRow,
  sent?: Bound<BookLoanInput>,
): Promise<Node> {
  c.title = c.t(bookLoanMessages, row === undefined ? "new" : "editTitle");
  // each reference
  // The link to a new book loan may choose the reader.
  const readerId = (sent?.value ?? row)?.readerId ?? (Number(c.query("readerId")) || undefined);
  // end
  return ui.formPage(c, BookLoanInput, {
    title: c.title,
    submit: c.t(bookLoanMessages, "save"),
    cancel: row === undefined ? c.href("/book-loans") : c.href("/book-loans/{id}", { id: row.id }),
    of: row && bookLoanTitle(row),
    tag: row && rowTag(row),
    // if audit:
    changes: row && await use(c, BookLoans).changes(row.id, 1),
    values: sent ?? row ?? {
      // each reference
      readerId,
      // end
    },
    // if upload:
    files: row === undefined ? bookLoanFiles.added : bookLoanFiles.changed,
    texts: bookLoanFields(c),
    // if upload
    help: row === undefined ? {} : {
      // each field
      cover: ui.currentFile({
        href: c.href("/book-loans/{id}/cover", { id: row.id }, { query: { v: row.coverHash } }),
        name: row.coverName,
        isPicture: true,
      }),
      scan: ui.currentFile({
        href: c.href("/book-loans/{id}/scan", { id: row.id }, { query: { v: row.scanHash } }),
        name: row.scanName,
      }),
      // end
    },
    // end
    fields: {
      // each counted
      headline: { count: true },
      // end
      // each field
      begins: { type: "datetime-local" },
      readerId: {
        type: "combobox",
        source: c.href("/book-loans/choices/{name}", { name: "readerId" }),
        choices: await use(c, BookLoans).choices("readerId", {
          asked: readerId,
          stored: [row?.readerId],
        }),
      },
      cover: { type: "dropzone" },
      scan: { type: "dropzone" },
      // end
    },
    layout: (field) => [
      // if basic
      ui.formSection(
        c.t(bookLoanMessages, "basics"),
        c.t(bookLoanMessages, "basicsHelp"),
        field(
          // each basic
          "headline",
          "remark",
          "story",
          "contact",
          "website",
          "readerId",
          // end
        ),
      ),
      // end
      // if fact
      ui.formSection(
        c.t(bookLoanMessages, "facts"),
        c.t(bookLoanMessages, "factsHelp"),
        field(
          // each fact
          "genre",
          "mood",
          "seats",
          "views",
          "price",
          "fee",
          "lent",
          "opens",
          "closes",
          "begins",
          // end
        ),
      ),
      // end
      // if upload
      ui.formSection(
        c.t(bookLoanMessages, "files"),
        c.t(bookLoanMessages, "filesHelp"),
        field(
          // each upload
          "cover",
          "scan",
          // end
        ),
      ),
      // end
    ],
  }, row === undefined && h.action(c.href("/book-loans/new")));
}
