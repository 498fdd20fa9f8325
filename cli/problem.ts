/**
 * What the generator refuses.
 *
 * @module
 */

import { escapeLines } from "@fw/fw/conventions";

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

/** Every code of an error that `build` alone looks for, with its cause. */
const buildCodes = [
  // `c.asset` with a file that is not there.
  "E_NO_ASSET",
] as const;

/** Every code of an error in a template, which `gen --check` alone looks for. */
const templateCodes = [
  // A template that cannot be parsed or escaped.
  "E_TEMPLATE",
  // A member that the type of the data does not have.
  "E_TEMPLATE_MEMBER",
] as const;

/** The code of an error. */
export type ProblemCode =
  | typeof problemCodes[number]
  | typeof islandCodes[number]
  | typeof buildCodes[number]
  | typeof templateCodes[number];

/** One error in the project's files. */
export interface Problem {
  /** The file or folder, relative to the project, with `/`. */
  readonly file: string;
  /** The line, from 1. */
  readonly line: number;
  /** The column, from 1. */
  readonly column: number;
  /** The code, which does not change with the language. */
  readonly code: ProblemCode;
  /** What is wrong. */
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
}

/** What is wrong and what to do, in the reader's language. */
export interface ProblemText {
  /** What is wrong. */
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
}

/** A place in a file. */
export interface Position {
  /** The line, from 1. */
  readonly line: number;
  /** The column, from 1. */
  readonly column: number;
}

/** The place of what has none: a folder, or a whole file. */
export const startOfFile: Position = { line: 1, column: 1 };

/**
 * Writes a problem as two lines: `file:line:column CODE message`, then the fix, indented. What a
 * terminal would obey in a name is escaped: the project may be somebody else's.
 */
export function formatProblem(problem: Problem): string {
  const { file, line, column, code, message, fix } = problem;
  const place = `${oneLine(file)}:${line}:${column}`;
  return `${place} ${code} ${indented(message)}\n    ${indented(fix)}\n`;
}

/** A line of a text never looks like the next problem. */
function indented(text: string): string {
  return escapeLines(text).replaceAll("\n", "\n    ");
}

function oneLine(name: string): string {
  return escapeLines(name).replaceAll("\n", "\\u000a");
}

/** Puts problems in the order of their places and drops repeated ones. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  const seen = new Map<string, Problem>();
  for (const problem of problems) {
    const { file, line, column, code, message } = problem;
    seen.set(`${file}\n${line}\n${column}\n${code}\n${message}`, problem);
  }
  return [...seen.values()].sort((a, b) =>
    compareText(a.file, b.file) || a.line - b.line || a.column - b.column ||
    compareText(a.code, b.code)
  );
}

/** Orders by code units, the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
