/** Options of {@linkcode listPage}. */

import type { Child } from "../../html/mod.ts";
import type { Choice } from "../controls.ts";
import type { Column } from "../table.ts";

/** A filter of {@linkcode listPage}: a query parameter with a few values. */
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
  /** Number of all rows, then of the rows with each value, all capped. @default none is shown */
  readonly counts?: readonly number[] | undefined;
}

/** The actions on the chosen rows of {@linkcode listPage}. */
export interface ListActs<Row> {
  /** Form value of a row, sent as `id`. */
  readonly value: (row: Row) => string | number;
  /**
   * {@linkcode bulkButton}s, sent by `post` to the page; `h.action` names another.
   *
   * @default the actions of {@linkcode actOnRows}: a menu that sets the field of the views, and Delete
   */
  readonly buttons?: Child;
}

/** A page of rows, as returned by `cut` of `keyset`. */
export interface ListRows<Row> {
  /** The rows in order. */
  readonly rows: readonly Row[];
  /** The cursor of the previous page. @default none */
  readonly previous?: string | undefined;
  /** The cursor of the next page. @default none */
  readonly next?: string | undefined;
}

/** Options of {@linkcode listPage}. */
export interface ListPageOptions<Row> {
  /** The heading and the name of the table. */
  readonly title: string;
  /** An additional sentence. @default none */
  readonly text?: Child;
  /** The rows to show. */
  readonly page: ListRows<Row>;
  /** The columns; the first names the row. */
  readonly columns: readonly Column<Row>[];
  /** Name of a row, for its menu and its checkbox. */
  readonly label: (row: Row) => string;
  /** The number of rows as text. @default none is shown */
  readonly note?: Child;
  /** Label of the search field, whose parameter is `q`. @default no field */
  readonly search?: string | undefined;
  /** The filter whose values are views above the list. @default none */
  readonly tabs?: ListTabs | undefined;
  /** The other filters. @default none */
  readonly filters?: readonly ListFilter[];
  /** The link to a new row: URL and text. @default none */
  readonly create?: readonly [href: string, text: string] | undefined;
  /** URL of the page that imports rows. @default none */
  readonly importHref?: string | undefined;
  /** URL for exporting the list as a file; the page's query is added. @default none */
  readonly exportHref?: string | undefined;
  /** Returns the URL of the form of a row. @default no link */
  readonly edit?: ((row: Row) => string) | undefined;
  /** Returns the URL of the page that deletes a row. @default no link */
  readonly remove?: ((row: Row) => string) | undefined;
  /** Whether the user may not change rows, which hides the links and buttons that do. @default false */
  readonly isReadOnly?: boolean;
  /** The actions on several rows. @default none */
  readonly acts?: ListActs<Row> | undefined;
  /**
   * Whether the parameter `deleted` shows deleted rows, whose actions are `restore` and `purge`.
   * @default rows are deleted permanently
   */
  readonly deleted?: boolean | undefined;
  /** The title and text of a list without rows. */
  readonly empty: readonly [title: string, text: string];
}
