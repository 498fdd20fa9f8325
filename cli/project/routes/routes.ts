/**
 * Reads the routes of a project, with all that their folders give them, and everything that is wrong
 * with the files of `app/` and `islands/`.
 *
 * @module
 */
import type { Messages } from "../../messages/catalog.ts";
import { errorAt, type Problem, sortProblems } from "../../problem.ts";
import type { Sources } from "../sources/sources.ts";
import { checkConventionFile, type CheckOptions, type ConventionFile } from "./convention_file.ts";
import { checkIslands, type IslandFile } from "./islands.ts";
import { checkNearFiles } from "./near_file.ts";
import { type AppFolder, scanApp } from "./scan.ts";
import { buildRoutes, type Route } from "./table.ts";

/** The routes of a project. */
export interface RouteTable {
  /** The routes in the order of their patterns; not all of them where there are problems. */
  readonly routes: readonly Route[];
  /** The convention files directly in `app/`, by their convention. */
  readonly rootFiles: ReadonlyMap<string, ConventionFile>;
  /** The islands with a source of their own, in the order of their names. */
  readonly islands: readonly IslandFile[];
  /** Everything that is wrong, in the order of its places. */
  readonly problems: readonly Problem[];
}

/**
 * Reads the routes of a project.
 *
 * @param root The project's folder, absolute.
 * @param options The project's sources, and the texts of problems.
 */
export function readRoutes(
  root: string,
  options: { readonly sources: Sources; readonly texts: Messages["problems"] },
): RouteTable {
  const { sources, texts } = options;
  const { app, problems: found } = scanApp(root, texts);
  if (app === undefined) {
    return { routes: [], rootFiles: new Map(), islands: [], problems: found };
  }
  const problems = [...found];
  const files = checkFiles(app, { sources, texts, problems });
  const routes = buildRoutes(app, { files, texts, problems });
  const islands = checkIslands(root, { sources, texts, problems });
  for (const file of sources.followed()) {
    for (const { line, column, message } of sources.read(file)?.exports.faults ?? []) {
      problems.push(errorAt({ file, line, column }, "E_PARSE", texts.parse(message)));
    }
  }
  return { routes, rootFiles: filesOf(app, files), islands, problems: sortProblems(problems) };
}

/** Checks every convention file of a folder and of all below it. */
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

/** The checked files of one folder by their convention. */
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

/** One route as `routes --json` prints it. */
export interface RouteEntry {
  /** The methods that have a handler, in the order of `Allow`; `HEAD` goes with `GET`. */
  readonly methods: readonly string[];
  /** The template, such as `/blog/{slug}`. */
  readonly pattern: string;
  /** The parameters of the template, in order. */
  readonly params: readonly string[];
  /** Whether it is for browsers or for programs. */
  readonly kind: "page" | "api";
  /** The file that declares it, relative to the project, with `/`. */
  readonly source: string;
  /** The file whose `Kind` holds for it; absent where none is declared, and for pages. */
  readonly kindSource?: string;
  /** The files of its layouts, outermost first. */
  readonly layouts: readonly string[];
  /** The files of its middleware, outermost first. */
  readonly middleware: readonly string[];
  /** Whether a file turned the check of the CSRF token off; absent where it did not. */
  readonly csrf?: false;
}

/** Describes a route for a reader outside this process. */
export function describeRoute(route: Route): RouteEntry {
  const { methods, pattern, params, kind, file, kindFile, checksCsrf } = route;
  const hasKindFile = kindFile !== undefined && file.base !== "page";
  return {
    methods,
    pattern,
    params: params.map(({ name }) => name),
    kind,
    source: file.path,
    ...(hasKindFile ? { kindSource: kindFile.path } : {}),
    layouts: route.layouts.map(({ path }) => path),
    middleware: route.middleware.map(({ path }) => path),
    ...(checksCsrf ? {} : { csrf: false }),
  };
}
