import type { Application } from "../base/ctx/application.ts";
import type { Route } from "../base/ctx/route.ts";
import { decodePath } from "../base/url/path.ts";
import { buildPath, parsePattern, type PatternParams } from "../base/url/pattern.ts";
import { hasExtension } from "./names.ts";
import { type ExportProblem, exportProblem, type SkippedRoute } from "./report.ts";

const maxErrorsOfRoute = 10;

export interface ExportTarget {
  /** The path inside the application, escaped as in a URL. */
  readonly path: string;
  readonly key: string;
  /** The pattern of its route; `undefined` for a file of a source that cannot be listed. */
  readonly pattern: string | undefined;
  readonly isPage: boolean;
}

export interface ExportPlan {
  readonly targets: ExportTarget[];
  readonly skipped: SkippedRoute[];
  readonly linked: Route[];
  readonly errors: ExportProblem[];
  readonly usedExcludes: Set<string>;
}

interface PlanOptions {
  readonly app: Application;
  readonly exclude: readonly string[];
  readonly maxPages: number;
  readonly languages: readonly string[];
}

export function isBelow(path: string, listed: readonly string[]): boolean {
  return listed.some((start) =>
    path === start || path.startsWith(start === "/" ? "/" : `${start}/`)
  );
}

/** Lists the paths of the routes; calls each `Paths` once. */
export async function planExport(
  routes: readonly Route[],
  options: PlanOptions,
): Promise<ExportPlan> {
  const plan: ExportPlan = {
    targets: [],
    skipped: [],
    linked: [],
    errors: [],
    usedExcludes: new Set(),
  };
  for (const route of routes) {
    const { page, methods, paths, pattern, source = "" } = route;
    if (page === undefined && methods?.GET === undefined) continue;
    if (isExcluded(pattern, plan, options)) continue;
    const { names } = parsePattern(pattern);
    if (paths !== undefined) await addPaths(route, names, plan, options);
    else if (names.length === 0 && (page !== undefined || hasExtension(pattern))) {
      addTarget(route, {}, plan, options);
    } else if (page !== undefined) plan.skipped.push({ pattern, source, reason: "no_paths" });
    else if (names.length > 0 && (/\{[^/]*\}$/.test(pattern) || hasExtension(pattern))) {
      plan.linked.push(route);
    } else plan.skipped.push({ pattern, source, reason: "no_extension" });
  }
  return plan;
}

function isExcluded(path: string, plan: ExportPlan, { exclude }: PlanOptions): boolean {
  const found = exclude.filter((start) => isBelow(path, [start]));
  for (const start of found) plan.usedExcludes.add(start);
  return found.length > 0;
}

function addTarget(route: Route, params: unknown, plan: ExportPlan, options: PlanOptions): void {
  const { pattern } = route;
  const path = buildPath(pattern, params as PatternParams);
  const isPage = route.page !== undefined;
  const key = decodePath(path) ?? path;
  plan.targets.push({ path, key, pattern, isPage });
  for (const language of isPage ? options.languages : []) {
    const prefix = `/${language}`;
    const inside = key === "/" ? "" : key;
    plan.targets.push({ path: prefix + path, key: prefix + inside, pattern, isPage });
  }
}

async function addPaths(
  route: Route,
  names: readonly string[],
  plan: ExportPlan,
  options: PlanOptions,
): Promise<void> {
  const { errors } = plan;
  const fail = (code: ExportProblem["code"], detail = ""): void => {
    const { pattern, source } = route;
    const subject = source === undefined ? `"${pattern}"` : `"${pattern}" (${source})`;
    errors.push(exportProblem(code, subject, detail));
  };
  const seen = new Set<string>();
  const maxErrors = errors.length + maxErrorsOfRoute;
  let count = 0;
  try {
    const list: unknown = await route.paths?.(options.app);
    if (!isIterable(list)) return fail("paths_no_list");
    for await (const params of list) {
      // An endless list is not read on.
      if (++count > options.maxPages) {
        return void errors.push(exportProblem("too_many", "", String(options.maxPages)));
      }
      if (errors.length >= maxErrors) return;
      const built = buildEntry(route, names, params);
      if ("code" in built) {
        fail(built.code, built.detail);
        continue;
      }
      if (seen.has(built.path)) fail("paths_duplicate", built.path);
      else if (!isExcluded(built.path, plan, options)) addTarget(route, params, plan, options);
      seen.add(built.path);
    }
  } catch (error) {
    fail("paths_failed", error instanceof Error ? error.message : String(error));
  }
}

type BuiltEntry =
  | { readonly path: string }
  | { readonly code: ExportProblem["code"]; readonly detail: string };

function buildEntry(route: Route, names: readonly string[], params: unknown): BuiltEntry {
  if (typeof params !== "object" || params === null) {
    return { code: "paths_value", detail: show(params) };
  }
  const missing = names.find((name) => !Object.hasOwn(params, name));
  if (missing !== undefined) return { code: "paths_missing", detail: missing };
  const extra = Object.keys(params).find((name) => !names.includes(name));
  if (extra !== undefined) return { code: "paths_extra", detail: extra };
  for (const [name, value] of Object.entries(params)) {
    if (isValue(value, { isRest: route.pattern.endsWith(`{${name}...}`) })) continue;
    return { code: "paths_value", detail: `"${name}" as ${show(value)}` };
  }
  try {
    const path = buildPath(route.pattern, params as PatternParams);
    // Only where the router returns the same values.
    if (decodePath(path) !== undefined) return { path };
  } catch {
    // A value that no URL can hold.
  }
  return { code: "paths_value", detail: show(Object.values(params)) };
}

function isIterable(value: unknown): value is Iterable<unknown> | AsyncIterable<unknown> {
  // A string is iterable by letter, which is never intended.
  return typeof value === "object" && value !== null &&
    (Symbol.iterator in value || Symbol.asyncIterator in value);
}

function isValue(value: unknown, options: { readonly isRest: boolean }): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "string" || !value.isWellFormed()) return false;
  // Most hosts read an escaped slash as a slash: the file would lie one folder deeper.
  return options.isRest ? !/^\/|\/$|\/\//.test(value) : !value.includes("/");
}

function show(value: unknown): string {
  const text = typeof value === "bigint" ? String(value) : JSON.stringify(value) ?? String(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
