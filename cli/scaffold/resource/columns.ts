import { type Field, fieldColumn, isDate, type ParsedFields, uploadColumns } from "./fields.ts";

const types: Readonly<Record<Field["builder"], string>> = {
  text: "text",
  int: "integer",
  int64: "integer",
  float: "real",
  money: "integer",
  bool: "integer",
  date: "integer",
  day: "text",
};

export function columnSql(field: Field, { isAudited }: { readonly isAudited: boolean }): string {
  const { name, builder, rules, isOptional, isUnique, choices, reference } = field;
  const column = `"${fieldColumn(name)}"`;
  const list = choices.map((choice) => `'${choice}'`).join(", ");
  return [
    column,
    types[builder],
    isOptional ? "" : "not null",
    isUnique && !isAudited ? "unique" : "",
    // Email addresses that differ only in case are the same.
    isUnique && rules.has("email") ? "collate nocase" : "",
    choices.length > 0 ? `check (${column} in (${list}))` : "",
    reference === undefined
      ? ""
      : `references "${reference.table}" ("id") on delete ${reference.onDelete}`,
  ].filter((part) => part !== "").join(" ");
}

export function columnsSql(
  { fields, uploads, isAudited }: ParsedFields & { readonly isAudited: boolean },
): string {
  return [
    ...fields.map((field) => columnSql(field, { isAudited })),
    ...uploads.flatMap(uploadColumns).map((column) => `"${column}" text`),
  ].map((column) => `  ${column}`).join(",\n");
}

export interface IndexedFields {
  readonly fields: readonly Field[];
  readonly filters: readonly Field[];
  readonly sorts: readonly Field[];
}

/** Returns the indexes of a table: orders, pairs of filter and order, and references. */
export function indexSql(
  table: string,
  { fields, filters, sorts, isAudited }: IndexedFields & { readonly isAudited: boolean },
): string {
  // Lists only test whether such a date is set. The name tells Postgres to use another index.
  const dates = columns(filters.filter(isDate));
  const index = (columns: readonly string[]): string => {
    const names = columns.map((column) => `"${column}"`).join(", ");
    const own = (dates.includes(columns[0] ?? "") ? "no_" : "") +
      columns.filter((column) => column !== "id").join("_and_");
    return `create index "${table}_by_${own}" on "${table}" (${names});`;
  };
  const orders = columns(sorts);
  const references = fields.filter((field) =>
    field.reference !== undefined && !filters.includes(field)
  );
  const unique = columns(isAudited ? fields.filter(({ isUnique }) => isUnique) : []);
  return [
    ...orders.map((order) => index([order, "id"])),
    ...columns(filters).flatMap((filter) => [
      index([filter, "id"]),
      ...orders.filter((order) => order !== filter).map((order) => index([filter, order, "id"])),
    ]),
    ...columns(references).map((reference) => index([reference])),
    // The values of a deleted row are free for other rows.
    ...unique.map((column) =>
      `create unique index "${table}_${column}_key" on "${table}" ("${column}") ` +
      'where "deleted_at" is null;'
    ),
  ].join("\n");
}

function columns(list: readonly Field[]): readonly string[] {
  return list.map(({ name }) => fieldColumn(name));
}
