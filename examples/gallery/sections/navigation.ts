import type { Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import type { Section } from "./section.ts";
import source from "./navigation.ts" with { type: "text" };

function headers(): Node {
  const isHome = true;
  return ui.header(
    ui.brand("/", "Lookout"),
    ui.nav(
      h.aria("label", "Example"),
      ui.navLink("#content", "Home", isHome),
      ui.navLink("#content", "Events"),
      ui.navLink("#content", "About"),
    ),
    ui.spacer(),
    ui.themeToggle(),
    ui.button(ui.outline, ui.small, "Sign in"),
  );
}

function trail(): Node {
  return ui.breadcrumb([
    { text: "Events", href: "#content" },
    { text: "May", href: "#content" },
    { text: "Fado at dusk" },
  ], h.aria("label", "Example trail"));
}

function settings(): Node {
  return ui.tabs("settings", [
    {
      label: "Account",
      content: ui.field("account-name", "Name", ui.input(h.value("Ada Lovelace"))),
    },
    {
      label: "Password",
      content: ui.field(
        "account-pass",
        "New password",
        ui.input(h.type("password"), h.autocomplete("new-password")),
      ),
    },
    { label: "Notices", content: ui.switch("account-mail", "Write to me") },
  ]);
}

function questions(): Node {
  return ui.accordion("questions", [
    {
      title: "Can I bring a friend?",
      content: h.p("Yes: book two seats, under one name."),
      open: true,
    },
    { title: "Is there a cloakroom?", content: h.p("There is, on the left of the entrance.") },
    { title: "When do doors open?", content: h.p("An hour before it starts.") },
  ]);
}

function foot(): Node {
  return ui.footer(
    ui.row(
      ui.brand("/", "Lookout"),
      ui.spacer(),
      h.a(h.href("#content"), "Imprint"),
      h.a(h.href("#content"), "Privacy"),
    ),
  );
}

export const navigation: Section = {
  name: "navigation",
  title: "Navigation",
  lead: "Where one is, and where one can go: real links, so every place has an address.",
  source,
  examples: [
    { title: "Header", make: headers },
    { title: "Trail", make: trail },
    {
      title: "Tabs",
      text: "Without the script the parts stand below each other, under a list of links.",
      make: settings,
    },
    { title: "Accordion", make: questions },
    { title: "Footer", make: foot },
  ],
};
