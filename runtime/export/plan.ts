import { decodePath } from "../base/url/path.ts";
import { buildPath, parsePattern, type PatternParams } from "../base/url/pattern.ts";
import type { Application } from "../base/ctx/application.ts";
import type { Route } from "../base/ctx/route.ts";
import { hasExtension } from "./name.ts";
import { type ExportProblem, exportProblem, type SkippedRoute } from "./report.ts";

/** The maximum number of reported errors per `Paths`: one mistake often affects every entry. */
const maxErrorsOfRoute = 10;

/** One path to ask for. */
export interface ExportTarget {
  /** The path inside the application, escaped as in a URL. */
  readonly path: string;
  /** The same in canonical form. */
  readonly key: string;
  /** The route that serves it; `undefined` for a file of a source that cannot be listed. */
  readonly pattern: string | undefined;
  /** Whether it is a page. */
  readonly isPage: boolean;
}

/** What an export asks for. */
export interface ExportPlan {
  /** The paths, in the order of the routes. */
  readonly targets: readonly ExportTarget[];
  /** The routes that are left out. */
  readonly skipped: readonly SkippedRoute[];
  /** The routes with parameters whose paths are exported only when a page links to them. */
  readonly linked: readonly Route[];
  /** The errors. */
  readonly errors: readonly ExportProblem[];
  /** The exclusions that no route is below. */
  readonly unused: readonly string[];
}

/** Options for planning the export of the routes. */
export interface PlanOptions {
  /** The application, for `Paths`. */
  readonly app: Application;
  /** The paths that are left out with all below them. */
  readonly exclude: readonly string[];
  /** How many paths there may be. */
  readonly maxPages: number;
  /** The languages with which paths may start; none without `config.languagePrefix`. */
  readonly languages: readonly string[];
}

/** Reports whether a path or a pattern is one of those listed, or below one. */
export function isBelow(path: string, listed: readonly string[]): boolean {
  return listed.some((start) =>
    path === start || path.startsWith(start === "/" ? "/" : `${start}/`)
  );
}

/** Lists the paths of the routes, asking each `Paths` once. */
export async function planExport(
  routes: readonly Route[],
  options: PlanOptions,
): Promise<ExportPlan> {
  const planner = new Planner(options);
  for (const route of routes) await planner.add(route);
  return planner.finish();
}

class Planner {
  readonly #options: PlanOptions;
  readonly #targets: ExportTarget[] = [];
  readonly #skipped: SkippedRoute[] = [];
  readonly #linked: Route[] = [];
  readonly #errors: ExportProblem[] = [];
  readonly #usedExcludes: Set<string> = new Set();

  constructor(options: PlanOptions) {
    this.#options = options;
  }

  async add(route: Route): Promise<void> {
    const { page, methods, paths, pattern } = route;
    if (page === undefined && methods?.GET === undefined) return;
    if (this.#isExcluded(pattern)) return;
    const isPage = page !== undefined;
    const { names } = parsePattern(pattern);
    if (paths !== undefined) return await this.#ask(route, names);
    if (isPage) {
      if (names.length === 0) this.#push(route, {});
      else this.#skip(route, "no_paths");
    } else if (names.length === 0) {
      if (hasExtension(pattern)) this.#push(route, {});
      else this.#skip(route, "no_extension");
    } else if (/\{[^/]*\}$/.test(pattern) || hasExtension(pattern)) this.#linked.push(route);
    else this.#skip(route, "no_extension");
  }

  finish(): ExportPlan {
    return {
      targets: this.#targets,
      skipped: this.#skipped,
      linked: this.#linked,
      errors: this.#errors,
      unused: this.#options.exclude.filter((start) => !this.#usedExcludes.has(start)),
    };
  }

  #isExcluded(path: string): boolean {
    const found = this.#options.exclude.filter((start) => isBelow(path, [start]));
    for (const start of found) this.#usedExcludes.add(start);
    return found.length > 0;
  }

