import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { canonicalText } from "../base/path.ts";
import type { Env } from "../base/types.ts";
import { Router } from "../request/router.ts";
import { fingerprintBytes, fingerprintFile } from "./fingerprint.ts";
import { mediaTypeOf } from "./media_types.ts";

/** Files up to this size are held in memory in production: reading 4 KB a request costs 6 to 9 times as much. */
const maxHeldBytes = 64 * 1_024;

/** How much all held files may take together. */
const maxHeldTotalBytes = 32 * 1_024 * 1_024;

/** How many folders deep the static files are looked for. */
const maxDepth = 32;

/** How many static files an application may have. */
const maxFiles = 100_000;

/** One static file. */
interface StaticFile {
  readonly path: string;
  readonly size: number;
  readonly modifiedMs: number;
  readonly type: string;
  fingerprint: string | undefined;
  bytes: Uint8Array<ArrayBuffer> | undefined;
}

/** The static files of an application. */
export interface StaticFiles {
  /** The file at a canonical path, or `undefined`. */
  find(path: string): StaticFile | undefined;
  /** Answers `GET` and `HEAD` with a file that `find` gave. */
  answer(file: StaticFile, request: Request): Response | Promise<Response>;
  /** The fingerprint of the file at a path of the application, or `undefined` where there is none. */
  fingerprint(path: string): string | undefined;
}

/**
 * Opens a folder of static files. In production it is indexed now, so that a request costs a look-up
 * and no system call; in development every request looks at the disk.
 *
 * @param root The folder; one that does not exist has no files.
 * @throws {TypeError} when the URL is no file URL, and when the folder holds more files than fit.
 */
export function openStaticFiles(root: string | URL, env: Env): StaticFiles {
  const folder = root instanceof URL || root.startsWith("file:") ? toPath(root) : root;
  return env === "prod" ? openIndex(folder) : openLive(folder);
}

function toPath(root: string | URL): string {
  try {
    return fileURLToPath(root);
  } catch {
    throw new TypeError(`Cannot serve config.public "${root}": give a folder or a file: URL.`);
  }
}

/**
 * Whether a path may be a file: no dot files but those below `.well-known`, nothing that a file
 * system could read as a separator, and no separator that it would overlook.
 */
function isServable(path: string): boolean {
  if (path.includes("%2F") || path.includes("\\") || path.includes("//")) return false;
  const dotted = path.indexOf("/.");
  return dotted < 0 ||
    (dotted === 0 && path.startsWith("/.well-known/") && !path.includes("/.", 1));
}

function openIndex(folder: string): StaticFiles {
  // A Map from path to file interns every path that was never seen before, which costs more than
  // the radix tree's whole look-up (`bench/router`).
  const index = new Router<StaticFile>();
  let heldBytes = 0;
  for (const file of listFiles(folder)) {
    if (file.size <= maxHeldBytes && heldBytes + file.size <= maxHeldTotalBytes) {
      file.bytes = Deno.readFileSync(file.path);
      file.fingerprint = fingerprintBytes(file.bytes);
      heldBytes += file.size;
    }
    index.add(file.route, file);
  }
  const find = (path: string): StaticFile | undefined => index.find(path)?.value;
  return {
    find,
    answer: (file, request) => answerFile(file, { request, env: "prod" }),
    fingerprint: (path) => {
      const file = find(canonicalText(path));
      return file === undefined ? undefined : fingerprintOf(file);
    },
  };
}

interface IndexedFile extends StaticFile {
  /** The path as the router reads it. */
  readonly route: string;
}

function* listFiles(folder: string): Generator<IndexedFile> {
  let count = 0;
  const open: { path: string; route: string; depth: number }[] = [
    { path: folder, route: "", depth: 0 },
  ];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const entry of readFolder(at.path)) {
      const path = join(at.path, entry.name);
      const route = `${at.route}/${entry.name}`;
      if (!isServable(entry.isDirectory ? `${route}/` : route) || /[{}]/.test(entry.name)) continue;
      if (entry.isDirectory) {
        if (at.depth < maxDepth) open.push({ path, route, depth: at.depth + 1 });
        continue;
      }
      const info = entry.isFile ? Deno.statSync(path) : linkedFile(folder, path);
      if (info === undefined) continue;
      if (++count > maxFiles) {
        throw new TypeError(
          `Cannot serve config.public "${folder}": it has over ${maxFiles} files.`,
        );
      }
      yield { ...describeFile(path, info), route };
    }
  }
}

