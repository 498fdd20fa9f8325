import { columnsText, isStruct, quoteName } from "./columns.ts";
import { findPlaces } from "./statements.ts";
import { type Bound, encodeJson, toBound } from "./values.ts";

export interface Dialect {
  readonly engine: "sqlite" | "postgres";
  placeholder(number: number): string;
  readonly maxValues: number;
  columns(table: string): readonly string[];
}

export const postgresDialect: Dialect = {
  engine: "postgres",
  placeholder: (number) => `$${number}`,
  // The protocol counts them in 16 bits; a driver would send a wrong count.
  maxValues: 65_535,
  columns: () => [],
};

export class StatementWriter {
  readonly dialect: Dialect;
  readonly values: Bound[] = [];
  /** Whether the best plan depends on the values, so that the server must not reuse one plan. */
  isVaried = false;
  text = "";

  constructor(dialect: Dialect) {
    this.dialect = dialect;
  }

  write(text: string): void {
    this.text += text;
  }

  bind(value: Bound): void {
    this.values.push(value);
    this.text += this.dialect.placeholder(this.values.length);
  }

  /** Adds JSON text as a parameter. Without the casts, a driver would encode the text again. */
  bindJson(text: string): void {
    this.bind(text);
    if (this.dialect.engine === "postgres") this.text += "::text::jsonb";
  }
}

/**
 * A part of a statement, made by {@linkcode sql} and the other functions of this package. It keeps
 * values separate from text, so that no value becomes SQL. A plain object never counts as a part.
 */
export abstract class Sql {
  /**
   * Adds the part to a statement.
   *
   * @internal
   */
  abstract writeTo(writer: StatementWriter): void;
}

/** A condition, or an absent one: `where(query && contains("tickets", query))`. */
export type Condition = Sql | undefined | null | false | "" | 0;

export class Part extends Sql {
  readonly #write: (writer: StatementWriter) => void;

  constructor(write: (writer: StatementWriter) => void) {
    super();
    this.#write = write;
  }

  override writeTo(writer: StatementWriter): void {
    this.#write(writer);
  }
}

export function rawText(text: string): Part {
  return new Part((writer) => writer.write(text));
}

/** Refuses strings and lists, such as a parsed body: only a template literal in the code is SQL. */
export function checkTemplate(strings: readonly string[]): void {
  if (Array.isArray(strings) && "raw" in strings) return;
  throw new TypeError(`Cannot run ${describeValue(strings)}: write the statement as a template.`);
}

export function writeTemplate(
  writer: StatementWriter,
  strings: readonly string[],
  values: readonly unknown[],
): void {
  const { engine } = writer.dialect;
  for (const [index, text] of strings.entries()) {
    writer.write(text);
    if (index >= values.length) continue;
    const value = values[index];
    if (value instanceof Sql) value.writeTo(writer);
    else if (isStruct(value)) writer.write(columnsText(value));
    else {
      const place = findPlaces(strings, engine)[index];
      // `where ${isOwn && sql`…`}` would otherwise bind `false`.
      if (place === true || (place && (!value || value === true))) {
        throw new TypeError(
          `Cannot use ${describeValue(value)} as a condition or a sort key: write it as a ` +
            "template of sql, and conditions that may be absent inside of where().",
        );
      }
      writer.bind(toBound(value, engine));
    }
  }
}

/**
 * Creates a statement part from a template. Its values become parameters; parts and schemas become SQL.
 *
 * @param values Strings, numbers, bigints, booleans, dates, bytes, `null`, parts, or structs.
 * @returns The part, for use in another template.
 * @throws {TypeError} when the statement is written, if a value is `undefined` or another object.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { int, sql } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * await using db = await openSqlite(":memory:");
 * const three = sql`1 + ${2}`;
 * assertEquals(await db.one(int())`select ${three}`, 3);
 * ```
 */
export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): Sql {
  checkTemplate(strings);
  return new Part((writer) => writeTemplate(writer, strings, values));
}

/**
 * Joins conditions with `and` after the word `where`. Absent conditions (`undefined`, `null`,
 * `false`, `""`, `0`) are omitted; without any condition, the part is empty.
 *
 * @param conditions Parts of {@linkcode sql}, each put in parentheses.
 * @returns The part, with the word `where` unless it is empty.
 * @throws {TypeError} for anything else, because dropping it would select every row.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { int, sql, where } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * await using db = await openSqlite(":memory:");
 * const wanted: number | undefined = undefined;
 * const filter = where(wanted && sql`value = ${wanted}`, sql`value > ${1}`);
 * const count = await db.one(int())`select count(*) from json_each('[1,2,3]') ${filter}`;
 * assertEquals(count, 2);
 * ```
 */
export function where(...conditions: readonly Condition[]): Sql {
  return joined("where", conditions);
}

/**
 * Joins conditions with `and`, in parentheses; true without conditions.
 *
 * @param conditions As for {@linkcode where}.
 */
export function and(...conditions: readonly Condition[]): Sql {
  return joined("and", conditions);
}

