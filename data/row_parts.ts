import type { StructSchema } from "../runtime/schema/mod.ts";
import { columnsText, type FieldDef, fieldKind, quotedColumn, structFields } from "./columns.ts";
import { describeValue, Part, Sql, type StatementWriter } from "./sql.ts";
import { toColumnValue } from "./values.ts";

/**
 * Lists the columns of a struct: `select ${columns(Line, "t", ["id", "title"])}`. A struct in a template is the
 * same without an alias.
 *
 * @param schema The struct; `customerId` is the column `customer_id`.
 * @param alias The table or its alias. @default none
 * @param names The properties. @default all
 * @returns The part.
 * @throws {TypeError} for a name that the struct lacks.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { columns, int, struct, text } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const Line = struct({ id: int(), title: text() });
 * const db = await openSqlite(":memory:");
 * await db.run`create table tickets (id integer primary key, title text not null) strict`;
 * await db.run`insert into tickets values (1, 'Lamp')`;
 * const lines = await db.all(Line)`select ${columns(Line, "t", ["id", "title"])} from tickets t`;
 * assertEquals(lines, [{ id: 1, title: "Lamp" }]);
 * await db.close();
 * ```
 */
export function columns<T>(
  schema: StructSchema<T>,
  alias?: string,
  names?: readonly (keyof T & string)[],
): Sql {
  const text = columnsText(schema, alias, names);
  return new Part((writer) => writer.write(text));
}

/**
 * Writes the columns and values of one row or of several: `insert into tickets ${values(Input, row)}`.
 * A property that is `undefined` is left out, so that the column gets its default.
 *
 * @param schema The struct whose fields name the columns. Lists and structs are stored as JSON.
 * @param rows One row, or several with the same properties.
 * @returns The part: `(a, b) values (?, ?)`.
 * @throws {TypeError} for an unknown property, a value of another kind than its field's, rows with different
 * properties, and no row.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { int, struct, text, values } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const City = struct({ name: text("required"), peopleCount: int() });
 * const db = await openSqlite(":memory:");
 * await db.run`create table cities (name text, people_count integer) strict`;
 * const row = { name: "Lisboa", peopleCount: 567_131 };
 * assertEquals(await db.one(City)`insert into cities ${values(City, row)} returning ${City}`, row);
 * await db.close();
 * ```
 */
export function values<T>(schema: StructSchema<T>, rows: Partial<T> | readonly Partial<T>[]): Sql {
  const list: readonly unknown[] = Array.isArray(rows) ? rows : [rows];
  const fields = structFields(schema);
  const read = list.map((row) => readRow("insert", fields, row));
  const [first] = read;
  if (first === undefined) {
    throw new TypeError("Cannot insert no row: pass one, or skip the statement.");
  }
  const properties = [...first.keys()];
  for (const row of read) {
    if (row.size !== first.size || properties.some((property) => !row.has(property))) {
      throw new TypeError(
        `Cannot insert rows with different properties: ${properties.join(", ")} and ${
          [...row.keys()].join(", ")
        }.`,
      );
    }
  }
  return new Part((writer) => {
    const names = properties.map((property) => quotedColumn(property));
    if (properties.length === 0 && read.length === 1) return writer.write("default values");
    writer.write(`(${names.join(", ")}) values `);
    for (const [index, row] of read.entries()) {
      writer.write(index === 0 ? "(" : ", (");
      for (const [at, property] of properties.entries()) {
        if (at > 0) writer.write(", ");
        writeProperty(writer, { fields, property, value: row.get(property) });
      }
      writer.write(")");
    }
  });
}

/**
 * Writes assignments: `update tickets set ${set(Input, changes)}`. A property that is `undefined` is left out.
 *
 * @param schema The struct whose fields name the columns.
 * @param changes The new values.
 * @returns The part: `a = ?, b = ?`.
 * @throws {TypeError} for an unknown property, a value of another kind than its field's, and no change.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { int, set, struct, text } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const City = struct({ name: text(), peopleCount: int() });
 * const db = await openSqlite(":memory:");
 * await db.run`create table cities (name text not null, people_count integer not null) strict`;
 * await db.run`insert into cities values ('Lisboa', 1)`;
 * await db.run`update cities set ${set(City, { peopleCount: 567_131 })} where name = ${"Lisboa"}`;
 * assertEquals(await db.one(City)`select ${City} from cities`, { name: "Lisboa", peopleCount: 567_131 });
 * await db.close();
 * ```
 */
export function set<T>(schema: StructSchema<T>, changes: Partial<T>): Sql {
  const fields = structFields(schema);
  const row = readRow("update", fields, changes);
  if (row.size === 0) {
    throw new TypeError("Cannot update with no change: skip the statement when nothing is set.");
  }
  return new Part((writer) => {
    let separator = "";
    for (const [property, value] of row) {
      writer.write(`${separator}${quotedColumn(property)} = `);
      writeProperty(writer, { fields, property, value });
      separator = ", ";
    }
  });
}

/** Reads each property of a row once, so that an accessor cannot give two values. */
function readRow(
  act: string,
  fields: ReadonlyMap<string, FieldDef>,
  row: unknown,
): Map<string, unknown> {
  if (typeof row !== "object" || row === null || row instanceof Sql) {
    throw new TypeError(
      `Cannot ${act} ${describeValue(row)}: pass an object with the struct's properties.`,
    );
  }
  const read = new Map<string, unknown>();
  for (const [property, value] of Object.entries(row)) {
    if (!fields.has(property)) {
      throw new TypeError(
        `Cannot ${act} "${property}": the struct has ${[...fields.keys()].join(", ")}.`,
      );
    }
    if (value !== undefined) read.set(property, value);
  }
  return read;
}

function writeProperty(
  writer: StatementWriter,
  column: {
    readonly fields: ReadonlyMap<string, FieldDef>;
    readonly property: string;
    readonly value: unknown;
  },
): void {
  const { fields, property, value } = column;
  const def = fields.get(property);
  if (def === undefined) throw new TypeError(`Cannot write "${property}": the struct lacks it.`);
  const bound = toColumnValue(property, { def, value, engine: writer.dialect.engine });
  if (fieldKind(def) === "json" && bound !== null) writer.bindJson(String(bound));
  else writer.bind(bound);
}
