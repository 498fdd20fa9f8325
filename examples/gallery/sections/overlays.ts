import type { Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import type { Section } from "./section.ts";
import source from "./overlays.ts" with { type: "text" };

function dialogs(): Node {
  return ui.row(
    ui.dialogOpen("share", ui.outline, ui.icon("external"), "Share"),
    ui.dialog(
      "share",
      "Share this event",
      h.p("Anybody with the link can see it."),
      ui.field("share-link", "Link", ui.input(h.readonly(), h.value("https://example.com/e/42"))),
      ui.actions(ui.dialogClose("share", ui.outline, "Close"), ui.button("Copy")),
    ),
  );
}

function sheets(): Node {
  return ui.row(
    ui.dialogOpen("filters", ui.outline, ui.icon("filter"), "Filters"),
    ui.sheet(
      "filters",
      "Filters",
      ui.field("filter-area", "Neighbourhood", ui.select(ui.selectOptions(["Alfama", "Graça"]))),
      ui.checkbox("filter-free", "Free events only"),
      ui.actions(ui.dialogClose("filters", "Show 24 events")),
    ),
    ui.dialogOpen("contents", ui.outline, "Contents"),
    ui.sheet("contents", "Contents", ui.start, h.p("At the edge where lines begin.")),
  );
}

function menus(): Node {
  return ui.row(
    ui.menu(
      "Options",
      ui.menuTitle("Event"),
      ui.menuLink("#content", ui.icon("edit"), "Edit"),
      ui.menuLink("#content", ui.icon("copy"), "Duplicate", h.kbd("D")),
      ui.separator(),
      ui.menuButton(h.type("button"), ui.destructive, ui.icon("trash"), "Delete"),
    ),
    ui.menu(
      h.group(ui.ghost, ui.square, h.aria("label", "More"), ui.icon("more")),
      ui.menuLink("#content", ui.icon("inbox"), "Archive"),
    ),
    ui.spacer(),
    ui.menu("At the end", ui.end, ui.menuLink("#content", ui.icon("settings"), "Settings")),
  );
}

function confirmation(): Node {
  return h.form(
    ui.confirm("Delete this event?", "Everybody who booked is told."),
    ui.submit(ui.destructive, ui.icon("trash"), "Delete the event"),
  );
}

function commands(): Node {
  return ui.row(
    ui.dialogOpen("commands", ui.outline, ui.icon("search"), "Search", h.kbd("Ctrl K")),
    ui.commandDialog(
      "commands",
      ui.commandGroup(
        "Components",
        ui.menuLink("/components/buttons", ui.icon("plus"), "Buttons"),
        ui.menuLink("/components/forms", ui.icon("edit"), "Forms"),
        ui.menuLink("/components/data", ui.icon("folder"), "Data"),
      ),
      ui.commandGroup(
        "Screens",
        ui.menuLink("/screens/sign-in", ui.icon("lock"), "Sign in"),
        ui.menuLink("/screens/orders", ui.icon("inbox"), "Orders"),
      ),
    ),
  );
}

export const overlays: Section = {
  name: "overlays",
  title: "Overlays",
  lead:
    "Native elements: the browser keeps the focus, closes by Escape and needs no script for it.",
  source,
  examples: [
    { title: "Dialog", make: dialogs },
    { title: "Sheet", make: sheets },
    { title: "Menu", make: menus },
    { title: "Confirmation", make: confirmation },
    { title: "Commands", make: commands },
  ],
};
