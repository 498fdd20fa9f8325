import { appFolder, generatedFile, islandsFolder, publicFolder } from "@fw/fw/conventions";
import { join, relative, SEPARATOR } from "@std/path";
import { statIfThereSync } from "../project/files/look.ts";
import { holdPipes } from "./pipes.ts";

export interface FileChange {
  readonly path: string;
  readonly kind: ChangeKind;
  readonly exists: boolean;
}

export interface ChangeBatch {
  readonly changes: readonly FileChange[];
  /** When the first change was noticed, by `performance.now()`. */
  readonly sinceMs: number;
}

// A batch is complete after this time without an event.
const debounceMs = 10;
// A new folder may be filled before it is watched, so the project is read again after this time.
const secondLookMs = 150;
// A watcher that fails for one new folder continues for the others.
const maxFaults = 100;

/**
 * Watches every folder of a project except dot folders, `node_modules` and similar ones. Compares
 * the files with the previous list, because events only hint at what changed.
 *
 * @param onFailure Called once if some files cannot be watched, usually because of a limit of the system.
 */
export function watchProject(
  root: string,
  onChange: (batch: ChangeBatch) => void,
  onFailure: (error: unknown) => void,
): () => Promise<void> {
  const watchers = new Map<string, Deno.FsWatcher>();
  const following: Promise<void>[] = [];
  const noted = new Set<string>();
  let folders: readonly string[] = [];
  const pipes = holdPipes(() => folders);
  /** The system lost events, so that any file may have changed. */
  let isOverrun = false;
  let firstMs: number | undefined;
  let [hasFailed, isClosed] = [false, false];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let secondLook: ReturnType<typeof setTimeout> | undefined;
  open(root, { recursive: false });
  let files = read();

  return async () => {
    isClosed = true;
    clearTimeout(timer);
    clearTimeout(secondLook);
    // Closing a watcher would wait for a pipe that is not held.
    pipes.look();
    for (const path of [...watchers.keys()]) close(path);
    await Promise.all(following);
    pipes.close();
  };

  function open(path: string, options: { readonly recursive: boolean }): void {
    try {
      const watcher = Deno.watchFs(path, options);
      watchers.set(path, watcher);
      following.push(follow(path, watcher));
    } catch (error) {
      tell(error);
    }
  }

  function close(path: string): void {
    watchers.get(path)?.close();
    watchers.delete(path);
  }

  function tell(error: unknown): void {
    // A folder that was removed meanwhile causes another event.
    if (error instanceof Deno.errors.NotFound || hasFailed || isClosed) return;
    hasFailed = true;
    onFailure(error);
  }

  async function follow(path: string, watcher: Deno.FsWatcher): Promise<void> {
    for (let faults = 0; faults < maxFaults; faults++) {
      try {
        for await (const event of watcher) note(event);
        break;
      } catch (error) {
        tell(error);
      }
    }
    if (watchers.get(path) === watcher) watchers.delete(path);
  }

  function note({ kind, paths }: Deno.FsEvent): void {
    if (kind === "access" || isClosed) return;
    for (const path of paths) {
      // A folder that is recreated under the same name needs a new watcher.
      if (kind !== "modify" && path !== root) close(path);
      const parents = nameOf(path).split("/").slice(0, -1);
      if (!parents.some(isIgnoredFolder)) noted.add(path);
    }
    if (kind === "other") isOverrun = true;
    else if (noted.size === 0) return;
    firstMs ??= performance.now();
    clearTimeout(timer);
    timer = setTimeout(flush, debounceMs);
  }

  function flush(): void {
    const [before, changed] = [files, new Set(noted)];
    noted.clear();
    // If all changed paths are known files that still exist, the list stays the same.
    const isSame = !isOverrun &&
      [...changed].every((path) => before.has(path) && statIfThereSync(path)?.isFile);
    if (!isSame) {
      files = read();
      clearTimeout(secondLook);
      secondLook = setTimeout(() => {
        const first = files;
        files = read();
        announce(files.symmetricDifference(first));
      }, secondLookMs);
    }
    const different = files.symmetricDifference(before);
    const all = isOverrun ? files : changed.intersection(files).union(different);
    isOverrun = false;
    announce(all);
  }

  function announce(paths: ReadonlySet<string>): void {
    const sinceMs = firstMs ?? performance.now();
    firstMs = undefined;
    const changes = [...paths].flatMap((path): FileChange[] => {
      const [name, exists] = [nameOf(path), files.has(path)];
      const kind = changeKindOf(name);
      // Modules may have imported the deleted file. Temporary files have no extension.
      const isLost = kind === "data" && !exists && name.startsWith(`${appFolder}/`) &&
        /\.\w+$/.test(name);
      return kind === undefined ? [] : [{ path: name, kind: isLost ? "source" : kind, exists }];
    });
    if (changes.length > 0) onChange({ changes, sinceMs });
  }

  function nameOf(path: string): string {
    return relative(root, path).replaceAll(SEPARATOR, "/");
  }

  /** Lists the files of the project, and watches the folders in it that are not watched yet. */
  function read(): ReadonlySet<string> {
    const found = new Set<string>();
    const inside = [root];
    // The loop also visits the folders that it adds.
    for (const next of inside) {
      try {
        for (const { name, isDirectory } of Deno.readDirSync(next)) {
          const path = join(next, name);
          if (!isDirectory) found.add(path);
          else if (!isIgnoredFolder(name)) {
            inside.push(path);
            if (next === root && !watchers.has(path)) open(path, { recursive: true });
          }
        }
      } catch (error) {
        if (next === root) tell(error);
      }
    }
    folders = inside;
    return found;
  }
}

