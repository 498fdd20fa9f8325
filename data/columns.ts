/** The columns of a struct's fields. */
import { FieldSchema, StructSchema } from "../runtime/schema/mod.ts";

/** The plain data of a field. */
export type FieldDef = FieldSchema<unknown>["def"];

/** The storage of a field: lists and structs are JSON. */
export type FieldKind = "text" | "bool" | "int" | "int64" | "float" | "date" | "day" | "json";

/** A struct, whatever its type is. */
export type AnyStruct = StructSchema<unknown>;

/** Returns whether a value is a struct that a builder made; a body of the same shape is not. */
export function isStruct(value: unknown): value is AnyStruct {
  return value instanceof StructSchema;
}

/** Returns whether a value is a field or a struct. */
export function isField(value: unknown): value is FieldSchema<unknown> {
  return value instanceof FieldSchema;
}

/** Returns the fields of a struct by property. */
export function structFields({ def }: { readonly def: FieldDef }): ReadonlyMap<string, FieldDef> {
  return def.kind === "struct" ? def.fields : new Map();
}

/** Returns how a field is stored. */
export function fieldKind({ kind }: FieldDef): FieldKind {
  const name: string = kind;
  switch (name) {
    case "text":
    case "bool":
    case "int":
    case "int64":
    case "float":
    case "date":
    case "day":
      return name;
    case "money":
      return "int";
    default:
      return "json";
  }
}

const columnNames = new Map<string, string>();

/** Returns the column of a property: `customerId` is `customer_id`. Properties are those of structs, a bounded set. */
export function columnName(property: string): string {
  const known = columnNames.get(property);
  if (known !== undefined) return known;
  const column = property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  columnNames.set(property, column);
  return column;
}

/** Returns the property of a column: `customer_id` is `customerId`. */
export function propertyName(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
