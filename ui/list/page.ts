/** The page of a list, from one description: heading, views, filters, table, actions, pages. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import type { Ctx } from "../../mod.ts";
import { buttonLink } from "../button.ts";
import { toChoice } from "../controls.ts";
import { emptyState } from "../display.ts";
import { pageHeader } from "../frame.ts";
import { icon } from "../icon/icon.ts";
import { scene } from "../icon/scene.ts";
import { word } from "../labels.ts";
import { menu, menuLink } from "../overlay.ts";
import { pager } from "../pagination.ts";
import { dataTable } from "../table.ts";
import { destructive, hiddenCaption, outline } from "../variants.ts";
import { filtersOf, listBar, listTabs } from "./bar.ts";
import type { ListFilter, ListPageOptions, ListTabs } from "./options.ts";
import { hiddenColumns, hrefWith, isDense, pageSize, pageSizes, param } from "./query.ts";
import { bulkBar, bulkButton, bulkItem, rows as rowsOf } from "./rows.ts";

/**
 * Renders the page of a list: heading with links, views with counts, search, filters, density and
 * columns, the table with menus and checkboxes, and the pagination. Everything is a link or a form, so it
 * works without a script, and every state has a URL. The parameters are `q`, `sort` (`-` before a key for
 * descending), `at` (a cursor), `rows`, `view` and `hide`, and the names of the filters.
 *
 * @param c The request.
 * @param options The content and actions of the list.
 * @returns The content of the page.
 *
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import { testPage } from "@fw/fw/testing";
 * import * as ui from "@fw/fw/ui";
 *
 * const page = (c: Ctx) =>
 *   ui.listPage(c, {
 *     title: "Products",
 *     page: { rows: [{ id: 7, name: "Mug" }] },
 *     columns: [{ title: "Product", key: "name", cell: ({ name }) => name }],
 *     label: ({ name }) => name,
 *     search: "Search names",
 *     create: ["/products/new", "New product"],
 *     empty: ["No products yet", "The first one takes a minute."],
 *   });
 * await testPage({ page }, "/products").wantContains('href="/products?sort=name"');
 * ```
 */
export function listPage<Row>(c: Ctx, { isReadOnly, ...given }: ListPageOptions<Row>): Node {
  const options: ListPageOptions<Row> = isReadOnly || c.isExport
    ? { ...given, ...unchanged, empty: [given.empty[0], ""] }
    : given;
  const { page: { rows, previous }, tabs } = options;
  if (rows.length === 0 && !isNarrowed(c, options)) {
    // Show the possible actions in place of the rows.
    const { title, text } = options;
    return h.fragment(pageHeader(title, text !== undefined && h.p(text)), nothing(c, options));
  }
  return h.fragment(
    heading(c, options),
    h.div(h.class("ui-narrow"), tabs && listTabs(c, tabs), listBar(c, options)),
    rows.length === 0 && previous === undefined ? nothing(c, options) : table(c, options),
  );
}

/** The options removed for a user who may not change rows. */
const unchanged = {
  create: undefined,
  importHref: undefined,
  edit: undefined,
  remove: undefined,
  acts: undefined,
  deleted: undefined,
};

function isNarrowed<Row>(c: Ctx, options: ListPageOptions<Row>): boolean {
  return param(c, "q") + param(c, "at") !== "" || inForce(c, options).length > 0;
}

function inForce<Row>(c: Ctx, options: ListPageOptions<Row>): readonly ListFilter[] {
  const { tabs } = options;
  return [...tabs === undefined ? [] : [tabs], ...filtersOf(options)]
    .filter(({ name }) => param(c, name) !== "");
}

function heading<Row>(c: Ctx, options: ListPageOptions<Row>): Node {
  const { title, text, create, importHref, exportHref } = options;
  // On phones only the icons are visible.
  const aside = (href: string, name: "upload" | "download", text: string, more?: Child): Node =>
    buttonLink(href, outline, h.class("ui-brief"), more, icon(name), h.span(text));
  return pageHeader(
    title,
    text !== undefined && h.p(text),
    importHref !== undefined && aside(importHref, "upload", word("import")),
    exportHref !== undefined && !c.isExport &&
      aside(hrefWith(c, {}, exportHref), "download", word("export"), h.bool("download")),
    create !== undefined && buttonLink(create[0], icon("plus"), create[1]),
  );
}

