/** Puts a database into a project: the file that opens it, its migrations, `Setup` and the tasks. */
import { join } from "@std/path";
import type { Io } from "../io.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { writeFiles } from "../project/files/write_files.ts";
import { listHead, listText, migrationList, readMigrationFiles } from "../project/migrations.ts";
import { type Project, requireProject } from "../project/project.ts";
import { databaseFile, type EngineName, readEngine } from "./database/engine.ts";
import { missingFiles, restyleFiles } from "./imports.ts";
import { Stop } from "../stop.ts";
import { type NewFile, renderSample } from "./sample.ts";
import { joinSetupFile, type SetupCalls, setupFile } from "./setup.ts";
import { joinTasks } from "./tasks.ts";

export const databaseCalls: SetupCalls = {
  file: databaseFile,
  open: "openDatabase",
  close: "closeDatabase",
  isAsync: true,
};

/** Opens the project of a generator. @throws {Stop} for problems of its routes or its migrations. */
export async function openSound(io: Io): Promise<Project> {
  const project = await requireProject(io);
  const read = await Promise.all([project.routes(), readMigrationFiles(project)]);
  const problems = read.flatMap((each) => each.problems);
  if (problems.length > 0) throw new Stop(problems);
  return project;
}

export function databaseFiles(engine: EngineName): readonly NewFile[] {
  if (engine === "sqlite") return [renderSample(`kit/${databaseFile}`, databaseFile, {})];
  return ["database.ts", "database_testing.ts"].map((file) =>
    renderSample(`kit/postgres/${file}`, `lib/${file}`, {})
  );
}

export async function missingDatabaseFiles(
  project: Project,
  engine?: EngineName,
): Promise<readonly NewFile[]> {
  const files = [
    { file: migrationList, text: listText((await readMigrationFiles(project)).files) },
    ...databaseFiles(engine ?? await readEngine(project.root)),
    renderSample(`kit/${setupFile}`, setupFile, {}),
  ];
  return await restyleFiles(project, await missingFiles(project, files));
}

/** Returns the module of the sign-in whose guard a generated page can use. */
export async function findGuard(root: string): Promise<"sessions" | "auth" | undefined> {
  for (const name of ["sessions", "auth"] as const) {
    const text = await readTextIfThere(join(root, `lib/${name}.ts`));
    if (text?.includes(`export const ${name} = `) === true) return name;
  }
  return undefined;
}

/** @throws {Stop} for a file in the place of ours that lacks what the sources of a resource import. */
export async function refuseForeignFile({ root, messages }: Project): Promise<void> {
  const wanted = {
    [databaseFile]: /export const Database = key<(?:Sqlite)?Db>/,
    [migrationList]: new RegExp(`^${RegExp.escape(listHead)}`),
  };
  for (const [file, part] of Object.entries(wanted)) {
    const text = await readTextIfThere(join(root, file));
    if (text !== undefined && !part.test(text)) throw new Stop(messages.resource.foreign(file));
  }
}

/** Finds the migration that makes a table. */
export async function findTableMaker(project: Project, table: string): Promise<string | undefined> {
  const { files } = await readMigrationFiles(project);
  const made = new RegExp(`\\bcreate table (?:if not exists )?["\`[]?${table}\\b`, "i");
  for (const { file } of files) {
    const text = await readTextIfThere(join(project.root, file));
    if (text !== undefined && made.test(text)) return file;
  }
  return undefined;
}

export async function writeDatabase(
  project: Project,
  engine: EngineName,
  io: Io,
): Promise<readonly string[]> {
  const files = await missingDatabaseFiles(project, engine);
  const quiet = { ...io, stdout: () => {} };
  await writeFiles(project, files, { io: quiet });
  const paths = files.map(({ file }) => file);
  await joinDatabase(project, { written: paths, io: quiet });
  return paths;
}

/** Joins the database to `Setup` and the tasks. Prints what is left to the developer. */
export async function joinDatabase(
  project: Project,
  { written, stores = [], io }: {
    readonly written: readonly string[];
    /** The calls of `Setup` after it has opened the database. @default [] */
    readonly stores?: readonly SetupCalls[];
    readonly io: Io;
  },
): Promise<void> {
  await joinSetupFile(project, { written, calls: [databaseCalls, ...stores], io });
  const needs = { engine: await readEngine(project.root), hasProvider: false };
  await joinTasks(project, needs, io);
}
