import { childHtml, isNode, type Node } from "../../html/node.ts";
import type { Answered } from "../base/ctx/answer.ts";
import {
  codeOf,
  HttpError,
  Problem,
  type ProblemDocument,
  Redirect,
  statusOf,
  translatedMessage,
} from "../base/errors/errors.ts";
import { partOf, permissionFix, showThrown } from "../base/diagnose/error_text.ts";
import type { ErrorHandler, Handler, LayoutHandler, ProblemsHandler } from "../base/ctx/route.ts";
import { forbidCopy, forgetCopy } from "../request/stage.ts";
import { failureFields, type RequestCtx } from "../request/request_ctx.ts";
import { queueFlash } from "../request/flash.ts";
import { answer } from "../request/chain.ts";
import { addHeader, buildHtml, buildJson, buildRedirect, prefersPage } from "../request/answer.ts";
import { devErrorDocument, devErrorLines, devErrorSlot } from "./dev_error.ts";
import { addReload, type PageOptions, renderPage } from "./page.ts";
import { STATUS_TEXT } from "@std/http/status";
import * as h from "../../html/mod.ts";
import { escape } from "../../html/escape.ts";
import type { Env } from "../base/env.ts";
import { FieldErrors } from "../base/errors/field_errors.ts";
import { joinBase } from "../base/url/path.ts";
import { isRightToLeft } from "../i18n/languages.ts";

export interface ErrorPages extends PageOptions {
  readonly layout: LayoutHandler | undefined;
  readonly notFound: Handler | undefined;
  readonly error: ErrorHandler | undefined;
  readonly problemType: ((status: number) => string | undefined) | undefined;
}

/** Responds with an error: a redirect, a problem document or a page, by the route and the client. */
export function renderError(c: RequestCtx, error: unknown, errorPages: ErrorPages): Answered {
  // The staged body and status belong to the failed response; headers and cookies stay.
  c.answer.given = undefined;
  c.answer.status = 0;
  const status = statusOf(error);
  forgetCopy(c, status);
  if (error instanceof Redirect) return buildRedirect(c, error.location, error.status);
  if (status >= 500) logFailure(c, error, status);
  if (error instanceof HttpError) {
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
  }
  const view = status === 404 ? errorPages.notFound : errorPages.error;
  const problems = (c.location?.route ?? c.location)?.problems;
  const response = problems !== undefined
    ? renderOwnProblem(c, error, { ...errorPages, problems })
    : !prefersPage(c)
    ? renderProblem(c, error, errorPages)
    : view === undefined
    ? renderOwnPage(c, error, errorPages)
    : renderView(c, error, { ...errorPages, status, view });
  const finish = (value: Response): Response => {
    if (status === 413) tellRefusal(c, error);
    // A cache must not serve an API response to a browser.
    if (c.route?.kind === undefined && problems === undefined) {
      addHeader(c, value, ["vary", "Accept"]);
    }
    return forbidCopy(c, value, status);
  };
  return response instanceof Promise ? response.then(finish) : finish(response);
}

/**
 * Sends the client of a fragment request the reason why its body was refused, unless the application sets its
 * own text. The client then keeps the form with its files, because sending them again would fail again.
 */
function tellRefusal(c: RequestCtx, error: unknown): void {
  if (c.fragment === undefined || c.answer.queued !== undefined) return;
  const { title, detail } = describeError(error, c.env);
  const translated = error instanceof HttpError ? translatedMessage(error) : undefined;
  const english = detail === undefined ? title : `${title}: ${detail}`;
  queueFlash(c, { kind: "error", text: translated ?? english });
}

function logFailure(c: RequestCtx, error: unknown, status: number): void {
  c.log.error("handler failed", {
    ...failureFields(
      c,
      error instanceof Error ? error : new Error(`a handler threw ${showThrown(error)}`),
    ),
    status,
    fix: permissionFix(error),
  });
}

export function renderProblem(
  c: RequestCtx,
  error: unknown,
  errorPages: Pick<ErrorPages, "problemType">,
): Response {
  const document = problemDocument(c, error, errorPages.problemType);
  return buildJson(c, statusOf(error), document, "application/problem+json");
}

/** Responds with the result of the application's `Problems`, else with the problem document. */
function renderOwnProblem(
  c: RequestCtx,
  error: unknown,
  options: ErrorPages & { readonly problems: ProblemsHandler },
): Response {
  try {
    const value = options.problems(problemDocument(c, error, options.problemType), c);
    if (value instanceof Promise || value instanceof Response) {
      // A rejection without a handler would end the process.
      Promise.resolve(value).catch(() => {});
      throw new TypeError(
        "Cannot write JSON of a promise or a response: return the value from Problems, which is not async.",
      );
    }
    return buildJson(c, statusOf(error), value);
  } catch (inner) {
    c.log.error("Problems failed", failureFields(c, inner));
    return renderProblem(c, error, options);
  }
}

