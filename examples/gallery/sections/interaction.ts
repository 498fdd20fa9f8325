import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import type { Section } from "./section.ts";
import source from "./interaction.ts" with { type: "text" };

interface Day {
  readonly title: string;
  readonly events: readonly string[];
}

/** The programme by day, as in the URL. */
export const days: ReadonlyMap<string, Day> = new Map([
  ["today", { title: "Today", events: ["Fado at dusk", "Night of galleries"] }],
  ["tomorrow", { title: "Tomorrow", events: ["Tile workshop", "Breakfast cinema"] }],
  ["later", { title: "Later", events: [] }],
]);

/** Renders the programme, which its links replace on this page and on the linked ones. */
export function programme(c: Ctx): Node {
  const shown = c.pattern === "/parts/{day}" ? c.param("day") : "today";
  const events = days.get(shown)?.events ?? [];
  return ui.card(
    h.id("programme"),
    ui.transition(),
    ui.announce(`${days.get(shown)?.title}: ${events.length} events`),
    ui.row(
      ui.swap("programme"),
      ui.noPush(),
      h.map(days, ([day, { title }]) =>
        ui.buttonLink(
          c.href("/parts/{day}", { day }),
          ui.small,
          day === shown ? ui.secondary : ui.outline,
          day === shown && h.aria("current", "true"),
          title,
        )),
    ),
    events.length > 0
      ? h.ul(h.map(events, (event) => h.li(event)))
      : ui.emptyState("Nothing announced yet", ui.icon("calendar")),
  );
}

function asked(): Node {
  return ui.buttonLink(
    "/screens/orders",
    ui.outline,
    ui.confirm("Leave this page?", "Nothing is lost."),
    "To the orders",
  );
}

function chosen(): Node {
  return ui.toolbar(
    h.action("/screens/orders"),
    ui.field(
      "order-state",
      "Orders that are",
      ui.select(
        h.name("state"),
        ui.submitOn("change"),
        ui.selectOptions([{ value: "", label: "Any" }, "Paid", "Waiting", "Returned"], ""),
      ),
    ),
    ui.submit(ui.outline, "Show"),
  );
}

function ahead(): Node {
  return ui.row(
    ui.navigate("content"),
    h.a(h.href("/components/data"), "Data, in the place of this page"),
    h.a(h.href("/components/data"), ui.noNavigate(), "Data, as a page of its own"),
  );
}

export const interaction: Section = {
  name: "interaction",
  title: "Interaction",
  lead: "Links and forms that replace a part of the page. Without the script they lead to pages.",
  source,
  examples: [
    {
      title: "One element",
      text: "The links lead to pages that have an element of the same id; it alone is replaced.",
      make: programme,
    },
    { title: "A question before", make: asked },
    {
      title: "A form that sends itself",
      text: "A choice sends the form; without the script its button does.",
      make: chosen,
    },
    {
      title: "A region",
      text:
        "The next page is fetched when its link is pointed at, and its content takes the place of this.",
      make: ahead,
    },
  ],
};
