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

/** GET /book-loans/{id} */
export async function Page(c: Ctx<"/book-loans/{id}">): Promise<Node> {
  const row = await use(c, BookLoans).get(
    c.param("id", int()),
    // if audit
    { deleted: true },
    // end
  );
  const beside = await use(c, BookLoans).neighbours(row.id);
  c.title = bookLoanTitle(row);
  // if known
  const line = (
    field: Parameters<typeof bookLoanLabels.text>[1],
    value: h.Child,
  ): [h.Child, h.Child] => [
    c.t(bookLoanLabels, field),
    // Zero is a value.
    value || value === 0 ? value : "–",
  ];
  // end
  const known = ui.card(
    ui.cardHeader(h.h2(c.t(bookLoanMessages, "row"))),
    ui.details([
      ["#", row.id],
      // each known
      line("remark", row.remark),
      line(
        "contact",
        row.contact && h.a(h.href(`mailto:${row.contact}`), row.contact),
      ),
      line("backup", row.backup && h.a(h.href(`mailto:${row.backup}`), row.backup)),
      line("website", row.website && h.a(h.href(row.website), row.website)),
      line("mirror", row.mirror && h.a(h.href(row.mirror), row.mirror)),
      line("mood", row.mood && bookLoanBadge(c, "mood", row.mood)),
      line("seats", row.seats),
      line("spare", row.spare),
      line("views", String(row.views)),
      line("peak", row.peak?.toString()),
      line("price", row.price),
      line("ratio", row.ratio),
      line(
        "fee",
        formatOf(c.language).number(row.fee / 100, { style: "currency", currency: "EUR" }),
      ),
      line(
        "fine",
        row.fine !== null &&
          formatOf(c.language).number(row.fine / 100, { style: "currency", currency: "EUR" }),
      ),
      line("lent", c.t(bookLoanMessages, row.lent ? "yes" : "no")),
      line("opens", formatOf(c.language).date(new Date(row.opens), { dateStyle: "medium" })),
      line(
        "closes",
        row.closes && formatOf(c.language).date(new Date(row.closes), { dateStyle: "medium" }),
      ),
      line(
        "begins",
        ui.time(c, row.begins, { clock: true }),
      ),
      line(
        "ends",
        row.ends &&
          ui.time(c, row.ends, { clock: true }),
      ),
      line("readerId", row.readerName),
      line(
        "scan",
        row.scanHash && h.a(
          h.href(c.href("/book-loans/{id}/scan", { id: row.id }, { query: { v: row.scanHash } })),
          h.download(row.scanName ?? ""),
          row.scanName,
        ),
      ),
      // end
    ]),
  );
  // if prose
  const prose = (field: Parameters<typeof bookLoanLabels.text>[1], text: string | null): Node =>
    h.fragment(
      text &&
        ui.card(
          ui.cardHeader(h.h2(c.t(bookLoanLabels, field))),
          h.p(h.mapIndex(text.split("\n"), (line, at) => h.fragment(at > 0 && h.br(), line))),
        ),
    );
  // end
  return ui.detailPage(
    c,
    {
      title: c.title,
      // each view
      badge: row.genre && bookLoanBadge(c, "genre", row.genre),
      // end
      edit: c.href("/book-loans/{id}/edit", { id: row.id }),
      remove: {
        href: c.href("/book-loans/{id}/delete", { id: row.id }),
        title: c.t(bookLoanMessages, "deleteTitle", { title: c.title }),
        text: c.t(bookLoanMessages, "deleteText"),
      },
      // if audit
      restore: row.deletedAt ? ui.restoring(c.href("/book-loans"), [row.id]) : undefined,
      // end
      beside: beside.map((id) => id === undefined ? undefined : c.href("/book-loans/{id}", { id })),
      known,
    },
    // each prose
    row.coverHash &&
      ui.card(ui.media([{
        src: c.href("/book-loans/{id}/cover", { id: row.id }, { query: { v: row.coverHash } }),
        alt: c.t(bookLoanLabels, "cover"),
      }])),
    prose("story", row.story),
    prose("memo", row.memo),
    // end
    // if audit
    ui.history(c, {
      changes: await use(c, BookLoans).changes(row.id),
      schema: BookLoanInput,
      label: (field) => c.t(bookLoanLabels, field),
      // if values
      value: (field, value) => bookLoanValue(c, field, value),
      // end
    }),
    // end
  );
}
