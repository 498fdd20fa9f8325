import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import type { Section } from "./section.ts";
import source from "./lists.ts" with { type: "text" };

const products = [
  {
    id: 1,
    title: "Stoneware mug, 350 ml",
    detail: "Thrown by hand",
    price: "€24.00",
    starts: "27 Nov 2026",
  },
  {
    id: 2,
    title: "Brass reading lamp",
    detail: "Turns on its foot",
    price: "€148.50",
    starts: "24 Nov 2026",
  },
];

function selectable(c: Ctx): Node {
  return ui.rows(
    ui.dataTable({
      caption: "Products",
      columns: [
        {
          title: "Product",
          cell: (row) =>
            ui.item(row.title, {
              href: `#product-${row.id}`,
              image: ui.thumb(undefined),
              detail: row.detail,
            }),
        },
        {
          title: "Status",
          kind: "badge",
          cell: ({ id }) =>
            id === 1
              ? ui.badge(ui.success, ui.dot, "Active")
              : ui.badge(ui.warning, ui.hollow, "Draft"),
        },
        { title: "Price", kind: "money", cell: (row) => row.price },
        { title: "Starts", kind: "date", cell: (row) => row.starts },
      ],
      rows: products,
      select: { form: "bulk", value: (row) => row.id, label: (row) => row.title },
      menu: {
        label: (row) => row.title,
        items: (row) => ui.menuLink(`#edit-${row.id}`, ui.icon("edit"), "Edit"),
      },
      cards: true,
    }, ui.hiddenCaption),
    ui.bulkBar(
      c,
      "bulk",
      ui.bulkButton("archive", "archive", "Archive"),
      ui.bulkButton("delete", "trash", ui.destructive, "Delete…"),
    ),
  );
}

function filters(): Node {
  return ui.stack(
    ui.segmented("Status", [
      { label: "All", href: "#all", count: 96, current: true },
      { label: "Active", href: "#active", count: 61 },
      { label: "Draft", href: "#draft", count: 22 },
    ]),
    ui.toolbar(
      ui.search("Search title and text", h.name("q")),
      ui.chips(
        ui.filterChip("Starts", "since 1 Sep 2026", "#all"),
        ui.addFilter(ui.menuLink("#price", "Price"), ui.submit(ui.outline, "Show")),
      ),
    ),
  );
}

function byKey(): Node {
  return ui.pager({ next: "#next", last: "#last", note: "More than 1,000" });
}

function known(): Node {
  return ui.split(
    ui.card(
      ui.cardHeader("Activity"),
      ui.timeline([
        {
          text: h.fragment(h.strong("Ada"), " published it"),
          at: "09:14",
          icon: "check",
          tone: ui.success,
        },
        { text: h.fragment(h.strong("Grace"), " changed the price"), at: "08:50", icon: "edit" },
      ]),
    ),
    ui.card(
      ui.cardHeader("Details"),
      ui.details([["Price", "€24.00"], ["Stock", 12], ["Weight", "410 g"]]),
    ),
  );
}

function sessions(): Node {
  return ui.itemList(
    ui.outline,
    ui.listItem(
      "Firefox on Linux",
      { image: ui.sign("laptop"), detail: h.span(ui.muted, "Lisbon, now") },
      ui.badge(ui.success, ui.dot, "This device"),
    ),
    ui.listItem(
      "Safari on iPhone",
      { image: ui.sign("phone"), detail: "Porto, yesterday" },
      ui.button(ui.outline, ui.small, "Sign out"),
    ),
  );
}

function pictures(): Node {
  return ui.media([
    { src: "/portrait.svg", alt: "The front" },
    { src: "/portrait.svg", alt: "The side", href: "#side" },
    { src: "/portrait.svg", alt: "The back", href: "#back" },
  ]);
}

function copied(): Node {
  return ui.snippet("deno task generate resource products title:text,required");
}

export const lists: Section = {
  name: "lists",
  title: "Lists and details",
  lead: "Rows to choose from, filters with an address, and what is known of one of them.",
  examples: [
    {
      title: "Rows to choose",
      text: "On a phone the rows are cards. The bar appears with the first chosen row.",
      make: selectable,
    },
    { title: "Views and filters", make: filters },
    { title: "Pages by key", make: byKey },
    { title: "Activity and details", make: known },
    { title: "Things below each other", make: sessions },
    { title: "Pictures", make: pictures },
    { title: "A line to copy", make: copied },
  ],
  source,
};
