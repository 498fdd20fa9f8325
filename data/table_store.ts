import { int, notFound } from "../mod.ts";
import type { Db } from "./db.ts";
import { type Change, ChangeRow, recordChange } from "./history.ts";
import { type FileName, findFile, type RowFile, type RowFiles, writeFiles } from "./files.ts";
import { type Choice, readChoices, type StoredIds, withLabels } from "./choices.ts";
import { exportCsv } from "./csv.ts";
import { importCsv, type ImportedCsv } from "./import.ts";
import { inBatches, type Page } from "./pages.ts";
import { set } from "./row_parts.ts";
import { among, type Sql, sql, where } from "./sql.ts";
import {
  type Growth,
  type ListQuery,
  readGrowth,
  TableList,
  type TableOptions,
} from "./table_list.ts";
import { TableRows } from "./table_rows.ts";

/**
 * The store of a table: filtered, searched, sorted and counted lists, and rows by `id`.
 * Applications extend it for each table.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { int, struct, TableStore, text } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const NoteInput = struct({ text: text("required") });
 * const Note = struct({ id: int(), text: text() });
 *
 * await using db = await openSqlite(":memory:");
 * await db.run`create table notes (id integer primary key, text text not null) strict`;
 * const notes = new TableStore(db, {
 *   table: "notes",
 *   rows: Note,
 *   input: NoteInput,
 *   query: struct({ text: text().optional(), sort: text("oneof=newest oldest").optional() }),
 * });
 * const { id } = await notes.add({ text: "Bring water" });
 * assertEquals((await notes.list({ text: "Bring water" })).total, 1);
 * assertEquals(await notes.get(id), { id: 1, text: "Bring water" });
 * ```
 */
export class TableStore<
  Row extends { readonly id: number },
  Input extends object,
  Query extends object,
