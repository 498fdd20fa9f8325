/** The page of a list, from one description: heading, views, filters, table, acts on rows, pages. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import type { Ctx } from "../../mod.ts";
import { buttonLink, submit } from "../button.ts";
import { type Choice, select, selectOptions, toChoice } from "../controls.ts";
import { emptyState } from "../display.ts";
import { field, toolbar } from "../field.ts";
import { pageHeader, stack, visuallyHidden } from "../frame.ts";
import { icon } from "../icon/icon.ts";
import { word } from "../labels.ts";
import { menu, menuLink } from "../overlay.ts";
import { pager } from "../pagination.ts";
import { cappedCount } from "../shell.ts";
import { type Column, dataTable } from "../table.ts";
import { destructive, end, ghost, hiddenCaption, outline, square } from "../variants.ts";
import { addFilter, chips, filterChip, search, segmented } from "./filter.ts";
import { bulkBar, bulkButton, rows as rowsOf } from "./rows.ts";

/** A filter of {@linkcode listPage}: a parameter of the query with a few values. */
export interface ListFilter {
  /** Name of the parameter. */
  readonly name: string;
  /** Label of the filter. */
  readonly label: string;
  /** The values. */
  readonly choices: readonly (Choice | string)[];
}

/** The filter whose values are views above the list. */
export interface ListTabs extends ListFilter {
  /** Number of all rows, then of those of each value, each capped. @default none is shown */
  readonly counts?: readonly number[] | undefined;
}

/** What can be done with the chosen rows of {@linkcode listPage}. */
export interface ListActs<Row> {
  /** Value of a row in the form, sent as `id`. */
  readonly value: (row: Row) => string | number;
  /** {@linkcode bulkButton}s, sent by `post` to the page; `h.action` names another. */
  readonly buttons: Child;
}

/** A page of rows, as `cut` of `keyset` returns it. */
export interface ListRows<Row> {
  /** The rows in their order. */
  readonly rows: readonly Row[];
  /** The cursor of the page before. @default there is none */
  readonly previous?: string | undefined;
  /** The cursor of the page after. @default there is none */
  readonly next?: string | undefined;
}

/** Options of {@linkcode listPage}. */
export interface ListPageOptions<Row> {
  /** The heading, and the name of the table. */
  readonly title: string;
  /** A sentence more. @default none */
  readonly text?: Child;
  /** The rows to show. */
  readonly page: ListRows<Row>;
  /** The columns; the first names the row. */
  readonly columns: readonly Column<Row>[];
  /** Name of a row, for its menu and its box. */
  readonly label: (row: Row) => string;
  /** The number of rows in words. @default none is shown */
  readonly note?: Child;
  /** Text of the field that searches by the parameter `q`. @default no field */
  readonly search?: string | undefined;
  /** The filter whose values are views above the list. @default none */
  readonly tabs?: ListTabs | undefined;
  /** The other filters. @default none */
  readonly filters?: readonly ListFilter[];
  /** The link to a new row: URL and text. @default none */
  readonly create?: readonly [href: string, text: string] | undefined;
  /** URL of the page that imports rows. @default none */
  readonly importHref?: string | undefined;
  /** URL of the list as a file; it gets the query of the page. @default none */
  readonly exportHref?: string | undefined;
  /** Returns the URL of the form of a row. @default no link */
  readonly edit?: (row: Row) => string;
  /** Returns the URL of the page that deletes a row. @default no link */
  readonly remove?: (row: Row) => string;
  /** What can be done with several rows. @default nothing */
  readonly acts?: ListActs<Row> | undefined;
  /**
   * Whether deleted rows are shown, by the parameter `deleted`: the acts on them are `restore` and `purge`.
   * @default rows are deleted for good
   */
  readonly deleted?: boolean;
  /** What is said while there is no row at all: a title and a sentence. */
  readonly empty: readonly [title: string, text: string];
}

/** The sizes of a page; the first is the default. */
const sizes = [20, 50, 100] as const;

/**
 * Returns how many rows a page of {@linkcode listPage} has, by the parameter `rows`.
 *
 * @param c The request.
 * @returns 20, 50 or 100.
 *
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 * import { testPage } from "@fw/fw/testing";
 * import * as ui from "@fw/fw/ui";
 *
 * const page = (c: Ctx) => h.p(String(ui.pageSize(c)));
 * await testPage({ page }, "/?rows=50").wantContains("<p>50");
 * ```
 */
export function pageSize(c: Ctx): number {
  const asked = Number(c.url.searchParams.get("rows"));
  return sizes.find((size) => size === asked) ?? sizes[0];
}

