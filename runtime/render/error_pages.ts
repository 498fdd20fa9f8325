import { isNode } from "../../html/node.ts";
import type { Answered } from "../base/ctx/answer.ts";
import { HttpError, Redirect, statusOf } from "../base/errors/errors.ts";
import { showThrown } from "../base/diagnose/error_text.ts";
import { permissionFix } from "../base/diagnose/missing_permission.ts";
import type { ErrorHandler, Handler, LayoutHandler, ProblemsHandler } from "../base/ctx/route.ts";
import { forbidCopy, forgetCopy } from "../request/stage.ts";
import { failureFields, type RequestCtx } from "../request/request_ctx.ts";
import { queueFlash } from "../request/flash.ts";
import { answer } from "../request/chain.ts";
import { addHeader, buildHtml, buildJson, buildRedirect, prefersPage } from "../request/answer.ts";
import { devErrorDocument, devErrorSlot } from "./dev_error.ts";
import { describeError, errorPage, problemDocument } from "./error_page.ts";
import { addReload, type PageOptions, renderPage } from "./page.ts";
import { render } from "../../html/mod.ts";

export interface ErrorPages extends PageOptions {
  readonly layout: LayoutHandler | undefined;
  readonly notFound: Handler | undefined;
  readonly error: ErrorHandler | undefined;
  readonly problemType: ((status: number) => string | undefined) | undefined;
}

/**
 * Responds with an error: a redirect as such, any other error as a problem document or as a page, depending
 * on the route and the client.
 */
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
  queueFlash(c, { kind: "error", text: detail === undefined ? title : `${title}: ${detail}` });
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

/**
 * Responds when even rendering an error failed, in the format that the error would have had, without the
 * application's page and `problemType`.
 */
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
    ? render((isFragment ? devErrorSlot : devErrorDocument)(c, {
      status,
      errors: hasFailed ? [...own, options.inner] : own,
      isKept: options.keepsIncidents === true && status >= 500,
    }))
    : errorPage(c, error, { hasStart: options.hasStart === true, isFragment });
  return buildHtml(c, status, options.hasReload && !isFragment ? addReload(html) : html);
}
