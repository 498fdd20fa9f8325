import type { Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import type { Section } from "./section.ts";
import source from "./content.ts" with { type: "text" };

function cards(): Node {
  return ui.grid(
    ui.card(
      ui.cardHeader("Team", h.p("Ten people, shared calendars.")),
      ui.stat("A month", "€ 12", ui.badge(ui.success, "2 months free")),
      ui.cardFooter(ui.buttonLink("#content", ui.wide, "Choose Team")),
    ),
    ui.card(
      ui.cardHeader("Reservations", h.p("Saturday, Coliseu dos Recreios.")),
      ui.progress("Seats taken", 72),
      h.p("288 of 400 seats are taken."),
      ui.cardFooter(ui.button(ui.outline, ui.small, "Guest list")),
    ),
  );
}

function people(): Node {
  return ui.row(
    ui.avatar("Ada Lovelace"),
    ui.avatar("Grace Hopper", {}, ui.small),
    ui.avatar("Katherine Johnson", {}, ui.large),
    ui.avatar("Mary Jackson", { src: "/portrait.svg" }),
  );
}

function waiting(): Node {
  return ui.grid(
    ui.stack(ui.skeleton(3)),
    ui.stack(ui.progress("Upload", 40), ui.progress("Working", undefined)),
  );
}

function empty(): Node {
  return ui.emptyState(
    "No events yet",
    ui.icon("calendar"),
    h.p("Announce the first one; it takes a minute."),
    ui.button(ui.icon("plus"), "New event"),
  );
}

function figures(): Node {
  return ui.grid(
    ui.card(ui.stat("Visitors", "12,480", h.p("18 % more than in April"))),
    ui.card(ui.stat("Bookings", "864", h.p("4 % more"))),
    ui.card(ui.stat("Refunds", "9", h.p("3 fewer"))),
  );
}

function prose(): Node {
  return ui.stack(
    h.h2("What is under the kit"),
    h.p(
      "Plain HTML looks right ",
      h.strong("without a class"),
      ": ",
      h.a(h.href("#"), "links"),
      ", ",
      h.code("code"),
      ", ",
      h.kbd("Ctrl K"),
      " and lists.",
    ),
    h.ul(h.li("One stylesheet of layers: your own rules win."), h.li("One theme of variables.")),
    h.blockquote(h.p("A tool should be felt as little as possible.")),
    h.pre(h.tabindex(0), h.code("deno task ui\ndeno task dev")),
  );
}

export const content: Section = {
  name: "content",
  title: "Content",
  lead: "Surfaces, figures and people; what stands where nothing is yet.",
  source,
  examples: [
    { title: "Cards", make: cards },
    { title: "Figures", make: figures },
    { title: "People", make: people },
    { title: "On its way", make: waiting },
    { title: "Nothing yet", make: empty },
    { title: "Text", make: prose },
  ],
};
