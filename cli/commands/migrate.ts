import type { Migration } from "@fw/fw/data";
import { isAbsolute, join } from "@std/path";
import type { CommandArgs } from "../args.ts";
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { printProblems } from "../printer.ts";
import { errorAt, type Problem } from "../problem.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { replaceFile } from "../project/files/write_inside.ts";
import { type MigrationReply, runMigrations } from "../project/migration_run.ts";
import {
  migrationsFolder,
  readMigrationFiles,
  readMigrations,
  schemaFile,
  schemaIn,
  schemaText,
} from "../project/migrations.ts";
import { requireProject } from "../project/project.ts";
import { Stop } from "../stop.ts";
import { type EngineName, readEngine } from "../scaffold/database/engine.ts";

/** The database of a project that names no other file, as it is called. */
const defaultNames: Readonly<Record<EngineName, string>> = {
  sqlite: "data/app.sqlite",
  postgres: "Postgres",
};

export async function migrate(args: CommandArgs, io: Io): Promise<number> {
  const project = await requireProject(io);
  const { messages: { migrate: texts } } = project;
  const { root } = project;
  const { files, problems } = await readMigrationFiles(project);
  const engine = await readEngine(root);
  const named = args.value("db") ?? (await project.environment())["FW_DB"];
  // The address of a server holds a password, which a log would keep.
  const path = engine === "postgres" ? defaultNames.postgres : named ?? defaultNames.sqlite;
  if (problems.length > 0) throw new Stop(problems);
  if (files.length === 0) {
    io.stdout(`${texts.none}\n`);
    return exitCodes.ok;
  }
  if (path === ":memory:") throw new Stop([refusal(texts.memory)]);
  const migrations = await readMigrations(project);
  // A name is relative to the project, as for the `start` task.
  const place = engine === "postgres" ? named : isAbsolute(path) ? path : join(root, path);
  const isStatus = args.has("status");
  const reply = await runMigrations({ root, engine, place, migrations, isStatus });
  if (reply.kind === "unusable") {
    throw new Stop([{
      code: "E_MIGRATION",
      severity: "error",
      ...texts.unusable(path, reply.detail),
    }]);
  }
  if (reply.kind === "refused") {
    const { code, migration, line, detail } = reply.fault;
    const at = { file: fileOf(migration), ...line === undefined ? {} : { line } };
    throw new Stop([errorAt(at, "E_MIGRATION", texts.fault[code](detail))]);
  }
  const target = { path, root, migrations, io };
  return isStatus ? await printStatus(reply, target) : await printApplied(reply, target);
}

function refusal(message: string): Problem {
  return { code: "E_MIGRATION", severity: "error", message };
}

interface Target {
  /** The database as it was named. */
  readonly path: string;
  readonly root: string;
  readonly migrations: readonly Migration[];
  readonly io: Io;
}

type Done = Extract<MigrationReply, { readonly kind: "done" }>;

async function printApplied(
  { applied, schema }: Done,
  { migrations, io, path, root }: Target,
): Promise<number> {
  const { migrate: texts, files } = messagesOf(io);
  const file = join(root, schemaFile);
  const text = await schemaText(schema, migrations);
  const isWritten = await readTextIfThere(file) !== text;
  if (isWritten) await replaceFile(file, text);
  for (const name of applied) io.stdout(`${texts.applied(name)}\n`);
  if (applied.length === 0) io.stdout(`${files.fresh(path)}\n`);
  if (isWritten) io.stdout(`${files.made(schemaFile)}\n`);
  return exitCodes.ok;
}

async function printStatus(
  { status, schema }: Done,
  { io, root, migrations }: Target,
): Promise<number> {
  const { migrate: texts } = messagesOf(io);
  const written = await readTextIfThere(join(root, schemaFile));
  const isApplied = status.every(({ state }) => state === "applied");
  const differs = isApplied && written !== undefined && schemaIn(written) !== schema;
  const problems = [
    ...status.flatMap(({ name, state }) => {
      if (state !== "changed" && state !== "missing") return [];
      const other = migrations[Number(name.slice(0, 4)) - 1]?.name ?? "";
      return [errorAt({ file: fileOf(name) }, "E_MIGRATION", texts.fault[state](other))];
    }),
    ...differs ? [errorAt({ file: schemaFile }, "E_STALE", texts.otherSchema())] : [],
  ];
  const width = Math.max(...status.map(({ state }) => texts.states[state].length));
  for (const { name, state, appliedAt } of status) {
    const time = appliedAt?.toISOString().slice(0, 16).replace("T", " ") ?? "";
    io.stdout(`${texts.states[state].padEnd(width)}  ${time.padEnd(16)}  ${name}\n`);
  }
  printProblems(problems, io);
  return problems.length === 0 ? exitCodes.ok : exitCodes.failure;
}

function fileOf(name: string): string {
  return `${migrationsFolder}/${name}.sql`;
}
