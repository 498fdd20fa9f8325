import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import type { EventQuery } from "@/lib/event_query.ts";

/** A form that searches; the filters that are on stay on. A site of files cannot search. */
export function searchForm(c: Ctx, query: EventQuery): Node {
  if (c.isExport) return h.fragment();
  const kept = { when: query.when, category: query.category, price: query.isFree && "free" };
  return h.search(
    h.form(
      h.class("search"),
      h.action(c.href("/events")),
      h.label(h.class("visually-hidden"), h.for("q"), "Search events"),
      h.input(
        h.type("search"),
        h.id("q"),
        h.name("q"),
        h.value(query.q),
        h.maxlength(80),
        h.placeholder("Fado, ferries, fermentation…"),
        h.autocomplete("off"),
      ),
      h.map(
        Object.entries(kept),
        ([name, value]) => value && h.input(h.type("hidden"), h.name(name), h.value(value)),
      ),
      h.button(h.type("submit"), "Search"),
    ),
  );
}
