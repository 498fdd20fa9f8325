/** Options of {@linkcode listPage}. */

import type { Child } from "../../html/mod.ts";
import type { Choice } from "../controls.ts";
import type { Column } from "../table.ts";

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

/** The actions on the chosen rows of {@linkcode listPage}. */
export interface ListActs<Row> {
  /** Value of a row in the form, sent as `id`. */
  readonly value: (row: Row) => string | number;
  /**
   * {@linkcode bulkButton}s, sent by `post` to the page; `h.action` names another.
   *
   * @default what {@linkcode actOnRows} does: a menu that sets the choice of the views, and Delete
   */
  readonly buttons?: Child;
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
  readonly edit?: ((row: Row) => string) | undefined;
  /** Returns the URL of the page that deletes a row. @default no link */
  readonly remove?: ((row: Row) => string) | undefined;
  /** Whether the user may not change rows: no link or button does. @default false */
  readonly isReadOnly?: boolean;
  /** The actions on several rows. @default none */
  readonly acts?: ListActs<Row> | undefined;
  /**
   * Whether deleted rows are shown, by the parameter `deleted`: the acts on them are `restore` and `purge`.
   * @default rows are deleted for good
   */
  readonly deleted?: boolean;
  /** The title and sentence of a list without rows. */
  readonly empty: readonly [title: string, text: string];
}
