import { dirname, join } from "node:path";
import { isJsonObject } from "../base/values.ts";

const listName = ".fw_export.json";

/** Inside the output folder, so that one file system and one permission suffice. */
const newName = ".fw_export.new";
const oldName = ".fw_export.old";

/** Files of version control and file managers, which may lie beside a site. */
const tolerated: ReadonlySet<string> = new Set([".git", ".DS_Store", listName, newName, oldName]);

/** @throws {TypeError} if it holds files that no export wrote, or another export is writing there. */
export async function openOutputFolder(given: string): Promise<OutputFolder> {
  let lock: Deno.FsFile | undefined;
  try {
    await Deno.mkdir(given, { recursive: true });
    const dir = await Deno.realPath(given);
    lock = await lockFolder(dir);
    const own = await readOwn(dir);
    removeTemporary(dir);
    await Deno.mkdir(join(dir, newName));
    return new OutputFolder(dir, own, lock);
  } catch (error) {
    lock?.close();
    throw explain(given, error);
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

export class OutputFolder {
  readonly dir: string;
  readonly #own: readonly string[];
  readonly #lock: Deno.FsFile | undefined;
  /** The names of the new site in the folder itself. */
  readonly #names = new Set<string>();

  constructor(dir: string, own: readonly string[], lock: Deno.FsFile | undefined) {
    this.dir = dir;
    this.#own = own;
    this.#lock = lock;
  }

  async write(file: string, bytes: Uint8Array): Promise<void> {
    await this.#put(file, (path) => Deno.writeFile(path, bytes, { createNew: true }));
  }

  async copy(file: string, source: string): Promise<void> {
    await this.#put(file, (path) => Deno.copyFile(source, path));
  }

  async #put(file: string, write: (path: string) => Promise<void>): Promise<void> {
    const path = join(this.dir, newName, file);
    try {
      await Deno.mkdir(dirname(path), { recursive: true });
      await write(path);
    } catch (error) {
      throw explain(this.dir, error);
    }
    this.#names.add(file.split("/", 1)[0] ?? file);
  }

  async publish(): Promise<void> {
    const { dir } = this;
    // An export that is interrupted here leaves parts of both, so the next one must know all names.
    await writeList(dir, this.#names.union(new Set(this.#own)));
    await Deno.mkdir(join(dir, oldName));
    for (const name of this.#own) await Deno.rename(join(dir, name), join(dir, oldName, name));
    for (const name of this.#names) await Deno.rename(join(dir, newName, name), join(dir, name));
    await writeList(dir, this.#names);
  }

  [Symbol.dispose](): void {
    removeTemporary(this.dir);
    this.#lock?.close();
  }
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

const refusals = /^(?:EACCES|EDQUOT|ENAMETOOLONG|ENOSPC|EPERM|EROFS)$/;

/** Returns a `TypeError` for an error that means an unusable folder, and any other error as it is. */
function explain(dir: string, error: unknown): unknown {
  const { AlreadyExists, NotADirectory } = Deno.errors;
  if (error instanceof AlreadyExists || error instanceof NotADirectory) {
    const why = "there is a file of that name; remove it, or choose another folder";
    return cannot(dir, why, error);
  }
  if (!(error instanceof Error) || !refusals.test(String(Reflect.get(error, "code")))) return error;
  const why = `it is not writable (${error.message}); choose another folder, or fix that`;
  return cannot(dir, why, error);
}

function cannot(dir: string, why: string, cause?: unknown): TypeError {
  return new TypeError(`Cannot export to "${dir}": ${why}.`, { cause });
}
