/**
 * Puts a SQLite database into a project: the file that opens it, its migrations, `Setup` and the tasks.
 *
 * @module
 */
import { join } from "@std/path";
import type { Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { isInside, replaceFile } from "../project/files/write_inside.ts";
import { formatFiles } from "../project/files/write_new.ts";
import { manifestNames } from "../project/manifest.ts";
import { listHead, listText, migrationList, readMigrationFiles } from "../project/migrations.ts";
import type { Project } from "../project/project.ts";
import { commandOf } from "../project/start_task.ts";
import databaseSource from "./database/database.ts.tmpl" with { type: "text" };
import setupSource from "./database/setup.ts.tmpl" with { type: "text" };
import { joinSetup, type SetupCalls } from "./join_setup.ts";
import { changeTasks } from "./tasks.ts";

/** The file that opens the database. */
const databaseFile = "lib/database.ts";

const setupFile = "app/setup.ts";

const databaseCalls: SetupCalls = {
  module: "../lib/database.ts",
  open: "openDatabase",
  close: "closeDatabase",
};

/** A file to write. */
export interface NewFile {
  /** The path relative to the project. */
  readonly file: string;
  readonly text: string;
}

/** Returns the files of the database that the project does not have, besides the migrations. */
export async function missingDatabaseFiles(project: Project): Promise<readonly NewFile[]> {
  const files = [
    { file: migrationList, text: listText((await readMigrationFiles(project)).files) },
    { file: databaseFile, text: databaseSource },
    { file: setupFile, text: setupSource },
  ];
  const found = await Promise.all(files.map(async (each) => ({
    each,
    isThere: await readTextIfThere(join(project.root, each.file)) !== undefined,
  })));
  return found.filter(({ isThere }) => !isThere).map(({ each }) => each);
}

/** Finds a file in the place of ours that does not have what the sources of a resource import. */
export async function findForeignFile({ root }: Project): Promise<string | undefined> {
  const wanted = { [databaseFile]: "export const Database", [migrationList]: listHead };
  for (const [file, part] of Object.entries(wanted)) {
    const text = await readTextIfThere(join(root, file));
    if (text !== undefined && !text.includes(part)) return file;
  }
  return undefined;
}

/** What was written, and what `Setup` opens besides the database. */
export interface DatabaseUse {
  /** The files that this command wrote. */
  readonly written: readonly string[];
  /** What `Setup` calls after it has opened the database. @default [] */
  readonly stores?: readonly SetupCalls[];
  readonly io: Io;
}

/**
 * Joins the database to what the project has: `app/setup.ts`, and the tasks. Prints what is left to the
 * developer.
 */
export async function joinDatabase(project: Project, use: DatabaseUse): Promise<void> {
  await joinSetupFile(project, use);
  await joinTasks(project, use.io);
}

async function joinSetupFile({ root }: Project, use: DatabaseUse): Promise<void> {
  const { written, stores = [], io } = use;
  const messages = messagesOf(io);
  const path = join(root, setupFile);
  let text = await readTextIfThere(path) ?? "";
  const left: SetupCalls[] = [];
  const before = text;
  for (const calls of [databaseCalls, ...stores]) {
    if (new RegExp(`\\b${calls.open}\\b`).test(text)) continue;
    const joined = joinSetup(text, calls);
    if (joined === undefined) left.push(calls);
    else text = joined;
  }
  if (text !== before && await isInside(root, path)) {
    await replaceFile(path, text);
    await formatFiles(root, [setupFile]);
    if (!written.includes(setupFile)) io.stdout(`${messages.generateChanged(setupFile)}\n`);
  }
  if (left.length === 0) return;
  const lines = left.flatMap(({ module, open, close }) => [
    `import { ${close === undefined ? "" : `${close}, `}${open} } from "${module}";`,
    `  ${open}(app); // in Setup`,
    ...close === undefined ? [] : [`  ${close}(app); // in Shutdown`],
  ]);
  io.stdout(`${messages.migrate.edited(setupFile, lines.join("\n"))}\n`);
}

/** Changes the tasks: the folder for `start`, memory for `test`, and `migrate` itself. */
async function joinTasks(project: Project, io: Io): Promise<void> {
  const { migrate: texts, generateChanged } = messagesOf(io);
  const { root } = project;
  const manifest = await project.manifest();
  for (const name of manifestNames) {
    const path = join(root, name);
    const text = await readTextIfThere(path);
    if (text === undefined) continue;
    const needs = { hasDatabase: true, hasProvider: false };
    const changed = changeTasks(text, { manifest, needs });
    const command = migrateCommand(manifest);
    const isThere = command === undefined || commandOf(manifest, "migrate") !== undefined;
    const added = isThere ? changed.text : addTask(changed.text, command);
    if (added !== undefined && added !== text && await isInside(root, path)) {
      await replaceFile(path, added);
      project.refresh([name]);
      io.stdout(`${generateChanged(name)}\n`);
    }
    for (const task of changed.left) io.stdout(`${texts.task[task]}\n`);
    if (added === undefined && command !== undefined) io.stdout(`${texts.task.migrate(command)}\n`);
    return;
  }
}

/** Returns the command of the task, from that of `gen`: both run the same command line. */
function migrateCommand(manifest: Readonly<Record<string, unknown>>): string | undefined {
  const gen = commandOf(manifest, "gen");
  return gen?.endsWith(" gen") === true ? `${gen.slice(0, -" gen".length)} migrate` : undefined;
}

/** Adds the task as the first one. */
function addTask(text: string, command: string): string | undefined {
  const [head] = /"tasks"\s*:\s*\{(?=\s*")/.exec(text) ?? [];
  if (head === undefined || text.split(head).length !== 2) return undefined;
  const task =
    `\n    "migrate": {\n      "description": "Apply the migrations of the database",\n` +
    `      "command": ${JSON.stringify(command)}\n    },`;
  return text.replace(head, () => head + task);
}
