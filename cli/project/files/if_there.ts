/**
 * Looks at files that may be missing.
 *
 * @module
 */
import { basename, dirname, join } from "@std/path";

/** What the system says of a file or folder, links followed; `undefined` where there is none. */
export async function statIfThere(path: string): Promise<Deno.FileInfo | undefined> {
  return await unlessMissing(() => Deno.stat(path));
}

/** What a folder holds, in any order; nothing where there is none. */
export async function listIfThere(folder: string): Promise<Deno.DirEntry[]> {
  return await unlessMissing(() => Array.fromAsync(Deno.readDir(folder))) ?? [];
}

/** The text of a file; `undefined` where there is none, or a folder of this name. */
export async function readTextIfThere(path: string): Promise<string | undefined> {
  return await unlessMissing(() => Deno.readTextFile(path));
}

/** A path without links, as far as it is there. */
export async function realPathSoFar(path: string): Promise<string> {
  const real = await unlessMissing(() => Deno.realPath(path));
  if (real !== undefined || dirname(path) === path) return real ?? path;
  return join(await realPathSoFar(dirname(path)), basename(path));
}

const { NotFound, NotADirectory, IsADirectory } = Deno.errors;
const missing = [NotFound, NotADirectory, IsADirectory];

async function unlessMissing<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (missing.some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}
