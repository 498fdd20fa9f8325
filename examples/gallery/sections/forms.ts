import { bool, type Ctx, date, FieldErrors, int, type Node, struct, text, texts } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import type { Section } from "./section.ts";
import source from "./forms.ts" with { type: "text" };

function schema(c: Ctx): Node {
  const NewWalk = struct({
    title: text("required,max=80"),
    starts: date("required,min=2026-01-01T00:00"),
    places: int("required,min=1,max=30"),
    pace: text("required,oneof=slow steady brisk"),
    languages: texts(),
    meetingPoint: struct({ street: text("required"), hint: text("max=400") }),
    isFree: bool(),
  });
  return ui.form(c, NewWalk, {
    values: { title: "Azulejos of Alfama", places: 40, languages: ["pt"] },
    errors: new FieldErrors().add("places", "must be at most 30"),
    labels: { places: "Number of places", isFree: "It costs nothing" },
    help: { places: "Guides walk with groups of up to 30." },
    fields: {
      pace: { type: "radio" },
      languages: {
        choices: [{ value: "pt", label: "Portuguese" }, { value: "en", label: "English" }],
      },
    },
    files: { map: { accept: ["image/png", "application/pdf"], optional: true } },
    submit: "Announce the walk",
    idPrefix: "walk-",
  });
}

function fields(): Node {
  return ui.stack(
    ui.field(
      "title",
      "Title",
      ui.input(h.name("title"), h.required(), h.placeholder("Fado at dusk")),
    ),
    ui.field(
      "summary",
      "Summary",
      ui.textarea(h.name("summary"), h.maxlength(200)),
      ui.help("One or two sentences; lists show them below the title."),
    ),
    ui.field(
      "area",
      "Neighbourhood",
      ui.select(
        h.name("area"),
        ui.selectOptions([{ value: "", label: "Choose one" }, "Alfama", "Chiado", "Graça"]),
      ),
    ),
  );
}

function errors(): Node {
  const errors = new FieldErrors()
    .add("email", "must be an email address")
    .add("seats", "must be at most 500");
  return ui.stack(
    ui.errorSummary(errors, { email: "Email", seats: "Seats" }),
    ui.field(
      "email",
      "Email",
      ui.input(h.name("email"), h.type("email"), h.value("ada@"), h.autocomplete("email")),
      ui.errors(errors, "email"),
    ),
    ui.field(
      "seats",
      "Seats",
      ui.input(h.name("seats"), h.inputmode("numeric"), h.value("900")),
      ui.help("How many people fit in."),
      ui.errors(errors, "seats"),
    ),
  );
}

function choices(): Node {
  return ui.stack(
    ui.checkbox("terms", "I accept the terms", h.name("terms"), h.checked()),
    ui.checkbox(
      "news",
      "Send me the newsletter",
      h.name("news"),
      ui.help("Once a month, and never anything else."),
    ),
    ui.switch("public", "Show the event to everybody", h.name("public"), h.checked()),
    ui.switch("remind", "Remind me the day before", h.name("remind")),
    ui.radioGroup("plan", {
      legend: "Plan",
      selected: "team",
      options: [
        { value: "free", label: "Free", help: "One calendar, for yourself." },
        { value: "team", label: "Team", help: "Shared calendars, up to ten people." },
        { value: "city", label: "City", help: "Ask us first.", disabled: true },
      ],
    }),
  );
}

function together(): Node {
  return ui.fieldset(
    "What are you interested in?",
    ui.checkbox("music", "Music", h.name("tags"), h.value("music"), h.checked()),
    ui.checkbox("walks", "Walks", h.name("tags"), h.value("walks")),
    ui.checkbox("talks", "Talks", h.name("tags"), h.value("talks"), h.checked()),
  );
}

function others(): Node {
  return ui.grid(
    ui.field(
      "starts",
      "Starts on",
      ui.input(h.type("date"), h.name("starts"), h.value("2026-05-01")),
    ),
    ui.field(
      "city",
      "City",
      ui.combobox({ options: ["Braga", "Coimbra", "Évora", "Lisbon", "Porto"] }, h.name("city")),
    ),
    ui.field("photo", "Photo", ui.fileInput(h.name("photo"), h.accept("image/*"))),
    ui.field("code", "Code", ui.input(h.name("code"), h.value("LX-2026"), h.disabled())),
  );
}

function conditional(): Node {
  return ui.form(
    ui.field(
      "kind",
      "You are",
      ui.select(
        h.name("kind"),
        ui.selectOptions([
          { value: "person", label: "A person" },
          { value: "company", label: "A company" },
        ], "company"),
      ),
    ),
    ui.field(
      "vat",
      "VAT number",
      ui.input(h.name("vat")),
      ui.with(ui.showWhen("kind", "company")),
    ),
    ui.actions(
      ui.button(ui.outline, h.type("reset"), "Reset"),
      ui.submit("Continue"),
    ),
  );
}

function filter(): Node {
  return ui.toolbar(
    ui.field("filter-name", "Name", ui.input(h.name("name"), h.type("search"))),
    ui.field(
      "filter-area",
      "Area",
      ui.select(h.name("area"), ui.selectOptions(["Any", "Alfama", "Graça"])),
    ),
    ui.submit(ui.secondary, ui.icon("filter"), "Filter"),
  );
}

export const forms: Section = {
  name: "forms",
  title: "Forms",
  lead:
    "A field joins its label, control, help and error, so that everybody learns what belongs together.",
  source,
  examples: [
    {
      title: "The form of a schema",
      text: "Controls, attributes, labels and messages follow from the schema that reads the form.",
      make: schema,
    },
    { title: "Fields", make: fields },
    {
      title: "Errors",
      text: "What a submission got wrong, as the framework's own FieldErrors.",
      make: errors,
    },
    { title: "Boxes, switches and choices", make: choices },
    { title: "Boxes that belong together", make: together },
    { title: "Dates, suggestions, files", make: others },
    {
      title: "Conditional fields",
      text: "Hidden controls are disabled and are not sent. Without a script all are shown.",
      make: conditional,
    },
    { title: "A filter above a list", make: filter },
  ],
};
