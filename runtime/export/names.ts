import { decodeParam } from "../base/url/path.ts";
import { isServable } from "../serve/static/mounts.ts";

/** Characters that Windows and its archives refuse. */
const foreignCharacters = /[<>"|?*]/;

/** Names that static hosts read as instructions, and names that the export itself creates. */
const reserved: ReadonlySet<string> = new Set((
  "404.html _headers _redirects _routes.json _worker.js cname netlify.toml " +
  "staticwebapp.config.json vercel.json web.config"
).split(" "));

/** A canonical path, and whether its file is that of a page. */
type Named = { readonly key: string; readonly isPage: boolean };

const maxSegmentBytes = 255;
const encoder = new TextEncoder();

export function fileName({ key, isPage }: Named): string {
  const name = decodeParam(key.slice(1));
  if (!isPage || /\.html?$/i.test(name)) return name;
  return name === "" ? "index.html" : `${name}/index.html`;
}

/** Finds the part that is not a file name on every system: a site may be served elsewhere. */
export function findBadPart({ key, isPage }: Named): string | undefined {
  if (isPage && key === "/") return undefined;
  const bad = key.slice(1).split("/").find((segment) =>
    encoder.encode(decodeParam(segment)).length > maxSegmentBytes ||
    foreignCharacters.test(segment) ||
    // Each part alone, so that the message can name it: only the first may be `.well-known`.
    !isServable(segment === ".well-known" ? "/.well-known/a" : `/${segment}`)
  );
  return bad || (isServable(key) ? undefined : key);
}

/** Finds the part of a name that a host reads as an instruction; user parameters must not produce one. */
export function findReserved(file: string): string | undefined {
  const [first = ""] = file.split("/", 1);
  return reserved.has(first.toLowerCase()) ? first : undefined;
}

export function hasExtension(path: string): boolean {
  // A version such as `v1.2` has no extension.
  return /[^/]\.[A-Za-z0-9]*[A-Za-z][A-Za-z0-9]*$/.test(path);
}

/** The names in use, on a system that ignores case and Unicode composition. */
export class TakenNames {
  readonly #taken = new Map<string, { written: string; path: string; isFile: boolean }>();

  /** Reserves the file name of a path; on a clash, returns the path of the other file. */
  take(file: string, path: string): string | undefined {
    const names = file.split("/").map((_, index, all) => all.slice(0, index + 1).join("/"));
    for (const written of names.toReversed()) {
      const known = this.#taken.get(folded(written));
      if (known === undefined) continue;
      if (known.isFile || written === file || known.written !== written) return known.path;
    }
    for (const written of names) {
      this.#taken.getOrInsert(folded(written), { written, path, isFile: written === file });
    }
    return undefined;
  }

  pathOf(file: string): string | undefined {
    const known = this.#taken.get(folded(file));
    return known?.isFile ? known.path : undefined;
  }
}

function folded(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
