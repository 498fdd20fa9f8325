import type { StructSchema } from "../runtime/schema/mod.ts";
import { type FieldDef, structFields } from "./columns.ts";
import { takeTurn } from "./engine.ts";
import { jsonReader } from "./rows.ts";
import { Part, rawText, type Sql, sql } from "./sql.ts";
import { exactText, toBound } from "./values.ts";

/** A sort key: the SQL of the column and the direction. */
export type OrderKey = readonly [column: Sql, direction: "asc" | "desc"];

/** Options of {@linkcode keyset}. */
export interface KeysetOptions<T> {
  /** Number of rows per page. @default 20 */
  readonly size?: number;
  /**
   * The sort keys by row property, the most significant first. None may be null, and together they
   * must be unique, so the last is usually the primary key. The cursor contains their values, so
   * sort only by texts of up to a few hundred characters.
   */
  readonly by: { readonly [Property in keyof T]?: OrderKey };
  /** The struct of the rows, which validates the values of a cursor. */
  readonly rows: StructSchema<T>;
}

/** The rows of a page and the cursors of the adjacent pages. */
export interface Page<T> {
  /** The rows in list order. */
  readonly rows: T[];
  /** The cursor of the next page; `undefined` on the last. */
  readonly next: string | undefined;
  /** The cursor of the previous page; `undefined` on the first. */
  readonly previous: string | undefined;
}

/** The parts of a statement that reads a page. */
export interface Keyset<T> {
  /** The condition of the page, for {@linkcode where}; `undefined` on the first and the last page. */
  readonly after: Sql | undefined;
  /** `order by` and `limit`, for the end of the statement. */
  readonly order: Sql;
  /** Converts the rows returned by the statement to a page. */
  cut(rows: readonly T[]): Page<T>;
}

type Value = string | number | bigint | boolean | Date;

/** Maximum length of a request line in servers. */
const maxCursorChars = 8_000;

const base64 = { alphabet: "base64url", omitPadding: true } as const;

/**
 * Creates the parts of a statement that reads one page. The page starts after the last row of the
 * previous one, so the cost is the same at any depth.
 *
 * @param at The cursor of the request: `undefined` for the first page, `last` for the last one. A
 * malformed cursor or one of another order gives the first page.
 * @param options The page size, the sort keys and the struct of the rows.
 * @returns The parts of the statement, and `cut`, which makes a page of its rows.
 * @throws {RangeError} for a size that is not a positive integer, for no sort key or one that is
 * not in the struct, and from `cut` for a cursor of more than 8,000 characters.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { int, keyset, sql, struct, where } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const Line = struct({ id: int() });
 * await using db = await openSqlite(":memory:");
 * await db.run`create table lines (id integer primary key) strict`;
 * await db.run`insert into lines select value from json_each('[1,2,3,4,5]')`;
 * const read = async (at?: string) => {
 *   const page = keyset(at, { rows: Line, size: 2, by: { id: [sql`id`, "desc"] } });
 *   return page.cut(await db.all(Line)`select id from lines ${where(page.after)} ${page.order}`);
 * };
 * const first = await read();
 * assertEquals(first.rows.map(({ id }) => id), [5, 4]);
 * assertEquals((await read(first.next)).rows.map(({ id }) => id), [3, 2]);
 * assertEquals((await read("last")).rows.map(({ id }) => id), [2, 1]);
 * ```
 */
