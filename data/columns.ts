import { type FieldSchema, StructSchema } from "../runtime/schema/mod.ts";

export type FieldDef = FieldSchema<unknown>["def"];

export type AnyStruct = StructSchema<unknown>;

/** Returns whether a value is a struct made by a builder, not a body of the same shape. */
export function isStruct(value: unknown): value is AnyStruct {
  return value instanceof StructSchema;
}

export function structFields({ def }: { readonly def: FieldDef }): ReadonlyMap<string, FieldDef> {
  return def.kind === "struct" ? def.fields : new Map();
}

export function createStruct(fields: ReadonlyMap<string, FieldDef | undefined>): AnyStruct {
  const known = new Map([...fields].flatMap(([key, def]) => def === undefined ? [] : [[key, def]]));
  const base = { kind: "struct", names: {}, optional: false, checks: [] } as const;
  return new StructSchema({ ...base, fields: known });
}

/** Returns the column name of a property: `customer_id` for `customerId`. */
export function columnName(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const quotedColumns = new Map<string, string>();

/** Returns the quoted column of a property. The cache is bounded by the properties of structs. */
export function quotedColumn(property: string): string {
  return quotedColumns.getOrInsertComputed(property, (name) => quoteName(columnName(name)));
}

export function propertyName(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function columnsText(
  schema: { readonly def: FieldDef },
  alias?: string,
  names?: readonly string[],
): string {
  const fields = structFields(schema);
  const prefix = alias === undefined ? "" : `${quoteName(alias)}.`;
  const chosen = names ?? [...fields.keys()];
  const unknown = chosen.find((property) => !fields.has(property));
  if (unknown !== undefined) {
    throw new TypeError(
      `Cannot select "${unknown}": the struct has ${[...fields.keys()].join(", ")}.`,
    );
  }
  return chosen.map((property) => prefix + quotedColumn(property)).join(", ");
}

/** Quotes an identifier. @throws TypeError if it contains other characters than those of a name. */
export function quoteName(text: string): string {
  if (typeof text === "string" && /^[A-Za-z_]\w*$/.test(text)) return `"${text}"`;
  throw new TypeError(
    `Cannot use ${JSON.stringify(text)} as a name: use ASCII letters, digits and _.`,
  );
}
