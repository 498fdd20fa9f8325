import { type Ctx, FieldErrors, type Node, type Result, use } from "@fw/fw";
import { keep } from "@fw/fw/data";
import * as ui from "@fw/fw/ui";
import { eventMessages } from "@/lib/event_messages.ts";
import { EventQuery, Events, eventTitle } from "@/lib/events.ts";
import { eventColumns } from "@/views/event_columns.ts";

/** GET /events */
export async function Page(c: Ctx): Promise<Node> {
  c.title = c.t(eventMessages, "title");
  const query = await c.bindQuery(EventQuery);
  const store = use(c, Events);
  const page = await store.list(query, ui.pageSize(c));
  return ui.listPage(c, {
    title: c.title,
    text: c.t(eventMessages, "about"),
    page,
    note: page.total > 1_000
      ? c.t(eventMessages, "many", { most: 1_000 })
      : c.t(eventMessages, "count", { count: page.total }),
    columns: eventColumns(c),
    label: eventTitle,
    search: c.t(eventMessages, "search"),
    create: [c.href("/events/new"), c.t(eventMessages, "new")],
    edit: (row) => c.href("/events/{id}/edit", { id: row.id }),
    remove: (row) => c.href("/events/{id}/delete", { id: row.id }),
    acts: { value: (row) => row.id },
    empty: [c.t(eventMessages, "empty"), c.t(eventMessages, "begin")],
  });
}

/** POST /events */
export async function POST(c: Ctx): Promise<Result> {
  const store = use(c, Events);
  return await ui.actOnRows(c, {
    // Another row may refer to one of them.
    remove: (ids) => keep(new FieldErrors(), store.removeAll(ids)),
  });
}
