/**
 * A stand-in for `@std/fs`, which the npm edition of std lacks: the functions that this project
 * uses, with std's signatures.
 */
import { join } from "@std/path";

export interface WalkEntry extends Deno.DirEntry {
  path: string;
}

export async function exists(path: string | URL): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

export async function copy(
  src: string,
  dest: string,
  options: { overwrite: true },
): Promise<void> {
  if ((await Deno.stat(src)).isFile) return await Deno.copyFile(src, dest);
  await Deno.mkdir(dest, { recursive: true });
  for await (const { name } of Deno.readDir(src)) {
    await copy(join(src, name), join(dest, name), options);
  }
}

/** Lists the folder and every entry below it, without following links. */
export async function* walk(root: string): AsyncGenerator<WalkEntry> {
  yield { path: root, name: root, isDirectory: true, isFile: false, isSymlink: false };
  for await (const entry of Deno.readDir(root)) {
    const path = join(root, entry.name);
    if (entry.isDirectory) yield* walk(path);
    else if (entry.isFile) yield { ...entry, path };
  }
}
