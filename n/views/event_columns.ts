import type { Ctx } from "@fw/fw";
import * as ui from "@fw/fw/ui";
import { eventLabels, eventMessages } from "@/lib/event_messages.ts";
import { type EventRow, eventTitle } from "@/lib/events.ts";

/** The columns of the list of events. */
export function eventColumns(c: Ctx): readonly ui.Column<EventRow>[] {
  return [
    {
      title: c.t(eventMessages, "row"),
      key: "title",
      cell: (row) => ui.item(eventTitle(row), { href: c.href("/events/{id}", { id: row.id }) }),
    },
    { title: c.t(eventLabels, "seats"), numeric: true, cell: (row) => row.seats },
  ];
}
