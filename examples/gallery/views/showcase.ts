import type { Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";

/** Renders many components together, as in an application. */
export function showcase(): Node {
  return h.div(
    h.class("showcase"),
    eventCard(),
    visitorsCard(),
    guestsCard(),
    planCard(),
    noticeCard(),
    questionsCard(),
  );
}

function eventCard(): Node {
  return ui.card(
    ui.cardHeader(h.h2("New event"), h.p("It is shown once you publish it.")),
    ui.form(
      ui.field("show-title", "Title", ui.input(h.value("Fado at dusk"))),
      ui.field(
        "show-area",
        "Neighbourhood",
        ui.select(ui.selectOptions(["Alfama", "Chiado", "Graça"], "Graça")),
      ),
      ui.field(
        "show-seats",
        "Seats",
        ui.input(h.inputmode("numeric"), h.value("900")),
        ui.error("must be at most 500"),
      ),
      ui.switch("show-public", "Show it to everybody", h.checked()),
      ui.actions(ui.button(ui.outline, "Cancel"), ui.submit("Publish")),
    ),
  );
}

function visitorsCard(): Node {
  return ui.card(
    ui.row(
      ui.stat("Visitors this week", "12,480"),
      ui.spacer(),
      ui.badge(ui.success, ui.icon("arrow-up"), "18 %"),
    ),
    ui.progress("Seats taken", 72),
    h.p(h.class("quiet"), "288 of 400 seats are taken for Saturday."),
  );
}

function guestsCard(): Node {
  const guests = [
    { name: "Ada Lovelace", mail: "ada@example.com", state: ui.badge(ui.success, "Confirmed") },
    { name: "Grace Hopper", mail: "grace@example.com", state: ui.badge(ui.warning, "Waiting") },
    { name: "Mary Jackson", mail: "mary@example.com", state: ui.badge(ui.secondary, "Invited") },
  ];
  return ui.card(
    ui.cardHeader(h.h2("Guests")),
    h.ul(
      h.class("guests"),
      h.map(guests, ({ name, mail, state }) =>
        h.li(
          ui.avatar(name),
          h.div(h.p(name), h.p(h.class("quiet"), mail)),
          state,
        )),
    ),
    ui.cardFooter(
      ui.button(ui.outline, ui.small, ui.icon("plus"), "Invite"),
      ui.spacer(),
      ui.menu(
        h.group(ui.ghost, ui.square, ui.small, h.aria("label", "More"), ui.icon("more")),
        ui.end,
        ui.menuLink("#content", ui.icon("download"), "Guest list"),
        ui.menuLink("#content", ui.icon("mail"), "Write to all"),
      ),
    ),
  );
}

function planCard(): Node {
  return ui.card(
    ui.cardHeader(h.h2("Plan"), h.p("Change it whenever you like.")),
    ui.radioGroup("show-plan", {
      legend: "Billing",
      selected: "year",
      options: [
        { value: "month", label: "Every month", help: "€12" },
        { value: "year", label: "Every year", help: "€120, two months free" },
      ],
    }),
    ui.button(ui.wide, "Continue"),
  );
}

function noticeCard(): Node {
  return ui.stack(
    ui.alert("The event is announced", ui.icon("circle-check"), ui.success),
    ui.alert("Nine seats are left", ui.icon("alert"), ui.warning, h.p("Book before Friday.")),
    ui.toast("info", "A guest changed the booking."),
  );
}

function questionsCard(): Node {
  return ui.card(
    ui.cardHeader(h.h2("Questions")),
    ui.accordion("show-questions", [
      {
        title: "Can I bring a friend?",
        content: h.p("Yes: book two seats, under one name."),
        open: true,
      },
      { title: "Is there a cloakroom?", content: h.p("There is, left of the entrance.") },
    ]),
  );
}
