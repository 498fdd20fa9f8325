import {
  type CodeFrame,
  escapeLines,
  formatFrame,
  readFrame,
  type SourcePlace,
} from "@fw/fw/addon";
import { appFolder, generatedFile } from "@fw/fw/conventions";
import { fromFileUrl, join, SEPARATOR } from "@std/path";
import type { Messages } from "../../messages/catalog.ts";
import type { Problem } from "../../problem.ts";
import { conventionsUrl } from "../framework_url.ts";
import type { ProcessEnd } from "./error_output.ts";
import { textOfFile } from "../files/look.ts";
import { migrationsFolder } from "../migrations.ts";
import type { Project } from "../project.ts";
import { pathInProject } from "../sources/graph.ts";
import type { Paint } from "../../io.ts";
import { formatProblems } from "../../printer.ts";

export interface FailureProblem extends Problem {
  readonly place?: SourcePlace;
  readonly frame?: CodeFrame;
  /** The calls that led to the place, and the causes, one per line. */
  readonly stack: readonly string[];
}

export interface Failure {
  readonly stage: "config" | "generate" | "bundle" | "compile" | "boot" | "crash";
  readonly problems: readonly FailureProblem[];
}

export function problemsFailure(
  root: string,
  problems: readonly Problem[],
  stage: "generate" | "bundle",
): Failure {
  return {
    stage,
    problems: problems.map(({ place, ...rest }) => {
      const { file, line = 1, column = 1 } = place ?? {};
      const at = file === undefined ? undefined : { file, line, column };
      return withPlace({ ...rest, stack: [] }, root, at);
    }),
  };
}

/** Returns the failure of a generation that threw, for example on a full disk. */
export function brokenOffFailure(root: string, error: unknown, messages: Messages): Failure {
  const isSystem = error instanceof Error && "code" in error;
  const message = error instanceof Error ? error.message : String(error);
  // A stack does not help with a full disk, but it locates a defect.
  const [, ...calls] = error instanceof Error && !isSystem ? error.stack?.split("\n") ?? [] : [];
  const problem: FailureProblem = {
    code: "E_BOOT",
    severity: "error",
    message: message.replaceAll(root + SEPARATOR, ""),
    fix: messages.dev.fixBrokenOff,
    stack: calls.map((line) => line.trim()),
  };
  return { stage: "boot", problems: [problem] };
}

export function endFailure(
  end: ProcessEnd,
  { root, messages, hasServed }: Pick<Project, "root" | "messages"> & {
    readonly hasServed: boolean;
  },
): Failure {
  const { dev } = messages;
  const report = placeCause(parseDeathReport(end.message, root), root);
  const stage = hasServed ? "crash" : stageOf(report.message);
  const silent = hasServed ? dev.endedLate : dev.endedEarly;
  const [message, fix] = report.message === ""
    ? [silent(howEnded(end, messages)), dev.fixExit]
    : [report.message, hasServed ? dev.fixCrash : chooseFix(report.message, messages)];
  const code = stageCodes[stage];
  const problem: FailureProblem = { code, severity: "error", message, fix, stack: report.stack };
  return { stage, problems: [withPlace(problem, root, report.place)] };
}

const stageCodes = {
  config: "E_CONFIG",
  compile: "E_COMPILE",
  boot: "E_BOOT",
  crash: "E_CRASH",
} as const;

/** Adds the place of a cause that the stack lacks: a migration, or a setting, checked after `Config`. */
function placeCause(report: DeathReport, root: string): DeathReport {
  const isFar = report.place === undefined || report.place.file === generatedFile;
  const place = findMigrationPlace(report.message) ??
    (isFar ? findSettingPlace(root, report.message) : undefined);
  return place === undefined ? report : { ...report, place };
}

function findMigrationPlace(message: string): SourcePlace | undefined {
  const [, name, line = "1"] =
    /^MigrationError: Cannot apply the migration "(\w+\.sql)(?::(\d+))?"/.exec(message) ?? [];
  if (name === undefined) return undefined;
  return { file: `${migrationsFolder}/${name}`, line: Number(line), column: 1 };
}

