import { type Bound, type Ctx, type Node, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { bookLoanLabels, bookLoanMessages, bookLoanValue } from "../lib/book_loan_messages.ts";
import {
  bookLoanFiles,
  BookLoanInput,
  type BookLoanRow,
  BookLoans,
  changedBookLoanFiles,
} from "../lib/book_loans.ts";

/** The form of a book loan, with what was sent or what the database has. */
export async function bookLoanForm(
  c: Ctx,
  values?: Bound<BookLoanInput> | BookLoanRow,
  // if uploads
  stored?: BookLoanRow,
  // end
): Promise<Node> {
  // if uploads
  const files = stored === undefined ? bookLoanFiles : changedBookLoanFiles;
  // end
  return ui.form(
    c,
    BookLoanInput,
    {
      values,
      // if uploads
      files,
      // end
      labels: (name) => c.t(bookLoanLabels, name),
      // if uploads
      help: {
        // each field
        cover: stored?.coverHash && h.fragment(
          ui.thumb(
            c.href("/book-loans/{id}/cover", { id: stored.id }, { query: { v: stored.coverHash } }),
          ),
          " ",
          c.t(bookLoanMessages, "currentFile"),
          " ",
          h.a(
            h.href(
              c.href("/book-loans/{id}/cover", { id: stored.id }, {
                query: { v: stored.coverHash },
              }),
            ),
            stored.coverName,
          ),
          ". ",
          c.t(bookLoanMessages, "keepsFile"),
        ),
        scan: stored?.scanHash && h.fragment(
          c.t(bookLoanMessages, "currentFile"),
          " ",
          h.a(
            h.href(
              c.href("/book-loans/{id}/scan", { id: stored.id }, {
                query: { v: stored.scanHash },
              }),
            ),
            stored.scanName,
          ),
          ". ",
          c.t(bookLoanMessages, "keepsFile"),
        ),
        // end
      },
      // end
      fields: {
        // each counted
        headline: { count: true },
        // end
        // each field
        story: { type: "textarea" },
        memo: { type: "textarea" },
        genre: {
          type: "cards",
          choices: ["novel", "essay"].map((value) => ({
            value,
            label: bookLoanValue(c, "genre", value),
          })),
        },
        mood: {
          choices: ["novel", "essay"].map((value) => ({
            value,
            label: bookLoanValue(c, "mood", value),
          })),
        },
        begins: { type: "datetime-local" },
        ends: { type: "datetime-local" },
        readerId: {
          type: "combobox",
          source: c.href("/book-loans/choices/{name}", { name: "reader" }),
          choices: await use(c, BookLoans).readerChoices(
            values && ("texts" in values ? values.value : values).readerId,
          ),
        },
        cover: { type: "dropzone" },
        // end
      },
      layout: (field) => [
        // if basics
        ui.formSection(
          c.t(bookLoanMessages, "basics"),
          c.t(bookLoanMessages, "basicsHelp"),
          field(
            // each basic
            "headline",
            "remark",
            "story",
            "memo",
            "contact",
            "backup",
            "website",
            "mirror",
            "readerId",
            // end
          ),
        ),
        // end
        // if facts
        ui.formSection(
          c.t(bookLoanMessages, "facts"),
          c.t(bookLoanMessages, "factsHelp"),
          field(
            // each fact
            "genre",
            "mood",
            "seats",
            "spare",
            "views",
            "peak",
            "price",
            "ratio",
            "fee",
            "fine",
            "lent",
            "opens",
            "closes",
            "begins",
            "ends",
            // end
          ),
        ),
        // end
        // if uploads
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
      submit: false,
    },
    ui.formFooter(
      // The list, or the row that changes.
      ui.buttonLink(
        c.url.pathname.replace(/\/\w+$/, ""),
        ui.outline,
        c.t(bookLoanMessages, "cancel"),
      ),
      ui.submit(c.t(bookLoanMessages, "save")),
    ),
  );
}
