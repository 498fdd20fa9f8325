/**
 * `fw migrate`: applies the migrations of a project.
 *
 * @module
 */
import {
  migrate as applyMigrations,
  type Migration,
  MigrationError,
  openSqlite,
  readMigrationStatus,
} from "@fw/fw/sqlite";
import { isAbsolute, join } from "@std/path";
import { DatabaseSync } from "node:sqlite";
import { acceptArgs } from "../args.ts";
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { printProblems } from "../printer.ts";
import { errorAt, type Problem } from "../problem.ts";
import { statIfThere } from "../project/files/look.ts";
import { migrationsFolder, readMigrationFiles } from "../project/migrations.ts";
import { requireProject } from "../project/open.ts";
import type { Project } from "../project/project.ts";

/** The database of a project that says nothing else. */
const defaultPath = "data/app.sqlite";

/**
 * Applies the migrations that a database does not have, or with `--status` lists all of them.
 *
 * @param args The arguments after `migrate`.
 * @param io The environment of the command.
 * @returns 0; 1 if a migration fails, or has changed since it was applied; 2 for a wrong command line.
 */
export async function migrate(args: readonly string[], io: Io): Promise<number> {
  const messages = messagesOf(io);
  const help = messages.help.migrate;
  const spec = { booleans: ["status"], strings: ["db"] };
  const outcome = acceptArgs(args, spec, { command: "migrate", help, messages, io });
  if (!outcome.ok) return outcome.code;
  const project = await requireProject(io);
  if (project === undefined) return exitCodes.failure;
  const { files, problems } = await readMigrationFiles(project);
  if (problems.length > 0) return refuse(problems, io);
  if (files.length === 0) {
    io.stdout(`${messages.migrate.none}\n`);
    return exitCodes.ok;
  }
  const migrations = await Promise.all(files.map(async ({ name, file }): Promise<Migration> => ({
    name,
    sql: await Deno.readTextFile(join(project.root, file)),
  })));
  const path = outcome.args.value("db") ?? (await project.environment())["FW_DB"] ?? defaultPath;
  if (path === ":memory:") {
    io.stderr(`${messages.migrate.memory}\n`);
    return exitCodes.failure;
  }
  const target: Target = { path, migrations, project, io };
  try {
    return outcome.args.has("status") ? await printStatus(target) : apply(target);
  } catch (error) {
    return explain(error, target);
  }
}

interface Target {
  /** The database as it was named. */
  readonly path: string;
  readonly migrations: readonly Migration[];
  readonly project: Project;
  readonly io: Io;
}

/** Returns where the database is: the name is relative to the project, as for the `start` task. */
function placeOf({ path, project }: Target): string {
  return isAbsolute(path) ? path : join(project.root, path);
}

function apply(target: Target): number {
  const { migrations, io, path } = target;
  const { migrate: texts } = messagesOf(io);
  using db = openSqlite(placeOf(target));
  const names = applyMigrations(db, migrations);
  for (const name of names) io.stdout(`${texts.applied(name)}\n`);
  if (names.length === 0) io.stdout(`${texts.fresh(path)}\n`);
  return exitCodes.ok;
}

/** Prints a line for each migration. A database that does not exist is not made. */
async function printStatus(target: Target): Promise<number> {
  const { migrations, io } = target;
  const { migrate: texts } = messagesOf(io);
  const isThere = await statIfThere(placeOf(target)) !== undefined;
  using db = isThere
    ? new DatabaseSync(placeOf(target), { readOnly: true })
    : openSqlite(":memory:");
  const status = readMigrationStatus(db, migrations);
  const width = Math.max(...status.map(({ state }) => texts.states[state].length));
  for (const { name, state, appliedAt } of status) {
    const time = appliedAt?.toISOString().slice(0, 16).replace("T", " ") ?? "";
    io.stdout(`${texts.states[state].padEnd(width)}  ${time.padEnd(16)}  ${name}\n`);
  }
  const isSound = status.every(({ state }) => state !== "changed" && state !== "missing");
  return isSound ? exitCodes.ok : exitCodes.failure;
}

/** Prints why the migrations were refused. */
function explain(error: unknown, { path, io }: Target): number {
  const { migrate: texts } = messagesOf(io);
  if (error instanceof MigrationError) {
    const { code, migration, line, detail } = error;
    const file = `${migrationsFolder}/${migration}.sql`;
    const place = line === undefined ? { file } : { file, line };
    return refuse([errorAt(place, "E_MIGRATION", texts.fault[code](detail))], io);
  }
  if (!(error instanceof Error) || !("code" in error) || error.code !== "ERR_SQLITE_ERROR") {
    throw error;
  }
  io.stderr(`${texts.unusable(path, error.message)}\n`);
  return exitCodes.failure;
}

function refuse(problems: readonly Problem[], io: Io): number {
  printProblems(problems, io);
  return exitCodes.failure;
}
