import { type Ctx, int, type Node, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import { formatOf } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";
import { loanBadge, loanLabels, loanMessages } from "@/lib/loan_messages.ts";
import { Loans, loanTitle } from "@/lib/loans.ts";

/** GET /loans/{id} */
export async function Page(c: Ctx<"/loans/{id}">): Promise<Node> {
  const row = await use(c, Loans).get(c.param("id", int()));
  const beside = await use(c, Loans).neighbours(row.id);
  c.title = loanTitle(row);
  const known = ui.card(
    ui.cardHeader(h.h2(c.t(loanMessages, "row"))),
    ui.fieldDetails({
      status: row.status && loanBadge(c, "status", row.status),
      price: ui.amount(c, row.price, "EUR"),
      stock: row.stock,
      released: row.released &&
        formatOf(c.language).date(new Date(row.released), { dateStyle: "medium" }),
      eventId: row.eventId &&
        h.a(h.href(c.href("/events/{id}", { id: row.eventId })), row.eventName),
    }, (name) => c.t(loanLabels, name)),
  );
  return ui.detailPage(
    c,
    {
      title: c.title,
      text: `#${row.id}`,
      badge: row.status && loanBadge(c, "status", row.status),
      edit: c.href("/loans/{id}/edit", { id: row.id }),
      remove: {
        href: c.href("/loans/{id}/delete", { id: row.id }),
        title: c.t(loanMessages, "deleteTitle", { title: c.title }),
      },
      beside: beside.map((id) => id === undefined ? undefined : c.href("/loans/{id}", { id })),
      known,
    },
    row.photoHash &&
      ui.card(ui.media([{
        src: c.href("/loans/{id}/photo", { id: row.id }, { query: { v: row.photoHash } }),
        alt: c.t(loanLabels, "photo"),
      }])),
    ui.textCard(c.t(loanLabels, "notes"), row.notes),
  );
}
