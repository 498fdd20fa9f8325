/**
 * Turns a URL such as `/blog/{slug}` into the folder that serves it.
 *
 * @module
 */
import { appFolder, type FolderKind, parseFolder } from "@fw/fw/conventions";

/** One segment of a URL. */
export type Segment =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "param"; readonly name: string }
  | { readonly kind: "rest"; readonly name: string };

/** A URL and the folder that the convention gives it. */
export interface UrlPath {
  /** The template, without a trailing slash. */
  readonly pattern: string;
  /** The folder, relative to the project, with `/`. */
  readonly folder: string;
  /** The segments in order. */
  readonly segments: readonly Segment[];
}

/**
 * Why a URL is refused: it does not start with a slash, a segment is malformed, holds a `character`
 * that no folder may hold or a `sign` that is not written into code, ends with the mark of a
 * `parameter` or of a `group`, is the name of a folder that is `ignored` or `hidden`, repeats a
 * parameter, or follows a catch-all.
 */
export type UrlFault =
  | "slash"
  | "syntax"
  | "character"
  | "sign"
  | "parameter"
  | "group"
  | "ignored"
  | "hidden"
  | "repeated"
  | "catch-all";

/** The outcome of {@linkcode parseUrlPath}; the refused segment is empty where the slash lacks. */
export type UrlPathResult =
  | { readonly ok: true; readonly path: UrlPath }
  | { readonly ok: false; readonly segment: string; readonly fault: UrlFault };

/**
 * Reads a URL as it is written on the command line.
 *
 * @param url Starts with `/`; `{name}` is a parameter, `{name...}` at the end takes the rest.
 */
export function parseUrlPath(url: string): UrlPathResult {
  if (!url.startsWith("/")) return { ok: false, segment: "", fault: "slash" };
  const inner = url.slice(1).replace(/\/$/, "");
  const parts = inner === "" ? [] : inner.split("/");
  const segments: Segment[] = [];
  const folders: string[] = [appFolder];
  const names = new Set<string>();
  for (const [index, part] of parts.entries()) {
    const segment = parseSegment(part);
    const isLast = index === parts.length - 1;
    if (typeof segment === "string") return { ok: false, segment: part, fault: segment };
    if (segment.kind === "rest" && !isLast) {
      return { ok: false, segment: part, fault: "catch-all" };
    }
    if (segment.kind !== "literal") {
      if (names.has(segment.name)) return { ok: false, segment: part, fault: "repeated" };
      names.add(segment.name);
    }
    segments.push(segment);
    folders.push(folderOf(segment));
  }
  const pattern = `/${parts.join("/")}`;
  return { ok: true, path: { pattern, folder: folders.join("/"), segments } };
}

function parseSegment(part: string): Segment | UrlFault {
  const [, name, dots] = /^\{(\w+)(\.\.\.)?\}$/.exec(part) ?? [];
  const segment: Segment = name === undefined
    ? { kind: "literal", text: part }
    : { kind: dots === undefined ? "param" : "rest", name };
  if (part === "" || part === "." || part === "..") return "syntax";
  // The folder must mean the same when it is read back: `draft_` would become a parameter.
  const folder = parseFolder(folderOf(segment));
  if (folder.kind !== segment.kind) return faultOf(part, folder);
  return segment.kind === "literal" && !plainText.test(part) ? "sign" : segment;
}

// A segment ends up in comments, specifiers and shell commands, where other signs have a meaning.
const plainText = /^[\p{L}\p{M}\p{N}._~@+,=-]+$/u;

function faultOf(part: string, folder: FolderKind): UrlFault {
  if (folder.kind === "ignored" || folder.kind === "hidden") return folder.kind;
  if (folder.kind === "bad" && folder.cause === "character" && !/[{}]/.test(part)) {
    return "character";
  }
  return part.endsWith("_") ? "parameter" : part.endsWith("-") ? "group" : "syntax";
}

function folderOf(segment: Segment): string {
  if (segment.kind === "literal") return segment.text;
  return segment.name + (segment.kind === "param" ? "_" : "__");
}

/** An address of the pattern with made-up parameters, for tests. */
export function sampleUrl(segments: readonly Segment[]): string {
  const parts = segments.map((segment) => segment.kind === "literal" ? segment.text : "example");
  return `/${parts.join("/")}`;
}

/** A title for what the URL shows: `/blog/new-post` is "New post". */
export function titleOf(segments: readonly Segment[]): string {
  const last = segments.findLast((segment) => segment.kind === "literal");
  const words = last?.text.replace(/\.\w+$/, "").replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim() ?? "";
  return words === "" ? "Home" : words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** An identifier for what the URL shows: `/blog/new-post` is `NewPost`. */
export function typeNameOf(segments: readonly Segment[]): string {
  const plain = titleOf(segments).normalize("NFD").replaceAll(/\p{M}/gu, "");
  const words = plain.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const name = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
  return `${/^[A-Z]/.test(name) ? name : `Form${name}`}Input`;
}
