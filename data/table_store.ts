/** The store of a table: lists, counts, and rows by their `id`. */
import { int, notFound } from "../mod.ts";
import type { StructSchema } from "../runtime/schema/mod.ts";
import { fieldKind, structFields } from "./columns.ts";
import type { Db } from "./db.ts";
import { type Change, ChangeRow, recordChange } from "./history.ts";
import { checkReferences, type Choice, type ChoiceSource, readChoices } from "./choices.ts";
import { type Growth, readGrowth } from "./growth.ts";
import { importCsv, type ImportedCsv } from "./import.ts";
import { keyset, type KeysetOptions, type Page } from "./pages.ts";
import { bound, Gone, limited } from "./search.ts";
import { set, values } from "./row_parts.ts";
import { among, type Condition, name, type Sql, sql, where } from "./sql.ts";

/** The parameters of a list beside its filters. */
export interface ListQuery {
  /** The name of an order. @default the first one */
  readonly sort?: string | null;
  /** The cursor of a page, or `last`. */
  readonly at?: string | null;
  /** `yes` for the deleted rows of an audited table alone. */
  readonly deleted?: string | null;
}

/** Options of {@linkcode TableStore}. */
export interface TableOptions<Row, Input, Query> {
  /** The table, whose key is `id`. */
  readonly table: string;
  /** The rows that are read. */
  readonly rows: StructSchema<Row>;
  /** The written values. An empty text of an optional field is stored as null. */
  readonly input: StructSchema<Input>;
  /** `select … from …` with the joins; the table is `t`. */
  readonly read: Sql;
  /** The orders of a list by name, the first one by default. Each needs an index. */
  readonly orders: Readonly<Record<string, KeysetOptions<Row>["by"]>>;
  /** The conditions of a query, on `t` alone: a count has no joins. */
  readonly matching: (query: Query) => readonly Condition[];
  /**
   * Whether deleted rows stay until they are purged, in the column `deleted_at`, and changes are recorded in
   * `<table>_changes`. @default false
   */
  readonly isAudited?: boolean;
  /** The tables of references by property: a deleted row of an audited one is refused. @default none */
  readonly references?: Readonly<Record<string, ChoiceSource>>;
}

/**
 * The store of a table: lists that are narrowed, searched, sorted and counted, and rows by their `id`. Applications
 * extend it for each table.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { int, type ListQuery, sql, struct, TableStore, text } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const NoteInput = struct({ text: text("required") });
 * const Note = struct({ id: int(), text: text() });
 *
 * const db = await openSqlite(":memory:");
 * await db.run`create table notes (id integer primary key, text text not null) strict`;
 * const notes = new TableStore(db, {
 *   table: "notes",
 *   rows: Note,
 *   input: NoteInput,
 *   read: sql`select id, text from notes t`,
 *   orders: { newest: { id: [sql`t.id`, "desc"] } },
 *   matching: (_: ListQuery) => [],
 * });
 * const { id } = await notes.add({ text: "Bring water" });
 * assertEquals((await notes.list()).total, 1);
 * assertEquals(await notes.get(id), { id: 1, text: "Bring water" });
 * await db.close();
 * ```
 */
export class TableStore<
  Row extends { readonly id: number },
  Input extends object,
  Query extends ListQuery,
