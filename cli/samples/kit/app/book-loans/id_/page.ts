import { type Ctx, int, type Node, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import { formatOf } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";
import {
  bookLoanLabels,
  bookLoanMessages,
  bookLoanValue,
} from "../../../lib/book_loan_messages.ts";
import { type BookLoanRow, BookLoans, bookLoanTitle } from "../../../lib/book_loans.ts";

/** GET /book-loans/{id} */
export function Page(c: Ctx<"/book-loans/{id}">): Node {
  const row = use(c, BookLoans).get(c.param("id", int()));
  c.title = bookLoanTitle(row);
  const line = (field: keyof Omit<BookLoanRow, "id">, value: h.Child): Node =>
    h.tr(
      h.th(h.scope("row"), c.t(bookLoanLabels, field)),
      // Zero is a value.
      h.td(value || value === 0 ? value : "–"),
    );
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
    ui.table(
      c.title,
      ui.hiddenCaption,
      h.tbody(
        // each field
        line("headline", row.headline),
        line("remark", row.remark),
        line(
          "story",
          h.either(
            row.story,
            (text) =>
              h.mapIndex(text.split("\n"), (line, at) => h.fragment(at > 0 && h.br(), line)),
            "–",
          ),
        ),
        line(
          "memo",
          h.either(
            row.memo,
            (text) =>
              h.mapIndex(text.split("\n"), (line, at) => h.fragment(at > 0 && h.br(), line)),
            "–",
          ),
        ),
        line(
          "contact",
          h.either(row.contact, (email) => h.a(h.href(`mailto:${email}`), email), "–"),
        ),
        line("backup", h.either(row.backup, (email) => h.a(h.href(`mailto:${email}`), email), "–")),
        line("website", h.either(row.website, (url) => h.a(h.href(url), url), "–")),
        line("mirror", h.either(row.mirror, (url) => h.a(h.href(url), url), "–")),
        line("genre", bookLoanValue(c, "genre", row.genre)),
        line("mood", bookLoanValue(c, "mood", row.mood)),
        line("seats", row.seats),
        line("spare", row.spare),
        line("views", String(row.views)),
        line("peak", row.peak?.toString()),
        line("price", row.price),
        line("ratio", row.ratio),
        line("lent", c.t(bookLoanMessages, row.lent ? "yes" : "no")),
        line("opens", formatOf(c.language).date(row.opens)),
        line("closes", row.closes && formatOf(c.language).date(row.closes)),
        line(
          "begins",
          formatOf(c.language).date(row.begins, { dateStyle: "long", timeStyle: "short" }),
        ),
        line(
          "ends",
          row.ends &&
            formatOf(c.language).date(row.ends, { dateStyle: "long", timeStyle: "short" }),
        ),
        line(
          "cover",
          h.either(row.cover, ({ hash }) =>
            h.img(
              h.src(c.href("/book-loans/{id}/cover", { id: row.id }, { query: { v: hash } })),
              h.width(240),
              h.alt(c.t(bookLoanLabels, "cover")),
            ), "–"),
        ),
        line(
          "scan",
          h.either(row.scan, ({ name, hash }) =>
            h.a(
              h.href(c.href("/book-loans/{id}/scan", { id: row.id }, { query: { v: hash } })),
              h.download(name),
              name,
            ), "–"),
        ),
        // end
      ),
    ),
    h.p(h.a(h.href(c.href("/book-loans")), c.t(bookLoanMessages, "all"))),
  );
}
