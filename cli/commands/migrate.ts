import {
  BusyError,
  migrate as applyMigrations,
  type Migration,
  MigrationError,
  type MigrationStatus,
  readMigrationStatus,
} from "@fw/fw/data";
import { openSqlite } from "@fw/fw/sqlite";
import { isAbsolute, join } from "@std/path";
import type { CommandArgs } from "../args.ts";
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { printJson, printProblems } from "../printer.ts";
import { errorAt, type Problem } from "../problem.ts";
import { statIfThere } from "../project/files/look.ts";
import { migrationsFolder, readMigrationFiles } from "../project/migrations.ts";
import { requireProject } from "../project/open.ts";

/** The database of a project that says nothing else. */
const defaultPath = "data/app.sqlite";

/**
 * Applies the migrations that a database does not have, or with `--status` lists all of them. With `--json`
 * it prints `{ ok, problems, database, applied: string[] }`, with `--status` as well `{ ok, problems,
 * database, migrations: { name, state, appliedAt? }[] }`.
 *
 * @returns 0; 1 if a migration fails, or has changed since it was applied; 2 for a wrong command line.
 */
export async function migrate(args: CommandArgs, io: Io): Promise<number> {
  const messages = messagesOf(io);
  const project = await requireProject(io);
  const { files, problems } = await readMigrationFiles(project);
  const path = args.value("db") ?? (await project.environment())["FW_DB"] ?? defaultPath;
  const isStatus = args.has("status");
  const output = { isJson: args.has("json"), isStatus, path, io };
  if (problems.length > 0) return refuse(problems, output);
  if (files.length === 0) {
    if (output.isJson) return report({ problems: [] }, output);
    io.stdout(`${messages.migrate.none}\n`);
    return exitCodes.ok;
  }
  if (path === ":memory:") return refuseDatabase(messages.migrate.memory, output);
  const migrations = await Promise.all(files.map(async ({ name, file }): Promise<Migration> => ({
    name,
    sql: await Deno.readTextFile(join(project.root, file)),
  })));
  const place = isAbsolute(path) ? path : join(project.root, path);
  const target: Target = { ...output, place, migrations };
  try {
    return isStatus ? await printStatus(target) : await apply(target);
  } catch (error) {
    return explain(error, target);
  }
}

interface Output {
  readonly isJson: boolean;
  readonly isStatus: boolean;
  /** The database as it was named. */
  readonly path: string;
  readonly io: Io;
}

interface Target extends Output {
  /** Where the database is: the name is relative to the project, as for the `start` task. */
  readonly place: string;
  readonly migrations: readonly Migration[];
}

interface Outcome {
  readonly problems: readonly Problem[];
  /** What was applied. @default none */
  readonly applied?: readonly string[];
  /** The migrations with `--status`. @default none */
  readonly migrations?: readonly MigrationStatus[];
}

/** Prints the outcome as JSON. */
function report(
  { problems, applied = [], migrations = [] }: Outcome,
  { isStatus, path, io }: Output,
): number {
  const ok = problems.length === 0;
  const found = { ok, problems, database: path };
  printJson(isStatus ? { ...found, migrations } : { ...found, applied }, io);
  return ok ? exitCodes.ok : exitCodes.failure;
}

async function apply(target: Target): Promise<number> {
  const { migrations, io, path, place } = target;
  const { migrate: texts } = messagesOf(io);
  await using db = await openSqlite(place);
  const applied = await applyMigrations(db, migrations);
  if (target.isJson) return report({ problems: [], applied }, target);
  for (const name of applied) io.stdout(`${texts.applied(name)}\n`);
  if (applied.length === 0) io.stdout(`${texts.fresh(path)}\n`);
  return exitCodes.ok;
}

/** Prints a line for each migration. A database that does not exist is not made. */
async function printStatus(target: Target): Promise<number> {
  const { migrations, io, place } = target;
  const { migrate: texts } = messagesOf(io);
  const isThere = await statIfThere(place) !== undefined;
  await using db = isThere
    ? await openSqlite(place, { readOnly: true })
    : await openSqlite(":memory:");
  const status = await readMigrationStatus(db, migrations);
  const problems = status.flatMap((each) => findProblem(each, target));
  if (target.isJson) return report({ problems, migrations: status }, target);
  const width = Math.max(...status.map(({ state }) => texts.states[state].length));
  for (const { name, state, appliedAt } of status) {
    const time = appliedAt?.toISOString().slice(0, 16).replace("T", " ") ?? "";
    io.stdout(`${texts.states[state].padEnd(width)}  ${time.padEnd(16)}  ${name}\n`);
  }
  return problems.length === 0 ? exitCodes.ok : exitCodes.failure;
}

/** Returns why a migration would be refused. */
function findProblem(
  { name, state }: MigrationStatus,
  { migrations, io }: Target,
): readonly Problem[] {
  if (state !== "changed" && state !== "missing") return [];
  const other = migrations[Number(name.slice(0, 4)) - 1]?.name ?? "";
  const text = messagesOf(io).migrate.fault[state](other);
  return [errorAt({ file: fileOf(name) }, "E_MIGRATION", text)];
}

function fileOf(name: string): string {
  return `${migrationsFolder}/${name}.sql`;
}

/** Prints why the migrations were refused. */
function explain(error: unknown, target: Target): number {
  const { migrate: texts } = messagesOf(target.io);
  if (error instanceof MigrationError) {
    const { code, migration, line, detail } = error;
    const file = fileOf(migration);
    const place = line === undefined ? { file } : { file, line };
    return refuse([errorAt(place, "E_MIGRATION", texts.fault[code](detail))], target);
  }
  const isUnusable = error instanceof BusyError ||
    (error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR");
  if (!isUnusable) throw error;
  return refuseDatabase(texts.unusable(target.path, error.message), target);
}

function refuseDatabase(message: string, output: Output): number {
  if (output.isJson) {
    return report({ problems: [{ code: "E_MIGRATION", severity: "error", message }] }, output);
  }
  output.io.stderr(`${message}\n`);
  return exitCodes.failure;
}

function refuse(problems: readonly Problem[], output: Output): number {
  if (output.isJson) return report({ problems }, output);
  printProblems(problems, output.io);
  return exitCodes.failure;
}
