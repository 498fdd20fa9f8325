/** Adds a database to a project: the file that opens it, its migrations, `Setup` and the tasks. */
import { join } from "@std/path";
import type { Io } from "../io.ts";
import { readTextIfThere } from "../project/files/look.ts";
import {
  listHead,
  listText,
  migrationList,
  migrationsFolder,
  numberText,
  readMigrationFiles,
  readMigrations,
} from "../project/migrations.ts";
import { type Project, requireProject } from "../project/project.ts";
import { databaseFile, type EngineName, engineOf, readEngine } from "./database/engine.ts";
import { type Edits, openEdits } from "./edits.ts";
import { Stop } from "../stop.ts";
import { type NewFile, renderSample } from "./sample.ts";
import { joinSetupFile, setupFile, type SetupPart, setupParts } from "./setup.ts";
import { joinTasks } from "./tasks.ts";

/** Opens a generator's project. @throws {Stop} for problems of its routes or migrations. */
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

/** Adds the file that opens the database and the list of its migrations, if they are missing. */
export async function addDatabase(edits: Edits, engine?: EngineName): Promise<void> {
  const { project } = edits;
  await edits.addMissing(
    { file: migrationList, text: listText((await readMigrationFiles(project)).files) },
    ...databaseFiles(engine ?? await readEngine(project.root)),
    renderSample(`kit/${setupFile}`, setupFile, {
      parts: setupParts,
    }),
  );
}

/** Adds the next migration. @returns Its file. */
export async function addMigration(edits: Edits, name: string, text: string): Promise<string> {
  const { files } = await readMigrationFiles(edits.project);
  const added = edits.made().filter((file) => /^migrations\/.*\.sql$/.test(file)).length;
  const file = `${migrationsFolder}/${numberText(files.length + added + 1)}_${name}.sql`;
  edits.put({ file, text });
  return file;
}

/** Returns the module of the sign-in whose guard a generated page can use. */
export async function findGuard(root: string): Promise<"sessions" | "auth" | undefined> {
  for (const name of ["sessions", "auth"] as const) {
    const text = await readTextIfThere(join(root, `lib/${name}.ts`));
    if (text?.includes(`export const ${name} = `) === true) return name;
  }
  return undefined;
}

/** @throws {Stop} if an existing file lacks the exports that the sources of a resource import. */
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

export async function findTableMaker(project: Project, table: string): Promise<string | undefined> {
  const made = new RegExp(`\\bcreate table (?:if not exists )?["\`[]?${table}\\b`, "i");
  const maker = (await readMigrations(project)).find(({ sql }) => made.test(sql));
  return maker && `${migrationsFolder}/${maker.name}.sql`;
}

/** Writes the database files of a new project. @returns The new files. */
export async function writeDatabase(
  project: Project,
  engine: EngineName,
): Promise<readonly string[]> {
  const edits = await openEdits(project);
  await addDatabase(edits, engine);
  await joinDatabase(edits);
  await edits.write();
  return edits.made();
}

export async function joinDatabase(
  edits: Edits,
  { stores = [], hasWork = false }: {
    /** The calls of `Setup` after the database is open. @default [] */
    readonly stores?: readonly SetupPart[];
    readonly hasWork?: boolean;
  } = {},
): Promise<void> {
  await joinSetupFile(edits, [{ part: "database" }, ...stores]);
  const engine = engineOf(await edits.read(databaseFile));
  await joinTasks(edits, { engine, hasProvider: false, hasWork });
}
