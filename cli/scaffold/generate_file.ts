/** The subjects of `generate` that write a file or two as they stand. */
import { islandsFolder } from "@fw/fw/conventions";
import type { CommandArgs } from "../args.ts";
import { exitCodes, type Io } from "../io.ts";
import { migrationsFolder, numberText, readMigrationFiles } from "../project/migrations.ts";
import { requireProject } from "../project/project.ts";
import { addDatabase, joinDatabase } from "./database.ts";
import { openEdits } from "./edits.ts";
import { sampleText } from "./sample.ts";
import { Stop, UsageError } from "../stop.ts";

const serveFiles = [
  "serve.ts",
  "Dockerfile",
  "deploy/compose.yaml",
  "deploy/Caddyfile",
  "deploy/nginx.conf",
];

export async function generateServe(_: CommandArgs, io: Io): Promise<number> {
  const project = await requireProject(io);
  const edits = await openEdits(project);
  for (const file of serveFiles) edits.put({ file, text: sampleText(`plain/${file}`) });
  await edits.write(io);
  io.stdout(`${project.messages.generateServeHint}\n`);
  return exitCodes.ok;
}

const islandName = /^[a-z][a-z0-9_-]{0,59}$/;

export async function generateIsland(args: CommandArgs, io: Io): Promise<number> {
  const [name = ""] = args.positionals;
  if (!islandName.test(name)) {
    throw new UsageError(({ generateIslandName }) => generateIslandName(name));
  }
  const project = await requireProject(io);
  const file = `${islandsFolder}/${name}.ts`;
  const edits = await openEdits(project);
  edits.put({ file, text: sampleText("plain/lib/counter_island.ts") });
  edits.tell(project.messages.generateIslandHint(`/${islandsFolder}/${name}.js`));
  return await edits.finish(io);
}

const migrationName = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;

export async function generateMigration(args: CommandArgs, io: Io): Promise<number> {
  const [name = ""] = args.positionals;
  if (!migrationName.test(name) || name.length > 60) {
    throw new UsageError(({ migrate }) => migrate.badArgument(name));
  }
  const project = await requireProject(io);
  const { messages: { migrate: texts } } = project;
  const { files, problems } = await readMigrationFiles(project);
  if (problems.length > 0) throw new Stop(problems);
  const number = numberText(files.length + 1);
  const file = `${migrationsFolder}/${number}_${name}.sql`;
  const edits = await openEdits(project);
  edits.put({ file, text: texts.starter(`${number}_${name}`) });
  await addDatabase(edits);
  await joinDatabase(edits);
  edits.tell(texts.hint(file));
  return await edits.finish(io);
}
