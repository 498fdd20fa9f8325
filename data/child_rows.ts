/** The rows of other tables that a row contains, such as the lines of an invoice. */
import { int, type StructSchema } from "../runtime/schema/mod.ts";
import { checkReferences, type ChoiceSource, selectLabelled } from "./choices.ts";
import {
  type AnyStruct,
  columnName,
  createStruct,
  type FieldDef,
  propertyName,
  structFields,
} from "./columns.ts";
import type { Db } from "./db.ts";
import { ConstraintError } from "./errors.ts";
import { emptyAsNull, set, values } from "./row_parts.ts";
import { among, name, type Sql, sql } from "./sql.ts";
import { fieldKind, rowJson } from "./values.ts";

/** The table of the structs in a list: its rows belong to the row of a {@linkcode TableStore}. */
export interface ChildTable {
  /** The table, whose key is `id`. */
  readonly table: string;
  /** The property with the id of the row they belong to, such as `invoiceId`. It needs an index. */
  readonly parent: string;
  /** The property of the number that keeps the rows in the order of the list. @default in the order of their ids */
  readonly position?: string;
  /** `select … from …` with the joins; the table is `t`. @default as in a {@linkcode TableStore} */
  readonly read?: Sql;
  /** The referenced tables by property; deleted rows of audited tables are refused. @default none */
  readonly references?: Readonly<Record<string, ChoiceSource>>;
}

interface ChildList extends ChildTable {
  readonly read: Sql;
  readonly property: string;
  readonly rows: AnyStruct;
  readonly columns: AnyStruct;
  /** The property that is read, but not shown. */
  readonly hidden: string;
}

type ChildRow = Readonly<Record<string, unknown>> & { readonly id?: number | null };

type StoredRow = ChildRow & { readonly id: number };

interface WrittenRow {
  /** Its place in the row, such as `lines.2`. */
  readonly path: string;
  readonly row: object;
  /** The row that it changes; `undefined` for a new one. */
  readonly old: StoredRow | undefined;
}

export class ChildRows {
  readonly #db: Db;
  readonly #lists: readonly ChildList[];

