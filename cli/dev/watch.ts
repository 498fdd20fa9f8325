import { appFolder, generatedFile, islandsFolder, publicFolder } from "@fw/fw/conventions";
import { join, relative, SEPARATOR } from "@std/path";
import { statIfThereSync } from "../project/files/look.ts";
import { HeldPipes } from "./pipes.ts";

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
 * Watches every folder of a project except dot folders, `node_modules` and similar ones.
 *
 * @param onFailure Called once if some files cannot be watched, usually because of a limit of the system.
 */
export function watchProject(
  root: string,
  onChange: (batch: ChangeBatch) => void,
  onFailure: (error: unknown) => void,
): () => Promise<void> {
  const watch = new ProjectWatch(root, onChange, onFailure);
  return () => watch.close();
}

/** Compares a project's files with the previous list: events only hint at what changed. */
class ProjectWatch {
  readonly #root: string;
  readonly #onChange: (batch: ChangeBatch) => void;
  readonly #onFailure: (error: unknown) => void;
  readonly #watchers = new Map<string, Deno.FsWatcher>();
  readonly #following: Promise<void>[] = [];
  readonly #noted = new Set<string>();
  readonly #pipes = new HeldPipes(() => this.#folders);
  #folders: readonly string[] = [];
  #files: ReadonlySet<string>;
  /** The system lost events, so that any file may have changed. */
  #isOverrun = false;
  #sinceMs: number | undefined;
  #hasFailed = false;
  #isClosed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #look: ReturnType<typeof setTimeout> | undefined;

  constructor(
    root: string,
    onChange: (batch: ChangeBatch) => void,
    onFailure: (error: unknown) => void,
  ) {
    this.#root = root;
    this.#onChange = onChange;
    this.#onFailure = onFailure;
    this.#open(root, { recursive: false });
    this.#files = this.#read();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#look);
    // Closing a watcher would wait for a pipe that is not held.
    this.#pipes.look();
    for (const path of [...this.#watchers.keys()]) this.#close(path);
    await Promise.all(this.#following);
    this.#pipes.close();
  }

  #open(path: string, options: { readonly recursive: boolean }): void {
    try {
      const watcher = Deno.watchFs(path, options);
      this.#watchers.set(path, watcher);
      this.#following.push(this.#follow(path, watcher));
    } catch (error) {
      this.#tell(error);
    }
  }

  #close(path: string): void {
    this.#watchers.get(path)?.close();
    this.#watchers.delete(path);
  }

  #tell(error: unknown): void {
    // A folder that was removed meanwhile causes another event.
    if (error instanceof Deno.errors.NotFound || this.#hasFailed || this.#isClosed) return;
    this.#hasFailed = true;
    this.#onFailure(error);
  }

  async #follow(path: string, watcher: Deno.FsWatcher): Promise<void> {
    for (let faults = 0; faults < maxFaults; faults++) {
      try {
        for await (const event of watcher) this.#take(event);
        break;
      } catch (error) {
        this.#tell(error);
      }
    }
    if (this.#watchers.get(path) === watcher) this.#watchers.delete(path);
  }

  #take({ kind, paths }: Deno.FsEvent): void {
    if (kind === "access" || this.#isClosed) return;
    for (const path of paths) {
      // A folder that is recreated under the same name needs a new watcher.
      if (kind !== "modify" && path !== this.#root) this.#close(path);
      const folders = this.#name(path).split("/").slice(0, -1);
      if (!folders.some(isIgnoredFolder)) this.#noted.add(path);
    }
    if (kind === "other") this.#isOverrun = true;
    else if (this.#noted.size === 0) return;
    this.#sinceMs ??= performance.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#flush(), debounceMs);
  }

  #flush(): void {
    const [before, noted] = [this.#files, new Set(this.#noted)];
    this.#noted.clear();
    // If all changed paths are known files that still exist, the list stays the same.
    const isSame = !this.#isOverrun &&
      [...noted].every((path) => before.has(path) && statIfThereSync(path)?.isFile);
    if (!isSame) this.#readAgain();
    const changed = this.#isOverrun
      ? this.#files
      : noted.intersection(this.#files).union(this.#files.symmetricDifference(before));
    this.#isOverrun = false;
    this.#announce(changed);
  }

  #readAgain(): void {
    this.#files = this.#read();
    clearTimeout(this.#look);
    this.#look = setTimeout(() => {
      const before = this.#files;
      this.#files = this.#read();
      this.#announce(this.#files.symmetricDifference(before));
    }, secondLookMs);
  }

  #announce(paths: ReadonlySet<string>): void {
    const sinceMs = this.#sinceMs ?? performance.now();
    this.#sinceMs = undefined;
    const changes = [...paths].flatMap((path): FileChange[] => {
      const [name, exists] = [this.#name(path), this.#files.has(path)];
      const kind = changeKindOf(name);
      // Modules may have imported the deleted file. Temporary files have no extension.
      const isLost = kind === "data" && !exists && name.startsWith(`${appFolder}/`) &&
        /\.\w+$/.test(name);
      return kind === undefined ? [] : [{ path: name, kind: isLost ? "source" : kind, exists }];
    });
    if (changes.length > 0) this.#onChange({ changes, sinceMs });
  }

  #name(path: string): string {
    return relative(this.#root, path).replaceAll(SEPARATOR, "/");
  }

  /** Lists the files of the project, and watches the folders in it that are not watched yet. */
  #read(): ReadonlySet<string> {
    const files = new Set<string>();
    const folders = [this.#root];
    // The loop also visits the folders that it adds.
    for (const next of folders) {
      try {
        for (const { name, isDirectory } of Deno.readDirSync(next)) {
          const path = join(next, name);
          if (!isDirectory) files.add(path);
          else if (!isIgnoredFolder(name)) {
            folders.push(path);
            const isTop = next === this.#root && !this.#watchers.has(path);
            if (isTop) this.#open(path, { recursive: true });
          }
        }
      } catch (error) {
        if (next === this.#root) this.#tell(error);
      }
    }
    this.#folders = folders;
    return files;
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
