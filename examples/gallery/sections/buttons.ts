import type { Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import type { Section } from "./section.ts";
import source from "./buttons.ts" with { type: "text" };

function variants(): Node {
  return ui.row(
    ui.button(ui.primary, "Primary"),
    ui.button(ui.secondary, "Secondary"),
    ui.button(ui.outline, "Outline"),
    ui.button(ui.ghost, "Ghost"),
    ui.button(ui.destructive, "Delete"),
    ui.button(ui.link, "Link"),
  );
}

function sizes(): Node {
  return ui.row(
    ui.button(ui.small, "Small"),
    ui.button("Usual"),
    ui.button(ui.large, "Large"),
    ui.button(ui.outline, ui.square, h.aria("label", "Search"), ui.icon("search")),
    ui.button(ui.outline, h.disabled(), "Disabled"),
  );
}

function withIcons(): Node {
  return ui.row(
    ui.button(ui.icon("plus"), "New event"),
    ui.button(ui.outline, ui.icon("download"), "Export"),
    ui.buttonLink("#content", ui.ghost, "Documentation", ui.icon("arrow-right")),
  );
}

function badges(): Node {
  return ui.row(
    ui.badge("New"),
    ui.badge(ui.secondary, "Draft"),
    ui.badge(ui.outline, "v0.1"),
    ui.badge(ui.success, ui.icon("check"), "Paid"),
    ui.badge(ui.warning, "Late"),
    ui.badge(ui.info, "In review"),
    ui.badge(ui.destructive, "Cancelled"),
  );
}

export const buttons: Section = {
  name: "buttons",
  title: "Buttons and badges",
  lead:
    "Variants and sizes are class attributes: mix them with attributes and content in any order.",
  source,
  examples: [
    { title: "Variants", make: variants },
    {
      title: "Sizes",
      text: "A square button holds an icon and says its name in aria-label.",
      make: sizes,
    },
    { title: "Icons, and links that look like buttons", make: withIcons },
    { title: "Badges", make: badges },
  ],
};
