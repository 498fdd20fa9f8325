/** Reads files and folders that may be missing; synchronous functions treat every error so. */
import { basename, dirname, join } from "@std/path";

export async function statIfThere(path: string): Promise<Deno.FileInfo | undefined> {
  return await unlessMissing(() => Deno.stat(path));
}

export async function listIfThere(folder: string): Promise<Deno.DirEntry[]> {
  return await unlessMissing(() => Array.fromAsync(Deno.readDir(folder))) ?? [];
}

/** Reports whether an entry cannot be opened because its name is not UTF-8. */
export function isUnnameable(folder: string, name: string): boolean {
  if (!name.includes("\ufffd")) return false;
  try {
    Deno.lstatSync(join(folder, name));
    return false;
  } catch {
    return true;
  }
}

/** Maximum size of a project's file, above twice that of any tool: a clone may have any file. */
const maxMiB = 64;

/** Reads a file; `undefined` for folders, pipes and devices. @throws {Error} above 64 MiB. */
export async function readTextIfThere(path: string): Promise<string | undefined> {
  const info = await statIfThere(path);
  if (isSpecial(info)) return undefined;
  checkSize(path, info);
  return await unlessMissing(() => Deno.readTextFile(path));
}

/** @throws {Error} that the command line reports as a system error. */
function checkSize(path: string, info: Deno.FileInfo | undefined): void {
  if ((info?.size ?? 0) <= maxMiB * 1_048_576) return;
  const message = `Cannot read "${path}": it is larger than ${maxMiB} MiB`;
  throw Object.assign(new Error(message), { code: "EFBIG" });
}

/** Reports whether reading may never end: a pipe, a socket, a device, or a link to one. */
function isSpecial(info: Deno.FileInfo | undefined): boolean {
  return info !== undefined && !info.isFile && !info.isDirectory;
}

export function isSpecialFile(path: string): boolean {
  return isSpecial(statIfThereSync(path));
}

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
    // Deno refuses a path with a NUL byte, which no file has.
    const isImpossible = error instanceof TypeError && error.message.includes("NUL byte");
    if (isImpossible || missing.some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}

export function statIfThereSync(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
}

export function listSync(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
  } catch {
    return [];
  }
}

/** Lists the files below a folder, relative to it, without hidden ones, links and names that cannot be opened. */
export function* walkFiles(root: string, others: readonly string[] = []): Generator<string> {
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = listSync(join(root, folder));
    for (const { name, isDirectory, isFile } of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
      if (name.startsWith(".") && name !== ".well-known") continue;
      if (isUnnameable(join(root, folder), name)) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      if (isDirectory && !others.includes(name)) folders.push(path);
      if (isFile) yield path;
    }
  }
}

export function textOfFile(path: string): string {
  return readTextSync(path) ?? "";
}

/** Returns the text of a file; `undefined` if it cannot be read, is too large, or may have no end. */
export function readTextSync(path: string): string | undefined {
  try {
    const info = Deno.statSync(path);
    checkSize(path, info);
    return isSpecial(info) ? undefined : Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}
