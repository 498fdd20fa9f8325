import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import type { EventQuery } from "@/lib/events/query.ts";
import { messages } from "@/lib/messages.ts";

/**
 * Renders the search form, which keeps the active filters. A static export has no search.
 *
 * @param attributes More attributes of the form.
 */
export function searchForm(c: Ctx, query: EventQuery, ...attributes: readonly Node[]): Node {
  if (c.isExport) return h.fragment();
  const kept = { when: query.when, category: query.category, price: query.isFree && "free" };
  return h.search(
    h.form(
      h.class("search"),
      h.action(c.href("/events")),
      ...attributes,
      h.label(h.class("ui-sr-only"), h.for("q"), c.t(messages, "searchEvents")),
      ui.input(
        h.type("search"),
        h.id("q"),
        h.name("q"),
        h.value(query.q),
        h.maxlength(80),
        h.placeholder(c.t(messages, "searchExample")),
        h.autocomplete("off"),
      ),
      h.map(
        Object.entries(kept),
        ([name, value]) => value && h.input(h.type("hidden"), h.name(name), h.value(value)),
      ),
      ui.submit(ui.large, ui.icon("search"), c.t(messages, "search")),
    ),
  );
}
