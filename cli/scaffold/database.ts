/** Puts a SQLite database into a project: the file that opens it, its migrations, `Setup` and the tasks. */
import { join } from "@std/path";
import type { Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { writeFiles } from "../project/files/write_files.ts";
import { manifestNames } from "../project/manifest.ts";
import { listHead, listText, migrationList, readMigrationFiles } from "../project/migrations.ts";
import { requireProject } from "../project/open.ts";
import type { Project } from "../project/project.ts";
import { commandOf } from "../project/start_task.ts";
import { databaseFile, type EngineName, readEngine } from "./database/engine.ts";
import { changeFile, missingFiles, readImportStyle, restyleFiles } from "./imports.ts";
import { importLine, joinSetup, type SetupCalls } from "./join_setup.ts";
import { Stop } from "../stop.ts";
import { type NewFile, renderSample } from "./sample.ts";
import { changeTasks, type TaskNeeds } from "./tasks.ts";

export const setupFile = "app/setup.ts";

export const databaseCalls: OwnCalls = {
  file: databaseFile,
  open: "openDatabase",
  close: "closeDatabase",
  isAsync: true,
};

/** Calls of `Setup` and `Shutdown`, with the file that exports them instead of its specifier. */
export interface OwnCalls extends Omit<SetupCalls, "module"> {
  readonly file: string;
}

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

/** Finds a file in the place of ours that does not have what the sources of a resource import. */
export async function findForeignFile({ root }: Project): Promise<string | undefined> {
  // Sources of resources await what `Db` does; earlier versions opened `DatabaseSync`.
  const wanted = {
    [databaseFile]: /export const Database = key<(?:Sqlite)?Db>/,
    [migrationList]: new RegExp(`^${RegExp.escape(listHead)}`),
  };
  for (const [file, part] of Object.entries(wanted)) {
    const text = await readTextIfThere(join(root, file));
    if (text !== undefined && !part.test(text)) return file;
  }
  return undefined;
}

/** Finds the source that makes a table: a migration, or the accounts that earlier versions wrote. */
export async function findTableMaker(
  project: Project,
  table: string,
): Promise<string | undefined> {
  const { files } = await readMigrationFiles(project);
  const made = new RegExp(`\\bcreate table (?:if not exists )?["\`[]?${table}\\b`, "i");
  for (const file of [...files.map((each) => each.file), "lib/accounts.ts"]) {
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

export interface DatabaseUse {
  readonly written: readonly string[];
  /** The calls of `Setup` after it has opened the database. @default [] */
  readonly stores?: readonly OwnCalls[];
  readonly io: Io;
}

/**
 * Joins the database to what the project has: `app/setup.ts`, and the tasks. Prints what is left to the
 * developer.
 */
export async function joinDatabase(project: Project, use: DatabaseUse): Promise<void> {
  const { written, stores = [], io } = use;
  await joinSetupFile(project, { written, calls: [databaseCalls, ...stores], io });
  const needs = { engine: await readEngine(project.root), hasProvider: false };
  await joinTasks(project, { needs, texts: messagesOf(io).migrate.task, io });
}

export interface SetupUse extends Pick<DatabaseUse, "written" | "io"> {
  readonly calls: readonly OwnCalls[];
}

/** Adds calls to `app/setup.ts`, which keeps all that it has. Prints those that it has no place for. */
export async function joinSetupFile(project: Project, use: SetupUse): Promise<void> {
  const { written, calls, io } = use;
  const style = await readImportStyle(project);
  const left: SetupCalls[] = [];
  const change = (present: string): string => {
    let text = present;
    for (const { file, ...names } of calls) {
      if (new RegExp(`\\b${names.open}\\b`).test(text)) continue;
      const own = { ...names, module: style(file, setupFile) };
      const joined = joinSetup(text, own);
      if (joined === undefined) left.push(own);
      else text = joined;
    }
    return text;
  };
  // That the file was written is printed already.
  const quiet = written.includes(setupFile) ? { ...io, stdout: () => {} } : io;
  await changeFile(project, { file: setupFile, change, io: quiet });
  if (left.length === 0) return;
  const lines = [
    ...left.map(importLine),
    ...left.map(({ open, isAsync }) => `  ${isAsync ? "await " : ""}${open}(app); // in Setup`),
    ...left.flatMap(({ close, isAsync }) =>
      close === undefined ? [] : [`  ${isAsync ? "await " : ""}${close}(app); // in Shutdown`]
    ),
  ];
  io.stdout(`${messagesOf(io).generateEdited(setupFile, lines.join("\n"))}\n`);
}

/** The needs of the tasks, and the notes for those that have another form. */
export interface TaskUse {
  readonly needs: TaskNeeds;
  readonly texts: Readonly<Record<"start" | "test", string>>;
  readonly io: Io;
}

export async function joinTasks(project: Project, { needs, texts, io }: TaskUse): Promise<void> {
  const manifest = await project.manifest();
  const hasTask = needs.engine === undefined || commandOf(manifest, "migrate") !== undefined;
  const command = hasTask ? undefined : migrateCommand(manifest);
  const advice: string[] = [];
  await changeManifest(project, (text) => {
    const changed = changeTasks(text, { manifest, needs });
    advice.push(...changed.left.map((task) => texts[task]));
    if (command === undefined) return changed.text;
    const description = "Apply the migrations of the database";
    const added = addTask(changed.text, { name: "migrate", description, command });
    if (added === undefined) advice.push(messagesOf(io).migrate.task.migrate(command));
    return added ?? changed.text;
  }, io);
  for (const each of advice) io.stdout(`${each}\n`);
}

async function changeManifest(
  project: Project,
  change: (text: string) => string | undefined,
  io: Io,
): Promise<boolean> {
  for (const file of manifestNames) {
    const isThere = await readTextIfThere(join(project.root, file)) !== undefined;
    if (isThere) return await changeFile(project, { file, change, io });
  }
  return false;
}

/** Returns the command of the task, from that of `gen`: both run the same command line. */
function migrateCommand(manifest: Readonly<Record<string, unknown>>): string | undefined {
  const gen = commandOf(manifest, "gen");
  return gen?.endsWith(" gen") === true ? `${gen.slice(0, -" gen".length)} migrate` : undefined;
}

/** Adds a task as the first one; `undefined` for a manifest of another form. */
function addTask(
  text: string,
  { name, description, command }: {
    readonly name: string;
    readonly description: string;
    readonly command: string;
  },
): string | undefined {
  const [head] = /"tasks"\s*:\s*\{(?=\s*")/.exec(text) ?? [];
  if (head === undefined || text.split(head).length !== 2) return undefined;
  const task = `\n    "${name}": {\n      "description": "${description}",\n` +
    `      "command": ${JSON.stringify(command)}\n    },`;
  return text.replace(head, () => head + task);
}

/** Adds the task that runs the jobs, with the permissions of `start`. */
export async function addWorkTask(project: Project, io: Io): Promise<void> {
  const manifest = await project.manifest();
  if (commandOf(manifest, "work") !== undefined) return;
  const start = commandOf(manifest, "start") ?? "";
  const file = (await project.startTask())?.file ?? "";
  const isLast = file !== "" && start.endsWith(` ${file}`);
  const task = {
    name: "work",
    description: "Run the jobs without a listener",
    command: `${start.slice(0, -file.length)}work.ts`,
  };
  const isAdded = isLast && await changeManifest(project, (text) => addTask(text, task), io);
  if (!isAdded) io.stdout(`${messagesOf(io).jobs.workTask}\n`);
}
