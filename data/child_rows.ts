/** The rows of other tables that a row contains, such as the lines of an invoice. */
import { StructSchema } from "../runtime/schema/mod.ts";
import { checkReferences, type ChoiceSource } from "./choices.ts";
import { type AnyStruct, columnName, type FieldDef, structFields } from "./columns.ts";
import type { Db } from "./db.ts";
import { ConstraintError } from "./errors.ts";
import { emptyAsNull, set, values } from "./row_parts.ts";
import { among, name, type Sql, sql } from "./sql.ts";
import { rowJson } from "./values.ts";

/** The table of the structs in a list: its rows belong to the row of a {@linkcode TableStore}. */
export interface ChildTable {
  /** The table, whose key is `id`. */
  readonly table: string;
  /** The property with the id of the row they belong to, such as `invoiceId`. It needs an index. */
  readonly parent: string;
  /** `select … from …` with the joins; the table is `t`. */
  readonly read: Sql;
  /** The referenced tables by property; deleted rows of audited tables are refused. @default none */
  readonly references?: Readonly<Record<string, ChoiceSource>>;
}

/** A list with the structs of its rows: as read, and as written. */
interface ChildList extends ChildTable {
  readonly property: string;
  readonly rows: AnyStruct;
  readonly columns: AnyStruct;
}

type ChildRow = Readonly<Record<string, unknown>> & { readonly id?: number | null };

type StoredRow = ChildRow & { readonly id: number };

/** Reads and writes the child rows of a table, in the caller's transaction. */
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
      const read = itemFields(rows, property);
      const written = new Map([...itemFields(input, property), [
        table.parent,
        read.get(table.parent),
      ]]);
      written.delete("id");
      return { ...table, property, rows: createStruct(read), columns: createStruct(written) };
    });
  }

  get hasAny(): boolean {
    return this.#lists.length > 0;
  }

  /** Returns the struct of the columns, without the lists. */
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
      if (own[property] !== undefined) lists[property] = own[property];
      delete own[property];
    }
    return [own as T, lists as Partial<T>];
  }

  /** Adds their lists to rows, in the order of the child ids. */
  async fill<Row extends { readonly id: number }>(rows: Row[]): Promise<Row[]> {
    let filled = rows;
    for (const list of rows.length === 0 ? [] : this.#lists) {
      const { property, parent } = list;
      const found = Map.groupBy(
        await this.#read(list, rows.map(({ id }) => id)),
        (row) => row[parent],
      );
      filled = filled.map((row) => ({ ...row, [property]: found.get(row.id) ?? [] }));
    }
    return filled;
  }

  async #read({ parent, read, rows }: ChildList, ids: readonly number[]): Promise<StoredRow[]> {
    const column = sql`t.${name(columnName(parent))}`;
    const found = await this.#db.all(rows)`${read} where ${column} ${among(ids)}` as StoredRow[];
    return found.sort((one, other) => one.id - other.id);
  }

  /**
   * Makes the child rows equal to given lists: a row with the id of one of them changes it, another one is new,
   * and the others are deleted.
   */
  async write(id: number, lists: object, { isNew = false } = {}): Promise<void> {
    for (const list of this.#lists) {
      const given: readonly ChildRow[] | undefined = Reflect.get(lists, list.property);
      if (given === undefined || (isNew && given.length === 0)) continue;
      const before = isNew ? [] : await this.#read(list, [id]);
      const present = new Map(before.map((row) => [row.id, row]));
      const kept = new Set(given.map((row) => row.id));
      const gone = before.flatMap(({ id }) => kept.has(id) ? [] : id);
      if (gone.length > 0) {
        await this.#db.run`delete from ${name(list.table)} where "id" ${among(gone)}`;
      }
      for (const [at, { id: own, ...row }] of given.entries()) {
        const old = present.get(own ?? 0);
        // A repeated id names a new row.
        present.delete(own ?? 0);
        try {
          await this.#writeRow(list, { ...row, [list.parent]: id }, old);
        } catch (error) {
          if (!(error instanceof ConstraintError)) throw error;
          throw new ConstraintError({ ...error, cause: error, path: `${list.property}.${at}` });
        }
      }
    }
  }

  async #writeRow(list: ChildList, sent: ChildRow, old: StoredRow | undefined): Promise<void> {
    const { table, columns } = list;
    const row = emptyAsNull(columns, sent);
    const isSame = old !== undefined &&
      Object.entries(row).every(([key, value]) => rowJson([old[key]]) === rowJson([value]));
    if (isSame) return;
    const ids = old && [old.id];
    await checkReferences(this.#db, { ...list, written: [row], ...ids && { ids } });
    const change = ids === undefined
      ? sql`insert into ${name(table)} ${values(columns, row)}`
      : sql`update ${name(table)} set ${set(columns, row)} where "id" ${among(ids)}`;
    await this.#db.run`${change}`;
  }
}

function itemFields(schema: AnyStruct, property: string): ReadonlyMap<string, FieldDef> {
  const def = structFields(schema).get(property);
  if (def?.kind === "list" && def.item.kind === "struct") return def.item.fields;
  throw new TypeError(
    `Cannot keep "${property}" in a table: make it a list of structs in rows and input.`,
  );
}

function createStruct(fields: ReadonlyMap<string, FieldDef | undefined>): AnyStruct {
  const known = new Map([...fields].flatMap(([key, def]) => def === undefined ? [] : [[key, def]]));
  return new StructSchema({
    kind: "struct",
    names: {},
    optional: false,
    checks: [],
    fields: known,
  });
}
