import { cutText, escapeLines } from "@fw/fw/addon";
import { type Io, type Paint, paintFor } from "./io.ts";
import { type Messages, messagesOf } from "./messages/catalog.ts";
import { type Place, type Problem, shownName } from "./problem.ts";

export interface ProblemDetails {
  /** Lines between the message and the fix, such as the code around the place. @default [] */
  readonly details?: readonly string[];
}

export interface FormatOptions {
  readonly messages: Messages;
  readonly paint: Paint;
  /** The maximum number of places shown for one problem. @default all */
  readonly maxPlaces?: number;
}

/**
 * Formats problems as `file:line:column CODE: message`, with the fix indented below. The severity
 * precedes the code unless it is `error`. Problems that differ only in their place are merged.
 * Control characters in names and messages are escaped, because the project may not be trusted.
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

/** Cuts a message or a fix, which may quote a name of any length. */
function shortText(text: string): string {
  return cutText(text, 9_999);
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
    `${code}: ${escapeLines(shortText(message))}`,
  ].join(" ");
  const lines = [
    head,
    ...details,
    ...others.slice(0, others.length - hidden).map((place) => printed.also(place)),
    ...(hidden === 0 ? [] : [printed.more(hidden)]),
    ...(fix === undefined ? [] : [`${paint.green(printed.fix)}: ${escapeLines(shortText(fix))}`]),
  ];
  // Indented, so that no line of a message looks like the next problem.
  return `${lines.join("\n").replaceAll("\n", "\n    ")}\n`;
}

function placeText({ file, line, column }: Place): string {
  return [shownName(file), line, column].filter((part) => part !== undefined).join(":");
}

export function printProblems(problems: readonly Problem[], io: Io): void {
  io.stderr(formatProblems(problems, { messages: messagesOf(io), paint: paintFor(io) }));
}

export function publicProblem({ code, severity, place, message, fix }: Partial<Problem>): object {
  return {
    code,
    severity,
    place,
    message: message && shortText(message),
    fix: fix && shortText(fix),
  };
}

/** Prints a report to standard output as JSON. Problems keep only their documented members. */
export function printJson(
  report: {
    readonly ok: boolean;
    readonly problems: readonly Problem[];
    readonly [name: string]: unknown;
  },
  io: Io,
): void {
  const problems = report.problems.map(publicProblem);
  io.stdout(`${JSON.stringify({ ...report, problems }, null, 2)}\n`);
}