/**
 * The effect of a change: `source` restarts the application, `data` does so if a module imports the
 * file, `style` swaps a stylesheet, `asset` reloads the page, `island` bundles the islands.
 */
export type ChangeKind = "source" | "data" | "style" | "asset" | "island";

const codeFile = /\.(?:[cm]?[jt]sx?|wasm|(?:go)?html?|tmpl|css|sql|md|svg|ya?ml|toml|graphql)$/i;
const testFile = /[._]test\.[cm]?[jt]sx?$/;
const settingsFile = /^(?:deno\.jsonc?|package\.json|import_map\.json|\.npmrc|\.env(?:\..+)?)$/;
// Temporary files of editors and programs.
const transientFile =
  /(?:~|\.sw[a-z]|\.tmp|\.temp|\.bak|\.orig|\.part|\.crdownload|\.log|\.pid|\.lock|-journal|-wal|-shm|\.sqlite3?|\.db3?)$|^#.*#$|^4913$|___jb_(?:tmp|old)___$|\.tmp[.-][\w.-]+$/i;

function isIgnoredFolder(name: string): boolean {
  if (name === ".well-known") return false;
  return name.startsWith(".") || name === "node_modules" || name === "vendor" ||
    name === "coverage";
}

/** Returns the effect of a changed file. @returns The kind, or `undefined` if the change has no effect. */
export function changeKindOf(path: string): ChangeKind | undefined {
  const folders = path.split("/");
  const name = folders.pop() ?? "";
  if (folders.some(isIgnoredFolder)) return undefined;
  if (folders.length === 0) {
    // The development server writes the generated file, and each start may write the lock file.
    if (name === generatedFile || name === "deno.lock") return undefined;
    if (settingsFile.test(name)) return "source";
  }
  if (name.startsWith(".") || transientFile.test(name)) return undefined;
  if (folders[0] === publicFolder) return /\.css$/i.test(name) ? "style" : "asset";
  if (testFile.test(name)) return undefined;
  if (folders[0] === islandsFolder) return "island";
  return codeFile.test(name) ? "source" : "data";
}