export function keyset<T>(at: string | undefined, options: KeysetOptions<T>): Keyset<T> {
  const { size = 20, by, rows: schema } = options;
  const fields = structFields(schema);
  const keys = Object.entries<OrderKey | undefined>(by).flatMap(([property, key]) => {
    if (key === undefined) return [];
    const def = fields.get(property);
    if (def !== undefined) return [{ property, def, column: key[0], direction: key[1] }];
    throw new RangeError(`Cannot create pages by "${property}": the struct of the rows lacks it.`);
  });
  if (!Number.isSafeInteger(size) || size < 1) {
    throw new RangeError(`Cannot create pages of ${size} rows: use a positive integer.`);
  }
  if (keys.length === 0) {
    throw new RangeError("Cannot create pages without a sort key: add a unique one.");
  }
  const signature = keys.map(({ property, direction }) => `${property} ${direction}`).join();
  const cursor = parseCursor(at, signature, keys);
  const isBack = at === "last" || cursor?.isBack === true;
  const ordered = keys.map(({ column, direction }) => ({
    column,
    isUp: (direction === "asc") !== isBack,
  }));
  const write = (row: T, direction: "next" | "previous"): string => {
    const values = keys.map(({ property }) =>
      encodeValue(property, new Map(Object.entries(Object(row))).get(property))
    );
    const text = JSON.stringify([signature, direction === "previous" ? 1 : 0, ...values]);
    const written = new TextEncoder().encode(text).toBase64(base64);
    if (written.length <= maxCursorChars) return written;
    // The next request would refuse the cursor and show the first page again, in an endless loop.
    throw new RangeError(`Cannot create a page by ${signature}: a value is too long for a cursor.`);
  };
  return {
    after: cursor === undefined ? undefined : behind(ordered, cursor.values),
    // The limit is part of the text: with a parameter, Postgres plans each call or for too many rows.
    order: sql`order by ${orderOf(ordered)} ${rawText(`limit ${size + 1}`)}`,
    cut: (read) => {
      const hasMore = read.length > size;
      const kept = read.slice(0, size);
      const rows = isBack ? kept.reverse() : kept;
      const [first] = rows;
      const last = rows.at(-1);
      const hasNext = isBack ? cursor !== undefined : hasMore;
      const hasPrevious = isBack ? hasMore : cursor !== undefined;
      return {
        rows,
        next: hasNext && last !== undefined ? write(last, "next") : undefined,
        // All rows of the page may have been removed.
        previous: !hasPrevious
          ? undefined
          : first === undefined
          ? "last"
          : write(first, "previous"),
      };
    },
  };
}

/**
 * Reads a list of any length page by page, yielding to the event loop between pages, for exports and batches.
 *
 * @param read Reads the page at a cursor; 1,000 rows are a good size.
 * @returns The rows of all pages. A row added after the current page is included, one added before it is not.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { inBatches, int, keyset, sql, struct, where } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const Line = struct({ id: int() });
 * await using db = await openSqlite(":memory:");
 * await db.run`create table lines (id integer primary key) strict`;
 * await db.run`insert into lines select value from json_each('[1,2,3]')`;
 * const lines = inBatches(async (at) => {
 *   const page = keyset(at, { rows: Line, size: 2, by: { id: [sql`id`, "asc"] } });
 *   return page.cut(await db.all(Line)`select id from lines ${where(page.after)} ${page.order}`);
 * });
 * assertEquals((await Array.fromAsync(lines)).map(({ id }) => id), [1, 2, 3]);
 * ```
 */
export async function* inBatches<T>(
  read: (at: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  let at: string | undefined;
  do {
    const page = await read(at);
    yield* page.rows;
    at = page.next;
    await takeTurn();
  } while (at !== undefined);
}

interface OrderedKey {
  readonly column: Sql;
  readonly isUp: boolean;
}

function orderOf(keys: readonly OrderedKey[]): Sql {
  return new Part((writer) => {
    for (const [index, { column, isUp }] of keys.entries()) {
      if (index > 0) writer.write(", ");
      column.writeTo(writer);
      writer.write(isUp ? " asc" : " desc");
    }
  });
}

/** `a >= ? and (a > ? or (a = ? and b < ?))`: the first comparison lets an index find the start. */
function behind([key, ...keys]: readonly OrderedKey[], [value, ...values]: readonly Value[]): Sql {
  if (key === undefined) return sql``;
  const { column, isUp } = key;
  const beyond = isUp ? ">" : "<";
  const starts = sql`${column} ${rawText(beyond)} ${value}`;
  if (keys.length === 0) return starts;
  return sql`${column} ${rawText(`${beyond}=`)} ${value} and (${starts} or (${
    behind(keys, values)
  }))`;
}

function encodeValue(property: string, value: unknown): string | number | boolean {
  if (value instanceof Date) return exactText(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    return value;
  }
  throw new TypeError(
    `Cannot create a page by "${property}": the row has no value of it; use coalesce(…) as the column, and select it.`,
  );
}

function parseCursor(
  at: string | undefined,
  signature: string,
  keys: readonly { readonly def: FieldDef }[],
): { readonly isBack: boolean; readonly values: readonly Value[] } | undefined {
  if (at === undefined || at.length > maxCursorChars) return undefined;
  try {
    const text = new TextDecoder().decode(Uint8Array.fromBase64(at, base64));
    const [madeFor, isBack, ...encoded]: readonly unknown[] = JSON.parse(text);
    if (madeFor !== signature || (isBack !== 0 && isBack !== 1)) return undefined;
    const values = keys.map(({ def }, index) => {
      const value = jsonReader(def)(encoded[index]);
      toBound(value, "sqlite");
      // A value that can be bound has one of these types.
      return value as Value;
    });
    return encoded.length === keys.length ? { isBack: isBack === 1, values } : undefined;
  } catch {
    return undefined;
  }
}
