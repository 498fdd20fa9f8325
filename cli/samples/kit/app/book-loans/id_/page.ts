import { type Ctx, int, type Node, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import { formatOf } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";
import {
  bookLoanBadge,
  bookLoanLabels,
  bookLoanMessages,
  bookLoanValue,
} from "../../../lib/book_loan_messages.ts";
import { BookLoanInput, BookLoans, bookLoanTitle } from "../../../lib/book_loans.ts";
import { sessions } from "../../../lib/sessions.ts";

/** GET /book-loans/{id} */
export async function Page(c: Ctx<"/book-loans/{id}">): Promise<Node> {
  const row = await use(c, BookLoans).get(
    c.param("id", int()),
    // if audit
    { deleted: true },
    // end
  );
  // if audit
  const changes = await use(c, BookLoans).changes(row.id);
  // end
  const beside = await use(c, BookLoans).neighbours(row.id);
  c.title = bookLoanTitle(row);
  // if known
  const known = ui.card(
    ui.cardHeader(h.h2(c.t(bookLoanMessages, "row"))),
    ui.fieldDetails({
      // each known
      remark: row.remark,
      contact: row.contact && h.a(h.href(`mailto:${row.contact}`), row.contact),
      website: row.website && h.a(h.href(row.website), row.website),
      mood: row.mood && bookLoanBadge(c, "mood", row.mood),
      seats: row.seats,
      views: String(row.views),
      price: row.price,
      fee: ui.amount(c, row.fee, "EUR"),
      lent: c.t(bookLoanMessages, row.lent ? "yes" : "no"),
      opens: formatOf(c.language).date(new Date(row.opens), { dateStyle: "medium" }),
      closes: row.closes &&
        formatOf(c.language).date(new Date(row.closes), { dateStyle: "medium" }),
      begins: ui.time(c, row.begins, { clock: true }),
      readerId: row.readerId &&
        h.a(h.href(c.href("/book-loans/{id}", { id: row.readerId })), row.readerName),
      scan: row.scanHash && h.a(
        h.href(c.href("/book-loans/{id}/scan", { id: row.id }, { query: { v: row.scanHash } })),
        h.download(row.scanName ?? ""),
        row.scanName,
      ),
      // end
    }, (name) => c.t(bookLoanLabels, name)),
  );
  // end
  return ui.detailPage(
    c,
    {
      title: c.title,
      // if titled
      text: `#${row.id}`,
      // end
      // if audit
      changes,
      // end
      // each view
      badge: row.genre && bookLoanBadge(c, "genre", row.genre),
      // end
      // if writer
      isReadOnly: !(await sessions.user(c))?.roles.includes("librarian"),
      // end
      edit: c.href("/book-loans/{id}/edit", { id: row.id }),
      remove: {
        href: c.href("/book-loans/{id}/delete", { id: row.id }),
        submit: c.t(bookLoanMessages, "delete"),
        // if audit
        text: c.t(bookLoanMessages, "deleteText"),
        // end
      },
      // if audit
      restore: row.deletedAt ? ui.restoring(c.href("/book-loans"), [row.id]) : undefined,
      // end
      beside: beside.map((id) => id === undefined ? undefined : c.href("/book-loans/{id}", { id })),
      // if known
      known,
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
    // if audit
    ui.history(c, {
      changes,
      schema: BookLoanInput,
      label: (field) => c.t(bookLoanLabels, field),
      // if values
      value: (field, value) => bookLoanValue(c, field, value),
      // end
    }),
    // end
  );
}
