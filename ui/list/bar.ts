/** The bar above the rows of a list: its views, search, filters, columns and density. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import type { Ctx } from "../../mod.ts";
import { submit } from "../button.ts";
import { select, selectOptions, toChoice } from "../controls.ts";
import { field, toolbar } from "../field.ts";
import { stack, visuallyHidden } from "../frame.ts";
import { icon } from "../icon/icon.ts";
import { word } from "../labels.ts";
import { menu, menuLink } from "../overlay.ts";
import { cappedCount } from "../shell.ts";
import type { Column } from "../table.ts";
import { end, ghost, outline, square } from "../variants.ts";
import { addFilter, chips, filterChip, search, segmented } from "./filter.ts";
import type { ListFilter, ListPageOptions, ListTabs } from "./options.ts";
import { hiddenColumns, hrefWith, isDense, param } from "./query.ts";

/** Renders the views of a list with the number of rows in each. */
export function listTabs(c: Ctx, { name, label, choices, counts }: ListTabs): Node {
  const chosen = param(c, name);
  const all = { value: "", label: word("all") };
  return segmented(
    label,
    [all, ...choices.map(toChoice)].map(({ value, label = value }, at) => ({
      label,
      href: hrefWith(c, { [name]: String(value) }),
      count: cappedCount(c, counts?.[at]),
      current: String(value) === chosen,
    })),
  );
}

export function filtersOf<Row>(
  { filters = [], deleted }: ListPageOptions<Row>,
): readonly ListFilter[] {
  if (deleted === undefined) return filters;
  const choices = [{ value: "yes", label: word("deleted") }];
  return [...filters, { name: "deleted", label: word("state"), choices }];
}

export function listBar<Row>(c: Ctx, options: ListPageOptions<Row>): Node {
  const { search: label, tabs, columns } = options;
  const filters = filtersOf(options);
  const kept = ["sort", "view", "hide", "rows", ...tabs === undefined ? [] : [tabs.name]];
  return toolbar(
    h.role("search"),
    label !== undefined && search(label, h.name("q"), h.value(param(c, "q")), h.maxlength(100)),
    filters.length === 0 && label !== undefined && submit(outline, word("find")),
    filters.length > 0 && chips(h.map(filters, (each) => chip(c, each)), moreFilters(c, filters)),
    h.map(
      kept.filter((name) => param(c, name) !== ""),
      (name) => h.input(h.type("hidden"), h.name(name), h.value(param(c, name))),
    ),
    h.span(h.class("ui-spacer")),
    columns.length > 2 && columnMenu(c, columns),
    density(c),
  );
}

function chip(c: Ctx, { name, label, choices }: ListFilter): Child {
  const value = param(c, name);
  if (value === "") return undefined;
  const chosen = choices.map(toChoice).find((each) => String(each.value) === value);
  return chosen && filterChip(label, chosen.label ?? chosen.value, hrefWith(c, { [name]: "" }));
}

function moreFilters(c: Ctx, filters: readonly ListFilter[]): Node {
  const all = { value: "", label: word("all") };
  return addFilter(stack(
    h.map(filters, ({ name, label, choices }) => {
      const options = selectOptions([all, ...choices.map(toChoice)], param(c, name));
      return field(`filter-${name}`, label, select(h.name(name), options));
    }),
    submit(outline, word("show")),
  ));
}

function density(c: Ctx): Node {
  const dense = isDense(c);
  const label = (name: "menu" | "rows", text: string): Child => [icon(name), visuallyHidden(text)];
  return segmented(word("rows"), [
    { label: label("menu", word("roomy")), href: hrefWith(c, { view: "" }), current: !dense },
    { label: label("rows", word("dense")), href: hrefWith(c, { view: "dense" }), current: dense },
  ]);
}

function columnMenu<Row>(c: Ctx, columns: readonly Column<Row>[]): Child {
  const hidden = hiddenColumns(c);
  return menu(
    h.group(ghost, square, h.aria("label", word("columns")), icon("columns")),
    end,
    h.mapIndex(columns.slice(1), ({ title }, index) => {
      const at = String(index + 1);
      const isShown = !hidden.has(at);
      const rest = isShown ? [...hidden, at] : [...hidden].filter((each) => each !== at);
      return menuLink(
        hrefWith(c, { hide: rest.join(".") }),
        isShown && h.aria("current", "true"),
        icon(isShown ? "check" : "minus"),
        title,
      );
    }),
  );
}