/** Responds if rendering the error failed, in the same format, without code of the application. */
export function renderLastResort(c: RequestCtx, error: unknown, options: PageOptions): Response {
  return prefersPage(c)
    ? renderOwnPage(c, error, options)
    : renderProblem(c, error, { problemType: undefined });
}

/** Responds with the application's page for the error, else with the framework's. */
async function renderView(
  c: RequestCtx,
  error: unknown,
  options: ErrorPages & { readonly status: number; readonly view: ErrorHandler },
): Promise<Response> {
  const { layout, status, view } = options;
  try {
    const result = await view(c, error);
    if (isNode(result)) {
      return await renderPage(c, result, {
        status: c.answer.status || status,
        layouts: layout === undefined ? [] : [layout],
        pages: options,
      });
    }
    const isNothing = (result === undefined || result === null) && c.answer.given === undefined;
    return isNothing ? renderOwnPage(c, error, options) : await answer(c, result);
  } catch (inner) {
    forgetCopy(c, statusOf(inner));
    if (inner instanceof Redirect) return buildRedirect(c, inner.location, inner.status);
    logFailure(c, inner, 500);
    return renderOwnPage(c, error, { ...options, inner });
  }
}

/**
 * Responds with the framework's own page, which needs nothing from the application. In development the page
 * of a 5xx shows the code, and so does the page of an error whose own page failed with `inner`.
 */
export function renderOwnPage(
  c: RequestCtx,
  error: unknown,
  options: PageOptions & { readonly inner?: unknown },
): Response {
  const status = statusOf(error);
  // Also for a form that requests the whole page, which shows the error in place of the form.
  const isFragment = c.headers.has("fw-fragment");
  const hasFailed = "inner" in options;
  // In the order in which they occurred; a 4xx is the client's fault.
  const own = status >= 500 ? [error] : [];
  const html = c.env === "dev" && (status >= 500 || hasFailed)
    ? h.render((isFragment ? devErrorSlot : devErrorDocument)(c, {
      status,
      errors: hasFailed ? [...own, options.inner] : own,
    }))
    : errorPage(c, error, { hasStart: options.hasStart === true, isFragment });
  return buildHtml(c, status, options.hasReload && !isFragment ? addReload(html) : html);
}

/** Styles that follow the reader's colour scheme; the page needs no other file. */
const style = `
:root{color-scheme:light dark;--ink:#1a1d21;--soft:#5b6470;--line:#dfe3e8;--paper:#fff;--code:#f5f6f8}
@media(prefers-color-scheme:dark){:root{--ink:#e8eaed;--soft:#9aa4b1;--line:#2d333b;--paper:#14171a;--code:#1d2126}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;background:var(--paper);color:var(--ink);
font:16px/1.6 system-ui,-apple-system,"Segoe UI",sans-serif;display:grid;place-items:center}
main{width:min(46rem,100vw - 3rem);padding:3rem 0}
p{margin:0 0 1rem;color:var(--soft)}
.status{font-size:.875rem;font-weight:600;letter-spacing:.06em;margin:0}
h1{margin:.25rem 0 1rem;font-size:clamp(1.5rem,5vw,2.25rem);line-height:1.2;letter-spacing:-.02em}
a{color:inherit}
small{color:var(--soft);font-size:.8125rem}
code{font-family:ui-monospace,SFMono-Regular,Menlo,monospace}
`.replaceAll("\n", "");

const head =
  '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">' +
  // Without an icon, browsers ask for /favicon.ico and log its 404 beside the error.
  '<meta name="robots" content="noindex"><link rel="icon" href="data:image/png,">';

/** Whether the page may link to the start page, and whether only its content is requested. */
type ErrorPageOptions = Readonly<Record<"hasStart" | "isFragment", boolean>>;

/**
 * Renders the framework's own page for an error, used if the application has none or its own fails. It
 * shows only the parts that a client may see; in development a 5xx has a separate page.
 */
function errorPage(c: RequestCtx, error: unknown, options: ErrorPageOptions): string {
  const { status, title, detail, fields } = describeError(error, c.env);
  const texts = c.texts.errorPages;
  const isOurs = status >= 500;
  const isTitled = error instanceof Problem && error.title !== undefined;
  // In the page's language, unless the application wrote the text.
  const heading = isTitled ? title : texts?.[status] ?? title;
  // Only the framework's own messages are translated, by code; the application's texts are unchanged.
  const coded = error instanceof HttpError && !isOurs ? texts?.[error.code] : undefined;
  const lead = coded ?? detail ?? texts?.[`${status}.text`] ??
    texts?.[isOurs ? "5xx.text" : "4xx.text"] ?? leads[status] ??
    (isOurs
      ? "Something went wrong on our side. Please try again."
      : "The request could not be answered.");
  // A 5xx message may begin with an identifier of the code.
  const text = isOurs ? lead : sentence(lead);
  const list = fields && fieldList(fields);
  const way = wayOut(c, status, options);
  const id = isOurs && h.small(texts?.["reference"] ?? "Reference: ", h.code(c.requestId));
  const content = childHtml(h.html`<main>
<p class="status">${status}</p><h1>${heading}</h1><p>${text}</p>${list}${way}${id}</main>`);
  if (options.isFragment) return content;
  const isReversed = c.texts.language !== undefined && isRightToLeft(c.language);
  const direction = isReversed ? ' dir="rtl"' : "";
  return `<!doctype html><html lang="${escape(c.language)}"${direction}><head>${head}` +
    `<title>${status} ${escape(heading)}</title>` +
    `<style nonce="${escape(c.nonce)}">${style}</style></head><body>${content}</body></html>`;
}

