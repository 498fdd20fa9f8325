import { appFolder, islandsFolder } from "@fw/fw/conventions";
import { join, relative, SEPARATOR } from "@std/path";
import { statIfThereSync } from "../project/files/look.ts";
import { type ChangeKind, changeKindOf, isIgnoredFolder } from "./files.ts";

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

export interface WatchOptions {
  /** The time without an event after which a batch is complete. @default 10 */
  readonly debounceMs?: number;
  /** Called once if some files cannot be watched, usually because of a limit of the system. */
  readonly onFailure?: (error: unknown) => void;
}

type Appearance = "made" | "moved" | "known";

const appearances: Readonly<Record<string, Appearance>> = { create: "made", rename: "moved" };

// A new folder may be filled before it is watched, so it is read again after this time.
const secondLookMs = 150;
// A watcher that fails for one new folder continues for the others.
const maxFaults = 100;

/** Watches every folder of a project except dot folders, `node_modules` and similar ones. */
export function watchProject(
  root: string,
  onChange: (batch: ChangeBatch) => void,
  options: WatchOptions = {},
): () => void {
  const watch = new ProjectWatch(root, onChange, options);
  watch.start();
  return () => watch.close();
}

class ProjectWatch {
  readonly #root: string;
  readonly #onChange: (batch: ChangeBatch) => void;
  readonly #debounceMs: number;
  readonly #onFailure: (error: unknown) => void;
  readonly #watchers = new Map<string, Deno.FsWatcher>();
  readonly #lookTimers = new Set<ReturnType<typeof setTimeout>>();
  readonly #pending = new Map<string, Appearance>();
  readonly #movedFiles = new Set<string>();
  #sinceMs = 0;
  #hasFailed = false;
  /** The system lost events, so that any file may have changed. */
  #isOverrun = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(root: string, onChange: (batch: ChangeBatch) => void, options: WatchOptions) {
    this.#root = root;
    this.#onChange = onChange;
    this.#debounceMs = options.debounceMs ?? 10;
    this.#onFailure = options.onFailure ?? (() => {});
  }

  start(): void {
    this.#open(this.#root, { recursive: false });
    this.#openFolders();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const look of this.#lookTimers) clearTimeout(look);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #open(path: string, options: { readonly recursive: boolean }): void {
    this.#closeFolder(path);
    try {
      const watcher = Deno.watchFs(path, options);
      this.#watchers.set(path, watcher);
      this.#follow(path, watcher);
    } catch (error) {
      this.#tell(error);
    }
  }

  #openFolders(): void {
    try {
      for (const { name, isDirectory } of Deno.readDirSync(this.#root)) {
        if (!isDirectory || isIgnoredFolder(name)) continue;
        this.#open(join(this.#root, name), { recursive: true });
      }
    } catch (error) {
      this.#tell(error);
    }
  }

  #tell(error: unknown): void {
    // A folder that was removed meanwhile causes another event.
    if (error instanceof Deno.errors.NotFound || this.#hasFailed || this.#isClosed) return;
    this.#hasFailed = true;
    this.#onFailure(error);
  }

  // A folder that is created again under the same name is watched only after the old watcher was
  // closed.
  #closeFolder(path: string): void {
    this.#watchers.get(path)?.close();
    this.#watchers.delete(path);
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

  #take(event: Deno.FsEvent): void {
    if (event.kind === "access") return;
    if (event.kind === "other") return this.#noteLoss();
    const appearance = appearances[event.kind] ?? "known";
    const [source, target] = event.kind === "rename" ? event.paths : [];
    if (source !== undefined && target !== undefined && statIfThereSync(target)?.isFile) {
      this.#movedFiles.add(source);
    }
    for (const changed of event.paths) this.#note(changed, appearance);
  }

  #note(path: string, appearance: Appearance): void {
    this.#schedule();
    const before = this.#pending.get(path);
    this.#pending.set(path, before === undefined || before === "known" ? appearance : before);
  }

  #noteLoss(): void {
    this.#schedule();
    this.#isOverrun = true;
  }

  #schedule(): void {
    if (this.#isClosed) return;
    if (this.#pending.size === 0 && !this.#isOverrun) this.#sinceMs = performance.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#flush(), this.#debounceMs);
  }

  /** Watches all folders again and returns every file: new folders are not watched yet. */
  #lookEverywhere(): string[] {
    this.#isOverrun = false;
    this.#openFolders();
    return walk(this.#root);
  }

  #flush(): void {
    if (this.#isOverrun) {
      for (const file of this.#lookEverywhere()) this.#note(file, "known");
      clearTimeout(this.#timer);
    }
    const noted = [...this.#pending];
    this.#pending.clear();
    const changes = new Map<string, FileChange>();
    for (const [path, appearance] of noted) {
      for (const change of this.#changesAt(path, appearance)) changes.set(change.path, change);
    }
    this.#movedFiles.clear();
    if (changes.size === 0) return;
    this.#onChange({ changes: [...changes.values()], sinceMs: this.#sinceMs });
  }

  #changesAt(path: string, appearance: Appearance): FileChange[] {
    const name = relative(this.#root, path).replaceAll(SEPARATOR, "/");
    if (name === "" || name.startsWith("..")) return [];
    const info = statIfThereSync(path);
    if (info === undefined) this.#closeFolder(path);
    if (info?.isDirectory) return appearance === "known" ? [] : this.#newFolder(path, name);
    // An editor's temporary file is created and removed within one batch.
    if (info === undefined && appearance === "made") return [];
    // A path moved onto an existing file was a file, usually a temporary one.
    const isFile = this.#movedFiles.has(path);
    const kind = isFile ? changeKindOf(name) : kindAt(name, info !== undefined);
    return kind === undefined ? [] : [{ path: name, kind, exists: info !== undefined }];
  }

  #newFolder(path: string, name: string): FileChange[] {
    if (name.split("/").some(isIgnoredFolder)) return [];
    if (!name.includes("/")) this.#open(path, { recursive: true });
    const seen = new Set(walk(path));
    const look = setTimeout(() => {
      this.#lookTimers.delete(look);
      for (const file of walk(path)) if (!seen.has(file)) this.#note(file, "known");
    }, secondLookMs);
    this.#lookTimers.add(look);
    return [...seen].flatMap((file) => this.#changesAt(file, "known"));
  }
}

/**
 * Classifies a removed path, which may have been a folder: it counts as code below `app/` or
 * without an extension.
 */
function kindAt(name: string, exists: boolean): ChangeKind | undefined {
  const kind = changeKindOf(name);
  if (exists || kind !== "data") return kind;
  if (name.startsWith(`${appFolder}/`) || name === appFolder) return "source";
  if (name === islandsFolder) return "island";
  return name.includes(".") ? undefined : "source";
}

function walk(folder: string): string[] {
  const files: string[] = [];
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    try {
      for (const entry of Deno.readDirSync(next)) {
        const path = join(next, entry.name);
        if (entry.isFile) files.push(path);
        else if (entry.isDirectory && !isIgnoredFolder(entry.name)) folders.push(path);
      }
    } catch {
      // Removed meanwhile.
    }
  }
  return files;
}
