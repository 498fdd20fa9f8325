import type { Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import type { Section } from "./section.ts";
import source from "./long_forms.ts" with { type: "text" };

function sections(): Node {
  return ui.form(
    ui.formSection(
      "Basics",
      "What customers see in lists.",
      ui.field(
        "long-title",
        "Title",
        ui.input(h.name("title"), h.maxlength(80), h.value("Stoneware mug")),
        ui.help(ui.charCount(80, 13)),
      ),
      ui.field(
        "long-address",
        "Address",
        ui.affix({ prefix: "shop.example/" }, ui.input(h.name("address"))),
        ui.optional(),
      ),
    ),
    ui.formSection(
      "Price and time",
      "Prices include taxes.",
      ui.field(
        "long-price",
        "Price",
        ui.affix({ prefix: "€", suffix: "EUR" }, ui.input(h.name("price"))),
        ui.half,
      ),
      ui.field("long-starts", "Starts", ui.input(h.type("date"), h.name("starts")), ui.half),
      ui.radioGroup("long-status", {
        legend: "Status",
        selected: "draft",
        cards: true,
        options: [
          { value: "draft", label: "Draft", help: "Only your team sees it" },
          { value: "active", label: "Active", help: "On sale from the start date" },
        ],
      }),
    ),
    ui.formSection(
      "Cover and tags",
      undefined,
      ui.field(
        "long-cover",
        "Cover",
        ui.dropzone("PNG or JPEG, up to 512 KB", h.name("cover"), h.accept("image/*")),
        ui.optional(),
      ),
      ui.field(
        "long-tags",
        "Tags",
        ui.combobox(
          { options: ["clay", "kitchen", "rustic", "wood"], selected: ["clay"] },
          h.multiple(),
          h.name("tags"),
        ),
      ),
    ),
    ui.formFooter(ui.buttonLink("#", ui.outline, "Cancel"), ui.submit("Save product")),
  );
}

function range(): Node {
  return ui.toolbar(
    ui.field("from", "From", ui.input(h.type("date"), h.name("from")), ui.half),
    ui.field("to", "To", ui.input(h.type("date"), h.name("to")), ui.half),
    ui.field("third", "Area", ui.input(h.name("area")), ui.third),
    ui.submit(ui.outline, "Show"),
  );
}

function signIn(): Node {
  return ui.authCard(
    "Welcome back",
    "Sign in to look after your products.",
    ui.button(ui.wide, ui.icon("passkey"), "Sign in with a passkey"),
    ui.orLine("or with your password"),
    ui.form(
      ui.field("sign-email", "Email", ui.input(h.name("email"), h.type("email"))),
      ui.field(
        "sign-password",
        "Password",
        ui.passwordInput(h.name("password"), h.autocomplete("current-password")),
      ),
      ui.submit(ui.outline, ui.wide, "Sign in"),
    ),
  );
}

function code(): Node {
  return ui.field("one-time", "Code", ui.codeInput(6, h.name("code")), "From your app.");
}

function small(): Node {
  return ui.popover("shipping", "Shipping", h.p("Two to four days."));
}

function wrong(): Node {
  return ui.fault(
    "This page does not exist",
    h.p("The address may be mistyped, or the page may have moved."),
    ui.buttonLink("/", "Back to the start"),
  );
}

function accountParts(): Node {
  const isCurrent = true;
  return ui.settings(
    "Settings",
    [
      ui.navLink("#profile", [ui.icon("user"), "Profile"], isCurrent),
      ui.navLink("#sessions", [ui.icon("laptop"), "Sessions"]),
    ],
    ui.card(ui.cardHeader("Profile", h.p("Your team sees this beside what you do."))),
  );
}

export const longForms: Section = {
  name: "long-forms",
  title: "Long forms and accounts",
  lead: "Sections, affixes, tags, a foot that stays in sight; signing in and settings.",
  examples: [
    { title: "Sections", make: sections },
    { title: "Two dates", make: range },
    { title: "Signing in", make: signIn },
    { title: "A code that is used once", make: code },
    { title: "Settings", make: accountParts },
    { title: "A small panel", make: small },
    { title: "What went wrong", make: wrong },
  ],
  source,
};
