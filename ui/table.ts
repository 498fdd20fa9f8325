/** Tables, and tables of data with columns that sort. */

import * as h from "../html/mod.ts";
import type { Child, Node } from "../html/mod.ts";
import { icon } from "./icon/icon.ts";
import { word } from "./labels.ts";
import { menu } from "./overlay.ts";
import { end, ghost, small, square } from "./variants.ts";

/**
 * Renders a table that scrolls sideways where it does not fit.
 *
 * @param caption What the table shows.
 * @param children `h.thead`, `h.tbody`, attributes of the table.
 * @returns A `div` with the `table`.
 */
export function table(caption: string, ...children: Child[]): Node {
  return h.div(
    h.class("ui-table-wrap"),
    h.role("region"),
    h.aria("label", caption),
    // Safari does not give the focus to what scrolls, and then no key could scroll it.
    h.tabindex(0),
    h.table(h.class("ui-table"), h.caption(caption), ...children),
  );
}

/**
 * Indents the first cell of a row: an account below another, a folder in a folder.
 *
 * @param level How deep the row is; 0 is not indented.
 * @returns An attribute of `tr`.
 */
export function depth(level: number): Node {
  return h.attrs(h.class("ui-depth"), h.styleAttr(`--ui-depth:${Number(level) || 0}`));
}

/**
 * Aligns numbers at the end of their column.
 *
 * @returns An attribute of `th` and `td`.
 */
export function num(): Node {
  return h.class("ui-num");
}

/** By which column rows are sorted. */
export interface Sort {
  /** The key of the column. */
  readonly key: string;
  /** Up or down. */
  readonly direction: "asc" | "desc";
}

/** One column of a table of data. */
export interface Column<Row> {
  /** Title of the column; of a column of buttons, {@linkcode visuallyHidden} text. */
  readonly title: Child;
  /** Returns the cell of a row: text, a node, or {@linkcode h.group} with attributes of the `td`. */
  readonly cell: (row: Row) => Child;
  /** Makes the column sortable; the URL carries this key. @default not sortable */
  readonly key?: string;
  /** Whether it holds numbers, which stand at the end. @default false */
  readonly numeric?: boolean;
  /**
   * Kind of content: money stands at the end, money, dates and badges keep their line. As cards, columns
   * other than money and badges say their title before each value.
   *
   * @default text
   */
  readonly kind?: "money" | "date" | "badge";
  /** Whether it is left out of cards. @default false */
  readonly wideOnly?: boolean;
}

/** Makes the rows of {@linkcode dataTable} selectable. */
export interface RowSelection<Row> {
  /** The id of the form that takes the values: that of {@linkcode bulkBar}. */
  readonly form: string;
  /** The value of a row, sent under `name`. */
  readonly value: (row: Row) => string | number;
  /** Name of a row, for its box. */
  readonly label: (row: Row) => string;
  /** The name of the boxes in the form. @default "id" */
  readonly name?: string;
}

/** Adds a menu to each row of {@linkcode dataTable}. */
export interface RowMenu<Row> {
  /** Returns the {@linkcode menuLink}s and {@linkcode menuButton}s of a row. */
  readonly items: (row: Row) => Child;
  /** Name of a row, for its menu. */
  readonly label: (row: Row) => string;
}

/** Options of {@linkcode dataTable}. */
export interface DataTableOptions<Row> {
  /** The data and the columns of the table. */
  readonly caption: string;
  /** The columns; the first names the row. */
  readonly columns: readonly Column<Row>[];
  /** The rows in their order. */
  readonly rows: readonly Row[];
  /** Current sorting. @default not by a column */
  readonly sort?: Sort | undefined;
  /** Returns the URL of another order; required if a column has a key. */
  readonly href?: (sort: Sort) => string;
  /** Returns attributes of a row, such as {@linkcode depth}. @default none */
  readonly row?: (row: Row) => Child;
  /** Content shown without rows. @default labels.empty */
  readonly empty?: Child;
  /** Makes the rows selectable, for acts on several of them. @default not */
  readonly select?: RowSelection<Row> | undefined;
  /** A menu at the end of each row. @default none */
  readonly menu?: RowMenu<Row> | undefined;
  /** Whether rows are cards on phones instead of a table that scrolls. @default false */
  readonly cards?: boolean;
  /** Whether rows are low, without pictures and second lines. @default false */
  readonly dense?: boolean;
}

/**
 * Renders a data table. The heading of a sortable column is a link to the other order, so an order
 * can be shared and works without a script. The handler sorts.
 *
 * @param options What it shows.
 * @param children Attributes of the table.
 * @returns A `div` with the `table`.
 * @throws {TypeError} When `columns` or `rows` is missing, or a column has a key and `href` is missing.
 *
 * @example
 * ```ts
 * import * as ui from "@fw/fw/ui";
 *
 * ui.dataTable({
 *   caption: "Events",
 *   columns: [
 *     { title: "Title", key: "title", cell: (event) => event.title },
 *     { title: "Seats", key: "seats", numeric: true, cell: (event) => event.seats },
 *   ],
 *   rows: [{ title: "Fado", seats: 40 }],
 *   sort: { key: "title", direction: "asc" },
 *   href: ({ key, direction }) => `?sort=${key}&direction=${direction}`,
 * });
 * ```
 */
