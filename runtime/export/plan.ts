import type { Route } from "../base/ctx/route.ts";
import { thrownMessage } from "../base/diagnose/error_text.ts";
import { decodePath } from "../base/url/path.ts";
import { buildPath, parsePattern, type PatternParams } from "../base/url/pattern.ts";
import type { Crawl } from "./crawl.ts";
import { fileName, hasExtension } from "./names.ts";

const maxErrorsOfRoute = 10;

/** Lists the paths of the routes; calls each `Paths` once. */
export async function addRoutes(crawl: Crawl): Promise<void> {
  for (const route of crawl.app.routes) {
    const { page, methods, paths, pattern, source = "" } = route;
    if (page === undefined && methods?.GET === undefined) continue;
    if (crawl.isExcluded(pattern)) continue;
    const isPage = page !== undefined;
    const isFile = hasExtension(pattern);
    const isLiteral = !pattern.includes("{");
    if (paths !== undefined) await addPaths(crawl, route);
    else if (isLiteral && (isPage || isFile)) addPath(crawl, route, buildPath(pattern, {}));
    else if (!isPage && !isLiteral && (isFile || pattern.endsWith("}"))) {
      crawl.unlinked.set(pattern, source);
    } else if (crawl.isChosen(pattern)) {
      crawl.skipped.push({ pattern, source, reason: isPage ? "no_paths" : "no_extension" });
    }
  }
}

/** Adds the path of a route, and that of a page in each language. */
function addPath(crawl: Crawl, route: Route, path: string): void {
  const { languages } = crawl.compiled;
  const isPage = route.page !== undefined;
  const key = decodePath(path) ?? path;
  if (crawl.isExcluded(key) || !crawl.isChosen(key)) return;
  crawl.addTarget({ path, key, route, isPage });
  for (const language of isPage && languages?.hasPrefix === true ? languages.tags : []) {
    const prefix = `/${language}`;
    crawl.addTarget({ path: prefix + path, key: prefix + (key === "/" ? "" : key), route, isPage });
  }
}

async function addPaths(crawl: Crawl, route: Route): Promise<void> {
  const { errors, options: { maxPages } } = crawl;
  const { pattern, source } = route;
  const subject = source === undefined ? `"${pattern}"` : `"${pattern}" (${source})`;
  const seen = new Set<string>();
  const maxErrors = errors.length + maxErrorsOfRoute;
  let count = 0;
  try {
    const list: unknown = await route.paths?.(crawl.app);
    if (!isIterable(list)) return crawl.refuse("paths_failed", subject, "it returns no list");
    for await (const params of list) {
      // An endless list is not read further.
      if (++count > maxPages) return crawl.refuse("too_many", "", String(maxPages));
      if (errors.length >= maxErrors) return;
      const path = readEntry(pattern, params);
      if (path === undefined) crawl.refuse("paths_value", subject, show(params));
      else if (seen.has(path)) crawl.refuse("paths_duplicate", subject, path);
      else addPath(crawl, route, path);
      if (path !== undefined) seen.add(path);
    }
  } catch (error) {
    crawl.refuse("paths_failed", subject, thrownMessage(error));
  }
}

/** Returns the path of an entry of `Paths`; `undefined` if it fits no path or file name. */
function readEntry(pattern: string, params: unknown): string | undefined {
  const { names } = parsePattern(pattern);
  if (typeof params !== "object" || params === null) return undefined;
  const isRight = ([name, value]: readonly [string, unknown]): boolean =>
    names.includes(name) && isValue(value, { isRest: pattern.endsWith(`{${name}...}`) });
  if (!Object.entries(params).every(isRight)) return undefined;
  try {
    const path = buildPath(pattern, params as PatternParams);
    // Only if the router returns the same values.
    return decodePath(path) === undefined ? undefined : path;
  } catch {
    return undefined;
  }
}

function isIterable(value: unknown): value is Iterable<unknown> | AsyncIterable<unknown> {
  // A string iterates by letter, which is never intended.
  return typeof value === "object" && value !== null &&
    (Symbol.iterator in value || Symbol.asyncIterator in value);
}

function isValue(value: unknown, options: { readonly isRest: boolean }): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "string" || !value.isWellFormed()) return false;
  // Most hosts decode an escaped slash, so the file would be one folder deeper.
  return options.isRest ? !/^\/|\/$|\/\//.test(value) : !value.includes("/");
}

function show(value: unknown): string {
  const named = (_: string, each: unknown): unknown => typeof each === "bigint" ? `${each}n` : each;
  const text = typeof value === "object" ? JSON.stringify(value, named) : String(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

/** Lists the static files; routes come first. */
export function addAssets(crawl: Crawl): void {
  const { compiled: { files, router }, names } = crawl;
  const listing = files?.list();
  for (const [key, { path: source }] of listing?.files ?? []) {
    const named = fileName(key, "file");
    // A literal route takes precedence over a file, as it does on the server.
    const isOwn = "file" in named && router.find(key)?.isLiteral === true &&
      decodePath(names.pathOf(named.file) ?? "") === key;
    if (isOwn || crawl.isExcluded(key)) continue;
    if ("bad" in named) crawl.refuse("bad_name", key, named.bad);
    else if (crawl.takeName(named.file, key)) crawl.assets.push({ ...named, path: key, source });
  }
  crawl.total += crawl.assets.length;
  for (const setting of listing?.unlisted ?? []) crawl.warn("unlisted", setting);
  for (const start of new Set(crawl.options.only).difference(crawl.usedOnly)) {
    crawl.refuse("unused_only", start);
  }
  for (const start of new Set(crawl.options.exclude).difference(crawl.usedExcludes)) {
    crawl.warn("unused_exclude", start);
  }
}
