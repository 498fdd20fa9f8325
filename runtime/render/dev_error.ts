import { STATUS_TEXT } from "@std/http/status";
import * as h from "../../html/mod.ts";
import type { Node } from "../../html/node.ts";
import { fromFileUrl, SEPARATOR } from "../base/file_path.ts";
import {
  type CodeFrame,
  faultySourceOf,
  formatFrame,
  formatPlace,
  frameBlock,
  frameOf,
  readFrame,
  type SourcePlace,
} from "../base/diagnose/code_frame.ts";
import { errorPageStyles, generatedFile } from "../base/conventions.ts";
import { partOf, permissionFix, showThrown } from "../base/diagnose/error_text.ts";
import { parseAction } from "../base/url/href.ts";
import type { RequestCtx } from "../request/request_ctx.ts";

export interface DevFailures {
  readonly status: number;
  /** The error first, then the failures in rendering it. */
  readonly errors: readonly unknown[];
}

/** Renders the development page of an error: the error, its place in the code, and the request. */
export function devErrorDocument(c: RequestCtx, failures: DevFailures): Node {
  const traced = failures.errors.map((error) => traceError(error, c.appDir));
  const first = traced[0]?.[0];
  const { head } = headOf(first?.message ?? "");
  return h.html(
    h.lang("en"),
    h.head(
      h.meta(h.charset("utf-8")),
      h.meta(h.name("viewport"), h.content("width=device-width, initial-scale=1")),
      h.meta(h.name("robots"), h.content("noindex")),
      // Without one, browsers ask for /favicon.ico and log its 404 beside the error.
      h.link(h.rel("icon"), h.href("data:image/png,")),
      h.title([first?.name, head].filter(Boolean).join(": ")),
      h.style(h.nonce(c.nonce), h.raw(errorPageStyles)),
    ),
    h.body(h.main(
      h.header(
        h.p(
          h.class("stage"),
          `${failures.status} ${STATUS_TEXT[failures.status] ?? ""}`.trim(),
          first?.name === undefined ? null : h.group(" · ", first.name),
        ),
        h.h1(head === "" ? first?.name : head),
      ),
      traced.map((chain, index) => h.group(errorCards(chain, index, failures.errors[index]))),
      h.section(
        h.class("problem quiet"),
        h.dl(factsOf(c).map(([name, value]) => h.div(h.dt(name), h.dd(value)))),
      ),
      h.footer("This page is for development: in production clients see only the status."),
    )),
  );
}

/** Renders an error and its causes; `index` is 0 for the error that the heading names. */
function errorCards(chain: readonly TracedError[], index: number, error: unknown): (Node | null)[] {
  return chain.map((each, depth) =>
    errorCard(each, {
      label: depth > 0 ? "Caused by" : index > 0 ? "The error page failed as well" : "",
      message: depth > 0 || index > 0 ? sentenceOf(each) : headOf(each.message).rest,
      fix: depth === 0 ? permissionFix(error) : undefined,
    })
  );
}

/** Splits a message after its first line, unless that is too long for a heading. */
function headOf(message: string): { readonly head: string; readonly rest: string } {
  const [line = ""] = message.split("\n", 1);
  const head = line.slice(0, maxHeadingChars);
  return { head, rest: message.slice(head.length).trim() };
}

const maxHeadingChars = 400;

function sentenceOf({ name, message }: TracedError): string {
  return [name, message].filter(Boolean).join(": ");
}

function errorCard(
  error: TracedError,
  parts: { readonly label: string; readonly message: string; readonly fix: string | undefined },
): Node | null {
  const { place, frame, ownCalls, otherCalls } = error;
  const { label, message, fix } = parts;
  const hasHead = label !== "" || message !== "" || place !== undefined;
  if (!hasHead && ownCalls.length + otherCalls.length === 0) return null;
  return h.section(
    h.class("problem"),
    !hasHead ? null : h.div(
      h.class("head"),
      label === "" ? null : h.p(h.class("stage"), label),
      message === "" ? null : h.p(h.class("message"), message),
      place === undefined ? null : h.p(h.class("place"), formatPlace(place)),
    ),
    frame === undefined ? null : frameBlock(frame),
    fix === undefined ? null : h.p(h.class("fix"), h.b("Fix"), fix),
    // A single call would only repeat the place.
    ownCalls.length > (place === undefined ? 0 : 1) &&
      h.pre(h.class("stack calls"), ownCalls.join("\n")),
    otherCalls.length > 0 && h.details(
      h.summary(`Calls of the framework, libraries and runtime: ${otherCalls.length}`),
      h.pre(h.class("stack"), otherCalls.join("\n")),
    ),
  );
}

/** Returns the facts of the request for a developer, without query values. */
function factsOf(c: RequestCtx): readonly (readonly [string, string])[] {
  const { route } = c;
  const source = route?.source ?? "";
  return [
    ["Request", `${c.method} ${c.target.path}${actionOf(c)}`],
    ["Route", route === undefined ? "none" : c.pattern],
    ...(source === "" ? [] : [["Source", source] as const]),
    ["Request id", c.requestId],
  ];
}

