import { fromFileUrl, isAbsolute, join, relative, SEPARATOR } from "../../base/file_path.ts";
import type { ByteRange, SourceFile } from "../../base/file_source.ts";
import type { Logger } from "../../base/observe/logger.ts";
import { canonicalText } from "../../base/url/path.ts";
import { isServable } from "./mounts.ts";

const chunkBytes = 64 * 1_024;

/** The maximum size of content that is read whole for its tag. */
export const maxReadBytes = 8 * 1_024 * 1_024;

/** The time after a change within which the next one may have the same timestamps, in milliseconds. */
const settledMs = 2_000;

export class StaleFileError extends Error {}

export class DiskFile implements SourceFile {
  /** The path, with all links resolved. */
  readonly path: string;
  readonly size: number;
  readonly modifiedMs: number | undefined;
  /** Identifies the file and its content; changes even if a tool restores the timestamp. */
  readonly version: string;
  /** Whether any later change will change the version: timestamps may have whole seconds. */
  readonly isSettled: boolean;
  /** Whether a file that is being written, such as a log, may be sent at its former length; it has no tag. */
  mayGrow = false;

  constructor(path: string, info: Deno.FileInfo) {
    this.path = path;
    this.size = info.size;
    this.modifiedMs = info.mtime?.getTime();
    this.version = versionOf(info);
    // A timestamp in the future is safe too: the clock was set back, so later changes differ.
    const changedMs = (info.ctime ?? info.mtime ?? new Date(0)).getTime();
    this.isSettled = Math.abs(Date.now() - changedMs) > settledMs;
  }

  /** @throws {StaleFileError} if the file has changed since it was described, unless it is unsettled. */
  readSync(): Uint8Array<ArrayBuffer> {
    const bytes = Deno.readFileSync(this.path);
    if (this.isSettled && bytes.length !== this.size) throw new StaleFileError();
    return bytes;
  }

  /** @throws {StaleFileError} if the file has changed since it was described, unless it may grow. */
  read(range: ByteRange): ReadableStream<Uint8Array> {
    // Synchronous, because opening takes microseconds, less than another thread costs (`bench/static`).
    const handle = openReadable(this.path);
    try {
      const info = handle.statSync();
      const isSame = versionOf(info) === this.version;
      // The head announces length and tag, so other bytes would make a broken or mixed response.
      if (!isSame && !(this.mayGrow && info.size >= this.size)) throw new StaleFileError();
      if (range.start > 0) handle.seekSync(range.start, Deno.SeekMode.Start);
      // The server reads a file's native stream without JavaScript (`bench/static`).
      const isRest = isSame && range.end === this.size;
      return isRest ? handle.readable : readPart(handle, range.end - range.start);
    } catch (error) {
      handle.close();
      throw error;
    }
  }
}

function openReadable(path: string): Deno.FsFile {
  try {
    return Deno.openSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
    throw new Deno.errors.NotFound(error.message, { cause: error });
  }
}

function versionOf({ size, mtime, ctime }: Deno.FileInfo): string {
  return `${size}-${mtime?.getTime()}-${ctime?.getTime()}`;
}

/** Returns a stream of the next bytes of a file, read on demand; it closes the handle. */
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
        // Unlike `close`, it accepts a file that a cancelled read has closed.
        handle[Symbol.dispose]();
      }
    },
    cancel: () => handle[Symbol.dispose](),
  }, { highWaterMark: 0 });
}

export function describeFile(path: string | URL): DiskFile | undefined {
  try {
    const file = typeof path === "string" ? path : fromFileUrl(path);
    // A part of the path may come from a client.
    if (file.includes("\0")) return undefined;
    const info = Deno.statSync(file);
    return info.isFile ? new DiskFile(file, info) : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable || error instanceof TypeError) throw error;
    return undefined;
  }
}

/** Returns the file at a decoded path below a folder; links must not lead out of it. */
export function findOnDisk(folder: string, path: string): DiskFile | undefined {
  const located = locate(folder, path);
  const info = located === undefined ? undefined : statOf(located);
  return located !== undefined && info?.isFile ? new DiskFile(located, info) : undefined;
}

export function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

interface Folder {
  readonly path: string;
  readonly route: string;
  readonly parents: readonly string[];
}

export type Listed = readonly [path: string, file: DiskFile];

export function* listFolder(root: string, log?: Logger): Generator<Listed> {
  const open: Folder[] = [{ path: root, route: "", parents: [] }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const entry of readFolder(at.path, log)) {
      const route = `${at.route}/${canonicalText(entry.name)}`;
      const found = describe(root, at, { entry, route });
      if (found instanceof DiskFile) yield [route, found];
      else if (found !== undefined) open.push(found);
    }
  }
}

function describe(
  root: string,
  folder: Folder,
  { entry, route }: { readonly entry: Deno.DirEntry; readonly route: string },
): DiskFile | Folder | undefined {
  const path = entry.isSymlink
    ? locate(root, `${folder.route.slice(1)}/${entry.name}`.replaceAll("%25", "%"))
    : join(folder.path, entry.name);
  const info = path === undefined ? undefined : statOf(path);
  if (path === undefined || info === undefined) return undefined;
  if (info.isFile) return isServable(route) ? new DiskFile(path, info) : undefined;
  // A link to a parent folder would cause an endless loop.
  if (!info.isDirectory || folder.parents.includes(path)) return undefined;
  if (!isServable(`${route}/a`)) return undefined;
  return { path, route, parents: [...folder.parents, path] };
}

function readFolder(path: string, log: Logger | undefined): Iterable<Deno.DirEntry> {
  try {
    return [...Deno.readDirSync(path)];
  } catch (error) {
    const { NotADirectory, NotFound, PermissionDenied } = Deno.errors;
    if (error instanceof NotFound || error instanceof NotADirectory) return [];
    if (!(error instanceof PermissionDenied)) throw error;
    log?.warn(`Cannot read the folder "${path}": permission denied; its files are not served`, {
      fix: "let the user that runs the app read it",
    });
    return [];
  }
}

/** Resolves a path inside the folder: only its links, since a file in an executable has no real path. */
function locate(folder: string, path: string): string | undefined {
  let at = folder;
  let hasLink = false;
  for (const segment of path.split("/")) {
    at = join(at, segment);
    try {
      hasLink ||= Deno.lstatSync(at).isSymlink;
    } catch (error) {
      return refuse(error);
    }
  }
  if (!hasLink) return at;
  try {
    const root = Deno.realPathSync(folder);
    const real = Deno.realPathSync(at);
    return real.startsWith(root.endsWith(SEPARATOR) ? root : root + SEPARATOR) ? real : undefined;
  } catch (error) {
    return refuse(error);
  }
}

function statOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch (error) {
    return refuse(error);
  }
}

/** Treats a path that is too long, unreadable or not in a folder as a missing file, not a failure. */
function refuse(error: unknown): undefined {
  if (error instanceof TypeError) throw error;
  return undefined;
}

export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !/^\.\.(?:[/\\]|$)/.test(way) && !isAbsolute(way);
}
