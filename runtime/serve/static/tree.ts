import type { FileSource, SourceFile } from "../../base/file_source.ts";
import { canonicalText, decodeParam } from "../../base/url/path.ts";
import { Router } from "../../request/router.ts";
import { DiskFile, findOnDisk, type Listed, listFolder } from "./disk.ts";
import { StaticFile } from "./file.ts";
import type { StaticSettings } from "./form.ts";
import { isServable, type Mount, stripPrefix } from "./mounts.ts";

/** The maximum number of files to index at boot; a larger folder is read per request, like a mount. */
const maxIndexedFiles = 10_000;

/** The maximum size of a file read at boot, while the budget lasts; others are read on the first request. */
const maxBootFileBytes = 96 * 1_024;
const maxBootBytes = 16 * 1_024 * 1_024;
const maxBootFiles = 2_000;
const maxKnownFiles = 4_096;
const indexName = "index.html";

/** Reports whether an index was found without the slash of its folder, which breaks its relative links. */
export function lacksSlash(file: StaticFile, path: string): boolean {
  return file.name.endsWith(`/${indexName}`) && !path.endsWith("/") &&
    !path.endsWith(`/${indexName}`);
}

export type Found = StaticFile | undefined | Promise<StaticFile | undefined>;

export interface Tree {
  readonly isFolder: boolean;
  find(path: string): Found;
  renew(path: string): Found;
  /** Lists the files; `undefined` for a source that can only be read one file at a time. */
  list(): Iterable<Listed> | undefined;
  warm?(): Promise<void>;
}

/** Indexes a folder as it is at boot, without a system call per request; `undefined` if it is too large. */
export function indexTree(folder: string, settings: StaticSettings): Tree | undefined {
  interface Entry {
    file: StaticFile | undefined;
  }
  // A Map from path to file interns every new path, which costs more than a whole lookup of the radix tree
  // (`bench/router`). The router would read a name with a brace as a parameter.
  const index = new Router<Entry>();
  const braced = new Map<string, Entry>();
  const early: StaticFile[] = [];
  let count = 0;
  let bytes = 0;
  for (const [path, source] of listFolder(folder, settings.log)) {
    if (++count > maxIndexedFiles) return undefined;
    const name = decodeParam(path.slice(1));
    const file = new StaticFile(name, source, settings);
    if (/[{}]/.test(path)) braced.set(path, { file });
    else index.add(decodeParam(path), { file });
    if (source.size > maxBootFileBytes || early.length >= maxBootFiles) continue;
    bytes += source.size;
    if (bytes <= maxBootBytes) early.push(file);
  }
  const findEntry = (path: string): Entry | undefined =>
    index.find(path)?.value ?? (braced.size > 0 ? braced.get(path) : undefined);
  const renew = (path: string): StaticFile | undefined => {
    const entry = findEntry(path);
    if (entry === undefined) return undefined;
    entry.file?.release();
    const name = decodeParam(path.slice(1));
    const source = findOnDisk(folder, name);
    return entry.file = source && new StaticFile(name, source, settings).inherit(entry.file);
  };
  return {
    isFolder: true,
    find: (path) => {
      const file = findEntry(path)?.file;
      return file?.isUnsettled === true ? renew(path) : file;
    },
    renew,
    list: () => listFolder(folder),
    warm: async () => {
      // An unreadable file is logged and does not stop the boot.
      for (const file of early) await Promise.resolve(file.identity()).catch(() => {});
    },
  };
}

/** Serves a folder or a source that is read for every request; facts about an unchanged file are cached. */
export function liveTree(
  source: FileSource | string,
  { prefix, hasIndex }: Pick<Mount, "prefix" | "hasIndex">,
  settings: StaticSettings,
): Tree {
  const known = new Map<string, StaticFile>();
  const forget = (path: string): void => {
    known.get(path)?.release();
    known.delete(path);
  };
  const describe = (path: string, found: SourceFile | undefined): StaticFile | undefined => {
    const last = known.get(path);
    if (found !== undefined && last !== undefined && isSame(last.source, found)) return last;
    if (last !== undefined) forget(path);
    if (found === undefined) return undefined;
    const file = new StaticFile(decodeParam(path.slice(1)), found, settings).inherit(last);
    const [oldest] = known.size < maxKnownFiles ? [] : known.keys();
    if (oldest !== undefined) forget(oldest);
    known.set(path, file);
    return file;
  };
  const findFile = (path: string): Found => {
    const inner = stripPrefix(prefix, path);
    if (inner === undefined || inner === "" || !isServable(path)) return undefined;
    const name = decodeParam(inner);
    const found = typeof source === "string" ? findOnDisk(source, name) : source.get(name);
    return found instanceof Promise
      ? found.then((file) => describe(path, file))
      : describe(path, found);
  };
  const find = (path: string): Found => {
    if (!hasIndex) return findFile(path);
    if (path.endsWith("/")) return findFile(path + indexName);
    const found = findFile(path);
    const findIndex = (): Found => findFile(`${path}/${indexName}`);
    return found instanceof Promise
      ? found.then((file) => file ?? findIndex())
      : found ?? findIndex();
  };
  return {
    isFolder: typeof source === "string",
    find,
    renew: (path) => {
      forget(path);
      if (hasIndex && path.endsWith("/")) forget(path + indexName);
      return find(path);
    },
    list: () =>
      typeof source === "string"
        ? listFolder(source).map(([path, file]) => [prefix + path, file] as const)
        : undefined,
  };
}

function isSame(a: SourceFile, b: SourceFile): boolean {
  if (a instanceof DiskFile && b instanceof DiskFile) {
    return a.isSettled && a.path === b.path && a.version === b.version;
  }
  return a.size === b.size && a.modifiedMs === b.modifiedMs && a.fingerprint === b.fingerprint;
}

export function pathOf(name: string): string {
  return canonicalText(name.startsWith("/") ? name : `/${name}`);
}
