/**
 * What the store of a resource has for its uploads: types, a table of their bytes, and members.
 *
 * @module
 */
import type { ResourceNames } from "./names.ts";
import { changedFilesName, filesName, type ResourcePlan } from "./plan.ts";
import { uploadRulesSource } from "./uploads.ts";

/** Returns the name of the table with the bytes of the uploads. */
export function bytesTable({ table }: ResourceNames): string {
  return `${table}_bytes`;
}

/** Returns the SQL that makes the table of the bytes. */
export function bytesTableSource(names: ResourceNames): string {
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

/** Returns the rules and the types of the uploads. */
export function uploadTypes(plan: ResourcePlan): string {
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
export function uploadFunctions({ names: { type }, uploads }: ResourcePlan): string {
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

/** Returns the statements for the bytes of the uploads, by the names of their fields. */
export function bytesStatements(
  { names }: ResourcePlan,
): readonly (readonly [name: string, sql: string])[] {
  const table = bytesTable(names);
  return [
    ["bytes", `select "bytes" from "${table}" where "id" = ? and "field" = ?`],
    ["keep", `insert or replace into "${table}" ("id", "field", "bytes") values (?, ?, ?)`],
  ];
}

/** Returns the members for the bytes of the uploads. */
export function bytesMembers(plan: ResourcePlan): string {
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
