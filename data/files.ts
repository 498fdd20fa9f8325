/** The uploads of rows: their bytes are in a separate table, so that lists do not read them. */
import { type FileRules, type FormFiles, notFound, text, type Upload } from "../mod.ts";
import { nodeCrypto } from "../runtime/addon.ts";
import type { FieldSchema } from "../runtime/schema/mod.ts";
import type { AnyStruct } from "./columns.ts";
import type { Db } from "./db.ts";
import { set } from "./row_parts.ts";
import { name, sql } from "./sql.ts";

/** The media types of pictures that browsers show: AVIF, GIF, JPEG, PNG and WebP. */
export const pictureTypes: readonly string[] = ["avif", "gif", "jpeg", "png", "webp"]
  .map((format) => `image/${format}`);

/** An upload to store, or a stored one. */
export type RowFile = Pick<Upload, "bytes" | "mime" | "name">;

/** The names of the uploads in a row. */
export type FileName<Row> = keyof Row extends infer Key
  ? Key extends `${infer Name}Hash` ? Name : never
  : never;

/** The uploads to store with a row; missing ones stay unchanged. */
export type RowFiles<Row> = { readonly [Name in FileName<Row>]?: RowFile | undefined };

/**
 * Describes the uploads of a table. A {@linkcode TableStore} whose rows have the `fields` stores them: `cover` in the
 * columns `cover_name`, `cover_type` and `cover_hash`, and the bytes in the table `<table>_bytes`.
 *
 * @param added The rules of each upload in the form of a new row.
 * @returns These rules, those of a change, in which a missing upload keeps the old one, and the fields of a row.
 * @example
 * ```ts
 * import { int, pictureTypes, struct, tableFiles, text } from "@fw/fw/data";
 *
 * export const files = tableFiles({ cover: { accept: pictureTypes, maxSizeBytes: 512 * 1_024 } });
 * export const Book = struct({ id: int(), title: text("required"), ...files.fields });
 * ```
 */
export function tableFiles<const Rules extends FormFiles>(added: Rules): {
  readonly added: Rules;
  readonly changed: { readonly [Name in keyof Rules]: FileRules & { readonly optional: true } };
  readonly fields: {
    [Key in `${keyof Rules & string}${"Name" | "Type" | "Hash"}`]: FieldSchema<string | null>;
  };
} {
  const changed = Object.entries(added).map(([key, rules]) => [key, { ...rules, optional: true }]);
  const fields = Object.keys(added).flatMap(filePaths).map((path) => [path, text().optional()]);
  return { added, changed: Object.fromEntries(changed), fields: Object.fromEntries(fields) };
}

function filePaths(field: PropertyKey): readonly string[] {
  return ["Name", "Type", "Hash"].map((part) => `${String(field)}${part}`);
}

export async function writeFiles(
  db: Db,
  { table, rows }: { readonly table: string; readonly rows: AnyStruct },
  { id, files }: { readonly id: number; readonly files: object },
): Promise<void> {
  for (const [field, file] of Object.entries<RowFile | undefined>({ ...files })) {
    if (file === undefined) continue;
    const bytes = await file.bytes();
    const hash = nodeCrypto().createHash("sha256").update(bytes).digest("base64url");
    const described = [file.name, file.mime, hash];
    const row = Object.fromEntries(filePaths(field).map((path, at) => [path, described[at]]));
    await db.run`update ${name(table)} set ${set(rows, row)} where "id" = ${id}`;
    await db.run`
      insert into ${name(`${table}_bytes`)} ("id", "field", "bytes")
      values (${id}, ${field}, ${bytes})
      on conflict ("id", "field") do update set "bytes" = excluded."bytes"`;
  }
}

/** Returns an upload of a row; throws `notFound()` if the row has none. */
export function findFile(
  db: Db,
  table: string,
  { row, field }: { readonly row: { readonly id: number }; readonly field: PropertyKey },
): RowFile & { readonly hash: string } {
  const described = new Map<string, unknown>(Object.entries(row));
  const [named, mime, hash] = filePaths(field).map((path) => described.get(path));
  if (typeof hash !== "string") throw notFound();
  const hex = db.engine === "sqlite" ? sql`hex("bytes")` : sql`encode("bytes", 'hex')`;
  const read = (): Promise<string> =>
    db.one(text())`select ${hex} from ${name(`${table}_bytes`)}
      where "id" = ${row.id} and "field" = ${String(field)}`;
  const bytes = async (): Promise<Uint8Array<ArrayBuffer>> => Uint8Array.fromHex(await read());
  return { name: String(named), mime: String(mime), hash, bytes };
}
