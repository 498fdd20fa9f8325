import { decodeParam } from "../base/url/path.ts";
import { isServable } from "../serve/static/name.ts";

/** What a path's file is called by. */
export interface FileNaming {
  /** Whether the path is that of a page. */
  readonly isPage: boolean;
  /** Whether a page is a folder's index, or a file with an extension. */
  readonly layout: "folder" | "file";
}

/** The name of a path's file relative to the site, or the part that cannot be one. */
export type FileNamed = { readonly file: string } | { readonly bad: string };

/** What Windows and its archives refuse in a name. */
const foreignCharacters = /[<>"|?*]/;

/** Names that static hosts read as instructions, and names that the export itself creates. */
const reserved: ReadonlySet<string> = new Set([
  "404.html",
  "_headers",
  "_redirects",
  "_routes.json",
  "_worker.js",
  "cname",
  "netlify.toml",
  "staticwebapp.config.json",
  "vercel.json",
  "web.config",
]);

const maxSegmentBytes = 255;

/**
 * Names the file of a path. What cannot be a name on some system is refused on every one: a site that
 * was exported here is unpacked, served and changed elsewhere.
 *
 * @param path The canonical path inside the application.
 */
export function fileOf(path: string, naming: FileNaming): FileNamed {
  if (path === "/") return naming.isPage ? { file: "index.html" } : { bad: "/" };
  const bad = findBadSegment(path);
  if (bad !== undefined) return { bad };
  const name = decodeParam(path.slice(1));
  if (!naming.isPage || /\.html?$/i.test(name)) return { file: name };
  const file = naming.layout === "folder" ? `${name}/index.html` : `${name}.html`;
  const last = file.slice(file.lastIndexOf("/") + 1);
  return isTooLong(last) ? { bad: last } : { file };
}

/**
 * Finds the part of a file's name that a host would read as an instruction: parameters from users must not
 * produce one.
 */
export function findReserved(file: string): string | undefined {
  const [first = ""] = file.split("/", 1);
  return reserved.has(first.toLowerCase()) ? first : undefined;
}

function findBadSegment(path: string): string | undefined {
  const segments = path.slice(1).split("/");
  const bad = segments.find((segment) =>
    isTooLong(decodeParam(segment)) || foreignCharacters.test(segment) ||
    // Alone, so that the message can name it: only the first may be `.well-known`.
    !isServable(segment === ".well-known" ? "/.well-known/a" : `/${segment}`)
  );
  return bad ?? (isServable(path) ? undefined : path);
}

function isTooLong(segment: string): boolean {
  return new TextEncoder().encode(segment).length > maxSegmentBytes;
}

/**
 * Reports whether the last part of a path has an extension, from which a host infers the file's
 * type.
 */
export function hasExtension(path: string): boolean {
  // A version such as `v1.2` has none.
  return /[^/]\.[A-Za-z0-9]*[A-Za-z][A-Za-z0-9]*$/.test(path);
}

/** The names that are taken, on a system that ignores case and how letters are composed. */
export class TakenNames {
  readonly #files: Map<string, string> = new Map();
  readonly #folders: Map<string, { readonly written: string; readonly path: string }> = new Map();

  /**
   * Claims the name of a file.
   *
   * @param file The name.
   * @param path Its path.
   * @returns The path of another file with which it cannot be; the name is not taken then.
   */
  take(file: string, path: string): string | undefined {
    const name = folded(file);
    const folders = foldersOf(file);
    const other = this.#files.get(name) ?? this.#folders.get(name)?.path ??
      folders.map((folder) => this.#conflict(folder)).find((found) => found !== undefined);
    if (other !== undefined) return other;
    this.#files.set(name, path);
    for (const folder of folders) {
      if (!this.#folders.has(folded(folder))) {
        this.#folders.set(folded(folder), { written: folder, path });
      }
    }
    return undefined;
  }

  /** Returns the path of a file. */
  pathOf(file: string): string | undefined {
    return this.#files.get(folded(file));
  }

  #conflict(folder: string): string | undefined {
    const file = this.#files.get(folded(folder));
    if (file !== undefined) return file;
    const known = this.#folders.get(folded(folder));
    return known === undefined || known.written === folder ? undefined : known.path;
  }
}

function folded(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** Returns the folders in which a file lies, the outermost first. */
export function foldersOf(file: string): string[] {
  const segments = file.split("/").slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
}