/**
 * Joins conditions with `or`, in parentheses; false without conditions.
 *
 * @param conditions As for {@linkcode where}.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { and, int, or, sql, where } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * await using db = await openSqlite(":memory:");
 * const filter = or(and(sql`value > ${1}`, sql`value < ${3}`), sql`value = ${5}`);
 * const read = db.all(int());
 * assertEquals(await read`select value from json_each('[1,2,3,5]') ${where(filter)}`, [2, 5]);
 * ```
 */
export function or(...conditions: readonly Condition[]): Sql {
  return joined("or", conditions);
}

const joints = {
  where: { start: "where ", between: " and ", end: "", none: "" },
  and: { start: "(", between: " and ", end: ")", none: "1 = 1" },
  or: { start: "(", between: " or ", end: ")", none: "1 = 0" },
} as const;

function joined(name: keyof typeof joints, conditions: readonly unknown[]): Sql {
  const kept = conditions.flatMap((condition) => {
    if (condition instanceof Sql) return [condition];
    // NaN is a failed calculation, not an absent filter.
    if (!condition && !Number.isNaN(condition)) return [];
    const value = describeValue(condition);
    throw new TypeError(
      `Cannot use ${value} in ${name}(): write the condition as a template of sql.`,
    );
  });
  const { start, between, end, none } = joints[name];
  return new Part((writer) => {
    for (const [index, part] of kept.entries()) {
      // A condition may contain "or".
      writer.write(`${index === 0 ? start : between}(`);
      part.writeTo(writer);
      writer.write(")");
    }
    writer.write(kept.length === 0 ? none : end);
  });
}

/**
 * Tests a column against a list: `status ${among(["open", "pending"])}`. The statement is the same
 * for every length. False for an empty list.
 *
 * @param list Strings, finite numbers, bigints, booleans or dates, all of one kind.
 * @throws {TypeError} for anything else.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { among, int } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * await using db = await openSqlite(":memory:");
 * const count = db.one(int());
 * assertEquals(await count`select count(*) from json_each('[1,2,3]') where value ${among([2, 3])}`, 2);
 * assertEquals(await count`select count(*) from json_each('[1,2,3]') where value ${among([])}`, 0);
 * ```
 */
export function among(list: readonly unknown[]): Sql {
  return listPart("among", list);
}

/**
 * Tests that a column is not in a list: `status ${notAmong(["closed"])}`; true for an empty list.
 *
 * @param list As for {@linkcode among}.
 */
export function notAmong(list: readonly unknown[]): Sql {
  return listPart("notAmong", list);
}

const tests = {
  among: { sqlite: "in (select value from json_each(", postgres: "= any(" },
  notAmong: { sqlite: "not in (select value from json_each(", postgres: "<> all(" },
} as const;

function listPart(name: keyof typeof tests, list: readonly unknown[]): Sql {
  if (!Array.isArray(list)) {
    throw new TypeError(`Cannot use ${describeValue(list)} in ${name}(): pass an array.`);
  }
  const items: readonly unknown[] = [...list];
  const kinds = new Set(items.map((item) => item instanceof Date ? "date" : typeof item));
  if (kinds.size > 1 || items.includes(null)) {
    throw new TypeError(
      `Cannot use ${name}() with ${[...kinds].join(" and ")}: use values of one kind.`,
    );
  }
  return new Part((writer) => {
    const { engine } = writer.dialect;
    const bound = items.map((item) => toBound(item, engine));
    if (bound.some((item) => item instanceof Uint8Array)) {
      throw new TypeError(`Cannot use bytes in ${name}(): compare them one by one.`);
    }
    writer.write(tests[name][engine]);
    writer.bind(engine === "postgres" ? arrayLiteral(bound) : jsonArray(bound));
    writer.write(engine === "postgres" ? ")" : "))");
  });
}

function jsonArray(items: readonly unknown[]): string {
  return `[${items.map((item) => typeof item === "bigint" ? item : JSON.stringify(item))}]`;
}

/** Returns the literal of a Postgres array, whose type the compared column decides. */
function arrayLiteral(items: readonly unknown[]): string {
  // JSON would write a line break as `\n`, which Postgres reads as the letter n.
  return `{${items.map((item) => `"${String(item).replace(/["\\]/g, "\\$&")}"`)}}`;
}

/**
 * Quotes a computed identifier: a table or a column.
 *
 * @param text ASCII letters, digits and `_`, not starting with a digit.
 * @throws {TypeError} for any other text.
 */
export function name(text: string): Sql {
  return rawText(quoteName(text));
}

/**
 * Binds a value as JSON, for a column that a struct does not describe.
 *
 * @param value A value that `JSON.stringify` accepts.
 * @throws {TypeError} if JSON cannot represent it.
 * @example
 * ```ts
 * import { json, sql } from "@fw/fw/data";
 *
 * sql`update users set settings = ${json({ theme: "dark" })}`;
 * ```
 */
export function json(value: unknown): Sql {
  const text = encodeJson(value);
  return new Part((writer) => writer.bindJson(text));
}

export function describeValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 40));
  if (value === null || typeof value !== "object") return String(value);
  return Array.isArray(value) ? "an array" : "an object";
}
