/**
 * What keeps the application from answering.
 *
 * @module
 */
import { fromFileUrl, join, relative, SEPARATOR } from "@std/path";
import { generatedFile } from "@fw/fw/conventions";
import type { Messages } from "../../messages/catalog.ts";
import { findSettingPlace } from "./setting_place.ts";
import type { ProcessEnd } from "./error_output.ts";
import type { Problem } from "../../problem.ts";
import { type CodeFrame, findNearest, readFrame, type SourcePlace } from "@fw/fw/addon";

/** At which step the application failed. */
export type FailureStage = "config" | "generate" | "bundle" | "compile" | "boot" | "crash";

/** One problem, with what shows how it came about. */
export interface FailureProblem extends Problem {
  /** The place, relative to the project. */
  readonly place?: SourcePlace;
  /** The lines around the place. */
  readonly frame?: CodeFrame;
  /** The calls that led there, and the causes, one a line. */
  readonly stack: readonly string[];
}

/** Why the application does not answer. */
export interface Failure {
  /** The step that failed. */
  readonly stage: FailureStage;
  /** What is wrong, one problem at least. */
  readonly problems: readonly FailureProblem[];
}

/** Makes the failure of a generation, or of the bundling of islands. */
export function problemsFailure(
  root: string,
  problems: readonly Problem[],
  stage: "generate" | "bundle",
): Failure {
  return {
    stage,
    problems: problems.map(({ place, ...rest }) => {
      if (place === undefined) return { ...rest, stack: [] };
      const { file, line = 1, column = 1 } = place;
      const at = { file, line, column };
      return withFrame({ ...rest, place: at, stack: [] }, readFrame(root, at));
    }),
  };
}

/**
 * Makes the failure of a generation that could not be carried through: a file that cannot be read or
 * written. Like a start that failed, it may have its cause outside the code.
 */
