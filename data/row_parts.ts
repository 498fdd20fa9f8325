import { nodeCrypto } from "../runtime/addon.ts";
import type { StructSchema } from "../runtime/schema/mod.ts";
import { columnsText, type FieldDef, quotedColumn, structFields } from "./columns.ts";
import { describeValue, Part, rawText, Sql, type StatementWriter } from "./sql.ts";
import { type Cell, fieldKind, rowJson, toColumnValue } from "./values.ts";

/**
 * Lists the columns of a struct: `select ${columns(Line, "t", ["id", "title"])}`. A struct in a
 * template does the same, without an alias.
 *
 * @param schema The struct; its property `customerId` is the column `customer_id`.
 * @param alias The table or its alias. @default none
 * @param names The properties. @default all
 * @returns The columns, quoted and separated by commas.
 * @throws {TypeError} for a name that is not in the struct.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { columns, int, struct, text } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const Line = struct({ id: int(), title: text() });
 * await using db = await openSqlite(":memory:");
 * await db.run`create table tickets (id integer primary key, title text not null) strict`;
 * await db.run`insert into tickets values (1, 'Lamp')`;
 * const lines = await db.all(Line)`select ${columns(Line, "t", ["id", "title"])} from tickets t`;
 * assertEquals(lines, [{ id: 1, title: "Lamp" }]);
 * ```
 */
export function columns<T>(
  schema: StructSchema<T>,
  alias?: string,
  names?: readonly (keyof T & string)[],
): Sql {
  return rawText(columnsText(schema, alias, names));
}

/**
 * Writes the columns and values of one row or of several: `insert into tickets ${values(Input,
 * row)}`. A property that is `undefined` is omitted, so that the column gets its default.
 *
 * @param schema The struct whose fields name the columns. Lists and structs are stored as JSON.
 * @param rows One row, or several with the same properties.
 * @returns The part: `(a, b) values (?, ?)`.
 * @throws {TypeError} for an unknown property, a value that does not fit its field, rows with
 * different properties, or no row.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { int, struct, text, values } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const City = struct({ name: text("required"), peopleCount: int() });
 * await using db = await openSqlite(":memory:");
 * await db.run`create table cities (name text, people_count integer) strict`;
 * const row = { name: "Lisboa", peopleCount: 567_131 };
 * assertEquals(await db.one(City)`insert into cities ${values(City, row)} returning ${City}`, row);
 * ```
 */
export function values<T>(schema: StructSchema<T>, rows: Partial<T> | readonly Partial<T>[]): Sql {
  const list: readonly unknown[] = Array.isArray(rows) ? rows : [rows];
  const read = list.map((row) => readRow("insert", schema, row));
  const [first] = read;
  if (first === undefined) {
    throw new TypeError("Cannot insert without a row: pass one, or skip the statement.");
  }
  const cells = read.map((row) => sortCells(row, first));
  return new Part((writer) => {
    if (first.length === 0 && cells.length === 1) return writer.write("default values");
    writer.write(`(${first.map(({ property }) => quotedColumn(property)).join(", ")}) values `);
    for (const [index, row] of cells.entries()) {
      let before = index === 0 ? "(" : ", (";
      for (const cell of row) {
        writer.write(before);
        writeCell(writer, cell);
        before = ", ";
      }
      writer.write(")");
    }
  });
}

/**
 * Writes assignments: `update tickets set ${set(Input, changes)}`. A property that is `undefined` is omitted.
 *
 * @param schema The struct whose fields name the columns.
 * @param changes The new values by property.
 * @returns The part: `a = ?, b = ?`.
 * @throws {TypeError} for an unknown property, a value that does not fit its field, or no change.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { int, set, struct, text } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const City = struct({ name: text(), peopleCount: int() });
 * await using db = await openSqlite(":memory:");
 * await db.run`create table cities (name text not null, people_count integer not null) strict`;
 * await db.run`insert into cities values ('Lisboa', 1)`;
 * await db.run`update cities set ${set(City, { peopleCount: 567_131 })} where name = ${"Lisboa"}`;
 * assertEquals(await db.one(City)`select ${City} from cities`, { name: "Lisboa", peopleCount: 567_131 });
 * ```
 */
export function set<T>(schema: StructSchema<T>, changes: Partial<T>): Sql {
  const row = readRow("update", schema, changes);
  if (row.length === 0) {
    throw new TypeError("Cannot update with no change: skip the statement when nothing is set.");
  }
  return new Part((writer) => {
    let before = "";
    for (const cell of row) {
      writer.write(`${before}${quotedColumn(cell.property)} = `);
      writeCell(writer, cell);
      before = ", ";
    }
  });
}

/** Reads each property of a row only once, so that an accessor cannot return different values. */
function readRow(act: string, schema: { readonly def: FieldDef }, row: unknown): Cell[] {
  if (typeof row !== "object" || row === null || row instanceof Sql) {
    throw new TypeError(
      `Cannot ${act} ${describeValue(row)}: pass an object with the struct's properties.`,
    );
  }
  const fields = structFields(schema);
  const cells: Cell[] = [];
  for (const property of Object.keys(row)) {
    const value: unknown = Reflect.get(row, property);
    const def = fields.get(property);
    if (def === undefined) {
      throw new TypeError(
        `Cannot ${act} "${property}": the struct has ${[...fields.keys()].join(", ")}.`,
      );
    }
    if (value !== undefined) cells.push({ property, def, value });
  }
  return cells;
}

function sortCells(row: readonly Cell[], first: readonly Cell[]): readonly Cell[] {
  if (row === first) return row;
  const sorted = first.flatMap(({ property }) =>
    row.find((cell) => cell.property === property) ?? []
  );
  if (sorted.length === row.length && sorted.length === first.length) return sorted;
  const names = [first, row].map((cells) => cells.map(({ property }) => property).join(", "));
  throw new TypeError(
    `Cannot insert rows with different properties: ${names.join(" and ")}; pass null for no value.`,
  );
}

function writeCell(writer: StatementWriter, cell: Cell): void {
  const bound = toColumnValue(cell, writer.dialect.engine);
  if (fieldKind(cell.def) === "json" && bound !== null) writer.bindJson(String(bound));
  else writer.bind(bound);
}

/**
 * Returns the version of a row, to detect lost updates: rows with the same values have the same tag.
 *
 * @param row The row as read, with the same properties each time.
 * @returns 22 characters of Base64url, for `c.etag`, `c.ifMatch` and the form of the row.
 * @example
 * ```ts
 * import { assertEquals, assertNotEquals } from "@std/assert";
 * import { rowTag } from "@fw/fw/data";
 *
 * assertEquals(rowTag({ id: 1, title: "Lamp" }), rowTag({ id: 1, title: "Lamp" }));
 * assertNotEquals(rowTag({ id: 1, title: "Lamp" }), rowTag({ id: 1, title: "Chair" }));
 * ```
 */
export function rowTag(row: object): string {
  return nodeCrypto().createHash("sha256").update(rowJson(row)).digest("base64url").slice(0, 22);
}

/** Stores empty text of forms as null in optional fields, because a unique column accepts "" only once. */
export function emptyAsNull<T extends object>(schema: { readonly def: FieldDef }, row: T): T {
  const fields = structFields(schema);
  const entries = Object.entries(row).map(([property, value]) => {
    const def = fields.get(property);
    const isEmpty = value === "" && def?.optional === true && fieldKind(def) === "text";
    return [property, isEmpty ? null : value];
  });
  return Object.fromEntries(entries) as T;
}
