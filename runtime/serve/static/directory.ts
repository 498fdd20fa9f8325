import { isAbsolute, join, relative } from "node:path";
import { canonicalText } from "../../base/url/path.ts";
import type { ByteRange, SourceFile } from "../../base/file_source.ts";
import { fingerprintFile } from "./fingerprint.ts";
import { isServable } from "./name.ts";

/** How many folders deep files are looked for. */
const maxDepth = 32;

/** How many files a folder may hold altogether. */
const maxFiles = 100_000;

/** How much of a file is read at once for a part of it. */
const chunkBytes = 64 * 1_024;

const separator = Deno.build.os === "windows" ? "\\" : "/";

/** The file is not the one that was described any more: ask again. */
export class StaleFileError extends Error {}

/** A file on disk. */
export class DiskFile implements SourceFile {
  /** Where it lies, without a link on the way. */
  readonly path: string;
  readonly size: number;
  readonly modifiedMs: number | undefined;

  constructor(path: string, info: Deno.FileInfo) {
    this.path = path;
    this.size = info.size;
    this.modifiedMs = info.mtime?.getTime();
  }

  /** Returns the whole content. */
  readSync(): Uint8Array<ArrayBuffer> {
    return Deno.readFileSync(this.path);
  }

  /** A digest of the content. */
  digest(): string {
    return fingerprintFile(this.path);
  }

  /** @throws {StaleFileError} when the file has changed since it was described. */
  read(range: ByteRange): ReadableStream<Uint8Array> {
    // Opening takes microseconds; another thread costs more than that: `bench/static`.
    const handle = Deno.openSync(this.path);
    try {
      // The head has announced a length: a longer body would run into the next response.
      const info = handle.statSync();
      if (info.size !== this.size || info.mtime?.getTime() !== this.modifiedMs) {
        throw new StaleFileError();
      }
      if (range.start > 0) handle.seekSync(range.start, Deno.SeekMode.Start);
      // The server reads a handle's own stream without JavaScript: `bench/static`.
      return range.end === this.size ? handle.readable : readPart(handle, range.end - range.start);
    } catch (error) {
      handle.close();
      throw error;
    }
  }
}

/** Creates a stream of the next bytes of a file, read on demand; it closes the handle. */
function readPart(handle: Deno.FsFile, length: number): ReadableStream<Uint8Array> {
  let left = length;
  return new ReadableStream<Uint8Array>({
    async pull(controller): Promise<void> {
      try {
        const chunk = new Uint8Array(Math.min(chunkBytes, left));
        const size = await handle.read(chunk);
        if (size === null) throw new StaleFileError();
        left -= size;
        controller.enqueue(chunk.subarray(0, size));
        if (left > 0) return;
        controller.close();
        handle.close();
      } catch (error) {
        controller.error(error);
        closeQuietly(handle);
      }
    },
    cancel: () => closeQuietly(handle),
  }, { highWaterMark: 0 });
}

function closeQuietly(handle: Deno.FsFile): void {
  try {
    handle.close();
  } catch {
    // A read that failed or was cancelled between its end and here has closed it.
  }
}

/** A folder with static files; links must not lead out of it. */
export class Directory {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Reports whether the folder exists.
   *
   * @throws {Deno.errors.NotCapable} without the permission to read it.
   */
  exists(): boolean {
    try {
      return Deno.statSync(this.#folder).isDirectory;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return false;
      throw error;
    }
  }

  /** Returns the file at a decoded path below the folder. */
  get(path: string): DiskFile | undefined {
    const located = locate(this.#folder, path);
    const info = located === undefined ? undefined : statOf(located);
    return located !== undefined && info?.isFile ? new DiskFile(located, info) : undefined;
  }

  /**
   * Lists the files that may be served, by canonical path.
   *
   * @throws {TypeError} when the folder holds more files than fit.
   */
  *list(): Generator<readonly [path: string, file: DiskFile]> {
    let count = 0;
    const open: Folder[] = [{ path: this.#folder, route: "", parents: [] }];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const entry of readFolder(at.path)) {
        const route = `${at.route}/${canonicalText(entry.name)}`;
        const found = this.#describe(at, { entry, route });
        if (found === undefined) continue;
        if (found instanceof DiskFile) {
          if (++count > maxFiles) throw tooMany(this.#folder);
          yield [route, found];
        } else open.push(found);
      }
    }
  }

  #describe(
    folder: Folder,
    { entry, route }: { readonly entry: Deno.DirEntry; readonly route: string },
  ): DiskFile | Folder | undefined {
    const path = entry.isSymlink
      ? locate(this.#folder, `${folder.route.slice(1)}/${entry.name}`.replaceAll("%25", "%"))
      : join(folder.path, entry.name);
    const info = path === undefined ? undefined : statOf(path);
    if (path === undefined || info === undefined) return undefined;
    if (info.isFile) return isServable(route) ? new DiskFile(path, info) : undefined;
    // A link to a folder that it lies in would lead round in circles.
    if (!info.isDirectory || folder.parents.includes(path)) return undefined;
    if (!isServable(`${route}/a`) || folder.parents.length >= maxDepth) return undefined;
    return { path, route, parents: [...folder.parents, path] };
  }
}

/** A folder on the way through the tree. */
interface Folder {
  readonly path: string;
  readonly route: string;
  readonly parents: readonly string[];
}

function tooMany(folder: string): TypeError {
  return new TypeError(
    `Cannot serve the static files of "${folder}": there are over ${maxFiles}; give a smaller folder.`,
  );
}

/**
 * Finds the target of a path without leaving the folder. The real path is read only where a link lies on the
 * way, since an embedded file of a compiled executable need not have one.
 */
function locate(folder: string, path: string): string | undefined {
  let at = folder;
  let hasLink = false;
  for (const segment of path.split("/")) {
    at = join(at, segment);
    try {
      hasLink ||= Deno.lstatSync(at).isSymlink;
    } catch (error) {
      // Too long, no folder, not readable: no file for the client, and no failure of the server.
      if (isExpected(error)) return undefined;
      throw error;
    }
  }
  return hasLink ? locateReal(folder, at) : at;
}

function locateReal(folder: string, path: string): string | undefined {
  try {
    const root = Deno.realPathSync(folder);
    const real = Deno.realPathSync(path);
    return isInside(root, real) ? real : undefined;
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
}

/** Reports whether a path is a folder or lies in it; both are absolute. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !/^\.\.(?:[/\\]|$)/.test(way) && !isAbsolute(way);
}

function isInside(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(separator) ? root : root + separator);
}

function statOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
}

function readFolder(path: string): Iterable<Deno.DirEntry> {
  try {
    return [...Deno.readDirSync(path)];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/**
 * Reports whether the file system said that there is nothing at the path; all but a bug of the
 * caller is that.
 */
function isExpected(error: unknown): boolean {
  return !(error instanceof TypeError);
}
