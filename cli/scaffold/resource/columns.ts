import type { EngineName } from "../database/engine.ts";
import { type Field, fieldColumn } from "./fields.ts";

const sqliteTypes: Readonly<Record<Field["builder"], string>> = {
  text: "text",
  int: "integer",
  int64: "integer",
  float: "real",
  money: "integer",
  bool: "integer",
  date: "integer",
  day: "text",
};

const postgresTypes: Readonly<Record<Field["builder"], string>> = {
  text: "text",
  int: "bigint",
  int64: "bigint",
  float: "double precision",
  money: "bigint",
  bool: "boolean",
  date: "timestamptz",
  day: "date",
};

export function columnSql(
  field: Field,
  { engine, isAudited }: { readonly engine: EngineName; readonly isAudited: boolean },
): string {
  const { name, builder, rules, isOptional, isUnique, choices, reference } = field;
  const column = `"${fieldColumn(name)}"`;
  const isSqlite = engine === "sqlite";
  const list = choices.map((choice) => `'${choice}'`).join(", ");
  return [
    column,
    (isSqlite ? sqliteTypes : postgresTypes)[builder],
    isOptional ? "" : "not null",
    isUnique && !isAudited && (isSqlite || !isFolded(field)) ? "unique" : "",
    isSqlite && isFolded(field) ? "collate nocase" : "",
    choices.length > 0 && builder === "text" && (rules.has("required") || isOptional)
      ? `check (${column} in (${list}))`
      : "",
    reference === undefined
      ? ""
      : `references "${reference.table}" ("id") on delete ${reference.onDelete}`,
  ].filter((part) => part !== "").join(" ");
}

/** Reports whether values that differ in case are the same: addresses of mail. */
function isFolded({ isUnique, rules }: Field): boolean {
  return isUnique && rules.has("email");
}

/** The columns by which lists of a table narrow and sort. */
export interface IndexedFields {
  readonly fields: readonly Field[];
  readonly filters: readonly Field[];
  readonly sorts: readonly Field[];
}

/** Returns the indexes of a table: each order, alone and behind each filter, and each reference. */
export function indexSql(
  table: string,
  { fields, filters, sorts, engine, isAudited }: IndexedFields & {
    readonly engine: EngineName;
    readonly isAudited: boolean;
  },
): string {
  const index = (columns: readonly string[]): string => {
    const names = columns.map((column) => `"${column}"`).join(", ");
    const own = columns.filter((column) => column !== "id").join("_and_");
    return `create index "${table}_by_${own}" on "${table}" (${names});`;
  };
  const columns = (list: readonly Field[]): readonly string[] =>
    list.map(({ name }) => fieldColumn(name));
  const orders = columns(sorts);
  const references = fields.filter((field) =>
    field.reference !== undefined && !filters.includes(field)
  );
  const unique = fields.filter((field) =>
    engine === "postgres" && isFolded(field) || (isAudited && field.isUnique)
  );
  // A deleted row does not keep its values from others.
  const live = isAudited ? ' where "deleted_at" is null' : "";
  return [
    ...orders.map((order) => index([order, "id"])),
    ...columns(filters).flatMap((filter) => [
      index([filter, "id"]),
      ...orders.filter((order) => order !== filter).map((order) => index([filter, order, "id"])),
    ]),
    ...columns(references).map((reference) => index([reference])),
    ...unique.map((field) => {
      const column = fieldColumn(field.name);
      const value = engine === "postgres" && isFolded(field) ? `lower("${column}")` : `"${column}"`;
      return `create unique index "${table}_${column}_key" on "${table}" (${value})${live};`;
    }),
  ].join("\n");
}
