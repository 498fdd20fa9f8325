import { type HttpError, httpError, isFwError, notFound, statusOf } from "../base/errors.ts";
import type { SecurityEvents } from "../base/events.ts";
import { decodePath, localPath, pathEnd, sliceQuery, stripBase } from "../base/path.ts";
import type { HandlerOptions, Upgrade } from "../base/types.ts";
import { endInTime } from "../guard/deadlines.ts";
import { findPathStart } from "../guard/target.ts";
import { type ErrorViews, renderError, renderOwnPage, renderProblem } from "../render/errors.ts";
import { endBody } from "../request/body_end.ts";
import { RequestContext, type Shared } from "../request/ctx.ts";
import { appendCors, appendHeaders, missingDefaults } from "../request/default_headers.ts";
import { mergeHeaders } from "../request/respond.ts";
import type { Router } from "../request/router.ts";
import type { AccessLog } from "../serve/access_log.ts";
import type { DevEvents } from "../serve/dev_events.ts";
import type { StaticFiles } from "../serve/static.ts";
import type { Gate, Gated } from "./gates.ts";
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
  /** The request log. */
  readonly accessLog: AccessLog;
  /** How long a handler may take. */
  readonly writeMs: number;
  /** How long the URL of a request may be. */
  readonly maxTargetChars: number;
  /** The reload endpoints, in development. */
  readonly devEvents: DevEvents | undefined;
  /** Whether the host of a request is allowed; `undefined` where any is. */
  readonly isAllowedHost: ((c: RequestContext) => boolean) | undefined;
  /** What a request passes before its route is looked for. */
  readonly gate: Gate | undefined;
  /** Takes reports of what was blocked. */
  readonly events: SecurityEvents;
}

/** Answers one request; without a promise where nothing is asynchronous. */
export type Pipeline = (
  request: Request,
  info?: Deno.ServeHandlerInfo,
) => Response | Promise<Response>;

/**
 * The one ordered list of what a request passes: target and host, framework endpoints, preflight,
 * global limit, router and files, chain, merge of what was staged, log.
 */
export function createPipeline(compiled: Compiled, options: HandlerOptions = {}): Pipeline {
  const { shared, isAllowedHost, gate } = compiled;
  const { isTimed } = compiled.accessLog;
  const { maxTargetChars } = compiled;
  const dispatch = createDispatch(compiled, options);
  return (request, info) => {
    const c = new RequestContext(shared, request);
    if (isTimed) c.startMs = performance.now();
    c.info = info;
    const sent = readPath(c, request, maxTargetChars);
    if (sent === undefined) return refuseTarget(compiled, { c, request });
    if (isAllowedHost !== undefined && !isAllowedHost(c)) return refuseHost(compiled, c);
    if (gate === undefined) return dispatch(c, { sent, request, info });
    const own = answerOwn(compiled, c, sent);
    if (own !== undefined) return own;
    const rest = (gated: Gated): Response | Promise<Response> =>
      gated === undefined
        ? dispatch(c, { sent, request, info })
        : gated instanceof Response
        ? finish(compiled, { c, response: gated })
        : fail(compiled, { c, error: gated });
    const gated = gate(c, sent);
    return gated instanceof Promise ? gated.then(rest) : rest(gated);
  };
}

/** A request on its way to its route. */
interface Arrival {
  /** The path as it was sent. */
  readonly sent: string;
  readonly request: Request;
  readonly info: Deno.ServeHandlerInfo | undefined;
}

/** The framework's own endpoints. */
function answerOwn(compiled: Compiled, c: RequestContext, path: string): Response | undefined {
  return isRead(c.method) ? compiled.devEvents?.answer(path, c.request) : undefined;
}

