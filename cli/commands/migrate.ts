import { dirname, isAbsolute, join } from "@std/path";
import type { CommandArgs } from "../args.ts";
import { exitCodes, type Io } from "../io.ts";
import type { Messages } from "../messages/catalog.ts";
import { printProblems } from "../printer.ts";
import {
  type DoneReply,
  findStatusFaults,
  migrationFault,
  runMigrations,
  writeSchema,
} from "../project/migration_run.ts";
import { isInside } from "../project/files/write_inside.ts";
import { readMigrationFiles, readMigrations, schemaFile } from "../project/migrations.ts";
import { devEnvironment, requireProject } from "../project/project.ts";
import { Stop } from "../stop.ts";
import { type EngineName, readEngine } from "../scaffold/database/engine.ts";

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
  const named = args.value("db") ?? (await devEnvironment(project))["FW_DB"];
  // A server's URL contains a password, which must not reach a log.
  const path = engine === "postgres" ? defaultNames.postgres : named ?? defaultNames.sqlite;
  if (problems.length > 0) throw new Stop(problems);
  if (files.length === 0) {
    io.stdout(`${texts.none}\n`);
    return exitCodes.ok;
  }
  if (path === ":memory:") {
    throw new Stop([{ code: "E_MIGRATION", severity: "error", message: texts.memory }]);
  }
  const isStatus = args.has("status");
  if (!isStatus && !await isInside(root, dirname(join(root, schemaFile)))) {
    throw new Stop(project.messages.generateRefused.outside(schemaFile));
  }
  const migrations = await readMigrations(project);
  // Paths are relative to the project, as in the `start` task.
  const place = engine === "postgres" ? named : isAbsolute(path) ? path : join(root, path);
  const reply = await runMigrations({ root, engine, place, migrations, isStatus });
  if (reply.kind !== "done") throw new Stop([migrationFault(reply, path, texts)]);
  if (isStatus) {
    const faults = await findStatusFaults(project, reply, migrations);
    printStatus(reply, texts, io);
    printProblems(faults, io);
    return faults.length === 0 ? exitCodes.ok : exitCodes.failure;
  }
  const isWritten = await writeSchema(root, reply.schema, migrations);
  for (const name of reply.applied) io.stdout(`${texts.applied(name)}\n`);
  if (reply.applied.length === 0) io.stdout(`${project.messages.files.fresh(path)}\n`);
  if (isWritten) io.stdout(`${project.messages.files.made(schemaFile)}\n`);
  return exitCodes.ok;
}

function printStatus({ status }: DoneReply, texts: Messages["migrate"], io: Io): void {
  const width = Math.max(...status.map(({ state }) => texts.states[state].length));
  for (const { name, state, appliedAt } of status) {
    const time = appliedAt?.toISOString().slice(0, 16).replace("T", " ") ?? "";
    io.stdout(`${texts.states[state].padEnd(width)}  ${time.padEnd(16)}  ${name}\n`);
  }
}
