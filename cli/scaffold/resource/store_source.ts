/**
 * The schema, the migration and the store of a resource.
 *
 * @module
 */
import { builderCall, type Field } from "./fields.ts";
import { capital } from "./names.ts";
import { type ResourcePlan, searchedFields, titleField } from "./plan.ts";
import {
  bytesMembers,
  bytesStatements,
  bytesTableSource,
  uploadFunctions,
  uploadTypes,
} from "./upload_store_source.ts";
import { uploadColumns } from "./uploads.ts";

/**
 * Returns the SQL that makes the tables. The bytes have one of their own: SQLite reads a row up to its
 * last wanted column, so behind them even the name of a file would cost their size.
 */
export function tableSource({ names, fields, uploads }: ResourcePlan): string {
  const columns = fields.map(({ name, column, isNullable }) =>
    `  "${name}" ${column}${isNullable ? "" : " not null"}`
  );
  const described = uploads.flatMap(uploadColumns).map((column) => `  "${column}" text`);
  return `create table "${names.table}" (\n${
    ['  "id" integer primary key autoincrement', ...columns, ...described].join(",\n")
  }\n) strict;\n${uploads.length === 0 ? "" : bytesTableSource(names)}`;
}

/** Returns the text of `lib/<table>.ts`. */
export function storeSource(plan: ResourcePlan): string {
  const { names, fields, uploads, importOf } = plan;
  const { type, many, aOne, words: [, several] } = names;
  const file = `lib/${names.table}.ts`;
  const hasUploads = uploads.length > 0;
  const builders = [...new Set(fields.map(({ builder }) => builder))].sort();
  const imported = [
    "type Application",
    "type Infer",
    "key",
    "notFound",
    "provide",
    "struct",
    ...hasUploads ? ["type Upload"] : [],
    "use",
  ];
  const transaction = hasUploads ? 'import { inTransaction } from "@fw/fw/sqlite";\n' : "";
  const crypto = hasUploads ? 'import { createHash } from "node:crypto";\n' : "";
  return `import { ${[...imported, ...builders].join(", ")} } from "@fw/fw";
${transaction}${crypto}import type { DatabaseSync, StatementSync } from "node:sqlite";
import { Database } from "${importOf("lib/database.ts", file)}";

/** What the form of ${aOne} takes. */
export const ${type}Input = struct({
${fields.map((field) => `  ${field.name}: ${builderCall(field)},\n`).join("")}});
export type ${type}Input = Infer<typeof ${type}Input>;

${uploadTypes(plan)}/** ${capital(aOne)} in the database. */
export type ${type}Row = ${type}Input & {
  /** @type {integer} */
  readonly id: number;
${uploads.map(({ name }) => `  readonly ${name}: ${type}File | null;\n`).join("")}};

/** The ${several}, as \`Setup\` provides them: \`use(c, ${many})\`. */
export const ${many} = key<${type}Store>("${names.table}");

/** Provides the ${several} of the database. */
export function open${many}(app: Application): void {
  // The pages flash messages, which travel in a signed cookie.
  if (app.env !== "dev" && app.config.secret === undefined) {
    app.log.warn("the messages of ${several} are lost: set FW_SECRET to 32 random bytes or more");
  }
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

${rowFunctions(plan)}${hasUploads ? uploadFunctions(plan) : ""}`;
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
function columnsOf({ fields, uploads }: ResourcePlan): string {
  const read = fields.map(({ name, builder }) =>
    builder === "int64" ? `cast("${name}" as text) as "${name}"` : `"${name}"`
  );
  const described = uploads.flatMap(uploadColumns).map((column) => `"${column}"`);
  return ['"id"', ...read, ...described].join(", ");
}

function storeMembers(plan: ResourcePlan): string {
  const hasUploads = plan.uploads.length > 0;
  const prepared = preparedStatements(plan);
  return `${prepared.map(([name]) => `  readonly #${name}: StatementSync;\n`).join("")}${
    hasUploads ? "  readonly #db: DatabaseSync;\n" : ""
  }
  constructor(db: DatabaseSync) {
    const columns = \`${columnsOf(plan)}\`;
${prepared.map(([name, sql]) => `    this.#${name} = db.prepare(\`${sql}\`);\n`).join("")}${
    hasUploads ? "    this.#db = db;\n" : ""
  }  }

${listMember(plan)}