/** Finds what answers: an endpoint, a route, a file, or the host application. */
function createDispatch(
  compiled: Compiled,
  options: HandlerOptions,
): (c: RequestContext, arrival: Arrival) => Response | Promise<Response> {
  const { shared, router, files, devEvents } = compiled;
  const { next } = options;
  return (c, { sent, request, info }) => {
    // A path that equals a literal route is canonical as it stands: no scan (`bench/http`).
    const literal = findLiteral(compiled, sent);
    if (literal !== undefined) return run(compiled, { c, route: literal });
    const path = decodePath(sent);
    if (path === undefined) return refuseTarget(compiled, { c, request });
    if (devEvents !== undefined) {
      const own = answerOwn(compiled, c, path);
      if (own !== undefined) return own;
    }
    const inner = stripBase(shared.base, path);
    if (inner === undefined) {
      c.path = path;
      return next === undefined ? refuse(compiled, c) : next(request, info);
    }
    c.path = inner;
    const match = router.find(inner);
    const route = (): Response | Promise<Response> => {
      if (match !== undefined) {
        c.captures = match.params;
        return run(compiled, { c, route: match.value });
      }
      return next === undefined || hasSlashedRoute(router, inner)
        ? unmatched(compiled, c)
        : next(request, info);
    };
    return files !== undefined && match?.isLiteral !== true && isRead(c.method)
      ? answerFile(compiled, { c, files, otherwise: route })
      : route();
  };
}

/** Finds the path of the request, as it was sent; `undefined` for one that nobody may parse. */
function readPath(
  c: RequestContext,
  request: Request,
  maxChars: number,
): string | undefined {
  const url = request.url;
  if (url.length > maxChars) return undefined;
  const start = findPathStart(request, url);
  if (start < 0) return undefined;
  const end = pathEnd(url, start);
  c.rawUrl = url;
  c.pathStart = start;
  c.pathEnd = end;
  return c.path = url.slice(start, end);
}

function findLiteral(compiled: Compiled, sent: string): CompiledRoute | undefined {
  const inner = stripBase(compiled.shared.base, sent);
  const match = inner === undefined ? undefined : compiled.router.find(inner);
  return match?.isLiteral ? match.value : undefined;
}

/** Answers with the file at the path, where there is one, and leaves the rest to the routes. */
function answerFile(
  compiled: Compiled,
  { c, files, otherwise }: {
    readonly c: RequestContext;
    readonly files: StaticFiles;
    readonly otherwise: () => Response | Promise<Response>;
  },
): Response | Promise<Response> {
  const failed = (error: unknown): Response | Promise<Response> =>
    // A file that was removed after the start is no failure of the server.
    fail(compiled, { c, error: error instanceof Deno.errors.NotFound ? notFound() : error });
  try {
    const file = files.find(c.path);
    if (file === undefined) return otherwise();
    if (!(file instanceof Promise)) {
      const response = files.answer(file, c);
      return response instanceof Promise
        ? response.then((value) => dressFile(c, value)).catch(failed)
        : dressFile(c, response);
    }
    return file.then(
      async (found) => {
        try {
          if (found !== undefined) return dressFile(c, await files.answer(found, c));
        } catch (error) {
          return failed(error);
        }
        return otherwise();
      },
      failed,
    );
  } catch (error) {
    return failed(error);
  }
}

/** Puts the default headers on a file: it knows no nonce. */
function dressFile(c: RequestContext, response: Response): Response {
  appendHeaders(response.headers, missingDefaults(response, { defaults: c.defaults }));
  const cors = c.cors?.(c.headers.get("origin"));
  if (cors !== undefined) appendCors(response.headers, cors);
  return response;
}

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

function run(
  compiled: Compiled,
  { c, route }: { readonly c: RequestContext; readonly route: CompiledRoute },
): Response | Promise<Response> {
  c.route = route;
  const method = c.method;
  const chain = method === "GET" ? route.get : route.chains[method === "HEAD" ? "GET" : method];
  if (chain === undefined) {
    const error = httpError(405, "Method Not Allowed", { headers: { allow: route.allow } });
    return fail(compiled, { c, error });
  }
  try {
    const response = chain(c);
    if (!(response instanceof Promise)) return finish(compiled, { c, response });
    return inTime(compiled, { c, work: response }).then(
      (value) => finishOr(fail, compiled, { c, response: value }),
      (error) => fail(compiled, { c, error }),
    );
  } catch (error) {
    return fail(compiled, { c, error });
  }
}

