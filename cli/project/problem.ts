/**
 * What the generator refuses.
 *
 * @module
 */

/** Every code of a generation error. */
export const problemCodes = [
  "E_AMBIGUOUS_SEGMENT",
  "E_BAD_FILE_NAME",
  "E_BAD_KIND",
  "E_BAD_SEGMENT",
  "E_CASE_CLASH",
  "E_CATCHALL_NOT_LEAF",
  "E_CORS_ON_PAGE",
  "E_DUPLICATE_KIND",
  "E_DUPLICATE_ROUTE",
  "E_EXPORT_ALL",
  "E_HIDDEN_ROUTE",
  "E_MISPLACED_FILE",
  "E_NO_APP",
  "E_NO_ERROR_FUNC",
  "E_NO_KIND",
  "E_NO_LAYOUT_FUNC",
  "E_NO_METHOD",
  "E_NO_MIDDLEWARE_FUNC",
  "E_NO_NOT_FOUND_FUNC",
  "E_NO_PAGE_FUNC",
  "E_NO_SETUP_FUNC",
  "E_OUTSIDE_LINK",
  "E_PAGE_AND_ROUTE",
  "E_PARSE",
  "E_TWO_FILES",
  "E_UNROUTABLE_METHOD",
  "E_UNUSED_METHOD_MIDDLEWARE",
] as const;

/** The code of a generation error. */
export type ProblemCode = typeof problemCodes[number];

/** One generation error. */
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
  readonly mend: string;
}

/** What is wrong and what to do, in the reader's language. */
export interface ProblemText {
  /** What is wrong. */
  readonly message: string;
  /** What to do about it. */
  readonly mend: string;
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

/** Writes a problem as two lines: `file:line:column CODE message`, then the mend, indented. */
export function formatProblem(problem: Problem): string {
  const { file, line, column, code, message, mend } = problem;
  return `${file}:${line}:${column} ${code} ${message}\n    ${mend}\n`;
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