> {
  /** The database. */
  protected readonly db: Db;
  readonly #options: TableOptions<Row, Input, Partial<Query>>;
  readonly #table: Sql;
  readonly #own: ReadonlySet<string>;
  /** The optional texts of a form, which sends them empty. */
  readonly #emptied: readonly string[];

  /** Stores the database and the options; reads nothing. */
  constructor(db: Db, options: TableOptions<Row, Input, Partial<Query>>) {
    this.db = db;
    this.#options = options;
    this.#table = name(options.table);
    const fields = structFields(options.input);
    this.#own = new Set(fields.keys());
    this.#emptied = [...fields].flatMap(([property, def]) =>
      fieldKind(def) === "text" && def.optional ? [property] : []
    );
  }

  /** Reads a page of the list, with the number of rows up to 1,001. */
  async list(
    query: Partial<Query> = {},
    size: number = 20,
  ): Promise<Page<Row> & { readonly total: number }> {
    const { rows, read, orders } = this.#options;
    const [first = ""] = Object.keys(orders);
    const sort = query.sort || first;
    const by = Object.hasOwn(orders, sort) ? orders[sort] : undefined;
    if (by === undefined) {
      throw new RangeError(`Cannot sort "${this.#options.table}" by "${sort}": add it to orders.`);
    }
    const page = keyset(query.at ?? undefined, { rows, by, size });
    const conditions = this.#matching(query);
    const isNewest = page.after === undefined && query.at !== "last" &&
      Object.keys(by).join() === "id" && by.id?.[1] === "desc";
    const some = isNewest ? limited(conditions, size + 1) : conditions;
    // A server works on both at once.
    const [found, total] = await Promise.all([
      this.db.all(rows)`
        ${bound(conditions)} ${read} ${where(...some, page.after)} ${page.order}`,
      this.#count(conditions),
    ]);
    return { ...page.cut(found), total };
  }

  /** Counts the rows that a query finds, up to 1,001. */
  async cappedCount(query: Partial<Query> = {}): Promise<number> {
    return await this.#count(this.#matching(query));
  }

  #matching(query: Partial<Query>): readonly Condition[] {
    const { matching, isAudited } = this.#options;
    if (isAudited !== true) return matching(query);
    const gone = new Gone(this.#table);
    return [...matching(query), query.deleted === "yes" ? gone : sql`t."deleted_at" is null`];
  }

  /** The condition that a row is not deleted. */
  get #live(): Condition {
    return this.#options.isAudited === true && sql`"deleted_at" is null`;
  }

  #count(conditions: readonly Condition[]): Promise<number> {
    return this.db.one(int())`${bound(conditions)} select count(*) from (
      select 1 from ${this.#table} t ${where(...limited(conditions, 1_001))} limit 1001) x`;
  }

  /** Counts the rows that a query finds: all, and those of each value of a filter. */
  async countEach<Name extends keyof Query & string>(
    query: Partial<Query>,
    filter: Name,
    values: readonly NonNullable<Query[Name]>[],
  ): Promise<number[]> {
    return await Promise.all(
      [undefined, ...values].map((value) => this.cappedCount({ ...query, [filter]: value })),
    );
  }

  /**
   * Reads what a form offers for a reference: the newest 1,000 rows of its table and the chosen one, or 50 of the
   * newest 10,000 whose label holds a string.
   */
  protected async choices(
    property: keyof Input & string,
    asked?: number | string | null,
  ): Promise<Choice[]> {
    const source = this.#options.references?.[property];
    if (source === undefined) {
      throw new RangeError(`Cannot offer "${property}": name its table in references.`);
    }
    return await readChoices(this.db, { ...source, asked });
  }

  /** Reads a row; throws `notFound()` if it does not exist. A deleted one is read on request. */
  async get(id: number, { deleted = false }: { readonly deleted?: boolean } = {}): Promise<Row> {
    const { rows, read, isAudited } = this.#options;
    const isLive = isAudited === true && !deleted && sql`t."deleted_at" is null`;
    return await this.db.one(rows)`${read} ${where(sql`t."id" = ${id}`, isLive)}` as Row;
  }

  /** Adds a row and returns it as it is stored. */
  async add(input: Input): Promise<Row> {
    const [id = 0] = await this.#insert([input]);
    return await this.get(id);
  }

  /**
   * Adds the rows of a CSV file, all or none; a preview adds none. On SQLite a long file takes several transactions, so
   * that other writes need not wait for it: {@linkcode importCsv} says what that means.
   */
  async addFile(
    file: ReadableStream<Uint8Array<ArrayBuffer>>,
    isPreview: boolean,
  ): Promise<ImportedCsv<Input>> {
    const { input, isAudited } = this.#options;
    const remove = (ids: readonly number[]): Promise<unknown> =>
      this.db.tx(async () => {
        await this.db.run`delete from ${this.#table} where "id" ${among(ids)}`;
        if (isAudited) await this.db.run`delete from ${this.#changes} where "row_id" ${among(ids)}`;
      });
    return await importCsv(file, {
      db: this.db,
      rows: input,
      add: (rows) => this.#insert(rows),
      isPreview,
      ...(this.db.engine === "sqlite" && { remove }),
    });
  }

  async #insert(rows: readonly Input[]): Promise<readonly number[]> {
    const { input, isAudited, table } = this.#options;
    await checkReferences(this.db, { ...this.#options, written: rows });
    const insert = (): Promise<number[]> =>
      this.db.all(int())`
        insert into ${this.#table} ${values(input, rows.map((row) => this.#filled(row)))}
        returning "id"`;
    if (isAudited !== true) return await insert();
    return await this.db.tx(async () => {
      const ids = await insert();
      await recordChange(this.db, { table, act: "added", rows: ids.map((id) => ({ id })) });
      return ids;
    });
  }

  /**
   * Changes a row and returns it; throws `notFound()` if it does not exist. A row that was read is not a change: pass
   * the fields that change.
   */
  async change(id: number, input: Partial<Input> & { readonly id?: never }): Promise<Row> {
    if (await this.changeAll([id], input) === 0) throw notFound();
    return await this.get(id);
  }

  /**
   * Changes a row with what other tables have of it, in one transaction and one entry of its history.
   *
   * @param id The id.
   * @param input The fields that change.
   * @param more The other changes, and the properties of the row that they may change: `coverHash` for an upload.
   */
  protected async changeWith(
    id: number,
    input: Partial<Input> & { readonly id?: never },
    more: { readonly fields: readonly string[]; readonly work: () => Promise<unknown> },
  ): Promise<Row> {
    return await this.db.tx(async () => {
      if (await this.#change([id], input, more) === 0) throw notFound();
      return await this.get(id);
    });
  }

  /** Applies one change to several rows; returns the number of those that are still there. */
  async changeAll(
    ids: readonly number[],
    input: Partial<Input> & { readonly id?: never },
  ): Promise<number> {
    return await this.#change(ids, input);
  }

  async #change(
    ids: readonly number[],
    input: Partial<Input>,
    more?: { readonly fields: readonly string[]; readonly work: () => Promise<unknown> },
  ): Promise<number> {
    const to = this.#filled(input);
    await checkReferences(this.db, { ...this.#options, written: [to], ids });
    const change = sql`update ${this.#table} set ${set(this.#options.input, to)}`;
    const fields = [...Object.keys(to), ...more?.fields ?? []];
    const state = this.#live;
    return await this.#write(ids, { change, state, act: "changed", fields, work: more?.work });
  }

  /** Deletes a row; throws `notFound()` if it does not exist. */
  async remove(id: number): Promise<true> {
    if (await this.removeAll([id]) === 0) throw notFound();
    return true;
  }

  /** Deletes rows, all or none; returns the number of those that were still there. */
  async removeAll(ids: readonly number[]): Promise<number> {
    const change = this.#options.isAudited === true
      ? sql`update ${this.#table} set "deleted_at" = ${new Date()}`
      : sql`delete from ${this.#table}`;
    return await this.#write(ids, { change, state: this.#live, act: "deleted" });
  }

  /** Restores deleted rows, all or none; returns the number of those that were deleted. */
  async restoreAll(ids: readonly number[]): Promise<number> {
    const change = sql`update ${this.#table} set "deleted_at" = null`;
    const state = sql`"deleted_at" is not null`;
    return await this.#write(ids, { change, state, act: "restored" });
  }

  /**
   * Removes deleted rows permanently. Their history still records who did what and when, but no values.
   *
   * @returns The number of those that were deleted.
   */
  async purgeAll(ids: readonly number[]): Promise<number> {
    const { table } = this.#options;
    return await this.db.tx(async () => {
      const gone = await this.db.all(int())`
        delete from ${this.#table} where "id" ${among(ids)} and "deleted_at" is not null
        returning "id"`;
      await this.db.run`update ${this.#changes} set ${set(ChangeRow, { fields: [] })}
        where "row_id" ${among(gone)}`;
      await recordChange(this.db, { table, act: "deleted", rows: gone.map((id) => ({ id })) });
      return gone.length;
    });
  }

  /** Reads the newest changes of a row, the newest first. */
  async changes(id: number, most: number = 20): Promise<Change[]> {
    return await this.db.all(ChangeRow)`select ${ChangeRow} from ${this.#changes}
      where "row_id" = ${id} order by "id" desc limit ${most}`;
  }

  /** Reads the newest changes of all rows with the rows as they are, the newest first; purged rows have none. */
  async newestChanges(most: number = 20): Promise<(Change & { readonly row: Row })[]> {
    const { rows, read } = this.#options;
    const changes = await this.db.all(ChangeRow)`select ${ChangeRow} from
      -- scan: of 1,000 rows at most
      (select * from ${this.#changes} order by "id" desc limit 1000) x
      where exists (select 1 from ${this.#table} t where t."id" = x."row_id")
      order by "id" desc limit ${most}`;
    const ids = [...new Set(changes.map(({ rowId }) => rowId))];
    const found = await this.db.all(rows)`${read} where t."id" ${among(ids)}` as Row[];
    const byId = new Map(found.map((row) => [row.id, row]));
    // A row may be purged between both reads.
    return changes.flatMap((change) => {
      const row = byId.get(change.rowId);
      return row === undefined ? [] : [{ ...change, row }];
    });
  }

  get #changes(): Sql {
    return name(`${this.#options.table}_changes`);
  }

  /** Changes rows, and records it in the same transaction if the table is audited. */
  async #write(
    ids: readonly number[],
    { change, state, act, fields, work }: {
      readonly change: Sql;
      /** Which of the rows are changed. */
      readonly state: Condition;
      readonly act: Change["act"];
      readonly fields?: readonly string[];
      /** What belongs to the change, if there is a row to change. */
      readonly work?: (() => Promise<unknown>) | undefined;
    },
  ): Promise<number> {
    const { table, isAudited, rows, read } = this.#options;
    const write = async (): Promise<number> => {
      const count = await this.db.run`${change} ${where(sql`"id" ${among(ids)}`, state)}`;
      if (count > 0) await work?.();
      return count;
    };
    if (isAudited !== true) return await write();
    return await this.db.tx(async () => {
      // A change of another request would otherwise come between.
      const lock = this.db.engine === "postgres" ? sql`for update of t` : sql``;
      const before = await this.db.all(rows)`
        ${read} ${where(sql`t."id" ${among(ids)}`, state && sql`t.${state}`)} ${lock}`;
      const count = await write();
      const after = fields && await this.db.all(rows)`${read} where t."id" ${among(ids)}`;
      await recordChange(this.db, {
        table,
        act,
        rows: before.map((row) => ({ ...row })),
        fields: fields ?? [],
        after: (after ?? []).map((row) => ({ ...row })),
        own: this.#own,
      });
      return count;
    });
  }

  /** Returns the ids of the rows beside one, the newer and the older. */
  async neighbours(id: number): Promise<readonly (number | undefined)[]> {
    return [
      await this.db.first(int())`
        select "id" from ${this.#table} ${where(sql`"id" > ${id}`, this.#live)}
        order by "id" limit 1`,
      await this.db.first(int())`
        select "id" from ${this.#table} ${where(sql`"id" < ${id}`, this.#live)}
        order by "id" desc limit 1`,
    ];
  }

  /**
   * Counts the rows: all, in each of the last 13 weeks by the column `added_at`, and by the values of a field; and
   * adds a field up.
   */
  async growth(
    { share, sum }: {
      readonly share?: keyof Input & string;
      readonly sum?: keyof Input & string;
    } = {},
  ): Promise<Growth> {
    return await readGrowth(this.db, { table: this.#table, live: this.#live, share, sum });
  }

  /** A form sends an empty text for what is left out; a unique column takes that once. */
  #filled<T extends Partial<Input>>(input: T): T {
    const filled: Record<string, unknown> = { ...input };
    for (const property of this.#emptied) {
      if (filled[property] === "") filled[property] = null;
    }
    return filled as T;
  }
}
