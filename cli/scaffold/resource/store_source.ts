/**
 * The schema, the migration and the store of a resource.
 *
 * @module
 */
import { builderCall, type Field } from "./fields.ts";
import { capital } from "./names.ts";
import { type ResourcePlan, searchedFields, titleField } from "./plan.ts";

/** Returns the SQL that makes the table. */
export function tableSource({ names, fields }: ResourcePlan): string {
  const columns = fields.map(({ name, column, isNullable }) =>
    `  "${name}" ${column}${isNullable ? "" : " not null"}`
  );
  return `create table "${names.table}" (\n${
    ['  "id" integer primary key autoincrement', ...columns].join(",\n")
  }\n) strict;\n`;
}

/** Returns the text of `lib/<table>.ts`. */
export function storeSource(plan: ResourcePlan): string {
  const { names, fields, importOf } = plan;
  const { type, many, aOne, words: [, several] } = names;
  const file = `lib/${names.table}.ts`;
  const builders = [...new Set(fields.map(({ builder }) => builder))].sort();
  const imported = [
    "type Application",
    "type Infer",
    "key",
    "notFound",
    "provide",
    "struct",
    "use",
  ];
  return `import { ${[...imported, ...builders].join(", ")} } from "@fw/fw";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { Database } from "${importOf("lib/database.ts", file)}";

/** What the form of ${aOne} takes. */
export const ${type}Input = struct({
${fields.map((field) => `  ${field.name}: ${builderCall(field)},\n`).join("")}});
export type ${type}Input = Infer<typeof ${type}Input>;

/** ${capital(aOne)} in the database. */
export type ${type}Row = ${type}Input & {
  /** @type {integer} */
  readonly id: number;
};

/** The ${several}, as \`Setup\` provides them: \`use(c, ${many})\`. */
export const ${many} = key<${type}Store>("${names.table}");

/** Provides the ${several} of the database. */
export function open${many}(app: Application): void {
  provide(app, ${many}, new ${type}Store(use(app, Database)));
}

/** The name of ${aOne} in titles and links. */
export function ${names.one}Title(row: ${type}Row): string {
  return ${titleExpression(plan)};
}

const pageSize = 20;

/** The ${several} of a database. */
export class ${type}Store {
${storeMembers(plan)}
}

${rowFunctions(plan)}`;
}

function titleExpression(plan: ResourcePlan): string {
  const { names: { words: [one] }, texts } = plan;
  // The store does not know the language of a request.
  const fallback = `\`${texts.hasCatalog ? "#" : `${capital(one)} `}\${row.id}\``;
  const field = titleField(plan);
  if (field === undefined) return fallback;
  const isSure = field.rules.has("required") && !field.isOptional;
  return isSure ? `row.${field.name}` : `row.${field.name} || ${fallback}`;
}

/** The columns as they are read: a large integer as its text, since a number would lose digits. */
function columnsOf(fields: readonly Field[]): string {
  const read = fields.map(({ name, builder }) =>
    builder === "int64" ? `cast("${name}" as text) as "${name}"` : `"${name}"`
  );
  return ['"id"', ...read].join(", ");
}