function table<Row>(c: Ctx, options: ListPageOptions<Row>): Node {
  const { title, page, label, acts, edit, remove, tabs, deleted = false } = options;
  const hidden = hiddenColumns(c);
  const [sign, key] = /^(-?)(.*)$/.exec(param(c, "sort"))?.slice(1) ?? [];
  const frame = h.div(
    h.class("ui-frame"),
    dataTable({
      caption: title,
      columns: options.columns.filter((_, at) => !hidden.has(String(at))),
      rows: page.rows,
      sort: { key: key ?? "", direction: sign === "-" ? "desc" : "asc" },
      href: (sort) => hrefWith(c, { sort: `${sort.direction === "desc" ? "-" : ""}${sort.key}` }),
      cards: true,
      dense: isDense(c),
      select: acts && { form: "acts", value: acts.value, label },
      menu: !deleted && (edit || remove)
        ? { label, items: (row) => rowMenu(row, options) }
        : undefined,
    }, hiddenCaption),
    pages(c, options),
  );
  if (acts === undefined) return frame;
  const buttons = deleted ? deletedActs() : acts.buttons ?? defaultActs(tabs);
  return rowsOf(frame, bulkBar(c, "acts", buttons));
}

/** The actions that {@linkcode actOnRows} handles. */
function defaultActs(tabs: ListTabs | undefined): Child {
  const set = tabs && menu(
    tabs.label,
    h.map(
      tabs.choices.map(toChoice),
      ({ value, label = value }) => bulkItem(`${tabs.name}.${value}`, label),
    ),
  );
  return [set, bulkButton("delete", "trash", destructive, word("delete"))];
}

function deletedActs(): Child {
  return [
    bulkButton("restore", "check", word("restore")),
    bulkButton("purge", "trash", destructive, word("purge")),
  ];
}

function rowMenu<Row>(row: Row, { edit, remove }: ListPageOptions<Row>): Child {
  return [
    edit && menuLink(edit(row), icon("edit"), word("edit")),
    edit && remove && h.hr(),
    remove && menuLink(remove(row), h.class("ui-destructive"), icon("trash"), word("delete")),
  ];
}

function pages<Row>(c: Ctx, { page: { previous, next }, note }: ListPageOptions<Row>): Node {
  const size = pageSize(c);
  const sizes = menu(
    h.group(h.class("ui-small"), word("rows"), " ", size),
    h.map(pageSizes, (each) =>
      menuLink(
        hrefWith(c, { rows: each === pageSizes[0] ? "" : String(each) }),
        each === size && h.aria("current", "true"),
        each,
      )),
  );
  if (previous === undefined && next === undefined) {
    return h.div(h.class("ui-pagination"), sizes, h.span(h.class("ui-pagination-range"), note));
  }
  return pager({
    first: previous && hrefWith(c, {}),
    previous: previous && hrefWith(c, { at: previous }),
    next: next && hrefWith(c, { at: next }),
    last: next && hrefWith(c, { at: "last" }),
    note,
  }, sizes);
}

function nothing<Row>(c: Ctx, options: ListPageOptions<Row>): Node {
  const { empty: [title, text], create, importHref } = options;
  if (!isNarrowed(c, options)) {
    return emptyState(
      title,
      scene("box"),
      text !== "" && h.p(text),
      h.div(
        h.class("ui-row"),
        create !== undefined && buttonLink(create[0], icon("plus"), create[1]),
        importHref !== undefined &&
          buttonLink(importHref, outline, icon("upload"), word("import")),
      ),
    );
  }
  const q = param(c, "q");
  const filters = inForce(c, options).map(({ label }) => label);
  return emptyState(
    q === "" ? word("nothingFits") : word("nothingMatches").replace("{text}", () => q),
    scene("search"),
    h.p(
      q !== "" && [word("spelling"), " "],
      filters.length > 0 && word("hiddenBy").replace("{filters}", () => filters.join(", ")),
    ),
    buttonLink(c.url.pathname, outline, word("clear")),
  );
}
