import type { Bound, Ctx, Node } from "@fw/fw";
import * as ui from "@fw/fw/ui";
import { eventLabels, eventMessages } from "@/lib/event_messages.ts";
import { EventInput, type EventRow, eventTitle } from "@/lib/events.ts";

/** The form of a new event, or of one that changes, with what was sent. */
export function eventForm(
  c: Ctx,
  row?: EventRow,
  sent?: Bound<EventInput>,
): Node {
  c.title = c.t(eventMessages, row === undefined ? "new" : "editTitle");
  return ui.formPage(c, EventInput, {
    title: c.title,
    cancel: row === undefined ? c.href("/events") : c.href("/events/{id}", { id: row.id }),
    of: row && eventTitle(row),
    values: sent ?? row,
    labels: (name) => c.t(eventLabels, name),
    layout: (field) => [
      ui.formSection(
        c.t(eventMessages, "basics"),
        c.t(eventMessages, "basicsHelp"),
        field(
          "title",
        ),
      ),
      ui.formSection(
        c.t(eventMessages, "facts"),
        c.t(eventMessages, "factsHelp"),
        field(
          "seats",
        ),
      ),
    ],
  });
}