function actionOf({ method, route, url }: RequestCtx): string {
  const name = method === "POST" ? parseAction(url.search) : undefined;
  return name !== undefined && route?.actionNames.includes(name) === true ? `?/${name}` : "";
}

/** Renders the replacement of a failed part or fragment: plain text, which needs no styles. */
export function devErrorSlot(c: RequestCtx, failures: Omit<DevFailures, "status">): Node {
  const blocks = failures.errors.map((error) =>
    traceError(error, c.appDir).map(errorBlock).join("\ncaused by ")
  );
  const facts = factsOf(c).map(([name, value]) => `${name}: ${value}`);
  return h.div(
    h.role("alert"),
    h.p("This part could not be loaded."),
    h.pre(`${blocks.join("\n\nthe page of the error failed as well: ")}\n\n${facts.join("\n")}\n`),
  );
}

function errorBlock(error: TracedError): string {
  const { frame, ownCalls, otherCalls } = error;
  return [
    sentenceOf(error),
    ...(frame === undefined ? [] : [formatFrame(frame)]),
    ...[...ownCalls, ...otherCalls].map((call) => `    ${call}`),
  ].join("\n");
}

/** Returns the lines of an error's chain for a problem document: a message, then its calls. */
export function devErrorLines(c: RequestCtx, error: unknown): readonly string[] {
  return traceError(error, c.appDir).flatMap((traced, depth) => [
    `${depth === 0 ? "" : "caused by "}${sentenceOf(traced)}`,
    ...traced.ownCalls,
    ...traced.otherCalls,
  ]);
}

/** An error for a developer: what went wrong, and where in the application's code. */
interface TracedError {
  /** Its name, such as `TypeError`; `undefined` for a thrown value that is not an error. */
  readonly name: string | undefined;
  readonly message: string;
  readonly place: SourcePlace | undefined;
  /** The lines around that place, if this process may read them. */
  readonly frame: CodeFrame | undefined;
  readonly ownCalls: readonly string[];
  readonly otherCalls: readonly string[];
}

const maxErrors = 9;

/** Splits an error and its causes into traces. For development only, because it reads files. */
function traceError(error: unknown, appDir: string | undefined): readonly TracedError[] {
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
    const nowhere = { place: undefined, frame: undefined, ownCalls: [], otherCalls: [] };
    return { name: undefined, message, ...nowhere };
  }
  const message = partOf(error, "message") ?? "";
  const calls = readCalls(partOf(error, "stack") ?? "", message)
    .map((line) => parseCall(line, appDir));
  const own = calls.filter(({ isOwn }) => isOwn);
  const faulty = placeInText(error, appDir);
  const place = faulty?.place ?? own[0]?.place;
  return {
    name: partOf(error, "name") || "Error",
    message,
    place,
    frame: faulty?.frame ??
      (place === undefined || appDir === undefined ? undefined : readFrame(appDir, place)),
    ownCalls: own.map(({ text }) => text),
    otherCalls: calls.filter(({ isOwn }) => !isOwn).map(({ text }) => text),
  };
}

/** Finds the place in a source text that the error carries, such as a template, without reading it again. */
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

/** Returns the calls of a stack; a line of the message must not count as one. */
function readCalls(stack: string, message: string): string[] {
  const start = message === "" ? -1 : stack.indexOf(message);
  const rest = start < 0 ? stack : stack.slice(start + message.length);
  return rest.split("\n").filter((line) => /^\s+at /.test(line));
}

interface Call {
  readonly text: string;
  readonly isOwn: boolean;
  /** The place; `undefined` if the file is outside the application's folder. */
  readonly place: SourcePlace | undefined;
}

/** The position of a call: in parentheses after a name, or alone. */
const callPlace = /(?:\(|^at (?:async )?)([a-z]+:[^()]*):(\d+):(\d+)\)?$/;

function parseCall(line: string, appDir: string | undefined): Call {
  const text = line.trim();
  const [, url, row, column] = callPlace.exec(text) ?? [];
  if (url === undefined) return { text, isOwn: false, place: undefined };
  const location = locationOf(url);
  const file = appDir === undefined ? undefined : fileIn(folderOf(appDir), location);
  // A checkout, or a registry URL.
  const framework = fileIn(locationOf(import.meta.resolve("../../")), location);
  // An example is inside the framework's folder, and a vendored framework inside an application's folder.
  const isFramework = framework !== undefined &&
    (file === undefined || file.length >= framework.length);
  const library = isFramework
    ? `@fw/fw/${framework}`
    : /.*\/node_modules\/(.*)/.exec(location)?.[1];
  // Without a folder the owner is unknown: code outside a library may be the application's.
  const isOwn = library === undefined &&
    (file === undefined ? appDir === undefined && url.startsWith("file:") : file !== generatedFile);
  return {
    text: text.replace(url, () => library ?? file ?? url),
    isOwn,
    place: isOwn && file !== undefined
      ? { file, line: Number(row), column: Number(column) }
      : undefined,
  };
}

/** Returns the location, as a path with `/` for a file. Deno writes unescaped URLs in a stack. */
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