  #skip({ pattern, source = "" }: Route, reason: SkippedRoute["reason"]): void {
    this.#skipped.push({ pattern, source, reason });
  }

  async #ask(route: Route, names: readonly string[]): Promise<void> {
    const seen = new Set<string>();
    const maxErrors = this.#errors.length + maxErrorsOfRoute;
    let count = 0;
    try {
      const list: unknown = await route.paths?.(this.#options.app);
      if (!isIterable(list)) return this.#fail("paths_no_list", route);
      for await (const params of list) {
        // A list without end is not read on.
        if (++count > this.#options.maxPages) return this.#stop();
        if (this.#errors.length >= maxErrors) return;
        const path = this.#build(route, { names, params });
        if (path === undefined) continue;
        if (seen.has(path)) this.#fail("paths_duplicate", route, path);
        else if (!this.#isExcluded(path)) this.#push(route, params);
        seen.add(path);
      }
    } catch (error) {
      this.#fail("paths_failed", route, error instanceof Error ? error.message : String(error));
    }
  }

  #stop(): void {
    const detail = String(this.#options.maxPages);
    this.#errors.push(exportProblem("too_many", { subject: "", detail }));
  }

  #build(
    route: Route,
    given: { readonly names: readonly string[]; readonly params: unknown },
  ): string | undefined {
    const { names, params } = given;
    if (typeof params !== "object" || params === null) {
      return this.#fail("paths_value", route, show(params));
    }
    const missing = names.find((name) => !Object.hasOwn(params, name));
    if (missing !== undefined) return this.#fail("paths_missing", route, missing);
    const extra = Object.keys(params).find((name) => !names.includes(name));
    if (extra !== undefined) return this.#fail("paths_extra", route, extra);
    for (const [name, value] of Object.entries(params)) {
      if (isValue(value, { isRest: route.pattern.endsWith(`{${name}...}`) })) continue;
      return this.#fail("paths_value", route, `"${name}" as ${show(value)}`);
    }
    return this.#pathOf(route, params);
  }

  /** Returns the path, where the router would hand the same values back. */
  #pathOf(route: Route, params: object): string | undefined {
    try {
      const path = buildPath(route.pattern, params as PatternParams);
      if (decodePath(path) !== undefined) return path;
    } catch {
      // A value that no URL can carry: told below.
    }
    return this.#fail("paths_value", route, show(Object.values(params)));
  }

  #push(route: Route, params: unknown): void {
    const path = buildPath(route.pattern, params as PatternParams);
    const { pattern } = route;
    const isPage = route.page !== undefined;
    const key = decodePath(path) ?? path;
    this.#targets.push({ path, key, pattern, isPage });
    if (!isPage) return;
    for (const language of this.#options.languages) {
      const prefix = `/${language}`;
      const behind = key === "/" ? "" : key;
      this.#targets.push({ path: prefix + path, key: prefix + behind, pattern, isPage });
    }
  }

  #fail(code: ExportProblem["code"], route: Route, detail = ""): undefined {
    const { pattern, source } = route;
    const subject = source === undefined ? `"${pattern}"` : `"${pattern}" (${source})`;
    this.#errors.push(exportProblem(code, { subject, detail }));
  }
}

function isIterable(value: unknown): value is Iterable<unknown> | AsyncIterable<unknown> {
  // A string is iterable by letter, which is never intended.
  return typeof value === "object" && value !== null &&
    (Symbol.iterator in value || Symbol.asyncIterator in value);
}

/** Reports whether a value can be a part of a path, and of the name of a file. */
function isValue(value: unknown, options: { readonly isRest: boolean }): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "string" || !value.isWellFormed()) return false;
  // An escaped slash is a slash to most hosts: the file would lie one folder deeper.
  return options.isRest ? !/^\/|\/$|\/\//.test(value) : !value.includes("/");
}

function show(value: unknown): string {
  const text = typeof value === "bigint" ? String(value) : JSON.stringify(value) ?? String(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