export function howEnded(end: ProcessEnd, messages: Messages): string {
  return end.signal === undefined
    ? messages.dev.endedByCode(end.code)
    : messages.dev.endedBySignal(end.signal);
}

export interface DeathReport {
  readonly message: string;
  readonly place?: SourcePlace;
  readonly stack: readonly string[];
}

// The framework's folder: a local checkout or the registry.
const frameworkFolder = conventionsUrl && new URL("../../", conventionsUrl).href;
const uncaught = /^error: (?:Uncaught )?(?:\(in promise\) )?/;
const stackLine = /^\s+at /;
const excerptLine = /^\s*(?:\d+ )?\|/;

export function parseDeathReport(text: string, root: string): DeathReport {
  const lines = text.replace(/\nStack backtrace:\n[\s\S]*$/, "").trimEnd().split("\n");
  const end = lines.findIndex((_, index) => index > 0 && !isMessageLine(lines, index));
  const message = lines.slice(0, end === -1 ? lines.length : end).join("\n").replace(uncaught, "");
  // Only stack lines count: a message may name any file and must not choose the file on the page.
  const places = [
    ...text.matchAll(/^[ \t]+at (?:.*?\(|async )?(file:\/\/\/.+?):(\d+):(\d+)\)?$/gm),
    // An error in a settings file names the file first and its line later.
    ...text.matchAll(
      /^error: (?!Uncaught)[^\n']*config(?:uration)? file '(file:[^'\n]+)'[^]*? on line (\d+) column (\d+)/g,
    ),
  ];
  const inside = places.flatMap((match) => placeIn(root, match) ?? []);
  const place = inside.find((one) => one.file !== generatedFile) ?? inside[0];
  const stack = end === -1 ? [] : lines.slice(end).filter(isStackLine);
  return {
    message: shortenUrls(message, root).trim(),
    ...(place === undefined ? {} : { place }),
    // A single line only repeats the place.
    stack: stack.length < 2 ? [] : stack.map((line) => shortenUrls(line, root).trim()),
  };
}

/** Reports whether a line belongs to the message, which ends where the code excerpt or the stack starts. */
function isMessageLine(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? "";
  if (stackLine.test(line) || excerptLine.test(line) || line.startsWith("Caused by: ")) {
    return false;
  }
  // The runtime prints the source line, then a line with only "^".
  return !/^\s*[\^~]+\s*$/.test(lines[index + 1] ?? "");
}

/** Reports whether a call is the developer's or a dependency's, not the runtime's or the framework's. */
function isStackLine(line: string): boolean {
  if (line.startsWith("Caused by: ")) return true;
  if (!stackLine.test(line) || /\((?:ext|node):|\/@fw\/fw\//.test(line)) return false;
  const isFramework = frameworkFolder !== undefined && line.includes(frameworkFolder);
  return !isFramework && !line.includes(`/${generatedFile}:`);
}

function placeIn(root: string, match: RegExpMatchArray): SourcePlace | undefined {
  const [, url = "", line, column] = match;
  try {
    const file = pathInProject(root, fromFileUrl(url));
    if (file === undefined || file.startsWith("node_modules/")) return undefined;
    return { file, line: Number(line), column: Number(column) };
  } catch {
    return undefined;
  }
}

function shortenUrls(text: string, root: string): string {
  const short = text.replace(
    /(file:\/\/\/[^\s()"']+?)((?::\d+)*)(?=[\s()"']|$)/g,
    (whole, url, at) => {
      try {
        const file = pathInProject(root, fromFileUrl(url));
        return file === undefined ? whole : file + at;
      } catch {
        return whole;
      }
    },
  );
  // A stack contains the folder's name as it is, including spaces.
  return short.replaceAll(`file://${root.replaceAll(SEPARATOR, "/")}/`, "");
}

const compileMessage =
  /^(?:SyntaxError: (?!.* is not valid JSON)|Module not found |Import "|The module's source code|JSR package|npm package |No such built-in module|Unable to load|Could not (?:resolve|find)|Relative import path|Unsupported scheme)/;

function stageOf(message: string): Exclude<keyof typeof stageCodes, "crash"> {
  if (/config(?:uration)? file|deno\.jsonc?'/.test(message)) return "config";
  return compileMessage.test(message) ? "compile" : "boot";
}

/** Returns the package of a message about an import that the settings do not map. */
export function missingDependency(message: string): string | undefined {
  return /^(?:Relative i|I)mport (?:path )?"((?:@[^"/]*\/)?[^"/]+)/.exec(message)?.[1];
}

function chooseFix(message: string, { dev }: Messages): string {
  const missing = /^Module not found "([^"]+)"/.exec(message)?.[1];
  if (missing !== undefined) return dev.fixModule(missing);
  const imported = /requested module '([^']+)' does not provide an export named '([^']+)'/.exec(
    message,
  );
  if (imported !== null) return dev.fixExport(imported[2] ?? "", imported[1] ?? "");
  if (message.startsWith('Import "react/jsx-')) return dev.fixJsx;
  const bare = missingDependency(message);
  if (bare !== undefined) return dev.fixDependency(bare);
  if (/^(?:JSR|npm) package|^No such built-in module|^Unable to load|^Could not /.test(message)) {
    return dev.fixPackage;
  }
  if (stageOf(message) === "config") return dev.fixConfig;
  if (message.startsWith("Top-level await promise never resolved")) return dev.fixPending;
  const early = /^ReferenceError: Cannot access '([^']+)' before initialization/.exec(message)?.[1];
  if (early !== undefined) return dev.fixCircular(early);
  if (/^\w+: Cannot (?:schedule|run "[^"]*" (?:every|at)) /.test(message)) return dev.fixSchedule;
  return message.startsWith("SyntaxError: ") ? dev.fixSyntax : dev.fixThrown;
}

function withPlace(
  problem: FailureProblem,
  root: string,
  place: SourcePlace | undefined,
): FailureProblem {
  const frame = place && readFrame(root, place);
  return { ...problem, ...(place && { place }), ...(frame && { frame }) };
}

const setupFile = `${appFolder}/setup.ts`;

/** Finds the line of `app/setup.ts` that sets the setting named in a message. */
export function findSettingPlace(
  root: string,
  message: string,
): SourcePlace | undefined {
  const path = /\bconfig\.([A-Za-z_$][\w$.]*\w)/.exec(message)?.[1];
  if (path === undefined || !/^(?:\w+: )?Cannot /.test(message)) return undefined;
  const lines = textOfFile(join(root, setupFile)).split(/\r?\n/);
  // Inner name first: a group set as a whole may contain it on a separate line.
  for (const name of path.split(".").reverse()) {
    const word = new RegExp(`(?<![\\w$"'\`])${name.replaceAll("$", "\\$")}(?=\\s*(?:[=:.,})]|$))`);
    const line = lines.findIndex((text) =>
      !/^\s*(?:\/\/|\*|\/\*|import\b)/.test(text) && word.test(text)
    );
    if (line === -1) continue;
    return { file: setupFile, line: line + 1, column: (lines[line] ?? "").search(word) + 1 };
  }
  return undefined;
}

export function formatFailure(failure: Failure, messages: Messages, paint: Paint): string {
  const problems = failure.problems.map((problem) => ({
    ...problem,
    details: [
      ...(problem.frame === undefined ? [] : [paint.dim(escapeLines(formatFrame(problem.frame)))]),
      ...problem.stack.map((line) => paint.dim(escapeLines(line))),
    ],
  }));
  const title = paint.bold(paint.red(messages.dev.stage[failure.stage]));
  return `${title}\n${formatProblems(problems, { messages, paint })}`;
}