> {
  /** The database. */
  protected readonly db: Db;
  readonly #list: TableList<Row, Query>;
  readonly #rows: TableRows<Row, Input, Query>;

  /** Creates the store without reading from the database. */
  constructor(db: Db, options: TableOptions<Row, Input, Partial<Query>>) {
    this.db = db;
    this.#rows = new TableRows(db, options);
    this.#list = new TableList(db, this.#rows.options);
  }

  /**
   * Reads a page of the list, with the number of rows up to 1,001. On Postgres, a count of 1,001 is
   * reused for a second unless this process changes rows.
   */
  async list(
    query: Partial<Query> & ListQuery = {},
    size: number = 20,
  ): Promise<Page<Row> & { readonly total: number }> {
    const page = await this.#list.read(query, size);
    const { children } = this.#rows;
    return children.hasAny ? { ...page, rows: await children.fill(page.rows) } : page;
  }

  /** Counts the matching rows, up to 1,001. */
  async cappedCount(query: Partial<Query> & ListQuery = {}): Promise<number> {
    return await this.#list.count(query);
  }

  /** Counts the matching rows: all, then those for each value of a filter. */
  async countEach<Name extends keyof Query & string>(
    query: Partial<Query> & ListQuery,
    filter: Name,
    values: readonly NonNullable<Query[Name]>[],
  ): Promise<number[]> {
    const queries = [undefined, ...values].map((value) => ({ ...query, [filter]: value }));
    return await Promise.all(queries.map((each) => this.cappedCount(each)));
  }

  /**
   * Reads the choices for a reference, in child rows for `lines.productId`, as {@linkcode readChoices} describes
   * them.
   *
   * @param property The property with the reference.
   * @param options What is `asked`: the chosen ids or a string to search for. A chosen row that is deleted or excluded
   * by `only` is left out unless the shown rows have it `stored`.
   * @throws {HttpError} 404 for a property without a reference, which may come from a URL.
   */
  async choices(
    property: string,
    options: {
      readonly asked?: number | bigint | string | readonly number[] | null | undefined;
      readonly stored?: StoredIds;
    } = {},
  ): Promise<Choice[]> {
    const [field = "", list] = property.split(".").reverse();
    const { lists = {}, references = {} } = this.#rows.options;
    const sources = list === undefined ? references : lists[list]?.references ?? {};
    const source = Object.hasOwn(sources, field) ? sources[field] : undefined;
    if (source === undefined) throw notFound();
    return await readChoices(this.db, { ...source, ...options });
  }

  /** Reads a row; throws `notFound()` if it does not exist. `deleted` includes deleted rows. */
  async get(id: number, { deleted = false }: { readonly deleted?: boolean } = {}): Promise<Row> {
    const [row] = await this.#rows.read(sql`= ${id}`, !deleted && this.#rows.live);
    if (row === undefined) throw notFound();
    return row;
  }

  /** Reads the existing rows in the order of `ids`; with `deleted`, only the deleted ones. */
  async getAll(
    ids: readonly number[],
    { deleted = false }: { readonly deleted?: boolean } = {},
  ): Promise<Row[]> {
    const state = deleted && this.#rows.live ? sql`"deleted_at" is not null` : this.#rows.live;
    const byId = await this.#rows.readById(ids, state);
    return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
  }

  /**
   * Runs a function on a row in a transaction that locks it: compare {@linkcode rowTag} there, then
   * change the row.
   *
   * @throws {HttpError} 404 if the row does not exist.
   */
  async locked<T>(id: number, work: (row: Row) => Promise<T>): Promise<T> {
    return await this.db.tx(async () => {
      const [row] = await this.#rows.read(sql`= ${id}`, this.#rows.live, { isLocked: true });
      if (row === undefined) throw notFound();
      return await work(row);
    });
  }

  /** Adds a row with its uploads and returns it as stored. */
  async add(input: Input, files: RowFiles<Row> = {}): Promise<Row> {
    return await this.#writeWith(files, async () => (await this.#rows.insert([input]))[0] ?? 0);
  }

  /** Writes a row and its uploads, all or nothing, and returns it as stored. */
  async #writeWith(files: RowFiles<Row>, write: () => Promise<number>): Promise<Row> {
    if (Object.values(files).every((file) => !file)) return await this.get(await write());
    return await this.#rows.tx(async () => {
      const id = await write();
      await writeFiles(this.db, this.#rows.options, { id, files });
      return await this.get(id);
    });
  }

  /** Finds an upload of a row, also of a deleted one; throws `notFound()` if there is none. */
  async getFile(id: number, field: FileName<Row>): Promise<RowFile & { readonly hash: string }> {
    const row = await this.get(id, { deleted: true });
    return findFile(this.db, this.#rows.options.table, { row, field });
  }

  /**
   * Adds the rows of a CSV file, all or none; a preview adds none. On SQLite, a long file takes several
   * transactions, so that other writes need not wait; {@linkcode importCsv} describes the consequences.
   */
  async addFile(
    file: ReadableStream<Uint8Array<ArrayBuffer>>,
    isPreview: boolean,
  ): Promise<ImportedCsv<Input>> {
    const { table, changes, options: { input, isAudited, references = {} } } = this.#rows;
    const remove = (ids: readonly number[]): Promise<unknown> =>
      this.db.tx(async () => {
        await this.db.run`delete from ${table} where "id" ${among(ids)}`;
        if (isAudited) await this.db.run`delete from ${changes} where "row_id" ${among(ids)}`;
      });
    return await importCsv(file, {
      db: this.db,
      rows: input,
      references,
      add: (rows) => this.#rows.insert(rows),
      isPreview,
      ...(this.db.engine === "sqlite" && { remove }),
    });
  }

  /**
   * Writes the matching rows in their order as a CSV file that {@linkcode TableStore.addFile} reads. The label of a
   * referenced row follows its id: `readerId`, `readerName`.
   */
  exportCsv(query: Partial<Query> & ListQuery = {}): ReadableStream<Uint8Array<ArrayBuffer>> {
    const columns = withLabels(this.#rows.columns, this.#rows.options);
    return exportCsv(columns, inBatches((at) => this.list({ ...query, at: at ?? null }, 1_000)));
  }

  /**
   * Changes a row and returns it; throws `notFound()` if it does not exist. Pass only the changed
   * fields, not the row as read; missing uploads stay.
   */
  async change(
    id: number,
    input: Partial<Input> & { readonly id?: never },
    files: RowFiles<Row> = {},
  ): Promise<Row> {
    return await this.#writeWith(files, async () => {
      if (await this.changeAll([id], input) === 0) throw notFound();
      return id;
    });
  }

  /** Applies one change to several rows; returns the number of rows that still exist. */
  async changeAll(
    ids: readonly number[],
    input: Partial<Input> & { readonly id?: never },
  ): Promise<number> {
    return await this.#rows.change(ids, input);
  }

  /** Deletes a row; throws `notFound()` if it does not exist. */
  async remove(id: number): Promise<true> {
    if (await this.removeAll([id]) === 0) throw notFound();
    return true;
  }

  /** Deletes rows, all or none; returns the number of rows that still existed. */
  async removeAll(ids: readonly number[]): Promise<number> {
    const change = this.#rows.options.isAudited === true
      ? sql`update ${this.#rows.table} set "deleted_at" = ${new Date()}`
      : sql`delete from ${this.#rows.table}`;
    return await this.#rows.write(ids, change, { act: "deleted" });
  }

  /** Restores deleted rows, all or none; returns the number of rows that were deleted. */
  async restoreAll(ids: readonly number[]): Promise<number> {
    const change = sql`update ${this.#rows.table} set "deleted_at" = null`;
    const state = sql`"deleted_at" is not null`;
    return await this.#rows.write(ids, change, { state, act: "restored" });
  }

  /**
   * Removes deleted rows permanently; returns their number. Their history keeps who did what and when,
   * but no values.
   */
  async purgeAll(ids: readonly number[]): Promise<number> {
    return await this.#rows.tx(async () => {
      const gone = await this.db.all(int())`delete from ${this.#rows.table}
        where "id" ${among(ids)} and "deleted_at" is not null returning "id"`;
      await this.db.run`update ${this.#rows.changes} set ${set(ChangeRow, { fields: [] })}
        where "row_id" ${among(gone)}`;
      const rows = gone.map((id) => ({ id }));
      await recordChange(this.db, this.#rows.options, { act: "deleted", rows });
      return gone.length;
    });
  }

  /** Reads the newest changes of a row, the newest first. */
  async changes(id: number, most: number = 20): Promise<Change[]> {
    return await this.db.all(ChangeRow)`select ${ChangeRow} from ${this.#rows.changes}
      where "row_id" = ${id} order by "id" desc limit ${most}`;
  }

  /** Reads the newest changes of all rows, each with its current row; purged rows are skipped. */
  async newestChanges(most: number = 20): Promise<(Change & { readonly row: Row })[]> {
    const changes = await this.db.all(ChangeRow)`select ${ChangeRow} from
      -- scan: of 1,000 rows at most
      (select * from ${this.#rows.changes} order by "id" desc limit 1000) x
      where exists (select 1 from ${this.#rows.table} t where t."id" = x."row_id")
      order by "id" desc limit ${most}`;
    const rows = await this.#rows.readById([...new Set(changes.map(({ rowId }) => rowId))]);
    // A row may have been purged between both reads.
    return changes.flatMap((change) => {
      const row = rows.get(change.rowId);
      return row === undefined ? [] : [{ ...change, row }];
    });
  }

  /** Returns the ids of a row's neighbours: the newer, then the older. */
  async neighbours(id: number): Promise<readonly (number | undefined)[]> {
    const find = (beyond: Sql, order: Sql): Promise<number | undefined> =>
      this.db.first(int())`select "id" from ${this.#rows.table}
        ${where(sql`"id" ${beyond} ${id}`, this.#rows.live)} order by "id" ${order} limit 1`;
    return [await find(sql`>`, sql`asc`), await find(sql`<`, sql`desc`)];
  }

  /** Counts rows: all, per week of the last 13 by `added_at`, and per value of a field; sums a field. */
  async growth(
    by: { readonly share?: keyof Input & string; readonly sum?: keyof Input & string } = {},
  ): Promise<Growth> {
    return await readGrowth(this.db, { table: this.#rows.table, live: this.#rows.live, ...by });
  }
}
