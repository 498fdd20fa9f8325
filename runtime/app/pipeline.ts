import { httpError } from "../base/errors.ts";
import { decodePath, localPath, stripBase } from "../base/path.ts";
import type { HandlerOptions } from "../base/types.ts";
import { findPath } from "../guard/target.ts";
import { type ErrorViews, renderError, renderOwnPage, renderProblem } from "../render/errors.ts";
import { RequestContext, type Shared, type Target } from "../request/ctx.ts";
import { mergeStaged } from "../request/respond.ts";
import type { Router } from "../request/router.ts";
import type { AccessLog } from "../serve/access_log.ts";
import type { DevEvents } from "../serve/dev_events.ts";
import type { StaticFiles } from "../serve/static.ts";
import type { CompiledRoute } from "./routes.ts";
import { preferredFormat } from "../base/headers.ts";

/** What the application is, once compiled. */
export interface Compiled {
  /** What all contexts share. */
  readonly shared: Shared;
  /** The routes by path. */
  readonly router: Router<CompiledRoute>;
  /** The static files, where there are any. */
  readonly files: StaticFiles | undefined;
  /** The error pages. */
  readonly views: ErrorViews;
  /** The request log, unless it is off. */
  readonly accessLog: AccessLog | undefined;
  /** The reload endpoints, in development. */
  readonly devEvents: DevEvents | undefined;
}

/** Answers one request; without a promise where nothing is asynchronous. */
export type Pipeline = (
  request: Request,
  info?: Deno.ServeHandlerInfo,
) => Response | Promise<Response>;

/**
 * The one ordered list of what a request passes: target, framework endpoints, router and files,
 * chain, merge of what was staged, log.
 */
export function createPipeline(compiled: Compiled, options: HandlerOptions = {}): Pipeline {
  const { shared, router, files, devEvents } = compiled;
  const { next } = options;
  return (request, info) => {
    const startMs = compiled.accessLog === undefined ? 0 : performance.now();
    const found = findPath(request);
    if (found === undefined) return refuseTarget(compiled, { request, info, startMs });
    const raw = request.url;
    const sent = raw.slice(found.start, found.end);
    const whole = found.isCanonical ? sent : decodePath(sent);
    if (whole === undefined) return refuseTarget(compiled, { request, info, startMs });
    const path = stripBase(shared.base, whole);
    if (devEvents !== undefined) {
      const event = devEvents.answer(whole, request);
      if (event !== undefined) return event;
    }
    const match = path === undefined ? undefined : router.find(path);
    if (files !== undefined && path !== undefined && match?.isLiteral !== true) {
      const file = files.find(path);
      if (file !== undefined && isRead(request.method)) return files.answer(file, request);
    }
    if (match === undefined && next !== undefined) {
      if (path === undefined || !hasSlashedRoute(router, path)) return next(request, info);
    }
    const target: Target = { raw, start: found.start, end: found.end, path: path ?? whole };
    const c = new RequestContext(shared, { request, target, info });
    if (match === undefined) return unmatched(compiled, { c, startMs });
    c.route = match.value;
    c.captures = match.params;
    return run(compiled, { c, startMs, route: match.value });
  };
}

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

interface Exchange {
  readonly c: RequestContext;
  readonly startMs: number;
}

function run(
  compiled: Compiled,
  exchange: Exchange & { readonly route: CompiledRoute },
): Response | Promise<Response> {
  const { c, startMs, route } = exchange;
  const method = c.method;
  const chain = route.chains[method === "HEAD" ? "GET" : method];
  if (chain === undefined) {
    const error = httpError(405, "Method Not Allowed", { headers: { allow: route.allow } });
    return fail(compiled, { c, startMs, error });
  }
  try {
    const response = chain(c);
    return response instanceof Promise
      ? response.then(
        (value) => finish(compiled, { c, startMs, response: value }),
        (error) => fail(compiled, { c, startMs, error }),
      )
      : finish(compiled, { c, startMs, response });
  } catch (error) {
    return fail(compiled, { c, startMs, error });
  }
}

