/**
 * A stand-in for `@std/path`: the functions in use, with std's own signatures, so that a start from a
 * checkout sets up no npm package and loads no part of Node. `tests/house/std_test.ts` compares it with std.
 */

// Node handles drives and UNC names: only the start on Unix matters here.
const node = Deno.build.os === "windows"
  ? { path: await import("node:path"), url: await import("node:url") }
  : undefined;

export const SEPARATOR: "/" | "\\" = node === undefined ? "/" : "\\";

export function basename(path: string | URL, suffix = ""): string {
  const text = pathText(path);
  if (node !== undefined) return node.path.basename(text, suffix);
  const trimmed = text.replace(/\/+$/, "");
  if (trimmed === "") return text === "" ? "" : "/";
  const name = trimmed.slice(trimmed.lastIndexOf("/") + 1);
  return name !== suffix && name.endsWith(suffix)
    ? name.slice(0, name.length - suffix.length)
    : name;
}

export function dirname(path: string | URL): string {
  const text = pathText(path);
  if (node !== undefined) return node.path.dirname(text);
  const end = text.replace(/\/+$/, "").lastIndexOf("/");
  if (end < 0) return text.startsWith("/") ? "/" : ".";
  return text.slice(0, end).replace(/\/+$/, "") || "/";
}

/** Converts a `file:` URL to a path. @throws TypeError for another protocol. */
export function fromFileUrl(url: string | URL): string {
  const { protocol, pathname } = new URL(url);
  if (protocol !== "file:") {
    throw new TypeError(`URL must be a file URL: received "${protocol}"`);
  }
  if (node !== undefined) return node.url.fileURLToPath(url);
  return decodeURIComponent(pathname.replace(/%(?![0-9A-Fa-f]{2})/g, "%25"));
}

export function isAbsolute(path: string): boolean {
  return node?.path.isAbsolute(path) ?? path.startsWith("/");
}

export function join(path: string | URL = "", ...paths: string[]): string {
  const segments = [pathText(path), ...paths].filter((segment) => segment !== "");
  return segments.length === 0 ? "." : normalize(segments.join("/"));
}

function normalize(path: string | URL): string {
  const text = pathText(path);
  if (node !== undefined) return node.path.normalize(text);
  const isRooted = text.startsWith("/");
  const kept: string[] = [];
  for (const segment of text.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") kept.push(segment);
    else if (kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else if (!isRooted) kept.push("..");
  }
  const joined = kept.join("/");
  if (joined === "") return isRooted ? "/" : text.endsWith("/") && text !== "" ? "./" : ".";
  return (isRooted ? "/" : "") + joined + (text.endsWith("/") ? "/" : "");
}

export function relative(from: string, to: string): string {
  if (node !== undefined) return node.path.relative(from, to);
  const start = resolve(from).split("/").filter((segment) => segment !== "");
  const end = resolve(to).split("/").filter((segment) => segment !== "");
  let shared = 0;
  while (shared < start.length && shared < end.length && start[shared] === end[shared]) shared++;
  return [...start.slice(shared).fill(".."), ...end.slice(shared)].join("/");
}

export function resolve(...paths: string[]): string {
  if (node !== undefined) return node.path.resolve(...paths);
  let joined = "";
  for (const path of paths.toReversed()) {
    if (joined.startsWith("/")) break;
    if (path !== "") joined = joined === "" ? path : `${path}/${joined}`;
  }
  if (!joined.startsWith("/")) joined = `${Deno.cwd()}/${joined}`;
  return normalize(joined).replace(/(?<=.)\/$/, "");
}

/** Converts an absolute path to a `file:` URL. @throws TypeError for a relative path. */
export function toFileUrl(path: string): URL {
  if (!isAbsolute(path)) throw new TypeError(`Path must be absolute: received "${path}"`);
  if (node !== undefined) return node.url.pathToFileURL(path);
  const url = new URL("file:///");
  // The URL parser leaves "%" and drops trailing blanks.
  url.pathname = path.replaceAll("%", "%25").replaceAll("\\", "%5C")
    .replace(/[\t\n\r\f\v ?#]/g, (sign) => encodeURIComponent(sign));
  return url;
}

function pathText(path: string | URL): string {
  return path instanceof URL ? fromFileUrl(path) : path;
}
