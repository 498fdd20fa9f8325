/** The problems that commands find in a project. All commands use the same shape. */

import type { ExportProblemCode } from "@fw/fw";
import { escapeLines } from "@fw/fw/addon";

export const problemCodes = [
  // Two parameters, or two catch-alls, with different names at one place of the URL.
  "E_AMBIGUOUS_SEGMENT",
  // An `Actions` that is not an object literal of functions.
  "E_BAD_ACTIONS",
  // A file name that differs from a convention in case, separators or extension, or that belongs to
  // another framework.
  "E_BAD_FILE_NAME",
  // A `CSRF` with another value than `false`.
  "E_BAD_CSRF",
  // A `Kind` with another literal than "page" or "api".
  "E_BAD_KIND",
  // A folder whose name no URL can contain, or a parameter name twice in one URL.
  "E_BAD_SEGMENT",
  // Two folders whose names differ only in case.
  "E_CASE_CLASH",
  // A page or a route below a catch-all folder.
  "E_CATCHALL_NOT_LEAF",
  // `CORS` in a page.
  "E_CORS_ON_PAGE",
  // Two declarations of `Kind` for the same folder.
  "E_DUPLICATE_KIND",
  // Two folders with one URL.
  "E_DUPLICATE_ROUTE",
  // `export *` in a convention file, whose exports cannot be read.
  "E_EXPORT_ALL",
  // A page or a route in a dot folder other than .well-known.
  "E_HIDDEN_ROUTE",
  // `CORS` or `CSRF` in a file that serves no route, `Actions` in one that is not a page, or
  // `Middleware` in one that is not a middleware.ts.
  "E_MISPLACED_EXPORT",
  // not_found, error or setup outside app/ itself.
  "E_MISPLACED_FILE",
  // No app/ folder.
  "E_NO_APP",
  // A convention file without a required export, or with a broken re-export.
  "E_NO_ERROR_FUNC",
  "E_NO_ISLAND_FUNC",
  "E_NO_KIND",
  "E_NO_LAYOUT_FUNC",
  "E_NO_METHOD",
  "E_NO_MIDDLEWARE_FUNC",
  "E_NO_NOT_FOUND_FUNC",
  "E_NO_PAGE_FUNC",
  "E_NO_SETUP_FUNC",
  // A link that leads out of app/.
  "E_OUTSIDE_LINK",
  // A page and a route in one folder, or in one file.
  "E_PAGE_AND_ROUTE",
  // A convention file, a file it re-exports from, or deno.json does not parse.
  "E_PARSE",
  // page.ts beside page.tsx, and so on.
  "E_TWO_FILES",
  // A method that no file can serve, or no page.
  "E_UNROUTABLE_METHOD",
  // A method middleware without a route that serves the method.
  "E_UNUSED_METHOD_MIDDLEWARE",
] as const;

/** The codes of errors about islands that the generator does not check. */
export const islandCodes = [
  // An island's source, or an import of it, that cannot be bundled for a browser.
  "E_BUNDLE",
  // A file in the place of a bundle that was not generated.
  "E_BUNDLE_TAKEN",
  // `c.island` with a module that does not exist.
  "E_NO_ISLAND",
] as const;

const commandCodes = [
  // A file that `deno fmt` would change.
  "E_FORMAT",
  // A finding of the linter.
  "E_LINT",
  // A test that failed.
  "E_TEST",
  // A failure of `deno compile`.
  "E_BUILD",
  // An export that cannot start or did not finish.
  "E_EXPORT",
  // `c.asset` with a file that does not exist.
  "E_NO_ASSET",
  // The base executable is not available.
  "E_NO_BASE",
  // The bundler of islands is not available.
  "E_NO_BUNDLER",
  // A migration with a wrong name or number, that fails, or that was changed after it was applied.
  "E_MIGRATION",
  // `--include` with a path that does not exist.
  "E_NO_INCLUDE",
  // A default output folder that a link leads out of the project.
  "E_OUTPUT_LINK",
  // An executable that failed its test.
  "E_SMOKE",
  // A generated file or a bundle that is out of date.
  "E_STALE",
  // A `start` task that cannot be used to build or export the application.
  "E_START_TASK",
  // A link or form of a page that leads nowhere without a script.
  "E_NO_SCRIPT",
  // A rule of a file above the limit of its body: a warning.
  "E_FILE_LIMIT",
  // A message that no source uses, or a language that a catalog lacks: a warning.
  "E_CATALOG",
  // A difference between policy.txt and the code.
  "E_POLICY",
  // A type error.
  "E_TYPES",
  // Bundles made by the development server: a warning.
  "development_bundles",
  // A broken link of an exported page.
  "broken_link",
  // A change of the API that breaks clients of an older document.
  "breaking_change",
  // A change of the API that does not.
  "api_change",
  // An executable without the API document: a warning.
  "no_api_document",
] as const;

