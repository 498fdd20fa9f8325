/**
 * Reads files and folders that may be missing. Other errors are thrown, except by the synchronous
 * functions: they read files that the developer is editing, where the next read or the process that
 * needs the file reports the error.
 *
 * @module
 */
import { basename, dirname, join } from "@std/path";

/** Returns the file information of a path, links followed; `undefined` if it does not exist. */
export async function statIfThere(path: string): Promise<Deno.FileInfo | undefined> {
  return await unlessMissing(() => Deno.stat(path));
}

/** Lists a folder in any order; a missing folder is empty. */
export async function listIfThere(folder: string): Promise<Deno.DirEntry[]> {
  return await unlessMissing(() => Array.fromAsync(Deno.readDir(folder))) ?? [];
}

/** Returns the text of a file; `undefined` if it does not exist or is a folder. */
export async function readTextIfThere(path: string): Promise<string | undefined> {
  return await unlessMissing(() => Deno.readTextFile(path));
}

/** Resolves the links of a path, as far as it exists. */
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

/** Returns the file information of a path, links followed; `undefined` if it cannot be read. */
export function statIfThereSync(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
}

/** Returns the text of a file; `""` if it cannot be read. */
export function readTextOrEmpty(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}