/**
 * Renders the page of a list: heading with its links, views with counts, search, filters, density and
 * columns, the table with its menus and boxes, and the pages. Everything is a link or a form, so it works
 * without a script, and every state has an address. The parameters are `q`, `sort` (`-` before a key for
 * descending), `at` (a cursor), `rows`, `view` and `hide`, and the names of the filters.
 *
 * @param c The request.
 * @param options What the list shows.
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
export function listPage<Row>(c: Ctx, options: ListPageOptions<Row>): Node {
  const list = new List(c, options);
  const isEmpty = options.page.rows.length === 0 && !list.isNarrowed();
  return h.fragment(
    list.heading(),
    isEmpty
      ? h.div(h.class("ui-card"), list.none())
      : h.fragment(h.div(h.class("ui-narrow"), list.tabs(), list.bar()), list.table()),
  );
}

/** One list being rendered: the current query, and what is shown. */
class List<Row> {
  readonly #c: Ctx;
  readonly #options: ListPageOptions<Row>;

  constructor(c: Ctx, options: ListPageOptions<Row>) {
    this.#c = c;
    this.#options = options;
  }

  #param(name: string): string {
    return this.#c.url.searchParams.get(name) ?? "";
  }

  /** Returns the URL of the list with changed parameters, on its first page. */
  #href(change: Readonly<Record<string, string | undefined>>, path?: string): string {
    const params = new URLSearchParams(this.#c.url.searchParams);
    params.delete("at");
    for (const [name, value = ""] of Object.entries(change)) {
      if (value === "") params.delete(name);
      else params.set(name, value);
    }
    const query = [...params].filter(([, value]) => value !== "");
    const target = path ?? this.#c.url.pathname;
    return query.length === 0 ? target : `${target}?${new URLSearchParams(query)}`;
  }

  #filters(): readonly ListFilter[] {
    const { tabs } = this.#options;
    return tabs === undefined ? this.#more() : [tabs, ...this.#more()];
  }

  /** The filters beside the views. */
  #more(): readonly ListFilter[] {
    const { filters = [], deleted } = this.#options;
    if (deleted === undefined) return filters;
    const choices = [{ value: "yes", label: word("deleted") }];
    return [...filters, { name: "deleted", label: word("state"), choices }];
  }

  isNarrowed(): boolean {
    return ["q", "at", ...this.#filters().map(({ name }) => name)]
      .some((name) => this.#param(name) !== "");
  }

  heading(): Node {
    const { title, text, create, importHref, exportHref } = this.#options;
    const exported = exportHref === undefined ? undefined : this.#href({}, exportHref);
    return pageHeader(
      title,
      text !== undefined && h.p(text),
      importHref !== undefined && aside(importHref, "upload", word("import")),
      exported !== undefined && aside(exported, "download", word("export"), h.bool("download")),
      create !== undefined && buttonLink(create[0], icon("plus"), create[1]),
    );
  }

  tabs(): Child {
    const { tabs } = this.#options;
    if (tabs === undefined) return undefined;
    const { name, label, choices, counts } = tabs;
    const chosen = this.#param(name);
    const all = { value: "", label: word("all") };
    return segmented(
      label,
      [all, ...choices.map(toChoice)].map((choice, at) => ({
        label: choice.label ?? choice.value,
        href: this.#href({ [name]: String(choice.value) }),
        count: cappedCount(this.#c, counts?.[at]),
        current: String(choice.value) === chosen,
      })),
    );
  }

  bar(): Node {
    const { search: label, tabs } = this.#options;
    const filters = this.#more();
    const kept = ["sort", "view", "hide", "rows", ...tabs === undefined ? [] : [tabs.name]];
    return toolbar(
      h.role("search"),
      label !== undefined &&
        search(label, h.name("q"), h.value(this.#param("q")), h.maxlength(100)),
      filters.length === 0 && label !== undefined && submit(outline, word("find")),
      filters.length > 0 &&
        chips(h.map(filters, (each) => this.#chip(each)), this.#choosing(filters)),
      h.map(
        kept.filter((name) => this.#param(name) !== ""),
        (name) => h.input(h.type("hidden"), h.name(name), h.value(this.#param(name))),
      ),
      h.span(h.class("ui-spacer")),
      this.#columnMenu(),
      this.#density(),
    );
  }

  #chip({ name, label, choices }: ListFilter): Child {
    const value = this.#param(name);
    const chosen = choices.map(toChoice).find((each) =>
      value !== "" && String(each.value) === value
    );
    return chosen && filterChip(label, chosen.label ?? chosen.value, this.#href({ [name]: "" }));
  }

  #choosing(filters: readonly ListFilter[]): Node {
    return addFilter(stack(
      h.map(filters, ({ name, label, choices }) =>
        field(
          `filter-${name}`,
          label,
          select(
            h.name(name),
            selectOptions(
              [{ value: "", label: word("all") }, ...choices.map(toChoice)],
              this.#param(name),
            ),
          ),
        )),
      submit(outline, word("show")),
    ));
  }

  #density(): Node {
    const isDense = this.#param("view") === "dense";
    return segmented(word("rows"), [
      { label: sign("menu", word("roomy")), href: this.#href({ view: "" }), current: !isDense },
      { label: sign("rows", word("dense")), href: this.#href({ view: "dense" }), current: isDense },
    ]);
  }

  /** The numbers of the columns that are left out. */
  #hidden(): ReadonlySet<string> {
    return new Set(this.#param("hide").split(".").filter((at) => /^[1-9]\d?$/.test(at)));
  }

  #columnMenu(): Child {
    const { columns } = this.#options;
    if (columns.length < 3) return undefined;
    const hidden = this.#hidden();
    return menu(
      h.group(ghost, square, h.aria("label", word("columns")), icon("columns")),
      end,
      h.mapIndex(columns, ({ title }, column) => {
        const at = String(column);
        if (column === 0) return h.fragment();
        const isShown = !hidden.has(at);
        const rest = isShown ? [...hidden, at] : [...hidden].filter((each) => each !== at);
        return menuLink(
          this.#href({ hide: rest.join(".") }),
          isShown && h.aria("current", "true"),
          icon(isShown ? "check" : "minus"),
          title,
        );
      }),
    );
  }

  table(): Node {
    const { title, page, label, acts, deleted } = this.#options;
    const hidden = this.#hidden();
    const columns = this.#options.columns.filter((_, at) => !hidden.has(String(at)));
    const [sign, key] = /^(-?)(.*)$/.exec(this.#param("sort"))?.slice(1) ?? [];
    const hasMenu = deleted !== true &&
      (this.#options.edit !== undefined || this.#options.remove !== undefined);
    const frame = h.div(
      h.class("ui-frame"),
      dataTable({
        caption: title,
        columns,
        rows: page.rows,
        sort: { key: key ?? "", direction: sign === "-" ? "desc" : "asc" },
        href: (sort) => this.#href({ sort: `${sort.direction === "desc" ? "-" : ""}${sort.key}` }),
        cards: true,
        dense: this.#param("view") === "dense",
        select: acts && { form: "acts", value: acts.value, label },
        ...hasMenu ? { menu: { label, items: (row: Row) => this.#rowMenu(row) } } : {},
        empty: this.none(),
      }, hiddenCaption),
      page.rows.length > 0 && this.#pages(),
    );
    if (acts === undefined || page.rows.length === 0) return frame;
    return rowsOf(frame, bulkBar(this.#c, "acts", deleted === true ? ofDeleted() : acts.buttons));
  }

  #rowMenu(row: Row): Child {
    const { edit, remove } = this.#options;
    return [
      edit && menuLink(edit(row), icon("edit"), word("edit")),
      edit && remove && h.hr(),
      remove && menuLink(remove(row), h.class("ui-destructive"), icon("trash"), word("delete")),
    ];
  }

  #pages(): Node {
    const { page: { previous, next }, note } = this.#options;
    const size = pageSize(this.#c);
    const rows = menu(
      h.group(h.class("ui-small"), word("rows"), " ", size),
      h.map(sizes, (each) =>
        menuLink(
          this.#href({ rows: each === sizes[0] ? "" : String(each) }),
          each === size && h.aria("current", "true"),
          each,
        )),
    );
    if (previous === undefined && next === undefined) {
      return h.div(
        h.class("ui-pagination"),
        rows,
        h.span(h.class("ui-pagination-range"), note),
      );
    }
    return pager({
      first: previous && this.#href({}),
      previous: previous && this.#href({ at: previous }),
      next: next && this.#href({ at: next }),
      last: next && this.#href({ at: "last" }),
      note,
    }, rows);
  }

  /** What stands in the place of the rows. */
  none(): Node {
    const { empty: [title, text], create, importHref } = this.#options;
    if (!this.isNarrowed()) {
      return emptyState(
        title,
        icon("box"),
        h.p(text),
        h.div(
          h.class("ui-row"),
          create !== undefined && buttonLink(create[0], icon("plus"), create[1]),
          importHref !== undefined &&
            buttonLink(importHref, outline, icon("upload"), word("import")),
        ),
      );
    }
    const q = this.#param("q");
    return emptyState(
      q === "" ? word("nothingFits") : word("nothingMatches").replace("{text}", () => q),
      icon("search"),
      h.p(word("hiddenBy")),
      buttonLink(this.#c.url.pathname, outline, word("clear")),
    );
  }
}

/** What can be done with deleted rows. */
function ofDeleted(): Child {
  return [
    bulkButton("restore", "check", word("restore")),
    bulkButton("purge", "trash", destructive, word("purge")),
  ];
}

/** An icon whose name screen readers hear, and its tip says. */
function sign(name: "menu" | "rows", text: string): Child {
  return [icon(name), visuallyHidden(text)];
}

/** A link beside the heading; on phones its icon alone is seen. */
function aside(href: string, name: "upload" | "download", text: string, more?: Child): Node {
  return buttonLink(href, outline, h.class("ui-brief"), more, icon(name), h.span(text));
}