const openApiCodes = [
  // A directive in a doc comment that cannot be read.
  "E_OPENAPI_DIRECTIVE",
  // A handler whose responses cannot be read: a warning.
  "E_OPENAPI_RESPONSE",
  // A schema whose rules cannot be read: a warning.
  "E_OPENAPI_SCHEMA",
  // A document that differs from the code.
  "E_OPENAPI_STALE",
  // An older document that cannot be compared with.
  "E_AGAINST",
  // A response whose status is not a literal.
  "E_OPENAPI_STATUS",
  // A type that nothing declares.
  "E_OPENAPI_TYPE",
] as const;

const failureCodes = [
  // A configuration file that Deno cannot read.
  "E_CONFIG",
  // A module that cannot be loaded: a syntax error, or a broken import.
  "E_COMPILE",
  // An error at boot, or a file that the generator cannot read or write.
  "E_BOOT",
  // A process that ended after it had served requests.
  "E_CRASH",
] as const;

export const auditCodes = [
  "settings",
  "env",
  "variables",
  "env-file",
  "secret",
  "token",
  "metrics",
  "trusted",
  "incidents",
  "proxies",
  "hosts",
  "headers",
  "health",
  "generated",
  "kinds",
  "csrf",
  "sign-in",
  "guards",
  "sign-in-limits",
  "shared-cache",
  "replicas",
  "contrast",
  "sockets",
  "start",
  "permissions",
  "env-access",
  "net-access",
  "schema",
  "lock",
  "dependency-age",
  "versions",
  "deno",
  "lint",
  "types",
  "vulnerabilities",
] as const;

export type AuditCode = typeof auditCodes[number];

export type ProblemCode =
  | typeof problemCodes[number]
  | typeof islandCodes[number]
  | typeof commandCodes[number]
  | typeof openApiCodes[number]
  | typeof failureCodes[number]
  | AuditCode
  | ExportProblemCode;

/**
 * How serious a problem is: `critical` must not go into production, `error` makes the command fail,
 * `warning` should be looked at, `info` is good to know.
 */
export type Severity = "critical" | "error" | "warning" | "info";

/** The severities, most serious first. */
export const severities: readonly Severity[] = ["critical", "error", "warning", "info"];

/** Returns the name of a file or folder as one line, with what a terminal would obey escaped. */
export function shownName(name: string): string {
  return escapeLines(name).replaceAll("\t", "\\u0009").replaceAll("\n", "\\u000a");
}

/** Cuts a string that is too long for a line; the `…` counts. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

export interface Place {
  /** The file or folder, relative to the project, with `/`. */
  readonly file: string;
  /** The line, from 1; absent for a whole file. */
  readonly line?: number;
  readonly column?: number;
}

export interface Problem {
  /** The code, the same in every language. */
  readonly code: ProblemCode;
  readonly severity: Severity;
  /** Location; absent if the problem has no place in a file. */
  readonly place?: Place;
  readonly message: string;
  /** Suggested fix; absent if the message says it. */
  readonly fix?: string;
}

export type ProblemText = Required<Pick<Problem, "message" | "fix">>;

export interface Position {
  readonly line: number;
  readonly column: number;
}

export const startOfFile: Position = { line: 1, column: 1 };

export function errorAt(place: Place, code: ProblemCode, text: ProblemText): Problem {
  return { code, severity: "error", place, ...text };
}

/** Reports an error at a place; a file alone stands for its start. */
export type Report = (at: string | Place, code: ProblemCode, text: ProblemText) => void;

export function reportTo(problems: Problem[]): Report {
  return (at, code, text) => {
    const place = typeof at === "string" ? { file: at, ...startOfFile } : at;
    problems.push(errorAt(place, code, text));
  };
}

/** Reports whether one of the problems makes a command fail. */
export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some(({ severity }) => severity === "critical" || severity === "error");
}

export function sortProblems(problems: readonly Problem[]): Problem[] {
  const seen = new Map(problems.map((problem) => [JSON.stringify(problem), problem]));
  return [...seen.values()].sort((a, b) =>
    comparePlaces(a.place, b.place) || compareText(a.code, b.code)
  );
}

function comparePlaces(a: Place | undefined, b: Place | undefined): number {
  return compareText(a?.file ?? "", b?.file ?? "") || (a?.line ?? 0) - (b?.line ?? 0) ||
    (a?.column ?? 0) - (b?.column ?? 0);
}

/** Compares by code units, so that the order is the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
