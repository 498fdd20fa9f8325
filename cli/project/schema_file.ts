/** `migrations/schema.sql`: the schema after the last migration, which `migrate` writes for readers. */
import type { Migration } from "@fw/fw/data";
import { join } from "@std/path";
import { errorAt, type Problem, startOfFile } from "../problem.ts";
import { readTextIfThere } from "./files/look.ts";
import { migrationsFolder, readMigrations, schemaName } from "./migrations.ts";
import type { Project } from "./project.ts";

export const schemaFile = `${migrationsFolder}/${schemaName}`;

/** Returns the text of the file. Its first line has a digest, so that no database is needed to check it. */
export async function schemaText(
  schema: string,
  migrations: readonly Migration[],
): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify([migrations.map(ownText), schema]));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex().slice(0, 16);
  return `-- Written by \`deno task migrate\` after ${
    migrations.at(-1)?.name
  }: ${hash}\n\n${schema}`;
}

function ownText({ name, sql }: Migration): readonly string[] {
  return [name, sql.replaceAll("\r\n", "\n")];
}

export function schemaIn(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(/^--.*\n\n/, "");
}

export async function findStaleSchema(project: Project): Promise<readonly Problem[]> {
  const text = await readTextIfThere(join(project.root, schemaFile));
  if (text === undefined) return [];
  const wanted = await schemaText(schemaIn(text), await readMigrations(project));
  if (text.replaceAll("\r\n", "\n") === wanted) return [];
  const place = { file: schemaFile, ...startOfFile };
  return [errorAt(place, "E_STALE", project.messages.migrate.staleSchema())];
}