/** Waits for a handler or an error page, but not for ever. */
function inTime(
  compiled: Compiled,
  { c, work }: { readonly c: RequestContext; readonly work: Promise<Response> },
): Promise<Response> {
  const limitMs = compiled.writeMs;
  const message = `no answer within ${limitMs} ms (config.timeouts.writeMs)`;
  const onLate = (): HttpError => httpError(503, message, { code: "handler_timeout" });
  return endInTime(c, work, { limitMs, onLate });
}

type Failing = (
  compiled: Compiled,
  failure: { readonly c: RequestContext; readonly error: unknown },
) => Response | Promise<Response>;

function finishOr(
  failing: Failing,
  compiled: Compiled,
  exchange: { readonly c: RequestContext; readonly response: Response },
): Response | Promise<Response> {
  try {
    return finish(compiled, exchange);
  } catch (error) {
    return failing(compiled, { c: exchange.c, error });
  }
}

function finish(
  compiled: Compiled,
  exchange: { readonly c: RequestContext; readonly response: Response },
): Response | Promise<Response> {
  const { c } = exchange;
  if (c.upgraded !== undefined) return finishUpgraded(compiled, exchange, c.upgraded);
  const isDone = c.stagedHeaders === undefined && exchange.response === c.dressed &&
    c.cors === undefined;
  const response = isDone ? exchange.response : mergeHeaders(c, exchange.response);
  c.seal();
  const { status } = response;
  if (status === 401 || status === 403) compiled.events.reportRefusal(c, status);
  compiled.accessLog.write(c, status);
  if (c.method === "HEAD") return withoutBody(c, response);
  return c.touchedBody === undefined ? response : endBody(c, response);
}

/**
 * Answers with the connection that was handed over. Where the handler failed afterwards, or gave
 * something else, the socket is closed: the server stops altogether when the answer of an upgrade is
 * not the one that it gets.
 */
function finishUpgraded(
  compiled: Compiled,
  exchange: { readonly c: RequestContext; readonly response: Response },
  upgraded: Upgrade,
): Response {
  const { c, response } = exchange;
  const { socket } = upgraded;
  if (response !== upgraded.response) {
    c.log.error("the answer of an upgraded connection was dropped", { status: response.status });
    socket.addEventListener("open", () => socket.close(1011, "the handler failed"));
  }
  c.seal();
  compiled.accessLog.write(c, 101);
  return upgraded.response;
}

/**
 * The head of an answer, for `HEAD`. What the framework wrote is measured, so that the length is the
 * one that `GET` tells; the body of a foreign answer is given up, so that whoever makes it can stop.
 */
async function withoutBody(c: RequestContext, response: Response): Promise<Response> {
  if (response.body === null) return response;
  const { status } = response;
  const headers = new Headers(response.headers);
  if (headers.has("content-length")) {
    await giveUp(response.body);
    return new Response(null, { status, headers });
  }
  if (response === c.made) {
    const { byteLength } = await response.arrayBuffer();
    headers.set("content-length", String(byteLength));
    return new Response(null, { status, headers });
  }
  await giveUp(response.body);
  // An empty stream, not null: the server would send a length of 0, which is not that of the GET.
  return new Response(ReadableStream.from([]), { status, headers });
}

async function giveUp(body: ReadableStream): Promise<void> {
  try {
    await body.cancel();
  } catch {
    // What makes it has locked it or fails to stop: the answer is a head all the same.
  }
}

function fail(
  compiled: Compiled,
  { c, error: given }: { readonly c: RequestContext; readonly error: unknown },
): Response | Promise<Response> {
  try {
    const error = readable(given);
    if (isPanic(error)) c.app.security.report(c, "panic");
    else if (statusOf(error) === 413) c.app.security.report(c, "body");
    const response = renderError(c, error, compiled.views);
    return response instanceof Promise
      ? inTime(compiled, { c, work: response }).then(
        (value) => finishOr(lastResort, compiled, { c, response: value }),
        (inner) => lastResort(compiled, { c, error: inner }),
      )
      : finish(compiled, { c, response });
  } catch (inner) {
    return lastResort(compiled, { c, error: inner });
  }
}

