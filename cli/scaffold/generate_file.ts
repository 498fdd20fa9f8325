/** The subjects of `generate` that write a file or two as they stand. */
import { islandsFolder } from "@fw/fw/conventions";
import type { CommandArgs } from "../args.ts";
import { regenerate } from "../gen/generate.ts";
import { exitCodes, type Io } from "../io.ts";
import { writeFiles } from "../project/files/write_files.ts";
import { migrationsFolder, numberText, readMigrationFiles } from "../project/migrations.ts";
import { requireProject } from "../project/project.ts";
import { joinDatabase, missingDatabaseFiles } from "./database.ts";
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
  const texts = serveFiles.map((file) => ({ file, text: sampleText(`plain/${file}`) }));
  await writeFiles(project, texts, { io });
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
  const text = sampleText("plain/lib/counter_island.ts");
  await writeFiles(project, [{ file, text }], { io });
  await regenerate(project);
  io.stdout(`${project.messages.generateIslandHint(`/${islandsFolder}/${name}.js`)}\n`);
  return exitCodes.ok;
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
  const added = [
    { file, text: texts.starter(`${number}_${name}`) },
    ...await missingDatabaseFiles(project),
  ];
  await writeFiles(project, added, { io });
  await joinDatabase(project, { written: added.map((each) => each.file), io });
  await regenerate(project);
  io.stdout(`${texts.hint(file)}\n`);
  return exitCodes.ok;
}
