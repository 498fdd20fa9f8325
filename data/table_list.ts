import { float, int, struct, text } from "../mod.ts";
import { readFormFields } from "../runtime/addon.ts";
import type { StructSchema } from "../runtime/schema/mod.ts";
import type { ChildTable } from "./child_rows.ts";
import type { ChoiceSource } from "./choices.ts";
import { columnName, createStruct, structFields } from "./columns.ts";
import { type Db, EngineDb } from "./db.ts";
import { keyset, type KeysetOptions, type Page } from "./pages.ts";
import { Scope } from "./scope.ts";
import { bound, contains, Gone, limited } from "./search.ts";
import {
  type Condition,
  name,
  postgresDialect,
  type Sql,
  sql,
  StatementWriter,
  where,
} from "./sql.ts";

/** The parameters of a list besides its filters. */
export interface ListQuery {
  /** The name of an order. @default the first one */
  readonly sort?: string | null;
  /** The cursor of a page, or `last`. */
  readonly at?: string | null;
  /** `yes` selects only the deleted rows of an audited table. */
  readonly deleted?: string | null;
}

/** Options of {@linkcode TableStore}. */
export interface TableOptions<Row, Input, Query> {
  /** The table, whose key is `id`. */
  readonly table: string;
  /** The struct of read rows. */
  readonly rows: StructSchema<Row>;
  /** The struct of written values. Empty text in an optional field is stored as null. */
  readonly input: StructSchema<Input>;
  /**
   * `select … from …` with the joins; the table is `t`.
   *
   * @default the fields of `rows`; `readerName` is the label of the row that `readerId` of `references` names
   */
  readonly read?: Sql;
  /**
   * The struct of a query. A field that `rows` has too is a filter: of equal values, of yes or no for a `bool`, and
   * of empty ones by the value `none`; `q` is a search. @default only `matching` filters
   */
  readonly query?: StructSchema<Query>;
  /**
   * The orders of a list by name, the first one by default. Each needs an index.
   *
   * @default the choices of `sort` in `query`: `newest`, `oldest` and fields, in descending order after a minus
   */
  readonly orders?: Readonly<Record<string, KeysetOptions<Row>["by"]>>;
  /** More conditions of a query, only on `t`, because a count has no joins. @default none */
  readonly matching?: (query: Query) => readonly Condition[];
  /**
   * Whether deleted rows are marked in the column `deleted_at` until they are purged, and changes
   * are recorded in `<table>_changes`. @default false
   */
  readonly isAudited?: boolean;
  /** The referenced tables by property; deleted rows of audited tables are refused. @default none */
  readonly references?: Readonly<Record<string, ChoiceSource>>;
  /**
   * The tables of child rows, by the property that lists them: a `list` of structs in `rows` and `input`, whose
   * structs have an `id`, in `input` an optional one. They are read and written with the row. @default none
   */
  readonly lists?: Readonly<Record<string, ChildTable>>;
}

type ListOptions<Row, Query> =
  & Omit<TableOptions<Row, never, Partial<Query>>, "input" | "read">
  & { readonly read: Sql };

/** A count stops here; a list then shows "More than 1,000". */
const maxCount = 1_001;
const maxLongLists = 100;
const longListMs = 1_000;

export class TableList<Row extends { readonly id: number }, Query extends object> {
  readonly #db: Db;
  readonly #options: ListOptions<Row, Query>;
  readonly #orders: Readonly<Record<string, KeysetOptions<Row>["by"]>>;
  readonly #counted: StructSchema<Row & { readonly fwTotal: number }>;
  readonly #longLists: Map<string, { readonly atMs: number; readonly changeCount: number }> =
    new Map();

  constructor(db: Db, options: ListOptions<Row, Query>) {
    this.#db = db;
    this.#options = options;
    this.#orders = options.orders ?? namedOrders(options);
    const fields = new Map([...structFields(options.rows), ["fwTotal", int().def]]);
    this.#counted = createStruct(fields) as StructSchema<Row & { readonly fwTotal: number }>;
  }

