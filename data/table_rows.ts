import { int, type StructSchema } from "../mod.ts";
import { ChildRows } from "./child_rows.ts";
import { checkReferences, selectLabelled } from "./choices.ts";
import type { Db } from "./db.ts";
import { type Change, recordChange } from "./history.ts";
import { emptyAsNull, set, values } from "./row_parts.ts";
import { among, type Condition, name, type Sql, sql, where } from "./sql.ts";
import type { TableOptions } from "./table_list.ts";

/** Reads and writes the rows of a table by id, with their child rows, and records the changes of an audited table. */
export class TableRows<Row extends { readonly id: number }, Input extends object, Query> {
  readonly #db: Db;
  readonly options: TableOptions<Row, Input, Partial<Query>> & { readonly read: Sql };
  readonly table: Sql;
  readonly changes: Sql;
  readonly live: Condition;
  readonly children: ChildRows;
  /** The written columns: the input without its lists. */
  readonly columns: StructSchema<Input>;

  constructor(db: Db, options: TableOptions<Row, Input, Partial<Query>>) {
    this.#db = db;
    this.children = new ChildRows(db, options);
    const rows = this.children.without(options.rows);
    const read = options.read ?? selectLabelled({ ...options, rows });
    this.options = { ...options, rows, read };
    this.columns = this.children.without(options.input);
    this.table = name(options.table);
    this.changes = name(`${options.table}_changes`);
    this.live = options.isAudited === true && sql`"deleted_at" is null`;
  }

  /** Runs again after a deadlock; then it sees the rows of the other transaction. */
  tx<T>(work: () => Promise<T>): Promise<T> {
    return this.#db.tx(work, { attempts: 5 });
  }

  /** Reads rows by ids and state. A lock lasts until the transaction ends; SQLite locks the whole database. */
  async read(ids: Sql, state?: Condition, { isLocked = false } = {}): Promise<Row[]> {
    const { rows, read } = this.options;
    const which = where(sql`t."id" ${ids}`, state && sql`t.${state}`);
    const lock = isLocked && this.#db.engine === "postgres" ? sql`for update of t` : sql``;
    return await this.children.fill(await this.#db.all(rows)`${read} ${which} ${lock}` as Row[]);
  }

  async readById(ids: readonly number[], state?: Condition): Promise<ReadonlyMap<number, Row>> {
    const rows = await this.read(among(ids), state);
    return new Map(rows.map((row) => [row.id, row]));
  }

  async insert(rows: readonly Input[]): Promise<readonly number[]> {
    const { isAudited } = this.options;
    await checkReferences(this.#db, { ...this.options, written: rows });
    const split = rows.map((row) => this.children.split(row));
    const own = split.map(([row]) => emptyAsNull(this.columns, row));
    const insert = (): Promise<number[]> =>
      this.#db.all(int())`insert into ${this.table} ${values(this.columns, own)} returning "id"`;
    if (isAudited !== true && !this.children.hasAny) return await insert();
    return await this.tx(async () => {
      const ids = await insert();
      for (const [at, id] of ids.entries()) {
        await this.children.write(id, split[at]?.[1] ?? {}, { isNew: true });
      }
      if (isAudited === true) {
        const rows = ids.map((id) => ({ id }));
        await recordChange(this.#db, this.options, { act: "added", rows });
      }
      return ids;
    });
  }

  async change(ids: readonly number[], input: Partial<Input>): Promise<number> {
    const [own, lists] = this.children.split(input);
    const to = emptyAsNull(this.columns, own);
    await checkReferences(this.#db, { ...this.options, written: [to], ids });
    const isSame = Object.keys(to).length === 0 && Object.keys(lists).length > 0;
    const change = isSame ? undefined : sql`update ${this.table} set ${set(this.columns, to)}`;
    const fields = [...Object.keys(to), ...Object.keys(lists)];
    return await this.write(ids, change, { act: "changed", fields, lists });
  }

  /** Changes the rows in a given state and, if the table is audited, records it in the same transaction. */
  async write(
    ids: readonly number[],
    change: Sql | undefined,
    { state = this.live, act, fields = [], lists = {} }: {
      readonly state?: Condition;
      readonly act: Change["act"];
      readonly fields?: readonly string[];
      /** The new child rows by property. @default they stay */
      readonly lists?: object;
    },
  ): Promise<number> {
    const which = where(sql`"id" ${among(ids)}`, state);
    const hasLists = Object.keys(lists).length > 0;
    const write = async (): Promise<number> => {
      const count = change && await this.#db.run`${change} ${which}`;
      if (!hasLists) return count ?? 0;
      const lock = this.#db.engine === "postgres" ? sql`for update` : sql``;
      // Locked, so that no other request writes child rows in between.
      const there = await this.#db.all(int())`select "id" from ${this.table} ${which} ${lock}`;
      for (const id of there) await this.children.write(id, lists);
      return there.length;
    };
    if (this.options.isAudited !== true) return hasLists ? await this.tx(write) : await write();
    return await this.tx(async () => {
      // Locked, so that no other request changes the rows in between.
      const before = await this.read(among(ids), state, { isLocked: true });
      const count = await write();
      const after = fields.length === 0 ? [] : [...(await this.readById(ids)).values()];
      await recordChange(this.#db, this.options, { act, rows: before, fields, after });
      return count;
    });
  }
}
