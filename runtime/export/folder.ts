import { dirname, join } from "node:path";
import { isJsonObject } from "../base/values.ts";

const listName = ".fw_export.json";

/** Inside the output folder: one file system, one permission. */
const newName = ".fw_export.new";
const oldName = ".fw_export.old";

/** Version control and file manager leftovers, which may stand beside a site. */
const tolerated: ReadonlySet<string> = new Set([".git", ".DS_Store", listName, newName, oldName]);

export interface OutputFolder extends Disposable {
  readonly dir: string;
  write(file: string, bytes: Uint8Array): Promise<void>;
  copy(file: string, source: string): Promise<void>;
  /** Throws a `TypeError` before any change if something that no export wrote is in the way. */
  publish(): Promise<void>;
}

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
  try {
    const found = await readFolder(dir);
    const [first, ...more] = found.foreign;
    if (first !== undefined && !options.force) {
      const others = more.length === 0 ? "" : ` and ${more.length} more`;
      throw cannot(
        given,
        `it holds files that no export wrote ("${first}"${others}); choose an empty folder, move your files to public, or allow it by force (--force on the command line)`,
      );
    }
    removeTemporary(dir);
    await Deno.mkdir(fresh);
    return {
      dir,
      write: (file, bytes) => put(file, (path) => Deno.writeFile(path, bytes, { createNew: true })),
      copy: (file, source) => put(file, (path) => Deno.copyFile(source, path)),
      publish: () => publish(dir, found, files),
      [Symbol.dispose]: () => {
        removeTemporary(dir);
        lock[Symbol.dispose]();
      },
    };
  } catch (error) {
    lock[Symbol.dispose]();
    throw unwritable(given, error);
  }
}

function removeTemporary(dir: string): void {
  for (const name of [newName, oldName]) {
    try {
      Deno.removeSync(join(dir, name), { recursive: true });
    } catch {
      // It is not there, or the next export removes it.
    }
  }
}

async function publish(
  dir: string,
  { own, foreign }: FolderContent,
  files: ReadonlySet<string>,
): Promise<void> {
  const names = new Set([...files].map((file) => file.split("/", 1)[0] ?? file));
  // Many systems ignore case.
  const folded = new Set([...names].map((name) => name.toLowerCase()));
  const obstacle = foreign.find((name) => folded.has(name.toLowerCase()));
  if (obstacle !== undefined) {
    throw cannot(
      dir,
      `"${obstacle}" is there, which no export wrote; remove it, or move it to public`,
    );
  }
  // An export that is cut off here leaves parts of both: the next one must know all of them.
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

interface FolderContent {
  readonly own: readonly string[];
  /** Those that no export wrote; every link is one. */
  readonly foreign: readonly string[];
}

async function readFolder(dir: string): Promise<FolderContent> {
  const listed = await readList(dir);
  const own: string[] = [];
  const foreign: string[] = [];
  for await (const { name, isSymlink } of Deno.readDir(dir)) {
    if (tolerated.has(name)) continue;
    (listed.has(name) && !isSymlink ? own : foreign).push(name);
  }
  return { own, foreign: foreign.sort() };
}

/** Reads the list of the last export; only names that the folder has are taken from it. */
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
