/**
 * Looks at files that may be missing. What cannot be read for another reason is an error, except in
 * the synchronous functions: they look at files that people edit meanwhile, where the next look or
 * the process that needs the file says why.
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

/** What the system says of a file or folder, links followed; `undefined` where it says nothing. */
export function statIfThereSync(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
}

/** The text of a file, read synchronously; `""` where it cannot be read. */
export function readTextOrEmpty(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}
