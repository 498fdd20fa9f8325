import { dirname, join } from "node:path";
import { isJsonObject } from "../base/values.ts";

const listName = ".fw_export.json";

/** Inside the output folder, so that one file system and one permission suffice. */
const newName = ".fw_export.new";
const oldName = ".fw_export.old";

/** Files of version control and file managers, which may lie beside a site. */
const tolerated: ReadonlySet<string> = new Set([".git", ".DS_Store", listName, newName, oldName]);

export interface OutputFolder extends Disposable {
  readonly dir: string;
  write(file: string, bytes: Uint8Array): Promise<void>;
  copy(file: string, source: string): Promise<void>;
  publish(): Promise<void>;
}

/**
 * Opens the folder of a site.
 *
 * @throws {TypeError} if it holds something that no export wrote, or another export is writing there.
 */
export async function openOutputFolder(given: string): Promise<OutputFolder> {
  let lock: Deno.FsFile | undefined;
  try {
    await makeFolder(given);
    const dir = await Deno.realPath(given);
    lock = await lockFolder(dir);
    const own = await readOwn(dir);
    removeTemporary(dir);
    await Deno.mkdir(join(dir, newName));
    return openNew(dir, own, lock);
  } catch (error) {
    lock?.close();
    throw unwritable(given, error);
  }
}

/** Locks a folder against another export; the system unlocks it when the process ends. */
async function lockFolder(dir: string): Promise<Deno.FsFile | undefined> {
  // Windows cannot open a folder, and some file systems cannot lock one.
  const folder = await Deno.open(dir).catch(() => undefined);
  const isLocked = await folder?.tryLock(true).catch(() => true);
  if (isLocked !== false) return folder;
  folder?.close();
  throw cannot(dir, "another export is writing there; wait for its end, or choose another folder");
}

function openNew(
  dir: string,
  own: readonly string[],
  lock: Deno.FsFile | undefined,
): OutputFolder {
  const files = new Set<string>();
  const put = async (file: string, write: (path: string) => Promise<void>): Promise<void> => {
    const path = join(dir, newName, file);
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
    publish: () => publish(dir, own, files),
    [Symbol.dispose]: () => {
      removeTemporary(dir);
      lock?.close();
    },
  };
}

function removeTemporary(dir: string): void {
  for (const name of [newName, oldName]) {
    try {
      Deno.removeSync(join(dir, name), { recursive: true });
    } catch {
      // It does not exist, or the next export removes it.
    }
  }
}

async function publish(
  dir: string,
  own: readonly string[],
  files: ReadonlySet<string>,
): Promise<void> {
  const names = new Set([...files].map((file) => file.split("/", 1)[0] ?? file));
  // An export that is interrupted here leaves parts of both, so the next one must know all names.
  await writeList(dir, new Set([...own, ...names]));
  await Deno.mkdir(join(dir, oldName));
  for (const name of own) await Deno.rename(join(dir, name), join(dir, oldName, name));
  for (const name of names) await Deno.rename(join(dir, newName, name), join(dir, name));
  await writeList(dir, names);
}

async function makeFolder(dir: string): Promise<void> {
  try {
    await Deno.mkdir(dir, { recursive: true });
  } catch (error) {
    const isTaken = error instanceof Deno.errors.AlreadyExists ||
      error instanceof Deno.errors.NotADirectory;
    if (!isTaken) throw error;
    throw cannot(dir, "there is a file of that name; remove it, or choose another folder");
  }
}

/** Returns the names that the last export wrote. Any other name, and any link, stops the export. */
async function readOwn(dir: string): Promise<string[]> {
  const listed = await readList(dir);
  const own: string[] = [];
  for await (const { name, isSymlink } of Deno.readDir(dir)) {
    if (tolerated.has(name)) continue;
    if (!listed.has(name) || isSymlink) {
      throw cannot(
        dir,
        `it holds files that no export wrote ("${name}"); choose an empty folder, or move your files to public`,
      );
    }
    own.push(name);
  }
  return own;
}

/** Reads the list of the last export; only names that exist in the folder are used. */
async function readList(dir: string): Promise<ReadonlySet<unknown>> {
  const path = join(dir, listName);
  try {
    // A link could lead to the list of another folder.
    if (!(await Deno.lstat(path)).isFile) return new Set();
    const value: unknown = JSON.parse(await Deno.readTextFile(path));
    const names = isJsonObject(value) ? value["names"] : undefined;
    return new Set(Array.isArray(names) ? names : []);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return new Set();
    throw error;
  }
}

async function writeList(dir: string, names: ReadonlySet<string>): Promise<void> {
  const temporary = join(dir, newName, listName);
  await Deno.writeTextFile(temporary, `${JSON.stringify({ names: [...names].sort() }, null, 1)}\n`);
  await Deno.rename(temporary, join(dir, listName));
}

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
