import type { Messages } from "../../messages/catalog.ts";
import { type Problem, reportTo, sortProblems } from "../../problem.ts";
import { type CheckOptions, type ConventionFile, isWriteMethod } from "./convention_file.ts";
import { Names } from "../sources/names.ts";
import { checkIslands, type IslandFile } from "./islands.ts";
import { scanApp } from "./scan.ts";
import { buildRoutes, type Route } from "./table.ts";

export interface RouteTable {
  /** The routes, sorted by pattern; incomplete if there are problems. */
  readonly routes: readonly Route[];
  readonly rootFiles: ReadonlyMap<string, ConventionFile>;
  readonly islands: readonly IslandFile[];
  readonly problems: readonly Problem[];
}

export function scanRoutes(
  root: string,
  { sources, texts }: Omit<CheckOptions, "origins" | "report">,
): RouteTable {
  const problems: Problem[] = [];
  const report = reportTo(problems);
  const origins = new Names(sources);
  const options = { origins, sources, texts, report };
  const app = scanApp(root, options);
  if (app === undefined) return { routes: [], rootFiles: new Map(), islands: [], problems };
  const routes = buildRoutes(app, options);
  const islands = checkIslands(root, options);
  for (const file of origins.followed) {
    for (const { line, column, message } of sources.read(file)?.exports.faults ?? []) {
      report({ file, line, column }, "E_PARSE", texts.parse(message));
    }
  }
  return { routes, rootFiles: app.files, islands, problems: sortProblems(problems) };
}

export interface RouteEntry {
  /** The methods with a handler, in the order of `Allow`; `GET` implies `HEAD`. */
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
   * The CSRF protection: `false` if the file turns it off, `"site"` if cross-site requests with
   * cookies are refused without a token; absent if the token is checked or no method writes.
   */
  readonly csrf?: false | "site";
}

export function describeRoute(route: Route): RouteEntry {
  const { methods, pattern, params, kind, file, kindFile, checksCsrf } = route;
  const csrf = !checksCsrf
    ? false
    : kind === "api" && methods.some(isWriteMethod)
    ? "site"
    : undefined;
  // The POST of an action has its own entry; without the action the page refuses it.
  const isOwn = (method: string): boolean => method !== "POST" || file.names.has(method);
  return {
    methods: methods.filter((method) => file.actions.length === 0 || isOwn(method)),
    pattern,
    params: params.map(({ name }) => name),
    kind,
    source: file.path,
    ...(file.actions.length > 0 ? { actions: file.actions } : {}),
    ...(kindFile !== undefined && file.base !== "page" ? { kindSource: kindFile.path } : {}),
    layouts: route.layouts.map(({ path }) => path),
    middleware: route.middleware.map(({ path }) => path),
    ...(csrf === undefined ? {} : { csrf }),
  };
}

export function routeList(
  entries: readonly RouteEntry[],
  options: { readonly messages: Messages; readonly paint?: (text: string) => string },
): string {
  const { messages, paint = (text: string): string => text } = options;
  const { routesHeaders: headers, routesNoCsrf, routesSiteCsrf } = messages;
  const rows = entries.flatMap(({ methods, pattern, actions = [], source, csrf }) => {
    const note = csrf === false ? routesNoCsrf : routesSiteCsrf;
    const place = csrf === undefined ? source : `${source} (${note})`;
    return [
      [methods.join(","), pattern, place],
      // The names in the log and the metrics.
      ...actions.map((name) => ["POST", `${pattern}?/${name}`, place]),
    ];
  });
  const widths = headers.map((header, column) =>
    Math.max(header.length, ...rows.map((row) => row[column]?.length ?? 0))
  );
  const line = (cells: readonly string[]): string =>
    cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd();
  return [paint(line(headers)), ...rows.map(line)].join("\n") + "\n";
}
