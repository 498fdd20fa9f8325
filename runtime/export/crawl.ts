import type { Route } from "../base/ctx/route.ts";
import { thrownMessage } from "../base/diagnose/error_text.ts";
import {
  buildPath,
  canonicalText,
  decodePath,
  parsePattern,
  type PatternParams,
} from "../base/url/path.ts";
import { cutText } from "../base/values.ts";
import { createPipeline, type Pipeline } from "../pipeline/pipeline.ts";
import type { Runtime } from "../pipeline/runtime.ts";
import type { OutputFolder } from "./folder.ts";
import type { SitemapEntry, SiteRedirect } from "./made.ts";
import { fileName, findBadPart, findReserved, hasExtension, TakenNames } from "./names.ts";
import type { SettledOptions } from "./options.ts";
import type { PageLink } from "./page.ts";
import {
  type ExportedFile,
  type ExportProblem,
  exportProblem,
  type ExportProblemCode,
  type SkippedRoute,
} from "./report.ts";
import type { Site } from "./urls.ts";

const maxErrorsOfRoute = 10;
const maxPages = 50_000;

export interface ExportTarget {
  /** The path inside the application, escaped as in a URL. */
  readonly path: string;
  readonly key: string;
  /** `undefined` for a file of a source that cannot be listed. */
  readonly route: Pick<Route, "pattern" | "source"> | undefined;
  readonly isPage: boolean;
}

/** An export in progress: the requested paths and the known parts of the site. */
export class Crawl {
  declare readonly compiled: Runtime;
  declare readonly options: SettledOptions;
  declare readonly site: Site;
  declare readonly folder: OutputFolder;
  readonly pipeline: Pipeline;
  readonly names = new TakenNames();
  readonly waiting: ExportTarget[] = [];
  /** Routes without parameters and without an extension, which may be permanent redirects. */
  readonly untyped: Route[] = [];
  readonly assets: { readonly file: string; readonly path: string; readonly source: string }[] = [];
  /** Routes with parameters whose files no page has linked to yet, with their sources. */
  readonly unlinked = new Map<string, string>();
  /** The element ids by canonical path; `undefined` for a file and for a page whose failure is reported. */
  readonly reached = new Map<string, ReadonlySet<string> | undefined>();
  readonly linking: { readonly target: ExportTarget; readonly links: readonly PageLink[] }[] = [];
  readonly redirects: SiteRedirect[] = [];
  readonly listed: SitemapEntry[] = [];
  readonly files: ExportedFile[] = [];
  readonly skipped: SkippedRoute[] = [];
  readonly errors: ExportProblem[] = [];
  readonly warnings: ExportProblem[] = [];
  readonly #used = new Set<string>();
  #done = 0;
  #total = 0;

  constructor(parts: Pick<Crawl, "compiled" | "options" | "site" | "folder">) {
    Object.assign(this, parts);
    this.pipeline = createPipeline(parts.compiled);
  }

  refuse(code: ExportProblemCode, subject: string, detail = ""): void {
    this.errors.push(exportProblem(code, subject, detail));
  }

  fail(code: ExportProblemCode, { path, route }: ExportTarget, detail = ""): void {
    const source = route?.source ? { source: route.source } : {};
    this.errors.push({ ...exportProblem(code, path, detail), ...source });
  }

  warn(code: ExportProblemCode, subject: string, detail = ""): void {
    this.warnings.push(exportProblem(code, subject, detail));
  }

  addFile(file: ExportedFile): void {
    this.files.push(file);
    this.reached.set(`/${canonicalText(file.file)}`, undefined);
  }