${rowMembers(plan)}${hasUploads ? bytesMembers(plan) : ""}`;
}

/** Returns the statements of the store by the names of its fields. */
function preparedStatements(
  plan: ResourcePlan,
): readonly (readonly [name: string, sql: string])[] {
  const { names: { table }, fields, uploads } = plan;
  // `like` costs the length of the text times that of the pattern.
  const found = searchedFields(plan).map(({ name }) => `instr(lower("${name}"), lower(?1)) > 0`);
  const where = found.length === 0 ? "" : ` where ?1 = '' or ${found.join(" or ")}`;
  const [limit, offset] = found.length === 0 ? ["?1", "?2"] : ["?2", "?3"];
  const own = fields.map(({ name }) => `"${name}"`);
  const kept = uploads.flatMap(uploadColumns).map((name) => `"${name}"`);
  const columns = [...own, ...kept];
  const values = columns.map(() => "?").join(", ");
  const set = [
    ...own.map((column) => `${column} = ?`),
    ...kept.map((column) => `${column} = coalesce(?, ${column})`),
  ].join(", ");
  const page = `order by "id" desc limit ${limit} offset ${offset}`;
  return [
    ["count", `select count(*) as n from "${table}"${where}`],
    ["list", `select \${columns} from "${table}"${where} ${page}`],
    ["get", `select \${columns} from "${table}" where "id" = ?`],
    [
      "add",
      `insert into "${table}" (${columns.join(", ")}) values (${values}) returning \${columns}`,
    ],
    ["change", `update "${table}" set ${set} where "id" = ? returning \${columns}`],
    ["remove", `delete from "${table}" where "id" = ?`],
    ...uploads.length === 0 ? [] : bytesStatements(plan),
  ];
}

function listMember(plan: ResourcePlan): string {
  const { type, words: [, several] } = plan.names;
  const hasSearch = searchedFields(plan).length > 0;
  const search = hasSearch ? "options.search" : "";
  return `  /** Returns a page${
    hasSearch ? ` of the ${several} that contain a text` : ""
  }, the newest first. */
  list(options: { ${hasSearch ? "readonly search: string; " : ""}readonly page: number }): {
    readonly rows: ${type}Row[];
    readonly pages: number;
  } {
    const offset = (options.page - 1) * pageSize;
    const rows = this.#list.all(${hasSearch ? "options.search, " : ""}pageSize, offset).map(rowOf);
    const count = Number(this.#count.get(${search})?.["n"]);
    return { rows, pages: Math.max(1, Math.ceil(count / pageSize)) };
  }`;
}

/** Returns the members that read, add, change and delete one row. */
function rowMembers({ names: { type, aOne }, uploads }: ResourcePlan): string {
  const hasUploads = uploads.length > 0;
  const [param, values] = hasUploads
    ? [`, uploads: ${type}Uploads = {}`, ", ...uploadsOf(uploads)"]
    : ["", ""];
  const written = (lines: readonly string[]): string =>
    hasUploads
      ? `    return this.#asWhole(() => {
${lines.map((line) => `      ${line}\n`).join("")}      this.#keepBytes(Number(row["id"]), uploads);
      return rowOf(row);
    });`
      : `${lines.map((line) => `    ${line}\n`).join("")}    return rowOf(row);`;
  const added = written([
    `const row = this.#add.get(...valuesOf(input)${values});`,
    `if (row === undefined) throw new Error("Cannot add ${aOne}: the database returned no row.");`,
  ]);
  const changed = written([
    `const row = this.#change.get(...valuesOf(input)${values}, id);`,
    "if (row === undefined) throw notFound();",
  ]);
  return `  /** Returns ${aOne}; throws what becomes a 404 where there is none. */
  get(id: number): ${type}Row {
    const row = this.#get.get(id);
    if (row === undefined) throw notFound();
    return rowOf(row);
  }

  /** Adds ${aOne} and returns it as it is stored. */
  add(input: ${type}Input${param}): ${type}Row {
${added}
  }

  /** Changes ${aOne} and returns it; throws what becomes a 404 where there is none. */
  change(id: number, input: ${type}Input${param}): ${type}Row {
${changed}
  }

  /** Deletes ${aOne}; throws what becomes a 404 where there is none. */
  remove(id: number): void {
    if (Number(this.#remove.run(id).changes) === 0) throw notFound();
  }`;
}

function rowFunctions({ names: { type }, fields, uploads }: ResourcePlan): string {
  const files = uploads.map(({ name }) => `    ${name}: fileOf(row, "${name}"),\n`).join("");
  const read = fields.map((field) => `    ${field.name}: ${readValue(field)},\n`).join("");
  const write = fields.map((field) => `    ${writtenValue(field)},\n`).join("");
  return `function rowOf(row: Readonly<Record<string, unknown>>): ${type}Row {
  return {
    id: Number(row["id"]),
${read}${files}  };
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
