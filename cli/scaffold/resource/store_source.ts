/**
 * The schema, the migration and the store of a resource.
 *
 * @module
 */
import { builderCall, type Field } from "./fields.ts";
import { capital, type ResourceNames } from "./names.ts";
import {
  changedFilesName,
  filesName,
  type ResourcePlan,
  searchedFields,
  titleField,
} from "./plan.ts";
import { uploadColumns, uploadRulesSource } from "./uploads.ts";

/** Returns the name of the table with the bytes of the uploads. */
export function bytesTable({ table }: ResourceNames): string {
  return `${table}_bytes`;
}

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

function bytesTableSource(names: ResourceNames): string {
  return `
-- Apart from their rows, so that what reads a row does not pass over the bytes.
create table "${bytesTable(names)}" (
  "id" integer not null references "${names.table}" ("id") on delete cascade,
  "field" text not null,
  "bytes" blob not null,
  primary key ("id", "field")
) strict;
`;
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

/** Returns the rules and the types of the uploads. */
function uploadTypes(plan: ResourcePlan): string {
  const { names: { type, aOne }, uploads } = plan;
  if (uploads.length === 0) return "";
  const [files, changed] = [filesName(plan), changedFilesName(plan)];
  const optional = uploads.map(({ name }) =>
    `  ${name}: { ...${files}.${name}, optional: true },\n`
  );
  return `/** The uploads beside these fields. */
export const ${files} = ${uploadRulesSource(uploads)} as const;

${
    files === changed
      ? ""
      : `/** The same for ${aOne} that changes, which keeps what is not sent. */
export const ${changed} = {
${optional.join("")}} as const;

`
  }/** What is known of an upload without its bytes. */
export interface ${type}File {
  readonly name: string;
  /** The media type that the first bytes show. */
  readonly type: string;
  /** The hash of the bytes: what a URL with it returns never changes. */
  readonly hash: string;
}

/** An upload with its bytes. */
export interface ${type}Upload extends ${type}File {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The uploads to store; what is left out stays as it is. */
export type ${type}Uploads = {
  readonly [Name in keyof typeof ${files}]?: ${type}Upload | undefined;
};

/** Reads an upload of a form. */
export async function read${type}Upload(
  upload: Upload | undefined,
): Promise<${type}Upload | undefined> {
  if (upload === undefined) return undefined;
  const bytes = await upload.bytes();
  const hash = createHash("sha256").update(bytes).digest("base64url");
  return { name: upload.name, type: upload.mime, hash, bytes };
}

`;
}

/** Returns the functions that map uploads to their columns. */
function uploadFunctions({ names: { type }, uploads }: ResourcePlan): string {
  const values = uploads.map(({ name }) => `    ...fileValues(uploads.${name}),\n`).join("");
  return `
function uploadsOf(uploads: ${type}Uploads): (string | null)[] {
  return [
${values}  ];
}

function fileValues(file: ${type}Upload | undefined): (string | null)[] {
  return [file?.name ?? null, file?.type ?? null, file?.hash ?? null];
}

function fileOf(row: Readonly<Record<string, unknown>>, field: string): ${type}File | null {
  const name = row[\`\${field}_name\`];
  if (typeof name !== "string") return null;
  return { name, type: String(row[\`\${field}_type\`]), hash: String(row[\`\${field}_hash\`]) };
}
`;
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

function bytesStatements(
  { names }: ResourcePlan,
): readonly (readonly [name: string, sql: string])[] {
  const table = bytesTable(names);
  return [
    ["bytes", `select "bytes" from "${table}" where "id" = ? and "field" = ?`],
    ["keep", `insert or replace into "${table}" ("id", "field", "bytes") values (?, ?, ?)`],
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

/** Returns the members for the bytes of the uploads. */
function bytesMembers(plan: ResourcePlan): string {
  const { names: { type, aOne }, uploads } = plan;
  const kept = uploads.map(({ name }) =>
    `    if (uploads.${name} !== undefined) this.#keep.run(id, "${name}", uploads.${name}.bytes);\n`
  );
  return `

  /** Returns the bytes of an upload; throws what becomes a 404 where there are none. */
  bytes(id: number, field: keyof typeof ${filesName(plan)}): Uint8Array<ArrayBuffer> {
    const bytes = this.#bytes.get(id, field)?.["bytes"];
    if (!(bytes instanceof Uint8Array)) throw notFound();
    // A response takes bytes of a buffer that belongs to nothing else.
    return new Uint8Array(bytes);
  }

  /** Writes ${aOne} with its bytes, or neither; inside a transaction of the caller, with that. */
  #asWhole<T>(change: () => T): T {
    return this.#db.isTransaction ? change() : inTransaction(this.#db, change);
  }

  #keepBytes(id: number, uploads: ${type}Uploads): void {
${kept.join("")}  }`;
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