  /** Reads a page, with the number of rows up to 1,001. */
  async read(
    query: Partial<Query> & ListQuery,
    size: number,
  ): Promise<Page<Row> & { readonly total: number }> {
    const { rows, read } = this.#options;
    const by = this.#order(query.sort);
    const page = keyset(query.at ?? undefined, { rows, by, size });
    const conditions = this.#matching(query);
    const isNewest = page.after === undefined && query.at !== "last" &&
      Object.keys(by).join() === "id" && by.id?.[1] === "desc";
    const some = isNewest ? limited(conditions, size + 1) : conditions;
    const list = sql`${read} ${where(...some, page.after)} ${page.order}`;
    const readPage = async (): Promise<Page<Row>> =>
      page.cut(await this.#db.all(rows)`${bound(conditions)} ${list}`);
    if (!(this.#db instanceof EngineDb) || this.#db.engine === "sqlite") {
      // Read separately, because SQLite's read cache can reuse the count for all pages.
      return { ...await readPage(), total: await this.#count(conditions) };
    }
    const counting = this.#counting(conditions);
    // Row policies may show different rows to different callers.
    const key = countKey(counting) + (this.#db.internals.context ?? "");
    if (this.#isLong(key, this.#db)) return { ...await readPage(), total: maxCount };
    const now = { atMs: performance.now(), changeCount: this.#db.changeCount };
    // With eight concurrent requests, one statement is a fifth faster than two. An empty page has no count.
    const found = await this.#db.all(this.#counted)`${bound(conditions)}
      select p.*, (${counting}) as "fw_total" from (${list}) p`;
    const total = found[0]?.fwTotal ?? await this.#count(conditions);
    if (total === maxCount) this.#keepLong(key, now);
    const own = found.map(({ fwTotal: _, ...row }) => row as unknown as Row);
    return { ...page.cut(own), total };
  }

  /**
   * Returns whether a list recently had more than 1,000 rows and this process has changed nothing
   * since. Counting again takes a third of the time of a page (`bench/data`).
   */
  #isLong(key: string, { changeCount }: EngineDb): boolean {
    const seen = this.#longLists.get(key);
    return seen !== undefined && seen.changeCount === changeCount && !Scope.holdsTransaction() &&
      performance.now() - seen.atMs < longListMs;
  }

  #keepLong(key: string, seen: { readonly atMs: number; readonly changeCount: number }): void {
    if (Scope.holdsTransaction()) return;
    if (this.#longLists.size >= maxLongLists) this.#longLists.clear();
    this.#longLists.set(key, seen);
  }

  /** Counts the matching rows, up to 1,001. */
  async count(query: Partial<Query> & ListQuery): Promise<number> {
    return await this.#count(this.#matching(query));
  }

  #order(sort: string | null | undefined): KeysetOptions<Row>["by"] {
    const orders = this.#orders;
    const [first = ""] = Object.keys(orders);
    const chosen = sort || first;
    const by = Object.hasOwn(orders, chosen) ? orders[chosen] : undefined;
    if (by !== undefined) return by;
    throw new RangeError(`Cannot sort "${this.#options.table}" by "${chosen}": add it to orders.`);
  }

  #matching(query: Partial<Query> & ListQuery): readonly Condition[] {
    const { matching, isAudited, table } = this.#options;
    const conditions = [...filters(query, this.#options), ...matching?.(query) ?? []];
    if (isAudited !== true) return conditions;
    const gone = new Gone(name(table));
    return [...conditions, query.deleted === "yes" ? gone : sql`t."deleted_at" is null`];
  }

  #count(conditions: readonly Condition[]): Promise<number> {
    return this.#db.one(int())`${bound(conditions)} ${this.#counting(conditions)}`;
  }

  #counting(conditions: readonly Condition[]): Sql {
    return sql`select count(*) from (
      select 1 from ${name(this.#options.table)} t
      ${where(...limited(conditions, maxCount))} limit 1001) x`;
  }
}

/** Returns the orders that the choices of `sort` name. */
function namedOrders<Row, Query>(
  { table, rows, query }: ListOptions<Row, Query>,
): Readonly<Record<string, KeysetOptions<Row>["by"]>> {
  const sort = query && readFormFields(query).find(({ path }) => path === "sort");
  return Object.fromEntries((sort?.oneOf ?? ["newest"]).map((order) => {
    const direction = /^(?:-|newest$)/.test(order) ? "desc" : "asc";
    const id = [sql`t."id"`, direction] as const;
    if (order === "newest" || order === "oldest") return [order, { id }];
    const field = order.replace("-", "");
    if (structFields(rows).has(field)) {
      return [order, { [field]: [sql`t.${name(columnName(field))}`, direction], id }];
    }
    throw new RangeError(
      `Cannot sort "${table}" by "${order}": name a field of rows, or add orders.`,
    );
  })) as Readonly<Record<string, KeysetOptions<Row>["by"]>>;
}

/** Returns the conditions of the fields that a query shares with the rows, and of its search. */
function filters<Row, Query>(
  values: Partial<Query>,
  { table, rows, query }: ListOptions<Row, Query>,
): readonly Condition[] {
  const fields = structFields(rows);
  const given = new Map<string, unknown>(Object.entries(values));
  return [...query === undefined ? [] : structFields(query)].map(([property, { optional }]) => {
    const value = given.get(property);
    // Zero and false mean that a field was not sent, unless it is optional.
    const isSent = Boolean(value) || (optional && (value === 0 || value === false));
    if (!isSent || /^(?:at|deleted|sort)$/.test(property)) return false;
    if (property === "q") return contains(table, String(value));
    const kind = fields.get(property)?.kind;
    if (kind === undefined) return false;
    const column = sql`t.${name(columnName(property))}`;
    if (kind === "bool") return sql`${column} = ${value === true || value === "yes"}`;
    return value === "none" && kind !== "text" ? sql`${column} is null` : sql`${column} = ${value}`;
  });
}

/** Returns the key of a count: its text and its values. */
function countKey(part: Sql): string {
  const writer = new StatementWriter(postgresDialect);
  part.writeTo(writer);
  const values = writer.values.map((value) => `${typeof value} ${value}`);
  return JSON.stringify([writer.text, values]);
}

const Week = struct({ age: int(), count: int(), sum: float() });
const Share = struct({ value: text().optional(), count: int() });

/** The growth of a table, for the overview page of an application. */
export interface Growth {
  /** The number of rows. */
  readonly total: number;
  /** The number of rows added in each of the last 13 weeks. */
  readonly added: readonly number[];
  /** The number of rows after each week. */
  readonly counts: readonly number[];
  /** The sum of a column after each week. */
  readonly sums: readonly number[];
  /** The number of rows for each value of a column; `""` stands for null. */
  readonly shares: ReadonlyMap<string, number>;
}

const weeks = 13;
const weekSeconds = 7 * 24 * 60 * 60;

export async function readGrowth(
  db: Db,
  { table, live, share, sum }: {
    readonly table: Sql;
    readonly live: Condition;
    readonly share?: string | undefined;
    readonly sum?: string | undefined;
  },
): Promise<Growth> {
  const column = sum === undefined ? sql`0` : name(columnName(sum));
  // The sum of two maximum amounts exceeds the safe integers of JavaScript.
  const total = sql`coalesce(sum(cast(${column} as double precision)), 0.0)`;
  const figures = sql`count(*) as "count", ${total} as "sum"`;
  const all = await db.one(Week)`
    -- scan: the page says how many there are
    select 0 as "age", ${figures} from ${table} ${where(live)}`;
  const now = Math.floor(Date.now() / 1_000);
  const recent = await db.all(Week)`
    select (${now} - "added_at") / ${weekSeconds} as "age", ${figures}
    from ${table} ${where(sql`"added_at" > ${now - weeks * weekSeconds}`, live)} group by 1`;
  const shares = share === undefined ? [] : await db.all(Share)`
    -- scan: the page says how many there are
    select ${name(columnName(share))} as "value", count(*) as "count"
    from ${table} ${where(live)} group by 1`;
  const [added, counts, sums]: [number[], number[], number[]] = [[], [], []];
  let { count, sum: amount } = all;
  for (let age = 0; age < weeks; age++) {
    const week = recent.find((each) => each.age === age) ?? { count: 0, sum: 0 };
    added.unshift(week.count);
    counts.unshift(count);
    sums.unshift(amount);
    count -= week.count;
    amount -= week.sum;
  }
  const byValue = new Map(shares.map(({ value, count }) => [value ?? "", count]));
  return { total: all.count, added, counts, sums, shares: byValue };
}