export function dataTable<Row>(options: DataTableOptions<Row>, ...children: Child[]): Node {
  const { caption, columns, rows, select, menu, empty = word("empty") } = options;
  for (const [name, list] of Object.entries({ columns, rows })) {
    if (Array.isArray(list)) continue;
    throw new TypeError(
      `Cannot render the table "${caption}": "${name}" is not an array; pass one.`,
    );
  }
  const { cards = false, dense = false } = options;
  const count = columns.length + (select === undefined ? 0 : 1) + (menu === undefined ? 0 : 1);
  return table(
    caption,
    cards && h.class("ui-cards"),
    dense && h.class("ui-dense"),
    ...children,
    h.thead(
      h.tr(
        select !== undefined && h.th(h.class("ui-select-cell"), h.scope("col"), selectAll(select)),
        h.map(columns, (column) => heading(column, options)),
        menu !== undefined && h.td(h.class("ui-menu-cell")),
      ),
    ),
    h.tbody(
      rows.length === 0
        ? h.tr(h.td(h.class("ui-table-empty"), h.colspan(count), empty))
        : h.map(rows, (row) => rowOf(row, options)),
    ),
  );
}

function rowOf<Row>(row: Row, options: DataTableOptions<Row>): Node {
  const { columns, select, menu: rowMenu, cards = false } = options;
  return h.tr(
    options.row?.(row),
    select !== undefined && h.td(
      h.class("ui-select-cell"),
      h.label(
        h.input(
          h.class("ui-checkbox"),
          h.type("checkbox"),
          h.name(select.name ?? "id"),
          h.value(select.value(row)),
          h.formAttr(select.form),
          h.aria("label", word("select").replace("{row}", () => select.label(row))),
        ),
      ),
    ),
    h.mapIndex(columns, (column, at) => {
      const { cell, wideOnly = false } = column;
      const content = cell(row);
      const classes = [columnClass(column), wideOnly && cards && h.class("ui-wide-only")];
      if (at === 0) return h.th(h.scope("row"), ...classes, content);
      const title = cards && column.kind !== "money" && column.kind !== "badge" &&
        typeof column.title === "string" &&
        h.data("ui-title", column.title);
      return h.td(...classes, !isEnd(column) && lengthClass(content), title, content);
    }),
    rowMenu !== undefined && h.td(
      h.class("ui-menu-cell"),
      menu(
        h.group(
          ghost,
          square,
          small,
          h.aria("label", word("actions").replace("{row}", () => rowMenu.label(row))),
          icon("more"),
        ),
        end,
        rowMenu.items(row),
      ),
    ),
  );
}

/** The box that chooses every row; only the script can, so without one it is not shown. */
function selectAll<Row>({ form }: RowSelection<Row>): Node {
  return h.label(
    h.class("ui-script-only"),
    h.input(
      h.class("ui-checkbox"),
      h.type("checkbox"),
      h.data("ui-select-all", form),
      h.aria("label", word("selectAll")),
    ),
  );
}

function isEnd<Row>({ numeric = false, kind }: Column<Row>): boolean {
  return numeric || kind === "money";
}

function columnClass<Row>(column: Column<Row>): Child {
  const { kind } = column;
  return [isEnd(column) && num(), kind !== undefined && h.class(`ui-${kind}-cell`)];
}

/** Returns the class that tells a short text from a long one; nothing for a cell that is a node. */
function lengthClass(content: Child): Child {
  if (typeof content === "number") return h.class("ui-short");
  if (typeof content !== "string") return undefined;
  // From U+2E80 on letters are twice as wide, and lines may break between any two of them.
  // Either way there is a class, so that the attributes of a cell do not depend on its text.
  return h.class(/^[^\u2e80-\uffff]{0,16}$/.test(content) ? "ui-short" : "ui-long");
}

function heading<Row>(column: Column<Row>, options: DataTableOptions<Row>): Node {
  const { key, title } = column;
  const { sort, href } = options;
  const numeric = isEnd(column);
  if (key === undefined) return h.th(h.scope("col"), numeric && num(), title);
  if (href === undefined) {
    throw new TypeError(
      `Cannot sort the table "${options.caption}" by "${key}": give href, which makes the URL.`,
    );
  }
  const current = sort?.key === key ? sort.direction : undefined;
  const direction = current === "asc" ? "desc" : "asc";
  return h.th(
    h.scope("col"),
    numeric && num(),
    current !== undefined && h.aria("sort", current === "asc" ? "ascending" : "descending"),
    h.a(
      h.class("ui-sort"),
      // By it the focus finds the link again: the address is that of the other order by then.
      h.data("ui-key", key),
      h.href(href({ key, direction })),
      title,
      icon(current === undefined ? "sort" : current === "asc" ? "arrow-up" : "arrow-down"),
    ),
  );
}
