import { STATUS_TEXT } from "@std/http/status";
import * as h from "../../html/mod.ts";
import type { Node } from "../../html/node.ts";
import { formatFrame, formatPlace, frameBlock } from "../base/diagnose/code_frame.ts";
import { errorPageStyles } from "../base/conventions.ts";
import { parseAction } from "../base/url/href.ts";
import { permissionFix } from "../base/diagnose/missing_permission.ts";
import type { RequestCtx } from "../request/request_ctx.ts";
import { type TracedError, traceError } from "./error_trace.ts";

export interface DevFailures {
  readonly status: number;
  /** The error first, then what failed in rendering it. */
  readonly errors: readonly unknown[];
  /** Whether what is needed to send the request again is kept. */
  readonly isKept?: boolean;
}

/** Renders the page of an error in development: what, where in the code, and for which request. */
export function devErrorDocument(c: RequestCtx, failures: DevFailures): Node {
  const [first] = traceError(failures.errors[0], undefined);
  return h.html(
    h.lang("en"),
    h.head(
      h.meta(h.charset("utf-8")),
      h.meta(h.name("viewport"), h.content("width=device-width, initial-scale=1")),
      h.meta(h.name("robots"), h.content("noindex")),
      // Without one, browsers ask for /favicon.ico and log its 404 beside the error.
      h.link(h.rel("icon"), h.href("data:image/png,")),
      h.title([first?.name, headOf(first?.message ?? "").head].filter(Boolean).join(": ")),
      h.style(h.nonce(c.nonce), h.raw(errorPageStyles)),
    ),
    h.body(devErrorContent(c, failures)),
  );
}

/** Returns the content of that page without the document around it. */
export function devErrorContent(c: RequestCtx, failures: DevFailures): Node {
  const { status, errors, isKept = false } = failures;
  const traced = errors.map((error) => traceError(error, c.appDir));
  const first = traced[0]?.[0];
  const { head, rest } = headOf(first?.message ?? "");
  const fixes = errors.map((error) => permissionFix(error));
  return h.main(
    h.header(
      h.p(
        h.class("stage"),
        `${status} ${STATUS_TEXT[status as keyof typeof STATUS_TEXT] ?? ""}`.trim(),
        first?.name === undefined ? null : h.group(" · ", first.name),
      ),
      h.h1(head === "" ? first?.name : head),
    ),
    traced.map((chain, index) =>
      h.group(chain.map((error, depth) =>
        errorCard(error, {
          label: depth > 0 ? "Caused by" : index > 0 ? "The page of the error failed as well" : "",
          message: depth > 0 || index > 0 ? sentenceOf(error) : rest,
          fix: depth === 0 ? fixes[index] : undefined,
        })
      ))
    ),
    requestCard(c, isKept),
    h.details(
      h.class("problem quiet"),
      h.summary("As text"),
      h.pre(h.class("stack text"), h.attr("tabindex", "0"), devErrorText(c, failures)),
    ),
    h.footer("This page is for development: in production nobody sees more than the status."),
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
    // One call alone only repeats the place.
    ownCalls.length < 2 && place !== undefined ? null : callList(ownCalls),
    otherCalls.length === 0 ? null : h.details(
      h.summary(`Framework, libraries and runtime: ${countOf(otherCalls.length)}`),
      h.pre(h.class("stack"), otherCalls.join("\n")),
    ),
  );
}

function callList(calls: readonly string[]): Node | null {
  if (calls.length === 0) return null;
  return h.pre(h.class("stack calls"), calls.join("\n"));
}

function countOf(count: number): string {
  return count === 1 ? "1 call" : `${count} calls`;
}

function requestCard(c: RequestCtx, isKept: boolean): Node {
  return h.section(
    h.class("problem quiet"),
    h.dl(factsOf(c, isKept).map(([name, value]) => h.div(h.dt(name), h.dd(value)))),
  );
}

/** Returns the request's facts for a developer, without the values of a query. */
function factsOf(c: RequestCtx, isKept: boolean): readonly (readonly [string, string])[] {
  const { route } = c;
  const source = route?.source ?? "";
  return [
    ["Request", `${c.method} ${c.target.path}${actionOf(c)}`],
    ["Route", route === undefined ? "none" : c.pattern],
    ...(source === "" ? [] : [["Source", source] as const]),
    ["Request id", c.requestId],
    ...(isKept ? [["Write a test", `deno task incident ${c.requestId}`] as const] : []),
  ];
}

/** Returns the action of a page as its URL names it: `?/add`. */
function actionOf({ method, route, url }: RequestCtx): string {
  const name = method === "POST" ? parseAction(url.search) : undefined;
  return name !== undefined && route?.actionNames.includes(name) === true ? `?/${name}` : "";
}

/** Renders the replacement of a failed part of a page: plain text, which needs no style of its own. */
export function devErrorSlot(c: RequestCtx, errors: readonly unknown[]): Node {
  return h.div(
    h.role("alert"),
    h.p("This part could not be loaded."),
    h.pre(devErrorText(c, { errors })),
  );
}

/** Formats the error as plain text, to be copied into a message or a terminal. */
function devErrorText(
  c: RequestCtx,
  { errors, isKept = false }: Pick<DevFailures, "errors" | "isKept">,
): string {
  const blocks = errors.map((error) => errorBlock(traceError(error, c.appDir)));
  const facts = factsOf(c, isKept).map(([name, value]) => `${name}: ${value}`);
  return `${blocks.join("\n\nthe page of the error failed as well: ")}\n\n${facts.join("\n")}\n`;
}

function errorBlock(chain: readonly TracedError[]): string {
  return chain.map((error) => {
    const { frame, ownCalls, otherCalls } = error;
    return [
      sentenceOf(error),
      ...(frame === undefined ? [] : [formatFrame(frame)]),
      ...[...ownCalls, ...otherCalls].map((call) => `    ${call}`),
    ].join("\n");
  }).join("\ncaused by ");
}

/** Returns the lines of an error's chain for a problem document: a message, then its calls. */
export function devErrorLines(c: RequestCtx, error: unknown): readonly string[] {
  return traceError(error, c.appDir).flatMap((traced, depth) => [
    `${depth === 0 ? "" : "caused by "}${sentenceOf(traced)}`,
    ...traced.ownCalls,
    ...traced.otherCalls,
  ]);
}