  reportProgress(path: string): void {
    this.options.onProgress?.({ done: ++this.#done, total: this.#total, path });
  }

  /** Lists the paths of the routes, each `Paths` called once, and the static files. */
  async plan(): Promise<void> {
    for (const route of this.compiled.app.routes) await this.#addRoute(route);
    this.#addAssets();
    const { only, exclude } = this.options;
    for (const at of only) if (!this.#used.has(`only ${at}`)) this.refuse("unused_only", at);
    for (const at of exclude) if (!this.#used.has(`exclude ${at}`)) this.warn("unused_exclude", at);
  }

  async #addRoute(route: Route): Promise<void> {
    const { page, methods, paths, pattern, source = "" } = route;
    if (page === undefined && methods?.GET === undefined) return;
    if (this.#isExcluded(pattern)) return;
    const isPage = page !== undefined;
    const isFile = hasExtension(pattern);
    const isLiteral = !pattern.includes("{");
    if (paths !== undefined) await this.#addPaths(route);
    else if (isLiteral && (isPage || isFile)) this.#addPath(route, buildPath(pattern, {}));
    else if (!isPage && !isLiteral && (isFile || pattern.endsWith("}"))) {
      this.unlinked.set(pattern, source);
    } else if (this.isChosen(pattern)) {
      if (isLiteral) this.untyped.push(route);
      else this.skipped.push({ pattern, source, reason: isPage ? "no_paths" : "no_extension" });
    }
  }

  #isExcluded(path: string): boolean {
    return this.#isListed("exclude", (start) => isBelow(path, [start]));
  }

  isChosen(path: string): boolean {
    return this.options.only.length === 0 ||
      this.#isListed("only", (start) => start === "/" ? path === "/" : isBelow(path, [start]));
  }

  #isListed(list: "only" | "exclude", includes: (start: string) => boolean): boolean {
    const found = this.options[list].filter(includes);
    for (const start of found) this.#used.add(`${list} ${start}`);
    return found.length > 0;
  }

  async #addPaths(route: Route): Promise<void> {
    const { errors } = this;
    const { pattern, source } = route;
    const subject = source === undefined ? `"${pattern}"` : `"${pattern}" (${source})`;
    const seen = new Set<string>();
    const maxErrors = errors.length + maxErrorsOfRoute;
    let count = 0;
    try {
      const list: unknown = await route.paths?.(this.compiled.app);
      if (!isIterable(list)) return this.refuse("paths_failed", subject, "it returns no list");
      for await (const params of list) {
        // An endless list is not read further.
        if (++count > maxPages) return this.refuse("too_many", subject, String(maxPages));
        if (errors.length >= maxErrors) return;
        const path = readEntry(pattern, params);
        if (path === undefined) this.refuse("paths_value", subject, show(params));
        else if (seen.has(path)) this.refuse("paths_duplicate", subject, path);
        else this.#addPath(route, path);
        if (path !== undefined) seen.add(path);
      }
    } catch (error) {
      this.refuse("paths_failed", subject, thrownMessage(error));
    }
  }

  #addPath(route: Route, path: string): void {
    const { languages } = this.compiled;
    const isPage = route.page !== undefined;
    const key = decodePath(path) ?? path;
    if (this.#isExcluded(key) || !this.isChosen(key)) return;
    this.addTarget({ path, key, route, isPage });
    for (const language of isPage && languages?.hasPrefix === true ? languages.tags : []) {
      const own = `/${language}`;
      this.addTarget({ path: own + path, key: own + (key === "/" ? "" : key), route, isPage });
    }
  }

  /** Adds a target with its file name, or reports why the path cannot have one. */
  addTarget(target: ExportTarget): void {
    const { path, key, route, isPage } = target;
    const bad = findBadPart(target);
    if (bad !== undefined) return this.refuse("bad_name", path, bad);
    const file = fileName(target);
    // The developer chose the name of a literal route, so reserved names are allowed.
    const taken = route?.pattern.includes("{") === true ? findReserved(file) : undefined;
    if (taken !== undefined) return this.refuse("reserved_name", path, taken);
    if (!this.takeName(file, path)) return;
    if (isPage) this.site.pageKeys.add(key);
    this.waiting.push(target);
    this.#total++;
  }

  takeName(file: string, path: string): boolean {
    const other = this.names.take(file, path);
    if (other !== undefined) this.refuse("collision", path, other);
    return other === undefined;
  }

  #addAssets(): void {
    const { compiled: { files, router }, names } = this;
    const listing = files?.list();
    for (const [key, { path: source }] of listing?.files ?? []) {
      const bad = findBadPart({ key, isPage: false });
      const file = fileName({ key, isPage: false });
      // A literal route takes precedence over a file, as it does on the server.
      const isOwn = router.find(key)?.isLiteral === true &&
        decodePath(names.pathOf(file) ?? "") === key;
      if (isOwn || this.#isExcluded(key)) continue;
      if (bad !== undefined) this.refuse("bad_name", key, bad);
      else if (this.takeName(file, key)) this.assets.push({ file, path: key, source });
    }
    this.#total += this.assets.length;
    for (const setting of listing?.unlisted ?? []) this.warn("unlisted", setting);
  }
}

export function isBelow(path: string, listed: readonly string[]): boolean {
  return listed.some((start) =>
    path === start || path.startsWith(start === "/" ? "/" : `${start}/`)
  );
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
  return cutText(text, 100);
}
