/**
 * What the commands find wrong with a project: one shape for all of them.
 *
 * @module
 */

import type { ExportProblemCode } from "@fw/fw";

/** Every code of a generation error, with its cause. */
export const problemCodes = [
  // Two parameters, or two catch-alls, of different names at one place of the URL.
  "E_AMBIGUOUS_SEGMENT",
  // A file name that differs from a convention by capitals, separators or its extension, or that is
  // another framework's.
  "E_BAD_FILE_NAME",
  // A `Kind` that is set to another literal than "page" or "api".
  "E_BAD_KIND",
  // A folder whose name no URL can carry, or a parameter name twice in one URL.
  "E_BAD_SEGMENT",
  // Two folders that are one where capitals do not count.
  "E_CASE_CLASH",
  // A page or a route below a catch-all folder.
  "E_CATCHALL_NOT_LEAF",
  // `CORS` in a page.
  "E_CORS_ON_PAGE",
  // Two declarations of `Kind` that would hold for the same folder.
  "E_DUPLICATE_KIND",
  // Two folders with one URL.
  "E_DUPLICATE_ROUTE",
  // `export *` in a convention file: what it exports cannot be read there.
  "E_EXPORT_ALL",
  // A page or a route in a dot folder other than .well-known.
  "E_HIDDEN_ROUTE",
  // not_found, error or setup in another folder than app/.
  "E_MISPLACED_FILE",
  // No app/ folder.
  "E_NO_APP",
  // A convention file without what it must export; also a re-export that leads nowhere.
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
  // A method that no file can serve, or that a page cannot.
  "E_UNROUTABLE_METHOD",
  // A method middleware that reaches no route serving that method.
  "E_UNUSED_METHOD_MIDDLEWARE",
] as const;

/** Every code of an error about islands that the generator does not look for, with its cause. */
export const islandCodes = [
  // An island's source, or what it imports, that cannot be bundled for a browser.
  "E_BUNDLE",
  // A file of somebody's own where a bundle goes.
  "E_BUNDLE_TAKEN",
  // `c.island` with a module that is not there.
  "E_NO_ISLAND",
] as const;

/** Every code of an error that a command finds after the generation, with its cause. */
const commandCodes = [
  // `deno compile` that fails.
  "E_BUILD",
  // An export that cannot start, or does not come to its end.
  "E_EXPORT",
  // `c.asset` with a file that is not there.
  "E_NO_ASSET",
  // The base of every executable cannot be had.
  "E_NO_BASE",
  // The bundler of islands cannot be had.
  "E_NO_BUNDLER",
  // `--include` with a file that is not there.
  "E_NO_INCLUDE",
  // An executable that does not answer as it should.
  "E_SMOKE",
  // A generated file or a bundle that is older than its sources.
  "E_STALE",
  // A `start` task by which the application cannot be built or exported.
  "E_START_TASK",
  // What the compiler refuses.
  "E_TYPES",
  // Bundles of islands that the development server made: a warning.
  "development_bundles",
  // A link of an exported page that leads nowhere.
  "broken_link",
] as const;

/** Every code of what keeps an application from running, with its cause. */
const failureCodes = [
  // A configuration file that Deno cannot read.
  "E_CONFIG",
  // A module that cannot be loaded: its syntax, or what it imports.
  "E_COMPILE",
  // An error while the application starts, or a file that the generator cannot read or write.
  "E_BOOT",
  // A process that ended after it had served.
  "E_CRASH",
] as const;

/** Every code of what an audit looks at, in the order in which it looks. */
export const auditCodes = [
  "settings",
  "env",
  "variables",
  "env-file",
  "secret",
  "token",
  "metrics",
  "trusted",
  "proxies",
  "hosts",
  "headers",
  "health",
  "generated",
  "kinds",
  "csrf",
  "sign-in",
  "guards",
  "start",
  "permissions",
  "env-access",
  "lock",
  "dependency-age",
  "versions",
  "deno",
  "lint",
  "types",
  "vulnerabilities",
] as const;

/** The code of something that an audit looks at. */
export type AuditCode = typeof auditCodes[number];

/** The code of a problem. */
export type ProblemCode =
  | typeof problemCodes[number]
  | typeof islandCodes[number]
  | typeof commandCodes[number]
  | typeof failureCodes[number]
  | AuditCode
  | ExportProblemCode;

/**
 * How bad a problem is: `critical` must not go into production, `error` keeps the command from its
 * work, `warning` should be looked at, `info` is good to know.
 */
export type Severity = "critical" | "error" | "warning" | "info";

/** Every severity, the worst first. */
export const severities: readonly Severity[] = ["critical", "error", "warning", "info"];

/** A place in a file of the project. */
export interface Place {
  /** The file or folder, relative to the project, with `/`. */
  readonly file: string;
  /** The line, from 1; absent where the whole file is meant. */
  readonly line?: number;
  /** The column, from 1. */
  readonly column?: number;
}

/** One thing that is wrong with a project, whatever command found it. */
export interface Problem {
  /** The code, which does not change with the language. */
  readonly code: ProblemCode;
  /** How bad it is. */
  readonly severity: Severity;
  /** Where; absent where it has no place in a file. */
  readonly place?: Place;
  /** What is wrong. */
  readonly message: string;
  /** What to do about it; absent where the message says it. */
  readonly fix?: string;
}

/** What is wrong and what to do, in the reader's language. */
export type ProblemText = Required<Pick<Problem, "message" | "fix">>;

/** A place in a file. */
export interface Position {
  /** The line, from 1. */
  readonly line: number;
  /** The column, from 1. */
  readonly column: number;
}

/** The place of what has none: a folder, or a whole file. */
export const startOfFile: Position = { line: 1, column: 1 };

/** Makes the problem of severity `error` at a place. */
export function errorAt(place: Place, code: ProblemCode, text: ProblemText): Problem {
  return { code, severity: "error", place, ...text };
}

/** Whether one of the problems makes a command fail. */
export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some(({ severity }) => severity === "critical" || severity === "error");
}

/** Puts problems in the order of their places and drops repeated ones. */
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

/** Orders by code units, the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
