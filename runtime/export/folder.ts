import { dirname, join } from "node:path";
import { isJsonObject } from "../base/values.ts";
import { foldersOf } from "./names.ts";

/** The list of the files that the last export wrote. */
const listName = ".fw_export.json";

/** The folder in which the new site grows, inside the output folder: one file system, one permission. */
const newName = ".fw_export.new";

/** Version control and file manager leftovers, which may stand beside a site. */
const tolerated: ReadonlySet<string> = new Set([".git", ".DS_Store", listName, newName]);

const maxWalked = 1_000_000;

/** Receives the files of a site, and replaces the site before it once all are there. */
export interface OutputFolder extends Disposable {
  /** The folder, absolute, without a link on the way. */
  readonly dir: string;
  write(file: string, bytes: Uint8Array): Promise<void>;
  copy(file: string, source: string): Promise<void>;
  /**
   * Moves the new files into place and removes the other files of earlier exports.
   *
   * @throws {TypeError} if a file or a link that no export wrote is in the way; then nothing has changed.
   */
  publish(): Promise<void>;
}

/**
 * Opens an output folder and creates it if it is missing.
 *
 * @throws {TypeError} if the folder holds such files, another export is writing to it, or it is not
 * writable.
 */
export async function openOutputFolder(
  given: string,
  options: { readonly force: boolean },
): Promise<OutputFolder> {
  await makeFolder(given);
  const dir = await Deno.realPath(given);
  const lock = await lockFolder(dir);
  if (lock === undefined) {
    throw cannot(
      given,
      "another export is writing there; wait for its end, or choose another folder",
    );
  }
  const fresh = join(dir, newName);
  const remove = (): void => {
    try {
      Deno.removeSync(fresh, { recursive: true });
    } catch {
      // It is not there, or the next export removes it.
    }
  };
  try {
    const old = await readList(dir);
    const found = await walk(dir, old);
    const [first] = found.foreign;
    if (first !== undefined && !options.force) {
      const more = found.foreign.size === 1 ? "" : ` and ${found.foreign.size - 1} more`;
      throw cannot(
        given,
        `it holds files that no export wrote ("${first}"${more}); choose an empty folder, move your files to public, or allow it by force (--force on the command line)`,
      );
    }
    remove();
    await Deno.mkdir(fresh);
    return createFolder({ dir, fresh, found, old }, () => {
      remove();
      lock[Symbol.dispose]();
    });
  } catch (error) {
    lock[Symbol.dispose]();
    throw unwritable(given, error);
  }
}

interface FolderState {
  readonly dir: string;
  readonly fresh: string;
  readonly found: Walked;
  readonly old: ReadonlySet<string>;
}

function createFolder(state: FolderState, dispose: () => void): OutputFolder {
  const { dir, fresh } = state;
  const files = new Set<string>();
  const put = async (file: string, write: (path: string) => Promise<void>): Promise<void> => {
    const path = join(fresh, file);
    try {
      await Deno.mkdir(dirname(path), { recursive: true });
      await write(path);
    } catch (error) {
      throw unwritable(dir, error);
    }
    files.add(file);
  };
  return {
    dir,
    write: (file, bytes) => put(file, (path) => Deno.writeFile(path, bytes, { createNew: true })),
    copy: (file, source) => put(file, (path) => Deno.copyFile(source, path)),
    publish: () => publish(state, files),
    [Symbol.dispose]: dispose,
  };
}

async function publish(state: FolderState, files: ReadonlySet<string>): Promise<void> {
  const { dir, fresh, found, old } = state;
  refuseObstacles(state, files);
  // An export that is cut off here leaves files of both: the next one must know all of them.
  await writeList(dir, old.union(files));
  for (const file of found.own.difference(files)) await Deno.remove(join(dir, file));
  for (const folder of found.folders.toReversed()) {
    // Only an empty one can be removed.
    await Deno.remove(join(dir, folder)).catch(() => {});
  }
  for (const file of files) {
    const path = join(dir, file);
    await Deno.mkdir(dirname(path), { recursive: true });
    // A link at the path is replaced, not followed.
    await Deno.rename(join(fresh, file), path);
  }
  await writeList(dir, files);
}

