import { canonicalText, decodeParam } from "../../base/url/path.ts";
import type { FileSource, SourceFile } from "../../base/file_source.ts";
import { Router } from "../../request/router.ts";
import { codings, siblingExtensions } from "./compress.ts";
import { stripPrefix } from "./mounts.ts";
import { Directory, type DiskFile } from "./directory.ts";
import { type Siblings, StaticFile } from "./file.ts";
import type { StaticSettings } from "./form.ts";
import { isServable } from "./name.ts";

/** Files up to this size are read at boot; larger ones on the first request. */
const maxBootBytes = 64 * 1_024;

/** How many files of a source are remembered. */
const maxKnownFiles = 4_096;

/** The file that stands for its folder. */
const indexName = "index.html";

/**
 * Reports whether a file was found at the path of its folder without the slash, to which its links
 * are relative.
 */
export function lacksSlash(file: StaticFile, path: string): boolean {
  // An index that is found at its own path, or at the folder's with the slash, is sent.
  return file.name.endsWith(`/${indexName}`) && !path.endsWith("/") &&
    !path.endsWith(`/${indexName}`);
}

/** A file that was found, or the promise of one. */
export type Found = StaticFile | undefined | Promise<StaticFile | undefined>;

/** Static files by path. */
export interface Tree {
  /** Whether it is a folder on disk: finding a file needs no other source. */
  readonly isFolder: boolean;
  /** Returns the file at a canonical path. */
  find(path: string): Found;
  /** Describes the same file again, since it has changed. */
  renew(path: string): Found;
  /** All files by canonical path; `undefined` for a source that can only be read one file at a time. */
  list(): Iterable<readonly [path: string, file: DiskFile]> | undefined;
}

/** Indexes the files of a folder as they were at boot: a request costs a lookup and no system call. */
export function indexTree(directory: Directory, settings: StaticSettings): Tree {
  // A Map from path to file interns every path that was never seen before, which costs more than
  // the radix tree's whole look-up (`bench/router`).
  const index = new Router<{ file: StaticFile | undefined }>();
  const listed = new Map(directory.list());
  for (const [path, source] of listed) {
    // A name with a brace would be a parameter to the router.
    if (/[{}]/.test(path)) continue;
    const name = decodeParam(path.slice(1));
    const file = new StaticFile({ name, source, siblings: findSiblings(listed, path) }, settings);
    if (source.size <= maxBootBytes) file.hold();
    index.add(decodeParam(path), { file });
  }
  return {
    isFolder: true,
    find: (path) => index.find(path)?.value.file,
    renew: (path) => {
      const entry = index.find(path)?.value;
      if (entry === undefined) return undefined;
      entry.file?.release();
      const name = decodeParam(path.slice(1));
      const source = directory.get(name);
      return entry.file = source && new StaticFile({ name, source }, settings);
    },
    list: () => directory.list(),
  };
}

function findSiblings(listed: ReadonlyMap<string, DiskFile>, path: string): Siblings {
  const siblings: { -readonly [K in keyof Siblings]: Siblings[K] } = {};
  for (const coding of codings) {
    const sibling = listed.get(path + siblingExtensions[coding]);
    if (sibling !== undefined) siblings[coding] = sibling;
  }
  return siblings;
}

/** Where a source that is read for every request is served, and how. */
interface LiveOptions {
  readonly prefix: string;
  /** Whether the `index.html` of a folder is found at the folder's path, with and without a slash. */
  readonly hasIndex: boolean;
  readonly settings: StaticSettings;
}

/** Returns the files of a source that is read for every request; facts about an unchanged file are cached. */
export function liveTree(source: FileSource | Directory, options: LiveOptions): Tree {
  const { prefix, hasIndex, settings } = options;
  const known = new Map<string, StaticFile>();
  const describe = (path: string, found: SourceFile | undefined): StaticFile | undefined => {
    const last = known.get(path);
    if (found !== undefined && last !== undefined && isSame(last.source, found)) return last;
    if (last !== undefined) forget(known, path);
    if (found === undefined) return undefined;
    const file = new StaticFile({ name: decodeParam(path.slice(1)), source: found }, settings);
    const [oldest] = known.size < maxKnownFiles ? [] : known.keys();
    if (oldest !== undefined) forget(known, oldest);
    known.set(path, file);
    return file;
  };
  const findFile = (path: string): Found => {
    const inner = stripPrefix(prefix, path);
    if (inner === undefined || inner === "" || !isServable(path)) return undefined;
    const found = source.get(decodeParam(inner));
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
    isFolder: source instanceof Directory,
    find,
    renew: (path) => {
      forget(known, path);
      if (hasIndex && path.endsWith("/")) forget(known, path + indexName);
      return find(path);
    },
    list: () => source instanceof Directory ? listBelow(prefix, source) : undefined,
  };
}

function* listBelow(
  prefix: string,
  directory: Directory,
): Generator<readonly [path: string, file: DiskFile]> {
  for (const [path, file] of directory.list()) yield [prefix + path, file];
}

function forget(known: Map<string, StaticFile>, path: string): void {
  known.get(path)?.release();
  known.delete(path);
}

function isSame(a: SourceFile, b: SourceFile): boolean {
  return a.size === b.size && a.modifiedMs === b.modifiedMs && a.fingerprint === b.fingerprint;
}

/** Returns the canonical path of a name that an application wrote. */
export function pathOf(name: string): string {
  return canonicalText(name.startsWith("/") ? name : `/${name}`);
}
