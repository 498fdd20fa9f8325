import type { Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import type { Section } from "./section.ts";
import source from "./feedback.ts" with { type: "text" };

function alerts(): Node {
  return ui.stack(
    ui.alert("Doors open at seven", ui.icon("info"), ui.info, h.p("The bar opens an hour before.")),
    ui.alert("The event is announced", ui.icon("circle-check"), ui.success),
    ui.alert("Nine seats are left", ui.icon("alert"), ui.warning, h.p("Book before Friday.")),
    ui.alert(
      "The payment failed",
      ui.icon("circle-x"),
      ui.destructive,
      h.p("Nothing was charged. ", h.a(h.href("#content"), "Try another card"), "."),
    ),
    ui.alert("A note without a colour", h.p("For what only accompanies the page.")),
  );
}

function toasts(): Node {
  return ui.stack(
    ui.toast("success", "The event was saved."),
    ui.toast("info", "A guest changed the booking."),
    ui.toast("error", "The photo is larger than 5 MB."),
  );
}

function tooltips(): Node {
  return ui.row(
    ui.button(ui.outline, ui.tooltip("Also by Ctrl+S"), "Save"),
    ui.button(
      ui.ghost,
      ui.square,
      h.aria("label", "Copy the link"),
      ui.tooltip("Copy the link"),
      ui.icon("link"),
    ),
  );
}

export const feedback: Section = {
  name: "feedback",
  title: "Feedback",
  lead: "What happened, what to know, what to do about it.",
  source,
  examples: [
    { title: "Alerts", make: alerts },
    {
      title: "Toasts",
      text:
        "c.flash in the handler, ui.flashes(c) in the layout: they appear at the edge of the window.",
      make: toasts,
    },
    {
      title: "Tips",
      text: "Without the script the browser shows its own.",
      make: tooltips,
    },
  ],
};