/** Whether nobody meant the error: it is none that a handler gives to answer with. */
function isPanic(error: unknown): boolean {
  return !isFwError(error) && statusOf(error) === 500;
}

/** The error, or one in the place of a value that throws when it is looked at. */
function readable(error: unknown): unknown {
  try {
    isPanic(error);
    return error;
  } catch {
    return new Error("a handler threw a value that cannot be read");
  }
}

/** Answers when even rendering the error failed, for example because a staged header is bad. */
function lastResort(
  compiled: Compiled,
  { c, error }: { readonly c: RequestContext; readonly error: unknown },
): Response | Promise<Response> {
  c.log.error("the error page failed", { path: c.rawPath, route: c.pattern, error });
  c.stagedHeaders = undefined;
  const response = renderOwnPage(c, new Error("the error page failed"), compiled.views);
  return finish(compiled, { c, response });
}

function unmatched(compiled: Compiled, c: RequestContext): Response | Promise<Response> {
  const { router, files } = compiled;
  const { path } = c;
  if (hasSlashedRoute(router, path)) {
    const status = isRead(c.method) ? 301 : 308;
    const location = localPath(c.rawPath.slice(0, -1)) + sliceQuery(c.rawUrl, c.pathEnd);
    return finish(compiled, { c, response: c.redirect(location, status) });
  }
  const file = isRead(c.method) ? undefined : files?.find(path);
  if (file === undefined) return refuse(compiled, c);
  const error = httpError(405, "Method Not Allowed", { headers: { allow: "GET, HEAD" } });
  if (!(file instanceof Promise)) return fail(compiled, { c, error });
  return file.then(
    (found) => found === undefined ? refuse(compiled, c) : fail(compiled, { c, error }),
    (failure) => fail(compiled, { c, error: failure }),
  );
}

function refuse(compiled: Compiled, c: RequestContext): Response | Promise<Response> {
  return fail(compiled, { c, error: notFound() });
}

/** Whether the path is a route's but for a slash at its end. */
function hasSlashedRoute(router: Router<CompiledRoute>, path: string): boolean {
  return path.length > 1 && path.endsWith("/") && router.find(path.slice(0, -1)) !== undefined;
}

/**
 * Answers 400 to a request whose path nothing could agree on. No code of the application runs: it
 * might parse the URL, which throws for some of these.
 */
function refuseTarget(
  compiled: Compiled,
  { c, request }: { readonly c: RequestContext; readonly request: Request },
): Response | Promise<Response> {
  c.rawUrl = "/";
  c.pathStart = 0;
  c.pathEnd = 1;
  c.path = "/";
  const error = request.url.length > compiled.maxTargetChars
    ? httpError(414, "the request's URL is too long", { code: "target_too_long" })
    : httpError(400, "the request's host or path is malformed", { code: "bad_target" });
  c.log.debug("request refused", { status: error.status, code: error.code, method: c.method });
  return refuseEarly(compiled, { c, error });
}

/** Answers 400 to a request for a host that is not allowed: no page of the application may build on it. */
function refuseHost(compiled: Compiled, c: RequestContext): Response | Promise<Response> {
  compiled.events.report(c, "host");
  const hint = c.env === "dev" ? ": add it to config.allowedHosts (FW_ALLOWED_HOSTS)" : "";
  const error = httpError(400, `this host is not served here${hint}`, { code: "host_not_allowed" });
  return refuseEarly(compiled, { c, error });
}

/** Answers with the framework's own words, in the format that the client prefers. */
function refuseEarly(
  compiled: Compiled,
  { c, error }: { readonly c: RequestContext; readonly error: HttpError },
): Response | Promise<Response> {
  // Not c.request: to guard a body it would parse the URL.
  const isJson = preferredFormat(c.headers.get("accept")) === "json";
  try {
    const response = isJson
      ? renderProblem(c, error, compiled.views)
      : renderOwnPage(c, error, { hasReload: false });
    return finish(compiled, { c, response });
  } catch (inner) {
    return lastResort(compiled, { c, error: inner });
  }
}