function storeMembers(plan: ResourcePlan): string {
  const { names, fields } = plan;
  const { type, table, aOne, words: [, several] } = names;
  const searched = searchedFields(plan);
  const found = searched.map(({ name, isNullable }) =>
    `${isNullable ? `coalesce("${name}", '')` : `"${name}"`} like ?1 escape '\\\\'`
  );
  const where = found.length === 0 ? "" : ` where ${found.join(" or ")}`;
  const [limit, offset] = found.length === 0 ? ["?1", "?2"] : ["?2", "?3"];
  const columns = fields.map(({ name }) => `"${name}"`);
  const set = columns.map((column) => `${column} = ?`).join(", ");
  const prepared: readonly (readonly [name: string, sql: string])[] = [
    ["count", `select count(*) as n from "${table}"${where}`],
    [
      "list",
      `select \${columns} from "${table}"${where} order by "id" desc limit ${limit} offset ${offset}`,
    ],
    ["get", `select \${columns} from "${table}" where "id" = ?`],
    [
      "add",
      `insert into "${table}" (${columns.join(", ")}) values (${
        columns.map(() => "?").join(", ")
      }) returning \${columns}`,
    ],
    ["change", `update "${table}" set ${set} where "id" = ? returning \${columns}`],
    ["remove", `delete from "${table}" where "id" = ?`],
  ];
  const pattern = found.length === 0 ? "" : "pattern";
  const search = found.length === 0 ? "" : "readonly search: string; ";
  return `${prepared.map(([name]) => `  readonly #${name}: StatementSync;\n`).join("")}
  constructor(db: DatabaseSync) {
    const columns = \`${columnsOf(fields)}\`;
${prepared.map(([name, sql]) => `    this.#${name} = db.prepare(\`${sql}\`);\n`).join("")}  }

  /** Returns a page${
    found.length === 0 ? "" : ` of the ${several} that contain a text`
  }, the newest first. */
  list(options: { ${search}readonly page: number }): {
    readonly rows: ${type}Row[];
    readonly pages: number;
  } {
${
    found.length === 0
      ? ""
      : '    const pattern = `%${options.search.replace(/[\\\\%_]/g, "\\\\$&")}%`;\n'
  }    const offset = (options.page - 1) * pageSize;
    const rows = this.#list.all(${pattern === "" ? "" : "pattern, "}pageSize, offset).map(rowOf);
    const count = Number(this.#count.get(${pattern})?.["n"]);
    return { rows, pages: Math.max(1, Math.ceil(count / pageSize)) };
  }

  /** Returns ${aOne}; throws what becomes a 404 where there is none. */
  get(id: number): ${type}Row {
    const row = this.#get.get(id);
    if (row === undefined) throw notFound();
    return rowOf(row);
  }

  /** Adds ${aOne} and returns it as it is stored. */
  add(input: ${type}Input): ${type}Row {
    const row = this.#add.get(...valuesOf(input));
    if (row === undefined) throw new Error("Cannot add ${aOne}: the database returned no row.");
    return rowOf(row);
  }

  /** Changes ${aOne} and returns it; throws what becomes a 404 where there is none. */
  change(id: number, input: ${type}Input): ${type}Row {
    const row = this.#change.get(...valuesOf(input), id);
    if (row === undefined) throw notFound();
    return rowOf(row);
  }

  /** Deletes ${aOne}; throws what becomes a 404 where there is none. */
  remove(id: number): void {
    if (Number(this.#remove.run(id).changes) === 0) throw notFound();
  }`;
}

function rowFunctions({ names: { type }, fields }: ResourcePlan): string {
  const read = fields.map((field) => `    ${field.name}: ${readValue(field)},\n`).join("");
  const write = fields.map((field) => `    ${writtenValue(field)},\n`).join("");
  return `function rowOf(row: Readonly<Record<string, unknown>>): ${type}Row {
  return {
    id: Number(row["id"]),
${read}  };
}

function valuesOf(input: ${type}Input): (string | number | bigint | null)[] {
  return [
${write}  ];
}
`;
}

/** Returns the expression that makes a value of the schema from a column. */
function readValue({ name, builder, isNullable }: Field): string {
  const column = `row["${name}"]`;
  if (builder === "bool") return `${column} === 1`;
  const value = {
    text: `String(${column})`,
    int: `Number(${column})`,
    float: `Number(${column})`,
    int64: `BigInt(String(${column}))`,
    date: `new Date(String(${column}))`,
  }[builder];
  return isNullable ? `${column} === null ? null : ${value}` : value;
}

/** Returns the expression that makes a value of a column from one of the schema. */
function writtenValue({ name, builder, control, isNullable }: Field): string {
  if (builder === "bool") return `Number(input.${name})`;
  // A form sends an empty text for one that is left out.
  if (builder === "text" && isNullable) return `input.${name} || null`;
  if (builder !== "date") return `input.${name}`;
  const text = `toISOString()${control === "date" ? ".slice(0, 10)" : ""}`;
  return isNullable ? `input.${name}?.${text} ?? null` : `input.${name}.${text}`;
}