function finish(
  compiled: Compiled,
  exchange: Exchange & { readonly response: Response },
): Response {
  const { c, startMs } = exchange;
  let response = mergeStaged(c, exchange.response);
  c.seal();
  if (c.method === "HEAD") response = withoutBody(response);
  compiled.accessLog?.(c, response.status, startMs);
  return response;
}

/** The head of an answer, for `HEAD`: the body is given up, so that whoever makes it can stop. */
function withoutBody(response: Response): Response {
  if (response.body === null) return response;
  const head = new Response(null, response);
  response.body.cancel().catch(() => {});
  return head;
}

function fail(
  compiled: Compiled,
  exchange: Exchange & { readonly error: unknown },
): Response | Promise<Response> {
  const { c, startMs, error } = exchange;
  try {
    const response = renderError(c, error, compiled.views);
    return response instanceof Promise
      ? response.then(
        (value) => finish(compiled, { c, startMs, response: value }),
        (inner) => lastResort(compiled, { c, startMs, error: inner }),
      )
      : finish(compiled, { c, startMs, response });
  } catch (inner) {
    return lastResort(compiled, { c, startMs, error: inner });
  }
}

/** Answers when even rendering the error failed, for example because a staged header is bad. */
function lastResort(
  compiled: Compiled,
  exchange: Exchange & { readonly error: unknown },
): Response {
  const { c, startMs, error } = exchange;
  c.log.error("the error page failed", { path: c.rawPath, error });
  c.stagedHeaders = undefined;
  const response = renderOwnPage(c, new Error("the error page failed"), compiled.views);
  return finish(compiled, { c, startMs, response });
}

function unmatched(compiled: Compiled, exchange: Exchange): Response | Promise<Response> {
  const { c, startMs } = exchange;
  const { router, files } = compiled;
  const { path } = c.target;
  if (hasSlashedRoute(router, path)) {
    const status = isRead(c.method) ? 301 : 308;
    const location = localPath(c.rawPath.slice(0, -1)) + queryOf(c.target);
    return finish(compiled, { c, startMs, response: c.redirect(location, status) });
  }
  const error = files?.find(path) === undefined
    ? httpError(404, "Not Found")
    : httpError(405, "Method Not Allowed", { headers: { allow: "GET, HEAD" } });
  return fail(compiled, { c, startMs, error });
}

/** Whether the path is a route's but for a slash at its end. */
function hasSlashedRoute(router: Router<CompiledRoute>, path: string): boolean {
  return path.length > 1 && path.endsWith("/") && router.find(path.slice(0, -1)) !== undefined;
}

function queryOf(target: Target): string {
  const fragment = target.raw.indexOf("#", target.end);
  return target.raw.slice(target.end, fragment < 0 ? undefined : fragment);
}

/**
 * Answers 400 to a request whose path nothing could agree on. No code of the application runs: it
 * might parse the URL, which throws for some of these.
 */
function refuseTarget(
  compiled: Compiled,
  exchange: {
    readonly request: Request;
    readonly info: Deno.ServeHandlerInfo | undefined;
    readonly startMs: number;
  },
): Response {
  const { request, info, startMs } = exchange;
  const target: Target = { raw: "/", start: 0, end: 1, path: "/" };
  const c = new RequestContext(compiled.shared, { request, target, info });
  const error = httpError(400, "the request's host or path is malformed", { code: "bad_target" });
  c.log.debug("request refused", { status: 400, code: error.code, method: request.method });
  const isJson = preferredFormat(request.headers.get("accept")) === "json";
  const response = isJson
    ? renderProblem(c, error, compiled.views)
    : renderOwnPage(c, error, { hasReload: false });
  return finish(compiled, { c, startMs, response });
}
