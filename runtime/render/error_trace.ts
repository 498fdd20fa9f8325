import { fromFileUrl, SEPARATOR } from "@std/path";
import {
  type CodeFrame,
  faultySourceOf,
  frameOf,
  readFrame,
  type SourcePlace,
} from "../base/diagnose/code_frame.ts";
import { generatedFile } from "../base/conventions.ts";
import { partOf, showThrown } from "../base/diagnose/error_text.ts";

/** An error as a developer reads it: what went wrong, and where in the code of the application. */
export interface TracedError {
  /** Its name, such as `TypeError`; `undefined` for a thrown value that is not an error. */
  readonly name: string | undefined;
  readonly message: string;
  /** The first call of the application's own code. */
  readonly place: SourcePlace | undefined;
  /** The lines around that place, where this process may read them. */
  readonly frame: CodeFrame | undefined;
  /** The calls of the application's own code, the innermost first. */
  readonly ownCalls: readonly string[];
  /** The calls of the framework, of libraries and of the runtime. */
  readonly otherCalls: readonly string[];
}

/** Maximum number of errors of a chain: it may lead back to itself. */
const maxErrors = 9;

/** The location of the framework: a checkout, or an address in a registry. */
const frameworkFolder = locationOf(new URL("../../", import.meta.url).href);

/** Splits an error and its causes into traces. It reads files: for development only. */
export function traceError(error: unknown, appDir: string | undefined): readonly TracedError[] {
  const traced: TracedError[] = [];
  for (let at = error; traced.length < maxErrors;) {
    traced.push(traceOne(at, appDir));
    const cause = at instanceof Error ? at.cause : undefined;
    if (cause === undefined) break;
    at = cause;
  }
  return traced;
}

function traceOne(error: unknown, appDir: string | undefined): TracedError {
  if (!(error instanceof Error)) {
    const message = `a handler threw ${showThrown(error)}`;
    return {
      name: undefined,
      message,
      place: undefined,
      frame: undefined,
      ownCalls: [],
      otherCalls: [],
    };
  }
  const message = partOf(error, "message") ?? "";
  const calls = readCalls(partOf(error, "stack") ?? "", message)
    .map((line) => parseCall(line, appDir));
  const own = calls.filter(({ isOwn }) => isOwn);
  const faulty = placeInText(error, appDir);
  const place = faulty?.place ?? own[0]?.place;
  return {
    name: partOf(error, "name") || "Error",
    message: message,
    place,
    frame: faulty?.frame ??
      (place === undefined || appDir === undefined ? undefined : readFrame(appDir, place)),
    ownCalls: own.map(({ text }) => text),
    otherCalls: calls.filter(({ isOwn }) => !isOwn).map(({ text }) => text),
  };
}

/** Finds the place in a string that the error itself carries, such as a template: it is not read again. */
function placeInText(
  error: Error,
  appDir: string | undefined,
): Required<Pick<TracedError, "place" | "frame">> | undefined {
  const source = faultySourceOf(error);
  if (source === undefined || appDir === undefined) return undefined;
  const location = source.file.replaceAll(SEPARATOR, "/");
  const file = fileIn(folderOf(appDir), location) ?? location;
  const place = { file, line: source.line, column: source.column };
  return { place, frame: frameOf(source.text, place) };
}

/** Returns the lines of a stack that are calls: lines of the message must not pass for one. */
function readCalls(stack: string, message: string): string[] {
  const start = message === "" ? -1 : stack.indexOf(message);
  const rest = start < 0 ? stack : stack.slice(start + message.length);
  return rest.split("\n").filter((line) => /^\s+at /.test(line));
}

interface Call {
  /** The line, with short names of files. */
  readonly text: string;
  readonly isOwn: boolean;
  /** `undefined` where the file is outside the application's folder. */
  readonly place: SourcePlace | undefined;
}

/** The position of a call: in parentheses behind a name, or alone. */
const callPlace = /(?:\(|^at (?:async )?)([a-z]+:[^()]*):(\d+):(\d+)\)?$/;

function parseCall(line: string, appDir: string | undefined): Call {
  const text = line.trim();
  const [, url, row, column] = callPlace.exec(text) ?? [];
  if (url === undefined) return { text, isOwn: false, place: undefined };
  const named = (file: string): string => text.replace(url, () => file);
  const location = locationOf(url);
  const file = appDir === undefined ? undefined : fileIn(folderOf(appDir), location);
  const framework = fileIn(frameworkFolder, location);
  // The folder of an example lies in that of the framework, and a copy of the framework in an application.
  const isFramework = framework !== undefined &&
    (file === undefined || file.length >= framework.length);
  if (isFramework) return { text: named(`@fw/fw/${framework}`), isOwn: false, place: undefined };
  const library = /.*\/node_modules\/(.*)/.exec(location)?.[1];
  if (library !== undefined) return { text: named(library), isOwn: false, place: undefined };
  if (file === undefined) {
    // Without a folder the owner is unknown: code outside a library may be the application's.
    const isOwn = appDir === undefined && url.startsWith("file:");
    return { text, isOwn, place: undefined };
  }
  if (file === generatedFile) return { text: named(file), isOwn: false, place: undefined };
  const place = { file, line: Number(row), column: Number(column) };
  return { text: named(file), isOwn: true, place };
}

/**
 * Returns the location, as a path with `/` for a file. The runtime writes URLs in a stack without escapes.
 */
function locationOf(url: string): string {
  if (!url.startsWith("file:")) return url;
  try {
    return fromFileUrl(url).replaceAll(SEPARATOR, "/");
  } catch {
    return url;
  }
}

function folderOf(dir: string): string {
  return `${dir.replaceAll(SEPARATOR, "/").replace(/\/+$/, "")}/`;
}

function fileIn(folder: string, location: string): string | undefined {
  return location.startsWith(folder) ? location.slice(folder.length) : undefined;
}
