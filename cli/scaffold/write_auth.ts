import { join } from "@std/path";
import type { Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { writeFiles } from "../project/files/write_files.ts";
import { formatText } from "../project/process/tools.ts";
import type { Project } from "../project/project.ts";
import { joinSetupFile, type OwnCalls, setupFile } from "./database.ts";
import { changeFiles } from "./imports.ts";
import type { NewFile } from "./sample.ts";

export interface AuthFiles {
  readonly files: readonly NewFile[];
  readonly old: readonly NewFile[];
  /** The calls of `Setup`, for an application that has one for other reasons. */
  readonly calls: readonly OwnCalls[];
}

/**
 * Writes all new files or none. Of the old ones those that were edited are kept, and what they lack is
 * printed.
 */
export async function writeAuthFiles(
  project: Project,
  { files: wanted, old, calls }: AuthFiles,
  io: Io,
): Promise<void> {
  const { root } = project;
  const files = await withoutShared(root, wanted);
  const before = new Map(old.map(({ file, text }) => [file, text]));
  const isShared = await readTextIfThere(join(root, setupFile)) !== undefined;
  const added = files.filter(({ file }) => !before.has(file) && !(isShared && file === setupFile));
  await writeFiles(project, added, { io });
  const paths = added.map(({ file }) => file);
  for (const each of files) {
    if (added.includes(each)) continue;
    const change = { file: each, old: before.get(each.file) };
    if (each.text === change.old) continue;
    if (await isUntouched(root, change)) {
      await changeFiles(project, new Map([[each.file, each.text]]), io);
    } else if (each.file === setupFile) await joinSetupFile(project, { written: paths, calls, io });
    else await printLacking(root, change, io);
  }
  project.refresh(files.map(({ file }) => file));
}

/** Files that `generate mail` writes too, and that may have been edited since. */
const shared: Readonly<Record<string, string>> = {
  "lib/mail.ts": "export function openMail(",
  "lib/origin.ts": "export function originOf(",
};

async function withoutShared(
  root: string,
  files: readonly NewFile[],
): Promise<readonly NewFile[]> {
  const kept = await Promise.all(files.map(async (each) => {
    const part = shared[each.file];
    const text = part === undefined ? undefined : await readTextIfThere(join(root, each.file));
    return part !== undefined && text?.includes(part) === true ? [] : [each];
  }));
  return kept.flat();
}

/** A file as it should be, and as an earlier run wrote it. */
interface Change {
  readonly file: NewFile;
  readonly old: string | undefined;
}

async function isUntouched(root: string, { file: { file }, old }: Change): Promise<boolean> {
  if (old === undefined) return false;
  const present = await readTextIfThere(join(root, file)) ?? "";
  return present === await formatText(root, old);
}

async function printLacking(
  root: string,
  { file: { file, text }, old = "" }: Change,
  io: Io,
): Promise<void> {
  const present = await readTextIfThere(join(root, file)) ?? "";
  const known = new Set(old.split("\n"));
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !known.has(line));
  if (lines.every((line) => present.includes(line.trim()))) return;
  io.stdout(`${messagesOf(io).generateEdited(file, lines.join("\n"))}\n`);
}
