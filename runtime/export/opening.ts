import { join } from "node:path";
import { lockFolder } from "./lock.ts";
import { exportManifest, type FileRecords, readExportManifest } from "./manifest.ts";

/** Files allowed in a folder besides the site: version control and file manager leftovers. */
const tolerated: ReadonlySet<string> = new Set([".git", ".DS_Store"]);

/** How many files are looked at to find those of others. */
const maxWalked = 1_000_000;

/** A folder that an export may write to, and its contents. */
export interface OpenedFolder {
  /** The folder, absolute, without a link on the way. */
  readonly dir: string;
  /** Keeps other exports out until it is disposed of. */
  readonly lock: Disposable;
  /** What earlier exports wrote. */
  readonly old: FileRecords;
  /** The names of what they did not write. */
  readonly foreign: ReadonlySet<string>;
}

/**
 * Opens a folder and creates it when it is missing.
 *
 * @param options `force` allows files of others in it.
 * @throws {TypeError} for a folder that holds files of others, that another export is writing to, that
 * cannot be written to, and for what is no folder.
 */
export async function openFolder(
  dir: string,
  options: { readonly force: boolean },
): Promise<OpenedFolder> {
  await makeFolder(dir);
  const real = await Deno.realPath(dir);
  const lock = await lockFolder(real);
  if (lock === undefined) {
    throw new TypeError(
      `Cannot export to "${dir}": another export is writing there; wait for its end, or choose another folder.`,
    );
  }
  try {
    const old = await readExportManifest(real) ?? new Map();
    const foreign = await findForeign(real, old);
    if (!options.force) refuseForeign(dir, foreign);
    return { dir: real, lock, old, foreign };
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

async function makeFolder(dir: string): Promise<void> {
  try {
    await Deno.mkdir(dir, { recursive: true });
  } catch (error) {
    const isTaken = error instanceof Deno.errors.AlreadyExists ||
      error instanceof Deno.errors.NotADirectory;
    if (!isTaken) throw unwritable(dir, error) ?? error;
    throw new TypeError(
      `Cannot export to "${dir}": there is a file of that name; remove it, or choose another folder.`,
    );
  }
}

function refuseForeign(dir: string, foreign: ReadonlySet<string>): void {
  const [first] = foreign;
  if (first === undefined) return;
  const more = foreign.size === 1 ? "" : ` and ${foreign.size - 1} more`;
  throw new TypeError(
    `Cannot export to "${dir}": it holds what no export wrote ("${first}"${more}); choose an empty folder, move your files to public, or allow it by force (--force on the command line).`,
  );
}

/** The system's errors for a folder that is not writable, where choosing another one helps. */
const refusals: ReadonlySet<unknown> = new Set([
  "EACCES",
  "EDQUOT",
  "ENAMETOOLONG",
  "ENOSPC",
  "EPERM",
  "EROFS",
]);

/** Converts an error that means an unwritable folder to a `TypeError`; returns `undefined` for others. */
export function unwritable(dir: string, error: unknown): TypeError | undefined {
  if (!(error instanceof Error) || !("code" in error) || !refusals.has(error.code)) {
    return undefined;
  }
  return new TypeError(
    `Cannot export to "${dir}": it cannot be written to (${error.message}); choose another folder, or fix that.`,
    { cause: error },
  );
}

/** Lists the files in a folder that no export wrote; links are never the export's own. */
async function findForeign(dir: string, own: FileRecords): Promise<Set<string>> {
  const foreign = new Set<string>();
  const open = [""];
  let count = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for await (const entry of Deno.readDir(join(dir, at))) {
      const name = at === "" ? entry.name : `${at}/${entry.name}`;
      if (++count > maxWalked) return foreign.add(name);
      if (at === "" && (tolerated.has(name) || name.startsWith(exportManifest))) continue;
      if (entry.isDirectory) open.push(name);
      else if (!entry.isFile || !own.has(name)) foreign.add(name);
    }
  }
  return foreign;
}
