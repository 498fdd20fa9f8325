import { type Ctx, int, type Node, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import { formatOf } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";
import {
  bookLoanLabels,
  bookLoanMessages,
  bookLoanValue,
} from "../../../lib/book_loan_messages.ts";
import { BookLoans, bookLoanTitle } from "../../../lib/book_loans.ts";

/** GET /book-loans/{id} */
export async function Page(c: Ctx<"/book-loans/{id}">): Promise<Node> {
  const row = await use(c, BookLoans).get(c.param("id", int()));
  c.title = bookLoanTitle(row);
  const line = (
    field: Parameters<typeof bookLoanLabels.text>[1],
    value: h.Child,
  ): [h.Child, h.Child] => [
    c.t(bookLoanLabels, field),
    // Zero is a value.
    value || value === 0 ? value : "–",
  ];
  return h.fragment(
    ui.pageHeader(
      c.title,
      ui.buttonLink(
        c.href("/book-loans/{id}/edit", { id: row.id }),
        ui.outline,
        c.t(bookLoanMessages, "edit"),
      ),
      ui.buttonLink(
        c.href("/book-loans/{id}/delete", { id: row.id }),
        ui.ghost,
        c.t(bookLoanMessages, "delete"),
      ),
    ),
    ui.details([
      // each field
      line("headline", row.headline),
      line("remark", row.remark),
      line(
        "story",
        h.mapIndex(row.story.split("\n"), (line, at) => h.fragment(at > 0 && h.br(), line)),
      ),
      line(
        "memo",
        row.memo &&
          h.mapIndex(row.memo.split("\n"), (line, at) => h.fragment(at > 0 && h.br(), line)),
      ),
      line(
        "contact",
        row.contact && h.a(h.href(`mailto:${row.contact}`), row.contact),
      ),
      line("backup", row.backup && h.a(h.href(`mailto:${row.backup}`), row.backup)),
      line("website", row.website && h.a(h.href(row.website), row.website)),
      line("mirror", row.mirror && h.a(h.href(row.mirror), row.mirror)),
      line("genre", bookLoanValue(c, "genre", row.genre)),
      line("mood", bookLoanValue(c, "mood", row.mood)),
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
        "cover",
        row.coverHash && h.img(
          h.src(c.href("/book-loans/{id}/cover", { id: row.id }, { query: { v: row.coverHash } })),
          h.width(240),
          h.alt(c.t(bookLoanLabels, "cover")),
        ),
      ),
      line(
        "scan",
        row.scanHash && h.a(
          h.href(c.href("/book-loans/{id}/scan", { id: row.id }, { query: { v: row.scanHash } })),
          h.download(row.scanName ?? ""),
          row.scanName,
        ),
      ),
      // end
    ], ui.wide),
    h.p(h.a(h.href(c.href("/book-loans")), c.t(bookLoanMessages, "all"))),
  );
}
