import { httpError, notFound } from "../base/errors.ts";
import { withTexts } from "../base/texts.ts";
import { decodePath, localPath, pathEnd, sliceQuery, stripBase } from "../base/url/path.ts";
import type { HandlerOptions } from "../base/types.ts";
import { findPathStart } from "../guard/target.ts";
import { RequestContext } from "../request/context.ts";
import type { Router } from "../request/router.ts";
import type { RequestMetrics } from "../serve/request_metrics.ts";
import type { Compiled } from "./compiled.ts";
import { refuseHost, refuseTarget } from "./early_refusal.ts";
import { answerFile } from "./file_answer.ts";
import type { Gated } from "./preflight.ts";
import { fail, finish, finishOr, inTime } from "./outcome.ts";
import type { CompiledRoute } from "./routes.ts";
import { answerWatch } from "./probe_answer.ts";

/** Answers one request; without a promise where nothing is asynchronous. */
export type Pipeline = (
  request: Request,
  info?: Deno.ServeHandlerInfo,
) => Response | Promise<Response>;

/**
 * The one ordered list of what a request passes: target, probes and metrics, host, framework
 * endpoints, preflight, global limit, router and files, chain, merge of what was staged, log.
 */
export function createPipeline(compiled: Compiled, options: HandlerOptions = {}): Pipeline {
  const { shared, isAllowedHost, gate, watch, meter } = compiled;
  const isTimed = compiled.accessLog.isTimed || meter !== undefined;
  const { maxTargetChars } = compiled;
  const dispatch = createDispatch(compiled, options);
  return withTexts(shared.app.config, (request: Request, info?: Deno.ServeHandlerInfo) => {
    const c = new RequestContext(shared, request);
    if (isTimed) c.startMs = performance.now();
    meter?.begin();
    c.info = info;
    const sent = readPath(c, request, maxTargetChars);
    if (sent === undefined) return refuseTarget(compiled, { c, request });
    // Before the host is checked: an orchestrator asks by an address that is in nobody's list.
    const endpoint = watch.find(sent);
    if (endpoint !== undefined) return answerWatch(compiled, { c, endpoint });
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
  });
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
  const own = isRead(c.method) ? compiled.devEvents?.answer(path, c.request) : undefined;
  if (own !== undefined) compiled.meter?.end(c, own.status);
  return own;
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
      return next === undefined
        ? refuse(compiled, c)
        : passOn(compiled, { c, answer: () => next(request, info) });
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
        : passOn(compiled, { c, answer: () => next(request, info) });
    };
    return files !== undefined && match?.isLiteral !== true && isRead(c.method)
      ? answerFile(compiled, { c, files, otherwise: route })
      : route();
  };
}

/** Lets the host application answer; it is measured like the rest. */
function passOn(
  { meter }: Compiled,
  { c, answer }: {
    readonly c: RequestContext;
    readonly answer: () => Response | Promise<Response>;
  },
): Response | Promise<Response> {
  return meter === undefined ? answer() : measure(meter, { c, answer });
}

async function measure(
  meter: RequestMetrics,
  { c, answer }: {
    readonly c: RequestContext;
    readonly answer: () => Response | Promise<Response>;
  },
): Promise<Response> {
  let status = 500;
  try {
    const response = await answer();
    status = response.status;
    return response;
  } finally {
    meter.end(c, status);
  }
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

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

function unmatched(compiled: Compiled, c: RequestContext): Response | Promise<Response> {
  const { router, files } = compiled;
  const { path } = c;
  if (hasSlashedRoute(router, path)) {
    const status = isRead(c.method) ? 301 : 308;
    const location = localPath(c.rawPath.slice(0, -1)) + sliceQuery(c.rawUrl, c.pathEnd);
    return finish(compiled, { c, response: c.redirect(location, status) });
  }
  if (isRead(c.method) || files === undefined) return refuse(compiled, c);
  const answer = (file: unknown): Response | Promise<Response> => {
    if (file === undefined) return refuse(compiled, c);
    const error = httpError(405, "Method Not Allowed", { headers: { allow: "GET, HEAD" } });
    return fail(compiled, { c, error });
  };
  try {
    const file = files.find(path);
    if (!(file instanceof Promise)) return answer(file);
    return file.then(answer, (error) => fail(compiled, { c, error }));
  } catch (error) {
    return fail(compiled, { c, error });
  }
}

function refuse(compiled: Compiled, c: RequestContext): Response | Promise<Response> {
  return fail(compiled, { c, error: notFound() });
}

/** Whether the path is a route's but for a slash at its end. */
function hasSlashedRoute(router: Router<CompiledRoute>, path: string): boolean {
  return path.length > 1 && path.endsWith("/") && router.find(path.slice(0, -1)) !== undefined;
}

function run(
  compiled: Compiled,
  { c, route }: { readonly c: RequestContext; readonly route: CompiledRoute },
): Response | Promise<Response> {
  c.route = route;
  compiled.tracing?.nameSpan(c.method, route.pattern);
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
