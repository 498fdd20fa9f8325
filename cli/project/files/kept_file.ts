/**
 * Files that commands keep for their next run, below `.fw/`. They save time and nothing else: a folder
 * that cannot be written, or that a link leads out of the project, keeps none.
 */
import { dirname, join } from "@std/path";
import { parseJson } from "../json.ts";
import { readTextIfThere } from "./look.ts";
import { isInside, isThere, replaceFile } from "./write_inside.ts";

/** The folder, which `.gitignore` of a new project names. */
const keptFolder = ".fw";

/**
 * Reads a file that a command has kept as JSON.
 *
 * @returns `undefined` if there is none, or none that can be read. Its shape is for the caller to check.
 */
export async function readKept(root: string, name: string): Promise<unknown> {
  try {
    return parseJson(await readTextIfThere(join(root, keptFolder, name)) ?? "");
  } catch {
    return undefined;
  }
}

/** Keeps a value as JSON, if the folder allows it. */
export async function writeKept(root: string, name: string, value: unknown): Promise<void> {
  const path = join(root, keptFolder, name);
  try {
    if (!await isInside(root, dirname(path))) return;
    await Deno.mkdir(dirname(path), { recursive: true });
    // A project made by an earlier version may not ignore the folder.
    const ignored = join(root, keptFolder, ".gitignore");
    if (!await isThere(ignored)) await replaceFile(ignored, "*\n");
    await replaceFile(path, JSON.stringify(value));
  } catch {
    // As where the project is read-only.
  }
}

/** Removes a kept file, unless a link leads its folder out of the project. */
export async function removeKept(root: string, name: string): Promise<void> {
  const path = join(root, keptFolder, name);
  try {
    if (await isInside(root, dirname(path))) await Deno.remove(path);
  } catch {
    // There is none.
  }
}