  constructor(db: Db, { rows, input, lists = {} }: {
    readonly rows: AnyStruct;
    readonly input: AnyStruct;
    readonly lists?: Readonly<Record<string, ChildTable>> | undefined;
  }) {
    this.#db = db;
    this.#lists = Object.entries(lists).map(([property, table]) => {
      const shown = itemFields(rows, property);
      const { parent, position } = table;
      const place = position === undefined ? [] : [[position, int().def] as const];
      const written = new Map([
        ...itemFields(input, property),
        [parent, shown.get(parent)],
        ...place,
      ]);
      written.delete("id");
      const struct = createStruct(new Map([...place, ...shown]));
      return {
        ...table,
        read: table.read ?? selectLabelled({ ...table, rows: struct }),
        property,
        rows: struct,
        columns: createStruct(written),
        hidden: position !== undefined && !shown.has(position) ? position : "",
      };
    });
  }

  get hasAny(): boolean {
    return this.#lists.length > 0;
  }

  without<T>(schema: StructSchema<T>): StructSchema<T> {
    if (!this.hasAny) return schema;
    const fields = new Map(structFields(schema));
    for (const { property } of this.#lists) fields.delete(property);
    return createStruct(fields) as StructSchema<T>;
  }

  /** Separates the columns of a row from its lists. */
  split<T extends object>(input: T): readonly [own: T, lists: Partial<T>] {
    if (!this.hasAny) return [input, {}];
    const own = { ...input } as Record<string, unknown>;
    const lists: Record<string, unknown> = {};
    for (const { property } of this.#lists) {
      // An optional list that was not sent stays as it is.
      if (Array.isArray(own[property])) lists[property] = own[property];
      delete own[property];
    }
    return [own as T, lists as Partial<T>];
  }

  async fill<Row extends { readonly id: number }>(rows: Row[]): Promise<Row[]> {
    let filled = rows;
    for (const list of rows.length === 0 ? [] : this.#lists) {
      const { property, parent, hidden } = list;
      const found = Map.groupBy(
        await this.#read(list, rows.map(({ id }) => id)),
        (row) => row[parent],
      );
      filled = filled.map((row) => {
        const own = found.get(row.id)?.map(({ [hidden]: _, ...shown }) => shown);
        return { ...row, [property]: own ?? [] };
      });
    }
    return filled;
  }

  async #read(
    { parent, read, rows, position = "id" }: ChildList,
    ids: readonly number[],
  ): Promise<StoredRow[]> {
    const column = sql`t.${name(columnName(parent))}`;
    const found = await this.#db.all(rows)`${read} where ${column} ${among(ids)}` as StoredRow[];
    return found.sort((one, other) =>
      Number(one[position]) - Number(other[position]) || one.id - other.id
    );
  }

  /**
   * Makes the child rows equal to given lists: a row with the id of one of them changes it, another one is new,
   * and the others are deleted.
   */
  async write(id: number, lists: object, { isNew = false } = {}): Promise<void> {
    for (const list of this.#lists) {
      const given: readonly ChildRow[] | undefined = Reflect.get(lists, list.property);
      if (given === undefined) continue;
      const stored = isNew ? [] : await this.#read(list, [id]);
      const before = new Map(stored.map((row) => [row.id, row]));
      const rows = given.map(({ id: own, ...sent }, at): WrittenRow => {
        const old = before.get(own ?? 0);
        // A repeated id names a new row.
        before.delete(own ?? 0);
        const place = list.position !== undefined && { [list.position]: at };
        const row = emptyAsNull(list.columns, { ...sent, [list.parent]: id, ...place });
        return { path: `${list.property}.${at}`, row, old };
      });
      if (before.size > 0) {
        await this.#db.run`delete from ${name(list.table)} where "id" ${among([...before.keys()])}`;
      }
      await this.#writeRows(list, rows.filter(isChanged));
    }
  }

  /** Writes rows. A unique value that moves from one row to another is freed first. */
  async #writeRows(
    list: ChildList,
    rows: readonly WrittenRow[],
    freed: string[] = [],
  ): Promise<void> {
    const changed = rows.flatMap(({ old }) => old ?? []);
    const write = async (): Promise<void> => {
      for (const { id } of freed.length > 0 ? changed : []) {
        const spare = Object.fromEntries(freed.map((key) => [key, spareValue(list, key, id)]));
        await this.#db.run`
          update ${name(list.table)} set ${set(list.columns, spare)} where "id" = ${id}`;
      }
      for (const row of rows) await this.#writeRow(list, row);
    };
    if (rows.length < 2 || changed.length === 0) return await write();
    try {
      await this.#db.tx(write);
    } catch (error) {
      const isUnique = error instanceof ConstraintError && error.kind === "unique";
      const more = (isUnique ? error.columns : []).map(propertyName).filter((key) =>
        key !== list.parent && !freed.includes(key) && spareValue(list, key, 0) !== undefined
      );
      if (more.length === 0) throw error;
      await this.#writeRows(list, rows, [...freed, ...more]).catch((later) => {
        // A check may refuse the values that free a column.
        throw later instanceof ConstraintError && later.path === undefined ? error : later;
      });
    }
  }

  async #writeRow(list: ChildList, { path, row, old }: WrittenRow): Promise<void> {
    const { table, columns } = list;
    const ids = old && [old.id];
    try {
      await checkReferences(this.#db, { ...list, written: [row], ...ids && { ids } });
      await (ids === undefined
        ? this.#db.run`insert into ${name(table)} ${values(columns, row)}`
        : this.#db.run`update ${name(table)} set ${set(columns, row)} where "id" ${among(ids)}`);
    } catch (error) {
      if (!(error instanceof ConstraintError)) throw error;
      throw new ConstraintError({ ...error, cause: error, path });
    }
  }
}

function isChanged({ row, old }: WrittenRow): boolean {
  return old === undefined ||
    Object.entries(row).some(([key, value]) => rowJson([old[key]]) !== rowJson([value]));
}

/** Returns a value that frees a unique column for a moment: null, or one that no other row should have. */
function spareValue({ columns }: ChildList, key: string, id: number): unknown {
  const def = structFields(columns).get(key);
  if (def?.optional) return null;
  const kind = def && fieldKind(def);
  if (kind === "text") return crypto.randomUUID().slice(0, 8);
  return kind === "int" ? 2 ** 31 - 1 - id % 2 ** 30 : undefined;
}

function itemFields(schema: AnyStruct, property: string): ReadonlyMap<string, FieldDef> {
  const def = structFields(schema).get(property);
  if (def?.kind === "list" && def.item.kind === "struct") return def.item.fields;
  throw new TypeError(
    `Cannot keep "${property}" in a table: make it a list of structs in rows and input.`,
  );
}
