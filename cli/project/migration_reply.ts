/** Turns the result of a run of migrations into problems, and writes the file of the schema. */
import type { Migration } from "@fw/fw/data";
import { join } from "@std/path";
import type { Messages } from "../messages/catalog.ts";
import { errorAt, type Problem } from "../problem.ts";
import { readTextIfThere } from "./files/look.ts";
import { replaceFile } from "./files/write_inside.ts";
import type { MigrationReply } from "./migration_run.ts";
import { migrationsFolder, schemaFile, schemaIn, schemaText } from "./migrations.ts";
import type { Project } from "./project.ts";

export type DoneReply = Extract<MigrationReply, { readonly kind: "done" }>;

/** Describes why no migration ran; `path` is the database as the user named it. */
export function migrationFault(
  reply: Exclude<MigrationReply, DoneReply>,
  path: string,
  texts: Messages["migrate"],
): Problem {
  if (reply.kind === "unusable") {
    return { code: "E_MIGRATION", severity: "error", ...texts.unusable(path, reply.detail) };
  }
  const { code, migration, line, detail } = reply.fault;
  const at = { file: migrationFile(migration), ...line === undefined ? {} : { line } };
  return errorAt(at, "E_MIGRATION", texts.fault[code](detail));
}

/** Finds differences between the migrations or the schema file and the database. */
export async function findStatusFaults(
  project: Project,
  { status, schema }: DoneReply,
  migrations: readonly Migration[],
): Promise<readonly Problem[]> {
  const { root, messages: { migrate: texts } } = project;
  const written = await readTextIfThere(join(root, schemaFile));
  const isApplied = status.every(({ state }) => state === "applied");
  const differs = isApplied && written !== undefined && schemaIn(written) !== schema;
  return [
    ...status.flatMap(({ name, state }) => {
      if (state !== "changed" && state !== "missing") return [];
      const other = migrations[Number(name.slice(0, 4)) - 1]?.name ?? "";
      return [errorAt({ file: migrationFile(name) }, "E_MIGRATION", texts.fault[state](other))];
    }),
    ...differs ? [errorAt({ file: schemaFile }, "E_STALE", texts.otherSchema())] : [],
  ];
}

/** Writes the schema; reports whether the file changed. */
export async function writeSchema(
  root: string,
  schema: string,
  migrations: readonly Migration[],
): Promise<boolean> {
  const file = join(root, schemaFile);
  const text = await schemaText(schema, migrations);
  if (await readTextIfThere(file) === text) return false;
  await replaceFile(file, text);
  return true;
}

function migrationFile(name: string): string {
  return `${migrationsFolder}/${name}.sql`;
}
