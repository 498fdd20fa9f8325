/** The problems that commands find in a project. All commands use the same shape. */

import { escapeLines } from "@fw/fw/addon";

/**
 * How serious a problem is: `critical` must not reach production, `error` makes the command fail,
 * `warning` needs attention, `info` is a note.
 */
export type Severity = "critical" | "error" | "warning" | "info";

/** The severities, most serious first. */
export const severities: readonly Severity[] = ["critical", "error", "warning", "info"];

/** Returns the name of a file or folder on one line, with control characters escaped. */
export function shownName(name: string): string {
  return escapeLines(name).replaceAll("\t", "\\u0009").replaceAll("\n", "\\u000a");
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
  readonly code: string;
  readonly severity: Severity;
  /** Location; absent if the problem has no place in a file. */
  readonly place?: Place;
  readonly message: string;
  /** Suggested fix; absent if the message contains it. */
  readonly fix?: string;
}

export type ProblemText = Required<Pick<Problem, "message" | "fix">>;

export interface Position {
  readonly line: number;
  readonly column: number;
}

export const startOfFile: Position = { line: 1, column: 1 };

export function errorAt(place: Place, code: string, text: ProblemText): Problem {
  return { code, severity: "error", place, ...text };
}

/** Reports an error at a place; a file alone stands for its start. */
export type Report = (at: string | Place, code: string, text: ProblemText) => void;

export function reportTo(problems: Problem[]): Report {
  return (at, code, text) => {
    const place = typeof at === "string" ? { file: at, ...startOfFile } : at;
    problems.push(errorAt(place, code, text));
  };
}

/** Reports whether a problem makes a command fail. */
export function isError({ severity }: Problem): boolean {
  return severity === "critical" || severity === "error";
}

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some(isError);
}

export function sortProblems(problems: readonly Problem[]): Problem[] {
  const seen = new Map(problems.map((problem) => [JSON.stringify(problem), problem]));
  return [...seen.values()].sort(({ place: a, code }, { place: b, code: other }) =>
    compareText(a?.file ?? "", b?.file ?? "") || (a?.line ?? 0) - (b?.line ?? 0) ||
    (a?.column ?? 0) - (b?.column ?? 0) || compareText(code, other)
  );
}

/** Compares by code units, so that the order is independent of the locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
