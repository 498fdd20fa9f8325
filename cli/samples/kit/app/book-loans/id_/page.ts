import { type Ctx, int, type Node, notFound, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import {
  bookLoanFields,
  bookLoanLabels,
  bookLoanMessages,
} from "../../../lib/book_loan_messages.ts";
import { BookLoans, bookLoanTitle } from "../../../lib/book_loans.ts";
import { sessions } from "../../../lib/sessions.ts";
import { bookLoanRows } from "../../../views/book_loan_rows.ts";

/** GET /book-loans/{id} */
export async function Page(c: Ctx<"/book-loans/{id}">): Promise<Node> {
  // if writer:
  const isWriter = (await sessions.user(c))?.roles.includes("librarian") === true;
  const row = await use(c, BookLoans).get(
    c.param("id", int()),
    // if audit:
    { deleted: true },
  );
  // if hidden:
  if (row.deletedAt && !isWriter) throw notFound();
  // if audit
  const changes = /* if hidden */ !isWriter
    ? []
    : /* end */ await use(c, BookLoans).changes(row.id);
  // end
  const beside = await use(c, BookLoans).neighbours(row.id);
  c.title = bookLoanTitle(row);
  return ui.detailPage(
    c,
    {
      title: c.title,
      // if titled:
      text: `#${row.id}`,
      // if audit:
      changes,
      // each view
      badge: row.genre && ui.fieldBadge(bookLoanFields(c), `genre.${row.genre}`),
      // end
      // if writer:
      isReadOnly: !isWriter,
      edit: c.href("/book-loans/{id}/edit", { id: row.id }),
      remove: {
        href: c.href("/book-loans/{id}/delete", { id: row.id }),
        submit: c.t(bookLoanMessages, "delete"),
        // if audit:
        text: c.t(bookLoanMessages, "deleteText"),
      },
      // if audit:
      restore: row.deletedAt ? ui.restoring(c.href("/book-loans"), [row.id]) : undefined,
      beside: beside.map((id) => id === undefined ? undefined : c.href("/book-loans/{id}", { id })),
      // if known
      known: ui.fieldDetails(c, {
        ...bookLoanFields(c),
        title: c.t(bookLoanMessages, "row"),
        row,
        except: [
          // each elsewhere
          "headline",
          "story",
          "genre",
          // end
        ],
        values: {
          // each file
          scan: row.scanHash && h.a(
            h.href(c.href("/book-loans/{id}/scan", { id: row.id }, { query: { v: row.scanHash } })),
            h.download(row.scanName ?? ""),
            row.scanName,
          ),
          // end
        },
      }),
      // end
    },
    // each prose
    row.coverHash &&
      ui.card(ui.media([{
        src: c.href("/book-loans/{id}/cover", { id: row.id }, { query: { v: row.coverHash } }),
        alt: c.t(bookLoanLabels, "cover"),
      }])),
    ui.textCard(c.t(bookLoanLabels, "story"), row.story),
    // end
    // insert children
    await bookLoanRows(c, { readerId: row.id }, /* if audit */ Boolean(row.deletedAt) /* end */),
    // end
    // if audit:
    ui.history(c, { ...bookLoanFields(c), changes }),
  );
}
