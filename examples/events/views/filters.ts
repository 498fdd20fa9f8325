import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { categories } from "@/lib/categories.ts";
import type { EventQuery } from "@/lib/events/query.ts";
import { categoryText, messages, periodText } from "@/lib/messages.ts";
import { periods } from "@/lib/when.ts";
import { listUrl } from "./links.ts";

/** A filter with its choices, one of which is active. */
interface Filter {
  readonly name: string;
  readonly choices: readonly {
    /** The id of the link, which keeps the focus on it. */
    readonly id: string;
    readonly label: string;
    /** The change of the query by this choice. */
    readonly change: Partial<EventQuery>;
    readonly isOn: boolean;
  }[];
}

/**
 * Renders the filters of the list as links. Each keeps the other filters and returns to the first
 * page. A static export has no filters.
 *
 * @param list The id of the element that a choice replaces.
 */
export function filterLinks(c: Ctx, query: EventQuery, list: string): Node {
  if (c.isExport) return h.fragment();
  return h.nav(
    h.class("filters"),
    h.aria("label", c.t(messages, "filters")),
    h.map(filtersOf(c, query), ({ name, choices }) =>
      h.div(
        h.class("filter"),
        h.role("group"),
        h.aria("label", name),
        h.p(h.class("filter-name"), name),
        h.map(choices, ({ id, label, change, isOn }) =>
          ui.navLink(
            listUrl(c, { ...query, at: undefined, ...change }),
            label,
            undefined,
            h.id(`filter-${id}`),
            isOn && h.aria("current", "true"),
            ui.swap(list),
          )),
      )),
  );
}

function filtersOf(c: Ctx, { when, category, isFree }: EventQuery): readonly Filter[] {
  return [
    {
      name: c.t(messages, "when"),
      choices: [
        {
          id: "any-day",
          label: c.t(messages, "anyDay"),
          change: { when: undefined },
          isOn: when === undefined,
        },
        ...periods.map(({ id }) => ({
          id,
          label: periodText(c, id),
          change: { when: id },
          isOn: when === id,
        })),
      ],
    },
    {
      name: c.t(messages, "what"),
      choices: [
        {
          id: "everything",
          label: c.t(messages, "everything"),
          change: { category: undefined },
          isOn: category === undefined,
        },
        ...categories.map(({ id }) => ({
          id,
          label: categoryText(c, id),
          change: { category: id },
          isOn: category === id,
        })),
      ],
    },
    {
      name: c.t(messages, "price"),
      choices: [
        {
          id: "any-price",
          label: c.t(messages, "anyPrice"),
          change: { isFree: false },
          isOn: !isFree,
        },
        { id: "free", label: c.t(messages, "free"), change: { isFree: true }, isOn: isFree },
      ],
    },
  ];
}
