import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import { categories } from "@/lib/categories.ts";
import type { EventQuery } from "@/lib/event_query.ts";
import { periods } from "@/lib/when.ts";
import { listUrl } from "./links.ts";

/** A filter with its choices, one of which is on. */
interface Filter {
  readonly name: string;
  readonly choices: readonly {
    readonly label: string;
    /** What choosing it changes in the query. */
    readonly change: Partial<EventQuery>;
    readonly isOn: boolean;
  }[];
}

/**
 * The filters of the list as links: each keeps the others and starts again at the first page. A site of
 * files has one list, of all events.
 */
export function filterLinks(c: Ctx, query: EventQuery): Node {
  if (c.isExport) return h.fragment();
  return h.nav(
    h.class("filters"),
    h.aria("label", "Filters"),
    h.map(filtersOf(query), ({ name, choices }) =>
      h.div(
        h.class("filter"),
        h.h2(h.id(`filter-${name}`), name),
        h.ul(
          h.aria("labelledby", `filter-${name}`),
          h.map(choices, ({ label, change, isOn }) =>
            h.li(h.a(
              h.href(listUrl(c, { ...query, page: 1, ...change })),
              isOn && h.aria("current", "true"),
              label,
            ))),
        ),
      )),
  );
}

function filtersOf({ when, category, isFree }: EventQuery): readonly Filter[] {
  return [
    {
      name: "When",
      choices: [
        { label: "Any day", change: { when: undefined }, isOn: when === undefined },
        ...periods.map(({ id, label }) => ({ label, change: { when: id }, isOn: when === id })),
      ],
    },
    {
      name: "What",
      choices: [
        { label: "Everything", change: { category: undefined }, isOn: category === undefined },
        ...categories.map(({ id, label }) => ({
          label,
          change: { category: id },
          isOn: category === id,
        })),
      ],
    },
    {
      name: "Price",
      choices: [
        { label: "Any price", change: { isFree: false }, isOn: !isFree },
        { label: "Free", change: { isFree: true }, isOn: isFree },
      ],
    },
  ];
}
