/**
 * A stand-in for `@std/fs`, which the npm edition of std lacks: the functions this project uses,
 * with std's own signatures.
 */
import { dirname, join } from "@std/path";

/** Options of {@link walk}. */
export interface WalkOptions {
  /** How deep to go. */
  maxDepth?: number;
  /** Whether files are given. */
  includeFiles?: boolean;
  /** Whether folders are given. */
  includeDirs?: boolean;
  /** Whether symbolic links are followed. */
  followSymlinks?: boolean;
}

/** One entry of {@link walk}. */
export interface WalkEntry extends Deno.DirEntry {
  /** The entry's path, below the root that was given. */
  path: string;
}

/** Creates the folder if it is missing. */
export async function ensureDir(dir: string | URL): Promise<void> {
  await Deno.mkdir(dir, { recursive: true });
}

/** Whether the path is there. */
export async function exists(path: string | URL): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Copies a file or a folder. */
export async function copy(
  src: string,
  dest: string,
  options: { overwrite?: boolean } = {},
): Promise<void> {
  if (!options.overwrite && await exists(dest)) {
    throw new Deno.errors.AlreadyExists(`'${dest}' already exists.`);
  }
  const info = await Deno.stat(src);
  if (info.isFile) {
    await ensureDir(dirname(dest));
    return await Deno.copyFile(src, dest);
  }
  await ensureDir(dest);
  for await (const entry of Deno.readDir(src)) {
    await copy(join(src, entry.name), join(dest, entry.name), { overwrite: true });
  }
}

/** Every entry below the folder, the folder itself first. */
export async function* walk(root: string, options: WalkOptions = {}): AsyncGenerator<WalkEntry> {
  const { maxDepth = Infinity, includeFiles = true, includeDirs = true, followSymlinks = false } =
    options;
  if (maxDepth < 0) return;
  if (includeDirs) {
    yield { path: root, name: root, isDirectory: true, isFile: false, isSymlink: false };
  }
  if (maxDepth < 1) return;
  for await (const entry of Deno.readDir(root)) {
    const path = join(root, entry.name);
    if (entry.isSymlink && !followSymlinks) continue;
    const info = entry.isSymlink ? await Deno.stat(path) : entry;
    if (info.isDirectory) {
      yield* walk(path, { ...options, maxDepth: maxDepth - 1 });
    } else if (includeFiles && info.isFile) {
      yield {
        path,
        name: entry.name,
        isDirectory: false,
        isFile: true,
        isSymlink: entry.isSymlink,
      };
    }
  }
}
