import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import type { Section } from "./section.ts";
import source from "./data.ts" with { type: "text" };

function sortable(c: Ctx): Node {
  const events = [
    { title: "Fado at dusk", area: "Alfama", seats: 40, state: ui.badge(ui.success, "Open") },
    {
      title: "Night of galleries",
      area: "Chiado",
      seats: 1200,
      state: ui.badge(ui.warning, "Few"),
    },
    { title: "Tile workshop", area: "Graça", seats: 12, state: ui.badge(ui.secondary, "Full") },
  ];
  const isDown = c.query("direction") === "desc";
  return ui.dataTable({
    caption: "Events of the week",
    columns: [
      { title: "Title", key: "title", cell: (event) => event.title },
      { title: "Neighbourhood", cell: (event) => event.area },
      { title: "State", cell: (event) => event.state },
      { title: "Seats", numeric: true, cell: (event) => event.seats.toLocaleString("en") },
    ],
    rows: isDown ? events.toReversed() : events,
    sort: { key: "title", direction: isDown ? "desc" : "asc" },
    href: ({ key, direction }) => `?sort=${key}&direction=${direction}`,
  });
}

function levels(): Node {
  const accounts = [
    { name: "Income", level: 0, amount: "48,200.00" },
    { name: "Tickets", level: 1, amount: "41,900.00" },
    { name: "Online", level: 2, amount: "30,100.00" },
    { name: "At the door", level: 2, amount: "11,800.00" },
    { name: "Bar", level: 1, amount: "6,300.00" },
  ];
  return ui.dataTable({
    caption: "Accounts",
    columns: [
      { title: "Account", cell: (account) => account.name },
      { title: "Amount", numeric: true, cell: (account) => account.amount },
    ],
    rows: accounts,
    row: (account) => ui.depth(account.level),
  }, ui.hiddenCaption);
}

function plain(): Node {
  return ui.table(
    "Opening hours",
    h.thead(
      h.tr(
        h.th(h.scope("col"), "Day"),
        h.th(h.scope("col"), ui.num(), "Opens"),
        h.th(h.scope("col"), ui.visuallyHidden("Actions")),
      ),
    ),
    h.tbody(
      h.tr(
        h.td(ui.nowrap, "Monday to Friday"),
        h.td(ui.num(), "18:00"),
        h.td(ui.num(), ui.buttonLink("#content", ui.outline, ui.small, "Change")),
      ),
      h.tr(
        h.td("Saturday"),
        h.td(ui.num(), "16:00"),
        h.td(ui.num(), ui.buttonLink("#content", ui.outline, ui.small, "Change")),
      ),
    ),
  );
}

function none(): Node {
  return ui.dataTable({
    caption: "Invoices",
    columns: [
      { title: "Number", cell: String },
      { title: "Amount", numeric: true, cell: String },
    ],
    rows: [],
    empty: "No invoice has been written this year.",
  });
}

function pages(): Node {
  return ui.stack(
    ui.pagination({ page: 1, pages: 4, href: (page) => `?page=${page}` }),
    ui.pagination(
      { page: 6, pages: 12, href: (page) => `?page=${page}` },
      h.aria("label", "Orders"),
    ),
  );
}

export const data: Section = {
  name: "data",
  title: "Data",
  lead: "Tables whose order and page are in the address: they can be shared, and need no script.",
  source,
  examples: [
    { title: "Sortable columns", make: sortable },
    { title: "Levels", make: levels },
    { title: "A plain table", make: plain },
    { title: "No rows", make: none },
    { title: "Pages", make: pages },
  ],
};
