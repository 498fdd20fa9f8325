import type { Messages } from "../../messages/catalog.ts";
import { type Problem, reportTo, sortProblems } from "../../problem.ts";
import type { Sources } from "../sources/sources.ts";
import {
  checkConventionFile,
  type CheckOptions,
  type ConventionFile,
  isWriteMethod,
} from "./convention_file.ts";
import { checkIslands, type IslandFile } from "./islands.ts";
import { checkNearFiles } from "./near_file.ts";
import { type AppFolder, scanApp } from "./scan.ts";
import { buildRoutes, type Route } from "./table.ts";

export interface RouteTable {
  /** The routes, sorted by pattern; incomplete if there are problems. */
  readonly routes: readonly Route[];
  /** The convention files directly in `app/`, by convention. */
  readonly rootFiles: ReadonlyMap<string, ConventionFile>;
  readonly islands: readonly IslandFile[];
  readonly problems: readonly Problem[];
}

export function scanRoutes(
  root: string,
  options: { readonly sources: Sources; readonly texts: Messages["problems"] },
): RouteTable {
  const { sources, texts } = options;
  const { app, problems: found } = scanApp(root, texts);
  if (app === undefined) {
    return { routes: [], rootFiles: new Map(), islands: [], problems: found };
  }
  const problems = [...found];
  const report = reportTo(problems);
  const files = checkFiles(app, { sources, texts, report });
  const routes = buildRoutes(app, { files, texts, report });
  const islands = checkIslands(root, { sources, texts, report });
  for (const file of sources.followed()) {
    for (const { line, column, message } of sources.read(file)?.exports.faults ?? []) {
      report({ file, line, column }, "E_PARSE", texts.parse(message));
    }
  }
  return { routes, rootFiles: filesOf(app, files), islands, problems: sortProblems(problems) };
}

function checkFiles(app: AppFolder, options: CheckOptions): Map<string, ConventionFile> {
  const files = new Map<string, ConventionFile>();
  const visit = (folder: AppFolder): void => {
    for (const [base, name] of folder.files) {
      const path = `${folder.path}/${name}`;
      files.set(path, checkConventionFile({ path, base }, options));
    }
    checkNearFiles(folder, options);
    folder.folders.forEach(visit);
  };
  visit(app);
  return files;
}

function filesOf(
  folder: AppFolder,
  files: ReadonlyMap<string, ConventionFile>,
): Map<string, ConventionFile> {
  const found = new Map<string, ConventionFile>();
  for (const [base, name] of folder.files) {
    const file = files.get(`${folder.path}/${name}`);
    if (file !== undefined) found.set(base, file);
  }
  return found;
}

/** A route as `routes --json` prints it. */
export interface RouteEntry {
  /** The methods with a handler, in the order of `Allow`; `HEAD` comes with `GET`. */
  readonly methods: readonly string[];
  readonly pattern: string;
  readonly params: readonly string[];
  readonly kind: "page" | "api";
  readonly source: string;
  /** The file whose `Kind` applies; absent without one, and for pages. */
  readonly kindSource?: string;
  readonly actions?: readonly string[];
  readonly layouts: readonly string[];
  readonly middleware: readonly string[];
  /**
   * How writes are guarded: `false` where the file turns the CSRF check off, `"site"` where no token is asked
   * for and cross-site requests with cookies are refused; absent where the token is checked, or nothing is
   * written.
   */
  readonly csrf?: false | "site";
}

export function describeRoute(route: Route): RouteEntry {
  const { methods, pattern, params, kind, file, kindFile, checksCsrf } = route;
  const hasKindFile = kindFile !== undefined && file.base !== "page";
  return {
    methods,
    pattern,
    params: params.map(({ name }) => name),
    kind,
    source: file.path,
    ...(file.actions.length > 0 ? { actions: file.actions } : {}),
    ...(hasKindFile ? { kindSource: kindFile.path } : {}),
    layouts: route.layouts.map(({ path }) => path),
    middleware: route.middleware.map(({ path }) => path),
    ...(checksCsrf ? siteCheck(route) : { csrf: false }),
  };
}

function siteCheck({ kind, methods }: Route): Pick<RouteEntry, "csrf"> {
  return kind === "api" && methods.some(isWriteMethod) ? { csrf: "site" } : {};
}