/** The statuses of a URL that stays refused, so that the page links elsewhere. */
const deadEnds: ReadonlySet<number> = new Set([401, 403, 404, 405, 410]);

function wayOut(c: RequestCtx, status: number, options: ErrorPageOptions): Node | undefined {
  // No link to the page itself, and none inside a page that has links.
  const hasLink = options.hasStart && !options.isFragment && c.route?.pattern !== "/";
  if (!hasLink || !deadEnds.has(status)) return undefined;
  const path = joinBase(c.base, `${c.languagePrefix}/`);
  return h.html`<p><a href="${path}">${
    c.texts.errorPages?.["start"] ?? "Back to the start"
  }</a></p>`;
}

const leads: Readonly<Record<number, string>> = {
  400: "The request could not be understood.",
  403: "This is not allowed.",
  404: "There is nothing at this address.",
  405: "This address does not take that method.",
  413: "What was sent is too large.",
  422: "Some of what was sent is not right yet.",
  429: "Too many requests. Please wait a moment.",
};

function fieldList(fields: Iterable<[string, string]>): Node {
  return h.ul([...fields].map(([field, message]) => {
    const name = sentence(fieldWords(field));
    return h.li(name !== "" && h.b(name, ": "), name === "" ? sentence(message) : message);
  }));
}

/** Returns the name of a field as words: `venue.zipCode` is "venue zip code". */
function fieldWords(field: string): string {
  return field.replace(/([\p{Ll}\d])(\p{Lu})/gu, (_, end, start) => `${end} ${start.toLowerCase()}`)
    .replace(/[._\s-]+/g, " ").trim();
}

/** Capitalizes a message, which is written to follow a field name. */
function sentence(text: string): string {
  return text.replace(/^\p{Ll}/u, (first) => first.toUpperCase());
}

interface ErrorFacts {
  readonly status: number;
  readonly title: string;
  readonly detail: string | undefined;
  /** The stable name for programs: the error's own, else that of its status. */
  readonly code: string;
  readonly fields: FieldErrors | undefined;
}

/**
 * Returns the parts of an error that a client may see: messages of 4xx errors always, those of a 5xx only in
 * development, a `Problem` unchanged.
 */
function describeError(error: unknown, env: Env): ErrorFacts {
  const status = statusOf(error);
  const title = STATUS_TEXT[status] ?? `Error ${status}`;
  if (error instanceof Problem) {
    const { detail, fields } = error;
    return { status, title: error.title ?? title, detail, fields, code: codeOf(status) };
  }
  if (error instanceof FieldErrors) {
    return { status, title, detail: undefined, code: error.code, fields: error };
  }
  const isOpen = env === "dev" || (error instanceof HttpError && status < 500);
  const message = error instanceof HttpError
    ? error.message
    : error instanceof Error
    ? partOf(error, "message") ?? ""
    : `a handler threw ${showThrown(error)}`;
  return {
    status,
    title,
    // "Not Found" under the title "Not Found" adds nothing.
    detail: isOpen && message !== title && message !== "" ? message : undefined,
    code: error instanceof HttpError ? error.code : codeOf(status),
    fields: undefined,
  };
}

/** Writes the problem document (RFC 9457) of an error; no extension replaces one of its members. */
function problemDocument(
  c: RequestCtx,
  error: unknown,
  problemType: ((status: number) => string | undefined) | undefined,
): ProblemDocument {
  const { status, title, detail, code, fields } = describeError(error, c.env);
  const problem = error instanceof Problem ? error : undefined;
  const standard = {
    type: problem?.type ?? problemType?.(status) ?? "about:blank",
    title,
    status,
    detail,
    instance: problem?.instance ?? c.target.path,
    code,
    fields: fields?.fields,
    request_id: c.requestId,
  };
  // A `Problem` is written as the application wrote it.
  const hasStack = c.env === "dev" && status >= 500 && problem === undefined;
  const own = Object.entries(problem?.extra ?? {})
    .filter(([name]) => !Object.hasOwn(standard, name));
  return {
    ...standard,
    ...(hasStack ? { stack: devErrorLines(c, error) } : {}),
    ...Object.fromEntries(own),
  };
}