/** The file behind a link that stays inside the folder, as in development. */
function linkedFile(folder: string, path: string): Deno.FileInfo | undefined {
  const root = realPath(folder);
  const real = realPath(path);
  if (root === undefined || real === undefined || !isInside(root, real)) return undefined;
  const info = Deno.statSync(real);
  return info.isFile ? info : undefined;
}

function isInside(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(separator) ? root : root + separator);
}

function readFolder(path: string): Iterable<Deno.DirEntry> {
  try {
    return [...Deno.readDirSync(path)];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

function describeFile(path: string, info: Deno.FileInfo): StaticFile {
  return {
    path,
    size: info.size,
    modifiedMs: info.mtime?.getTime() ?? 0,
    type: mediaTypeOf(path),
    fingerprint: undefined,
    bytes: undefined,
  };
}

function openLive(folder: string): StaticFiles {
  const root = realPath(folder);
  const seen = new Map<string, StaticFile>();
  const find = (path: string): StaticFile | undefined => {
    if (root === undefined || path === "/" || !isServable(path)) return undefined;
    const file = statFile(root, join(root, path.slice(1).replaceAll("%25", "%")));
    if (file === undefined) return undefined;
    const known = seen.get(file.path);
    if (known?.size === file.size && known.modifiedMs === file.modifiedMs) return known;
    seen.set(file.path, file);
    return file;
  };
  return {
    find,
    answer: (file, request) => answerFile(file, { request, env: "dev" }),
    fingerprint: (path) => {
      const file = find(canonicalText(path));
      return file === undefined ? undefined : fingerprintOf(file);
    },
  };
}

/** The file behind a path, unless a link leads out of the folder or is a folder itself. */
function statFile(root: string, path: string): StaticFile | undefined {
  try {
    const info = Deno.statSync(path);
    if (!info.isFile) return undefined;
    const parent = dirname(path);
    if (Deno.realPathSync(parent) !== parent) return undefined;
    if (!isInside(root, Deno.realPathSync(path))) return undefined;
    return describeFile(path, info);
  } catch (error) {
    // A path that is too long, no folder, or not readable is no file for the client.
    if (error instanceof Deno.errors.NotCapable) throw error;
    return undefined;
  }
}

const separator = Deno.build.os === "windows" ? "\\" : "/";

function realPath(folder: string): string | undefined {
  try {
    return Deno.realPathSync(folder);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function fingerprintOf(file: StaticFile): string {
  return file.fingerprint ??= fingerprintFile(file.path);
}

function answerFile(
  file: StaticFile,
  options: { readonly request: Request; readonly env: Env },
): Response | Promise<Response> {
  const { request, env } = options;
  const tag = `"${fingerprintOf(file)}"`;
  const headers: Record<string, string> = {
    "content-type": file.type,
    "cache-control": cacheControl(file, { request, env }),
    etag: tag,
    "last-modified": new Date(file.modifiedMs).toUTCString(),
    "x-content-type-options": "nosniff",
  };
  if (matchesTag(request.headers.get("if-none-match"), tag)) {
    return new Response(null, { status: 304, headers });
  }
  headers["content-length"] = String(file.size);
  if (request.method === "HEAD") return new Response(null, { headers });
  if (file.bytes !== undefined) return new Response(file.bytes, { headers });
  return Deno.open(file.path).then((handle) => new Response(handle.readable, { headers }));
}

function cacheControl(
  file: StaticFile,
  options: { readonly request: Request; readonly env: Env },
): string {
  if (options.env === "dev") return "no-cache";
  return options.request.url.includes(`?v=${fingerprintOf(file)}`)
    ? "public, max-age=31536000, immutable"
    : "public, max-age=0, must-revalidate";
}

/** Whether an `If-None-Match` holds the tag (weak comparison, RFC 9110, section 8.8.3.2). */
function matchesTag(header: string | null, tag: string): boolean {
  if (header === null) return false;
  if (header.trim() === "*") return true;
  return header.split(",").some((part) => part.trim().replace(/^W\//, "") === tag);
}
