/**
 * Writes the files of a sign-in, and changes those of an earlier run that were not edited.
 *
 * @module
 */
import { join } from "@std/path";
import type { Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { isInside, replaceFile } from "../project/files/write_inside.ts";
import { formatFiles, writeNew, type WrittenFile } from "../project/files/write_new.ts";
import { formatText } from "../project/process/tools.ts";
import type { Project } from "../project/project.ts";
import type { AuthFile } from "./auth.ts";

/** A file that an application may have for other reasons: its lines are joined by hand. */
const sharedFile = "app/setup.ts";

/** What is to be there, and what an earlier run wrote. */
export interface AuthFiles {
  readonly files: readonly AuthFile[];
  readonly old: readonly AuthFile[];
}

/**
 * Writes all new files or none. Of the old ones those that were edited are kept, and what they lack is
 * printed.
 *
 * @returns Whether the files were written.
 */
export async function writeAuthFiles(
  project: Project,
  { files, old }: AuthFiles,
  io: Io,
): Promise<boolean> {
  const { root } = project;
  const messages = messagesOf(io);
  const before = new Map(old.map(({ file, text }) => [file, text]));
  const isShared = await readTextIfThere(join(root, sharedFile)) !== undefined;
  const added = files.filter(({ file }) => !before.has(file) && !(isShared && file === sharedFile));
  const done: WrittenFile[] = [];
  for (const { file, text } of added) {
    const written = await writeNew(root, { file, text, isFormatted: true });
    if (typeof written === "string") {
      for (const each of done.reverse()) await each.undo();
      const say = messages.generateRefused[written];
      io.stderr(`${say(file)}\n`);
      return false;
    }
    done.push(written);
  }
  await formatFiles(root, added.map(({ file }) => file));
  for (const { file } of added) io.stdout(`${messages.generateMade(file)}\n`);
  for (const file of files) {
    if (!added.includes(file)) await changeFile(root, { file, old: before.get(file.file) }, io);
  }
  project.refresh(files.map(({ file }) => file));
  return true;
}

/** Brings a file up to date that was not edited; prints the new lines of another one. */
async function changeFile(
  root: string,
  { file: { file, text }, old = "" }: {
    readonly file: AuthFile;
    readonly old?: string | undefined;
  },
  io: Io,
): Promise<void> {
  if (text === old) return;
  const messages = messagesOf(io);
  const path = join(root, file);
  const present = await readTextIfThere(path) ?? "";
  const isUntouched = present === await formatText(root, old) && await isInside(root, path);
  if (!isUntouched) {
    const known = new Set(old.split("\n"));
    const lines = text.split("\n").filter((line) => line.trim() !== "" && !known.has(line));
    if (lines.every((line) => present.includes(line.trim()))) return;
    io.stdout(`${messages.generateAuthEdited(file, lines.join("\n"))}\n`);
    return;
  }
  await replaceFile(path, text);
  await formatFiles(root, [file]);
  io.stdout(`${messages.generateChanged(file)}\n`);
}
