/**
 * Prints problems: one form for people and one for programs, whatever command found them.
 *
 * @module
 */
import { type Io, type Paint, paintFor } from "./io.ts";
import { type Messages, messagesOf } from "./messages/catalog.ts";
import type { Place, Problem } from "./problem.ts";
import { escapeLines } from "@fw/fw/addon";

/** What a problem may carry for people besides its members. */
export interface ProblemDetails {
  /** Lines between the message and the fix, such as the code around the place. @default [] */
  readonly details?: readonly string[];
}

/** How {@linkcode formatProblems} words and colours problems. */
export interface FormatOptions {
  /** The catalogue. */
  readonly messages: Messages;
  /** The terminal's colours. */
  readonly paint: Paint;
  /** How many places of one problem are shown. @default all */
  readonly maxPlaces?: number;
}

/**
 * Formats problems as `file:line:column CODE: message`, with the fix below, indented. The severity
 * comes before the code where it is not `error`. Problems that differ only in their places are one.
 * Control characters of names and messages are escaped, since the project may be somebody else's.
 */
export function formatProblems(
  problems: readonly (Problem & ProblemDetails)[],
  options: FormatOptions,
): string {
  const groups = new Map<string, [Problem & ProblemDetails, Place[]]>();
  for (const problem of problems) {
    const { place, code, severity, message, fix, details = [] } = problem;
    const key = JSON.stringify([code, severity, message, fix, details]);
    const group: [Problem & ProblemDetails, Place[]] = groups.get(key) ?? [problem, []];
    if (place !== undefined) group[1].push(place);
    groups.set(key, group);
  }
  return [...groups.values()].map(([problem, places]) => formatGroup(problem, places, options))
    .join("");
}

function formatGroup(
  problem: Problem & ProblemDetails,
  places: readonly Place[],
  { messages: { printed }, paint, maxPlaces = places.length }: FormatOptions,
): string {
  const { severity, code, message, fix, details = [] } = problem;
  const [first, ...others] = places.map(placeText);
  const word = printed.severity[severity];
  const hidden = Math.max(0, places.length - maxPlaces);
  const head = [
    ...(first === undefined ? [] : [paint.bold(first)]),
    ...(severity === "error" ? [] : [severity === "critical" ? paint.red(word) : word]),
    `${code}: ${escapeLines(message)}`,
  ].join(" ");
  const lines = [
    head,
    ...details,
    ...others.slice(0, others.length - hidden).map((place) => printed.also(place)),
    ...(hidden === 0 ? [] : [printed.more(hidden)]),
    ...(fix === undefined ? [] : [`${paint.green(printed.fix)}: ${escapeLines(fix)}`]),
  ];
  // A line of a text never looks like the next problem.
  return `${lines.join("\n").replaceAll("\n", "\n    ")}\n`;
}

/** Formats a place as `file:line:column`, on one line. */
function placeText({ file, line, column }: Place): string {
  const name = escapeLines(file).replaceAll("\n", "\\u000a");
  return [name, line, column].filter((part) => part !== undefined).join(":");
}

/** Prints problems on standard error. */
export function printProblems(problems: readonly Problem[], io: Io): void {
  io.stderr(formatProblems(problems, { messages: messagesOf(io), paint: paintFor(io) }));
}

/** What every command prints with `--json`; each adds members of its own. */
export interface JsonReport {
  /** Whether the command did what it was asked for: its exit code is 0. */
  readonly ok: boolean;
  /** What is wrong, in the order in which people see it. */
  readonly problems: readonly Problem[];
}

/** Prints a report for programs on standard output. */
export function printJson(report: JsonReport & Readonly<Record<string, unknown>>, io: Io): void {
  const problems = report.problems.map(({ code, severity, place, message, fix }) => ({
    code,
    severity,
    place,
    message,
    fix,
  }));
  io.stdout(`${JSON.stringify({ ...report, problems }, null, 2)}\n`);
}
