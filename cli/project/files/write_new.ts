import { dirname, join } from "@std/path";
import { groupArguments } from "../process/argument_groups.ts";
import { runForeign } from "../process/foreign.ts";
import { isInside, isThere } from "./write_inside.ts";

export interface WrittenFile {
  /** Removes the file, and the folders that were created for it. */
  undo(): Promise<void>;
}

/**
 * Writes a new file, formatted by `deno fmt` with the project's settings.
 *
 * @default false
 * @returns The file; `exists` if there is one already, `outside` if a link leads out of the
 * project. Nothing was written then.
 */
export async function writeNew(
  root: string,
  options: { readonly file: string; readonly text: string; readonly isFormatted?: boolean },
): Promise<WrittenFile | "exists" | "outside"> {
  const path = join(root, options.file);
  if (!await isInside(root, dirname(path))) return "outside";
  const made = await makeFolders(dirname(path));
  try {
    await Deno.writeTextFile(path, options.text, { createNew: true });
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return "exists";
    throw error;
  }
  if (options.isFormatted !== true) await formatFiles(root, [path]);
  return { undo };

  async function undo(): Promise<void> {
    await Deno.remove(path);
    for (const folder of made) await Deno.remove(folder);
  }
}

/** Creates a folder and its parents; returns the created ones, innermost first. */
async function makeFolders(folder: string): Promise<string[]> {
  const made: string[] = [];
  for (let at = folder; !await isThere(at); at = dirname(at)) made.push(at);
  await Deno.mkdir(folder, { recursive: true });
  return made;
}

/** Formats files with the project's settings. */
export async function formatFiles(root: string, paths: readonly string[]): Promise<void> {
  // The text is valid without formatting, if the formatter cannot run.
  for (const group of groupArguments(paths)) {
    await runForeign(["fmt", "--quiet", ...group], { cwd: root });
  }
}
