/**
 * Watches a project's files.
 *
 * @module
 */
import { join, relative, SEPARATOR } from "@std/path";
import { appFolder, islandsFolder } from "@fw/fw/conventions";
import { type ChangeKind, changeKindOf, isIgnoredFolder } from "./dev_files.ts";

/** One file that changed. */
export interface FileChange {
  /** The file, relative to the project, with `/`. */
  readonly path: string;
  /** What the change means. */
  readonly kind: ChangeKind;
  /** Whether the file is there after the change. */
  readonly exists: boolean;
}

/** The changes of one burst of saves. */
export interface ChangeBatch {
  /** The changes, one a file. */
  readonly changes: readonly FileChange[];
  /** When the first of them was noticed, by `performance.now()`. */
  readonly sinceMs: number;
}

/** Options of {@linkcode watchProject}. */
export interface WatchOptions {
  /** How long there must be no event before a burst counts as over. @default 10 */
  readonly debounceMs?: number;
}

/** How a path came up in a burst: it was made, it was moved there or away, or it was there before. */
type Appearance = "made" | "moved" | "known";

const appearances: Readonly<Record<string, Appearance>> = { create: "made", rename: "moved" };

// A folder that appears may be filled before the system watches it: it is read again after this.
const secondLookMs = 150;
const maxWalkedFiles = 10_000;

/**
 * Watches every folder of a project but dot folders, `node_modules` and the like.
 *
 * @param root The project, absolute, without symbolic links.
 * @param onChange Takes each burst of saves; bursts that mean nothing are left out.
 * @param options The debounce.
 * @returns A function that ends the watch.
 */
export function watchProject(
  root: string,
  onChange: (batch: ChangeBatch) => void,
  options: WatchOptions = {},
): () => void {
  const { debounceMs = 10 } = options;
  const watchers = new Map<string, Deno.FsWatcher>();
  const lookTimers = new Set<ReturnType<typeof setTimeout>>();
  const pending = new Map<string, Appearance>();
  const movedFiles = new Set<string>();
  let sinceMs = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  open(root, { recursive: false });
  for (const entry of Deno.readDirSync(root)) {
    if (entry.isDirectory && !isIgnoredFolder(entry.name)) openFolder(join(root, entry.name));
  }
  return close;

  function open(path: string, watchOptions: { readonly recursive: boolean }): void {
    const watcher = Deno.watchFs(path, watchOptions);
    watchers.set(path, watcher);
    follow(path, watcher);
  }

  function openFolder(path: string): void {
    try {
      closeFolder(path);
      open(path, { recursive: true });
    } catch {
      // The folder went away between its event and now: its own removal is the next event.
      watchers.delete(path);
    }
  }

  // A folder that comes back under its old name is only watched again when the old watch was ended.
  function closeFolder(path: string): void {
    watchers.get(path)?.close();
    watchers.delete(path);
  }

  async function follow(path: string, watcher: Deno.FsWatcher): Promise<void> {
    for await (const event of watcher) {
      if (event.kind === "access" || event.kind === "other") continue;
      const appearance = appearances[event.kind] ?? "known";
      const [source, target] = event.kind === "rename" ? event.paths : [];
      if (source !== undefined && target !== undefined && statOf(target)?.isFile) {
        movedFiles.add(source);
      }
      for (const changed of event.paths) note(changed, appearance);
    }
    if (watchers.get(path) === watcher) watchers.delete(path);
  }

  function note(path: string, appearance: Appearance): void {
    if (isClosed) return;
    if (pending.size === 0) sinceMs = performance.now();
    const before = pending.get(path);
    pending.set(path, before === undefined || before === "known" ? appearance : before);
    clearTimeout(timer);
    timer = setTimeout(flush, debounceMs);
  }

  function flush(): void {
    const noted = [...pending];
    pending.clear();
    const changes = new Map<string, FileChange>();
    for (const [path, appearance] of noted) {
      for (const change of changesAt(path, appearance)) changes.set(change.path, change);
    }
    movedFiles.clear();
    if (changes.size > 0) onChange({ changes: [...changes.values()], sinceMs });
  }

  function changesAt(path: string, appearance: Appearance): FileChange[] {
    const name = relative(root, path).replaceAll(SEPARATOR, "/");
    if (name === "" || name.startsWith("..")) return [];
    const info = statOf(path);
    if (info === undefined) closeFolder(path);
    if (info?.isDirectory) return appearance === "known" ? [] : newFolder(path, name);
    // An editor's temporary file comes and goes within one burst.
    if (info === undefined && appearance === "made") return [];
    // What was moved to a place where there is a file now was no folder: a temporary file, mostly.
    const kind = movedFiles.has(path) ? changeKindOf(name) : kindAt(name, info !== undefined);
    return kind === undefined ? [] : [{ path: name, kind, exists: info !== undefined }];
  }

  function newFolder(path: string, name: string): FileChange[] {
    if (name.split("/").some(isIgnoredFolder)) return [];
    if (!name.includes("/")) openFolder(path);
    const seen = new Set(walk(path));
    const look = setTimeout(() => {
      lookTimers.delete(look);
      for (const file of walk(path)) if (!seen.has(file)) note(file, "known");
    }, secondLookMs);
    lookTimers.add(look);
    return [...seen].flatMap((file) => changesAt(file, "known"));
  }

  function close(): void {
    isClosed = true;
    clearTimeout(timer);
    for (const look of lookTimers) clearTimeout(look);
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  }
}

/** A removed path may have been a folder: below `app/`, or without an extension, it counts as code. */
function kindAt(name: string, exists: boolean): ChangeKind | undefined {
  const kind = changeKindOf(name);
  if (exists || kind !== "data") return kind;
  if (name.startsWith(`${appFolder}/`) || name === appFolder) return "source";
  if (name === islandsFolder) return "island";
  return name.includes(".") ? undefined : "source";
}

function statOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
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
        if (files.length >= maxWalkedFiles) return files;
      }
    } catch {
      // Gone meanwhile.
    }
  }
  return files;
}
