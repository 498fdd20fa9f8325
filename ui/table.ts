/** Tables, and data tables with sortable columns. */

import * as h from "../html/mod.ts";
import type { Child, Node } from "../html/mod.ts";
import { icon } from "./icon/icon.ts";
import { word } from "./labels.ts";
import { menu } from "./overlay.ts";
import { end, ghost, small, square } from "./variants.ts";

/**
 * Renders a table that scrolls horizontally if it does not fit.
 *
 * @param caption The caption.
 * @param children `h.thead`, `h.tbody`, attributes of the table.
 * @returns A `div` with the `table`.
 */
export function table(caption: string, ...children: Child[]): Node {
  return h.div(
    h.class("ui-table-wrap"),
    h.role("region"),
    h.aria("label", caption),
    // Safari does not focus scroll containers, so that no key could scroll them.
    h.tabindex(0),
    h.table(h.class("ui-table"), h.caption(caption), ...children),
  );
}

/**
 * Indents the first cell of a row, for a hierarchy such as accounts or folders.
 *
 * @param level The depth of the row; 0 is not indented.
 * @returns An attribute of `tr`.
 */
export function depth(level: number): Node {
  return h.attrs(h.class("ui-depth"), h.styleAttr(`--ui-depth:${Number(level) || 0}`));
}

/**
 * Aligns numbers to the end of their column.
 *
 * @returns An attribute of `th` and `td`.
 */
export function num(): Node {
  return h.class("ui-num");
}

/** The sorting of rows. */
export interface Sort {
  /** The key of the column. */
  readonly key: string;
  /** Ascending or descending. */
  readonly direction: "asc" | "desc";
}

/** One column of a data table. */
export interface Column<Row> {
  /** Title of the column; for a column of buttons, {@linkcode visuallyHidden} text. */
  readonly title: Child;
  /** Returns the cell of a row: text, a node, or {@linkcode h.group} with attributes of the `td`. */
  readonly cell: (row: Row) => Child;
  /** Makes the column sortable; the URL contains this key. @default not sortable */
  readonly key?: string;
  /** Whether the column contains numbers, which are aligned to the end. @default false */
  readonly numeric?: boolean;
  /**
   * Kind of content: money is aligned to the end; money, dates and badges do not wrap. In cards, columns
   * other than badges and an only amount of money show their title before each value.
   *
   * @default text
   */
  readonly kind?: "money" | "date" | "badge";
  /** Whether the column is hidden in cards. @default false */
  readonly wideOnly?: boolean;
}

/** Makes the rows of {@linkcode dataTable} selectable. */
export interface RowSelection<Row> {
  /** The id of the form that gets the values, as in {@linkcode bulkBar}. */
  readonly form: string;
  /** The value of a row, sent under `name`. */
  readonly value: (row: Row) => string | number;
  /** Name of a row, for its checkbox. */
  readonly label: (row: Row) => string;
  /** The name of the checkboxes in the form. @default "id" */
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
  /** The rows in order. */
  readonly rows: readonly Row[];
  /** Current sorting. @default none */
  readonly sort?: Sort | undefined;
  /** Returns the URL of another sorting; required if a column has a key. */
  readonly href?: (sort: Sort) => string;
  /** Returns attributes of a row, such as {@linkcode depth}. @default none */
  readonly row?: (row: Row) => Child;
  /** Content shown without rows. @default labels.empty */
  readonly empty?: Child;
  /** Makes the rows selectable, for actions on several of them. @default not selectable */
  readonly select?: RowSelection<Row> | undefined;
  /** A menu at the end of each row. @default none */
  readonly menu?: RowMenu<Row> | undefined;
  /** Whether rows are cards on phones instead of a scrolling table. @default false */
  readonly cards?: boolean;
  /** Whether rows are compact, without images and second lines. @default false */
  readonly dense?: boolean;
}

/**
 * Renders a data table. The heading of a sortable column is a link to the other order, so the order
 * is part of the URL and works without a script. The handler sorts the rows.
 *
 * @param options The content of the table.
 * @param children Attributes of the table.
 * @returns A `div` with the `table`.
 * @throws {TypeError} if `columns` or `rows` is missing, or a column has a key and `href` is missing.
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
  const hasAmounts = columns.filter(({ kind }) => kind === "money").length > 1;
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
      const title = cards && column.kind !== "badge" && (column.kind !== "money" || hasAmounts) &&
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

/** Renders the checkbox that selects every row, which needs the script and is hidden without it. */
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

/** Returns the class for a short or long text, or nothing for a node. */
function lengthClass(content: Child): Child {
  if (typeof content === "number") return h.class("ui-short");
  if (typeof content !== "string") return undefined;
  // From U+2E80 on, characters are twice as wide, and lines may break between any two of them. Both
  // cases have a class, so that a cell's attributes do not depend on its text.
  return h.class(/^[^\u2e80-\uffff]{0,16}$/.test(content) ? "ui-short" : "ui-long");
}

function heading<Row>(column: Column<Row>, options: DataTableOptions<Row>): Node {
  const { key, title } = column;
  const { sort, href } = options;
  const numeric = isEnd(column);
  if (key === undefined) return h.th(h.scope("col"), numeric && num(), title);
  if (href === undefined) {
    throw new TypeError(
      `Cannot sort the table "${options.caption}" by "${key}": add href, which returns the URL.`,
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
      // The id restores the focus, because the link's URL changes to the other order.
      h.data("ui-key", key),
      h.href(href({ key, direction })),
      title,
      icon(current === undefined ? "sort" : current === "asc" ? "arrow-up" : "arrow-down"),
    ),
  );
}
