import type { Migration, MigrationStatus } from "@fw/fw/data";
import { isAbsolute, join } from "@std/path";
import type { CommandArgs } from "../args.ts";
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { printJson, printProblems } from "../printer.ts";
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
import { type EngineName, readEngine } from "../scaffold/database/engine.ts";

/** The database of a project that says nothing else, as it is called. */
const defaultNames: Readonly<Record<EngineName, string>> = {
  sqlite: "data/app.sqlite",
  postgres: "Postgres",
};

export async function migrate(args: CommandArgs, io: Io): Promise<number> {
  const { migrate: texts } = messagesOf(io);
  const project = await requireProject(io);
  const { root } = project;
  const { files, problems } = await readMigrationFiles(project);
  const engine = await readEngine(root);
  const named = args.value("db") ?? (await project.environment())["FW_DB"];
  const path = named ?? defaultNames[engine];
  const isStatus = args.has("status");
  const migrations = problems.length > 0 ? [] : await readMigrations(project);
  const target = { isJson: args.has("json"), isStatus, path, root, migrations, io };
  const refuse = (message: string): number =>
    report([{ code: "E_MIGRATION", severity: "error", message }], target);
  if (problems.length > 0) return report(problems, target);
  if (files.length === 0) {
    if (!target.isJson) io.stdout(`${texts.none}\n`);
    return report([], target);
  }
  if (path === ":memory:") return refuse(texts.memory);
  // A name is relative to the project, as for the `start` task.
  const place = engine === "postgres" ? named : isAbsolute(path) ? path : join(root, path);
  const reply = await runMigrations({ root, engine, place, migrations, isStatus });
  if (reply.kind === "unusable") return refuse(texts.unusable(path, reply.detail));
  if (reply.kind === "refused") {
    const { code, migration, line, detail } = reply.fault;
    const at = { file: fileOf(migration), ...line === undefined ? {} : { line } };
    return report([errorAt(at, "E_MIGRATION", texts.fault[code](detail))], target);
  }
  return isStatus ? await printStatus(reply, target) : await printApplied(reply, target);
}

interface Target {
  readonly isJson: boolean;
  readonly isStatus: boolean;
  /** The database as it was named. */
  readonly path: string;
  readonly root: string;
  readonly migrations: readonly Migration[];
  readonly io: Io;
}

function report(
  problems: readonly Problem[],
  { isJson, isStatus, path, io }: Target,
  found: {
    readonly applied?: readonly string[];
    readonly migrations?: readonly MigrationStatus[];
  } = {},
): number {
  const { applied = [], migrations = [] } = found;
  const ok = problems.length === 0;
  const told = { ok, problems, database: path, ...isStatus ? { migrations } : { applied } };
  if (isJson) printJson(told, io);
  else printProblems(problems, io);
  return ok ? exitCodes.ok : exitCodes.failure;
}

type Done = Extract<MigrationReply, { readonly kind: "done" }>;

async function printApplied({ applied, schema }: Done, target: Target): Promise<number> {
  const { migrations, io, path, root, isJson } = target;
  const { migrate: texts, files } = messagesOf(io);
  const file = join(root, schemaFile);
  const text = await schemaText(schema, migrations);
  const isWritten = await readTextIfThere(file) !== text;
  if (isWritten) await replaceFile(file, text);
  if (!isJson) {
    for (const name of applied) io.stdout(`${texts.applied(name)}\n`);
    if (applied.length === 0) io.stdout(`${files.fresh(path)}\n`);
    if (isWritten) io.stdout(`${files.made(schemaFile)}\n`);
  }
  return report([], target, { applied });
}

async function printStatus({ status, schema }: Done, target: Target): Promise<number> {
  const { io, root, migrations, isJson } = target;
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
  if (!isJson) {
    const width = Math.max(...status.map(({ state }) => texts.states[state].length));
    for (const { name, state, appliedAt } of status) {
      const time = appliedAt?.toISOString().slice(0, 16).replace("T", " ") ?? "";
      io.stdout(`${texts.states[state].padEnd(width)}  ${time.padEnd(16)}  ${name}\n`);
    }
  }
  return report(problems, target, { migrations: status });
}

function fileOf(name: string): string {
  return `${migrationsFolder}/${name}.sql`;
}