function refuseObstacles({ dir, found }: FolderState, files: ReadonlySet<string>): void {
  const { foreign } = found;
  if (foreign.size === 0) return;
  const holding = new Set([...foreign].flatMap(foldersOf));
  for (const file of files) {
    const obstacle = foldersOf(file).find((folder) => foreign.has(folder));
    if (obstacle !== undefined) {
      throw cannot(dir, `"${obstacle}" is a file or a link where the site has a folder; remove it`);
    }
    if (holding.has(file)) {
      throw cannot(dir, `"${file}" is a folder where the site has a file; remove it`);
    }
  }
}

async function makeFolder(dir: string): Promise<void> {
  try {
    await Deno.mkdir(dir, { recursive: true });
  } catch (error) {
    const isTaken = error instanceof Deno.errors.AlreadyExists ||
      error instanceof Deno.errors.NotADirectory;
    if (!isTaken) throw unwritable(dir, error);
    throw cannot(dir, "there is a file of that name; remove it, or choose another folder");
  }
}

/** Locks a folder against another export; the system releases the lock when the process ends. */
async function lockFolder(dir: string): Promise<Disposable | undefined> {
  const unlocked: Disposable = { [Symbol.dispose]: () => {} };
  let folder: Deno.FsFile;
  try {
    folder = await Deno.open(dir);
  } catch {
    // Windows opens no folder.
    return unlocked;
  }
  const isExclusive = true;
  const isLocked = await folder.tryLock(isExclusive).catch(() => "unsupported" as const);
  if (isLocked === true) return folder;
  folder.close();
  return isLocked === "unsupported" ? unlocked : undefined;
}

/** Reads the list of the last export. What it names may be removed, so a name that leaves the folder voids it. */
async function readList(dir: string): Promise<ReadonlySet<string>> {
  const path = join(dir, listName);
  try {
    // A link could lead to the list of another folder.
    if (!(await Deno.lstat(path)).isFile) return new Set();
    const value: unknown = JSON.parse(await Deno.readTextFile(path));
    const names = isJsonObject(value) ? value["files"] : undefined;
    return Array.isArray(names) && names.every(isOwnName) ? new Set(names) : new Set();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return new Set();
    throw error;
  }
}

function isOwnName(name: unknown): name is string {
  return typeof name === "string" && !/[\\:\0]/.test(name) &&
    !/(?:^|\/)(?:\.{0,2})(?:\/|$)/.test(name);
}

async function writeList(dir: string, files: ReadonlySet<string>): Promise<void> {
  const temporary = join(dir, newName, listName);
  await Deno.writeTextFile(temporary, `${JSON.stringify({ files: [...files].sort() }, null, 1)}\n`);
  await Deno.rename(temporary, join(dir, listName));
}

interface Walked {
  /** Files of earlier exports. */
  readonly own: ReadonlySet<string>;
  /** Files that no export wrote; every link is one. */
  readonly foreign: ReadonlySet<string>;
  /** The folders, each before those in it. */
  readonly folders: readonly string[];
}

async function walk(dir: string, old: ReadonlySet<string>): Promise<Walked> {
  const own = new Set<string>();
  const foreign = new Set<string>();
  const folders = [""];
  let count = 0;
  for (let i = 0; i < folders.length; i++) {
    const folder = folders[i] ?? "";
    for await (const entry of Deno.readDir(join(dir, folder))) {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (tolerated.has(name)) continue;
      if (++count > maxWalked) {
        throw cannot(dir, `it holds over ${maxWalked} files; choose another folder`);
      }
      if (entry.isDirectory) folders.push(name);
      else if (entry.isFile && old.has(name)) own.add(name);
      else foreign.add(name);
    }
  }
  return { own, foreign, folders: folders.slice(1) };
}

/** The system's errors that another folder avoids. */
const refusals: ReadonlySet<unknown> = new Set(
  ["EACCES", "EDQUOT", "ENAMETOOLONG", "ENOSPC", "EPERM", "EROFS"],
);

/** Returns a `TypeError` for an error that means an unwritable folder, and any other error as it is. */
function unwritable(dir: string, error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || !refusals.has(error.code)) return error;
  return cannot(
    dir,
    `it is not writable (${error.message}); choose another folder, or fix that`,
    error,
  );
}

function cannot(dir: string, why: string, cause?: unknown): TypeError {
  return new TypeError(`Cannot export to "${dir}": ${why}.`, { cause });
}