export function brokenOffFailure(root: string, error: unknown, messages: Messages): Failure {
  const isSystem = error instanceof Error && "code" in error;
  const message = error instanceof Error ? error.message : String(error);
  // The calls tell nothing of a full disk, but all of a defect.
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

/** What {@linkcode endFailure} needs to know. */
export interface EndFailureOptions {
  /** The project, absolute. */
  readonly root: string;
  /** Whether the process had served. */
  readonly hasServed: boolean;
  /** The catalogue. */
  readonly messages: Messages;
}

/** Makes the failure of a process that ended. */
export function endFailure(end: ProcessEnd, options: EndFailureOptions): Failure {
  const { root, hasServed, messages } = options;
  const report = placeSetting(readReport(end.message, root), root);
  const stage = hasServed ? "crash" : stageOf(report.message);
  const [message, fix] = report.message === ""
    ? [silentEnd(howEnded(end, messages)), messages.dev.fixExit]
    : [report.message, fixOf()];
  const code = stageCodes[stage];
  const problem: FailureProblem = { code, severity: "error", message, fix, stack: report.stack };
  if (report.place === undefined) return { stage, problems: [problem] };
  const frame = readFrame(root, report.place);
  return { stage, problems: [withFrame({ ...problem, place: report.place }, frame)] };

  function silentEnd(how: string): string {
    return hasServed ? messages.dev.endedLate(how) : messages.dev.endedEarly(how);
  }

  function fixOf(): string {
    return hasServed ? messages.dev.fixCrash : chooseFix(report, { root, messages });
  }
}

const stageCodes = {
  config: "E_CONFIG",
  compile: "E_COMPILE",
  boot: "E_BOOT",
  crash: "E_CRASH",
} as const;

/** Settings are checked after `Config` has run: only the message tells what the application wrote. */
function placeSetting(report: DeathReport, root: string): DeathReport {
  if (report.place !== undefined && report.place.file !== generatedFile) return report;
  const place = findSettingPlace(root, report.message);
  return place === undefined ? report : { ...report, place };
}

/** Says how a process ended: by which signal, or with which exit code. */
export function howEnded(end: ProcessEnd, messages: Messages): string {
  return end.signal === undefined
    ? messages.dev.endedByCode(end.code)
    : messages.dev.endedBySignal(end.signal);
}

/** The parts of the message by which a process died. */
export interface DeathReport {
  /** What is wrong, without the runtime's own prefixes; `""` for an empty report. */
  readonly message: string;
  /** The first place of the project that it names. */
  readonly place?: SourcePlace;
  /** The other lines, file URLs relative to the project. */
  readonly stack: readonly string[];
}

// Where the framework is: a folder with a local checkout, the registry otherwise.
const frameworkFolder = new URL("../", import.meta.resolve("@fw/fw/h")).href;
const uncaught = /^error: (?:Uncaught )?(?:\(in promise\) )?/;
const stackLine = /^\s+at /;
const excerptLine = /^\s*(?:\d+ )?\|/;

/**
 * Reads the message by which a process died.
 *
 * @param text What the runtime wrote, without colours.
 * @param root The project, absolute.
 */
export function readReport(text: string, root: string): DeathReport {
  const lines = text.replace(/\nStack backtrace:\n[\s\S]*$/, "").trimEnd().split("\n");
  const end = lines.findIndex((_, index) => index > 0 && !isMessageLine(lines, index));
  const message = lines.slice(0, end === -1 ? lines.length : end).join("\n").replace(uncaught, "");
  // A message may name any file; what the page shows of it must not be the message's choice.
  const places = [
    ...text.matchAll(/^[ \t]+at (?:.*?\(|async )?(file:\/\/\/.+?):(\d+):(\d+)\)?$/gm),
    // A settings file names itself first and the place later; no code of the project wrote that.
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
    // One line alone only repeats the place.
    stack: stack.length < 2 ? [] : stack.map((line) => shortenUrls(line, root).trim()),
  };
}

/** A line belongs to the message until the excerpt of the source or the stack starts. */
function isMessageLine(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? "";
  if (stackLine.test(line) || excerptLine.test(line) || line.startsWith("Caused by: ")) {
    return false;
  }
  // The runtime prints the source line, then a line with nothing but "^".
  return !/^\s*[\^~]+\s*$/.test(lines[index + 1] ?? "");
}

/** A call that the reader wrote, or a library of theirs; not the runtime's and the framework's own. */
function isStackLine(line: string): boolean {
  if (line.startsWith("Caused by: ")) return true;
  if (!stackLine.test(line) || /\((?:ext|node):|\/@fw\/fw\//.test(line)) return false;
  return !line.includes(frameworkFolder) && !line.includes(`/${generatedFile}:`);
}

function placeIn(root: string, match: RegExpMatchArray): SourcePlace | undefined {
  const [, url = "", line, column] = match;
  try {
    const file = relative(root, fromFileUrl(url)).replaceAll(SEPARATOR, "/");
    if (file.startsWith("..") || file.startsWith("node_modules/")) return undefined;
    return { file, line: Number(line), column: Number(column) };
  } catch {
    return undefined;
  }
}

function shortenUrls(text: string, root: string): string {
  const short = text.replace(/file:\/\/\/[^\s()"']+/g, (url) => {
    try {
      const file = relative(root, fromFileUrl(url.replace(/(?::\d+)*$/, "")));
      const places = /(?::\d+)*$/.exec(url)?.[0] ?? "";
      return file.startsWith("..") ? url : file.replaceAll(SEPARATOR, "/") + places;
    } catch {
      return url;
    }
  });
  // A stack has the folder as it is named, spaces and all.
  return short.replaceAll(`file://${root.replaceAll(SEPARATOR, "/")}/`, "");
}

const compileMessage =
  /^(?:SyntaxError: (?!.* is not valid JSON)|Module not found |Import "|The module's source code|JSR package|npm package |No such built-in module|Unable to load|Could not (?:resolve|find)|Relative import path|Unsupported scheme)/;

function stageOf(message: string): Exclude<keyof typeof stageCodes, "crash"> {
  if (/config(?:uration)? file|deno\.jsonc?'/.test(message)) return "config";
  return compileMessage.test(message) ? "compile" : "boot";
}

function chooseFix(
  report: DeathReport,
  options: { readonly root: string; readonly messages: Messages },
): string {
  const { dev } = options.messages;
  const { message } = report;
  const missing = /^Module not found "([^"]+)"/.exec(message)?.[1];
  if (missing !== undefined) return fixMissing(missing, options);
  const imported = /requested module '([^']+)' does not provide an export named '([^']+)'/.exec(
    message,
  );
  if (imported !== null) return dev.fixExport(imported[2] ?? "", imported[1] ?? "");
  const bare = /^(?:Relative i|I)mport (?:path )?"([^"]+)"/.exec(message)?.[1];
  if (bare !== undefined) return dev.fixDependency(packageOf(bare));
  if (/^(?:JSR|npm) package|^No such built-in module|^Unable to load|^Could not /.test(message)) {
    return dev.fixPackage;
  }
  if (stageOf(message) === "config") return dev.fixConfig;
  if (message.startsWith("SyntaxError: ")) return dev.fixSyntax;
  if (message.startsWith("Failed writing lockfile")) return dev.fixLock;
  if (message.startsWith("Top-level await promise never resolved")) return dev.fixPending;
  return dev.fixThrown;
}

function fixMissing(
  file: string,
  options: { readonly root: string; readonly messages: Messages },
): string {
  const { dev } = options.messages;
  const cut = file.lastIndexOf("/") + 1;
  const near = findNearest(file.slice(cut), filesIn(join(options.root, file.slice(0, cut))));
  return near === undefined
    ? dev.fixModule(file)
    : dev.fixModuleNear(file, file.slice(0, cut) + near);
}

function filesIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].filter((entry) => entry.isFile).map((entry) => entry.name);
  } catch {
    return [];
  }
}

function packageOf(specifier: string): string {
  return specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}

function withFrame(problem: FailureProblem, frame: CodeFrame | undefined): FailureProblem {
  return frame === undefined ? problem : { ...problem, frame };
}
