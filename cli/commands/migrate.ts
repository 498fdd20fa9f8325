import type { Migration, MigrationStatus } from "@fw/fw/data";
import { isAbsolute, join } from "@std/path";
import type { CommandArgs } from "../args.ts";
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { printJson, printProblems } from "../printer.ts";
import { errorAt, type Problem } from "../problem.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { replaceFile } from "../project/files/write_inside.ts";
import {
  type MigrationFault,
  type MigrationReply,
  runMigrations,
} from "../project/migration_run.ts";
import { migrationsFolder, readMigrationFiles, readMigrations } from "../project/migrations.ts";
import { requireProject } from "../project/open.ts";
import { schemaFile, schemaIn, schemaText } from "../project/schema_file.ts";
import { type EngineName, readEngine } from "../scaffold/database/engine.ts";

/** The database of a project that says nothing else, as it is called. */
const defaultNames: Readonly<Record<EngineName, string>> = {
  sqlite: "data/app.sqlite",
  postgres: "Postgres",
};

/**
 * Applies the migrations that a database does not have, or with `--status` lists all of them. With `--json`
 * it prints `{ ok, problems, database, applied: string[] }`, with `--status` as well `{ ok, problems,
 * database, migrations: { name, state, appliedAt? }[] }`.
 */
export async function migrate(args: CommandArgs, io: Io): Promise<number> {
  const messages = messagesOf(io);
  const project = await requireProject(io);
  const { files, problems } = await readMigrationFiles(project);
  const engine = await readEngine(project.root);
  const named = args.value("db") ?? (await project.environment())["FW_DB"];
  const path = named ?? defaultNames[engine];
  const isStatus = args.has("status");
  const output = { isJson: args.has("json"), isStatus, path, io };
  if (problems.length > 0) return refuse(problems, output);
  if (files.length === 0) {
    if (output.isJson) return report({ problems: [] }, output);
    io.stdout(`${messages.migrate.none}\n`);
    return exitCodes.ok;
  }
  const unusable = (message: string): Problem => ({
    code: "E_MIGRATION",
    severity: "error",
    message,
  });
  if (path === ":memory:") return refuse([unusable(messages.migrate.memory)], output);
  const { root } = project;
  const migrations = await readMigrations(project);
  // A name is relative to the project, as for the `start` task.
  const place = engine === "postgres" ? named : isAbsolute(path) ? path : join(root, path);
  const target: Target = { ...output, root, migrations };
  const reply = await runMigrations({ root, engine, place, migrations, isStatus });
  if (reply.kind === "refused") return explain(reply.fault, target);
  if (reply.kind === "unusable") {
    return refuse([unusable(messages.migrate.unusable(path, reply.detail))], target);
  }
  return isStatus ? await printStatus(reply, target) : await printApplied(reply, target);
}

interface Output {
  readonly isJson: boolean;
  readonly isStatus: boolean;
  readonly path: string;
  readonly io: Io;
}

interface Target extends Output {
  readonly root: string;
  readonly migrations: readonly Migration[];
}

interface Outcome {
  readonly problems: readonly Problem[];
  readonly applied?: readonly string[];
  /** The migrations with `--status`. @default none */
  readonly migrations?: readonly MigrationStatus[];
}

function report(
  { problems, applied = [], migrations = [] }: Outcome,
  { isStatus, path, io }: Output,
): number {
  const ok = problems.length === 0;
  const found = { ok, problems, database: path };
  printJson(isStatus ? { ...found, migrations } : { ...found, applied }, io);
  return ok ? exitCodes.ok : exitCodes.failure;
}

type Done = Extract<MigrationReply, { readonly kind: "done" }>;

async function printApplied({ applied, schema }: Done, target: Target): Promise<number> {
  const { migrations, io, path, root } = target;
  const { migrate: texts, files } = messagesOf(io);
  const file = join(root, schemaFile);
  const text = await schemaText(schema, migrations);
  const isWritten = await readTextIfThere(file) !== text;
  if (isWritten) await replaceFile(file, text);
  if (target.isJson) return report({ problems: [], applied }, target);
  for (const name of applied) io.stdout(`${texts.applied(name)}\n`);
  if (applied.length === 0) io.stdout(`${files.fresh(path)}\n`);
  if (isWritten) io.stdout(`${files.made(schemaFile)}\n`);
  return exitCodes.ok;
}

async function printStatus({ status, schema }: Done, target: Target): Promise<number> {
  const { io, root } = target;
  const { migrate: texts } = messagesOf(io);
  const written = await readTextIfThere(join(root, schemaFile));
  const isApplied = status.every(({ state }) => state === "applied");
  const differs = isApplied && written !== undefined && schemaIn(written) !== schema;
  const problems = [
    ...status.flatMap((each) => findProblem(each, target)),
    ...differs ? [errorAt({ file: schemaFile }, "E_STALE", texts.otherSchema())] : [],
  ];
  if (target.isJson) return report({ problems, migrations: status }, target);
  const width = Math.max(...status.map(({ state }) => texts.states[state].length));
  for (const { name, state, appliedAt } of status) {
    const time = appliedAt?.toISOString().slice(0, 16).replace("T", " ") ?? "";
    io.stdout(`${texts.states[state].padEnd(width)}  ${time.padEnd(16)}  ${name}\n`);
  }
  if (differs) printProblems(problems.slice(-1), io);
  return problems.length === 0 ? exitCodes.ok : exitCodes.failure;
}

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

function explain({ code, migration, line, detail }: MigrationFault, target: Target): number {
  const { migrate: texts } = messagesOf(target.io);
  const file = fileOf(migration);
  const place = line === undefined ? { file } : { file, line };
  return refuse([errorAt(place, "E_MIGRATION", texts.fault[code](detail))], target);
}

function refuse(problems: readonly Problem[], output: Output): number {
  if (output.isJson) return report({ problems }, output);
  printProblems(problems, output.io);
  return exitCodes.failure;
}
