import { HttpError, httpError, notFound } from "../base/errors/errors.ts";
import { isInScope, leaveScope, runInScope, withTexts } from "../base/texts.ts";
import type { FetchHandler, HandlerOptions } from "../base/ctx/application.ts";
import { joinBase, localPath, sliceQuery } from "../base/url/path.ts";
import type { HostCheck } from "../guard/hosts.ts";
import type { Languages } from "../i18n/languages.ts";
import { readTarget, unknownTarget } from "../guard/target.ts";
import { RequestContext } from "../request/context.ts";
import type { Exchange, Target } from "../request/exchange.ts";
import { afterSegments } from "../request/language.ts";
import type { Shared } from "../request/shared.ts";
import type { DevEvents } from "../serve/dev_events.ts";
import type { RequestMetrics } from "../serve/request_metrics.ts";
import type { StaticFiles } from "../serve/static/files.ts";
import type { Tracing } from "../serve/tracing.ts";
import type { Refusals } from "./early_refusal.ts";
import { filePath, type FileStep } from "./file_step.ts";
import type { Locate, Located } from "./locate.ts";
import { fixedTexts } from "./language_texts.ts";
import type { Outcome } from "./outcome.ts";
import type { Preflight, Preflighted } from "./preflight.ts";
import type { ProbeAnswer } from "./probe_answer.ts";
import { chooseAction } from "./actions.ts";
import type { CompiledRoute } from "./compiled_route.ts";

/** Handles one request, synchronously when nothing in the chain is async. */
export type Pipeline = (
  request: Request,
  info?: Deno.ServeHandlerInfo,
) => Response | Promise<Response>;

type Answer = Response | Promise<Response>;

/** A request of which it is known where it leads. */
interface Begun {
  readonly c: RequestContext;
  /** `undefined` for one that cannot be read. */
  readonly target: Target | undefined;
  readonly location: Located | undefined;
}

/** The steps that a request passes, made at boot. */
export interface Steps {
  /** What all contexts share. */
  readonly shared: Shared;
  /** Whether the time at which a request began is wanted. */
  readonly isTimed: boolean;
  /** How long the URL of a request may be. */
  readonly maxTargetChars: number;
  /** Finds where a target leads. */
  readonly locate: Locate;
  /** Responds to probes and scrapers. */
  readonly answerProbe: ProbeAnswer;
  /** Whether a host is allowed; `undefined` where any is. */
  readonly isAllowedHost: HostCheck | undefined;
  /** Refuses malformed requests and foreign hosts. */
  readonly refusals: Refusals;
  /** The reload endpoints, in development. */
  readonly devEvents: DevEvents | undefined;
  /** The CORS preflight and the global limit; `undefined` where every request passes. */
  readonly preflight: Preflight | undefined;
  /** The static files, where there are any. */
  readonly files: StaticFiles | undefined;
  /** Serves static files. */
  readonly fileStep: FileStep | undefined;
  /** The last steps. */
  readonly outcome: Outcome;
  /** Counts and times requests; `undefined` while the metrics are off. */
  readonly meter: RequestMetrics | undefined;
  /** Names the spans of requests; `undefined` where Deno does not trace. */
  readonly tracing: Tracing | undefined;
}

/** Options of {@linkcode createPipeline}. */
export interface PipelineOptions extends HandlerOptions {
  /** Whether the framework's own listener passes the requests. @default false */
  readonly isListening?: boolean;
}

/**
 * Creates the one ordered list of steps of a request: target, probes and metrics, host, framework endpoints,
 * preflight, global limit, files and route, chain, merge of staged headers, log.
 */
export function createPipeline(made: Steps, options: PipelineOptions = {}): Pipeline {
  const steps = options.isListening === true
    ? { ...made, shared: { ...made.shared, isListening: true } }
    : made;
  const { shared, isTimed, maxTargetChars, meter, locate } = steps;
  const { answerProbe, isAllowedHost, refusals, devEvents, preflight } = steps;
  const dispatch = createDispatch(steps, options);
  const run = (
    request: Request,
    info: Deno.ServeHandlerInfo | undefined,
    begun?: Begun,
  ): Answer => {
    const startMs = isTimed && begun === undefined ? performance.now() : 0;
    const target = begun === undefined ? readTarget(request, maxTargetChars) : begun.target;
    const c = begun?.c ??
      new RequestContext(shared, request, target ?? unknownTarget(request), info);
    if (begun === undefined) c.startMs = startMs;
    meter?.begin();
    if (target === undefined) return refusals.target(c, request.url);
    const location = begun?.location ?? locate(target);
    // Before the host check: an orchestrator probes by an address that no host list contains.
    if (location.kind === "endpoint") return answerProbe(c, location.endpoint);
    c.location = location;
    if (isAllowedHost !== undefined) {
      // Each read of a header is a call into the server (`bench/http`).
      const header = target.hostHeader === undefined ? c.headers.get("host") : target.hostHeader;
      if (!isAllowedHost(target.host, header, info)) return refusals.host(c);
    }
    if (devEvents !== undefined && isRead(target.method)) {
      const own = devEvents.answer(target.path, request);
      if (own !== undefined) {
        meter?.end(c, own.status);
        return own;
      }
    }
    if (preflight === undefined) return dispatch(c, location, request);
    const passed = preflight(c, location);
    return passed instanceof Promise
      ? passed.then((settled) => enter(c, settled, { location, request }))
      : enter(c, passed, { location, request });
  };
  const { languages } = shared;
  if (languages !== undefined) return runInLanguage;
  // A scope costs a small request a tenth (`bench/http`).
  const texts = fixedTexts(shared.app.config);
  return texts === undefined ? run : withTexts(texts, run);

  /** Runs a request in the scope of its texts, unless they are those of the process. */
  function runInLanguage(request: Request, info?: Deno.ServeHandlerInfo): Answer {
    const startMs = isTimed ? performance.now() : 0;
    const target = readTarget(request, maxTargetChars);
    const c = new RequestContext(shared, request, target ?? unknownTarget(request), info);
    c.startMs = startMs;
    const location = target === undefined ? undefined : locate(target);
    const begun = { c, target, location };
    if (!usesProcessTexts(begun, languages)) return runInScope(c, run, request, info, begun);
    c.scope = "none";
    try {
      return run(request, info, begun);
    } finally {
      if (c.scope !== "none") leaveScope();
    }
  }

  /** Continues after the preflight unless that has responded. */
  function enter(
    c: RequestContext,
    passed: Preflighted,
    { location, request }: { readonly location: Located; readonly request: Request },
  ): Answer {
    if (passed === undefined) return dispatch(c, location, request);
    if (passed instanceof HttpError) return steps.outcome.fail(c, passed);
    return steps.outcome.finish(c, passed);
  }
}

/**
 * Reports whether a request needs no scope: a page that is read in a language without texts of its
 * own. Entering one costs two microseconds (`bench/i18n`). The language is decided here, so that
 * `Vary` says it although code without a scope reads texts after an await.
 */
function usesProcessTexts({ c, location }: Begun, languages: Languages | undefined): boolean {
  if (location?.route?.isPage !== true || !isRead(c.target.method)) return false;
  if (languages === undefined || location.language !== undefined || isInScope()) return false;
  c.spoken = languages.decide(c);
  return c.spoken.isPlain;
}

/** Creates a handler whose failures are rejections. */
export function createHandler(pipeline: Pipeline): FetchHandler {
  return async (request, info) => await pipeline(request, info);
}

/** Dispatches a request to its target: a route, a file, or the host application. */
type Dispatch = (
  c: RequestContext,
  location: Located,
  request: Request,
) => Response | Promise<Response>;

function createDispatch(steps: Steps, { next }: HandlerOptions): Dispatch {
  const { shared, refusals, fileStep, outcome } = steps;
  const run = createRun(steps);
  const unmatched = createUnmatched(steps);
  /** Passes the request to the host application, if any. */
  const passOn = (c: Exchange, request: Request): Response | Promise<Response> | undefined =>
    next && measured(steps.meter, { c, answer: () => next(request, c.info) });
  /** Responds when no file matches the path. */
  const enter: Dispatch = (c, location, request) => {
    if (location.route !== undefined) return run(c, location.route);
    if (location.kind === "slash") return redirectToRoute(c, outcome);
    if (location.kind === "spelling") return redirectToSpelling(c, outcome);
    return passOn(c, request) ?? unmatched(c);
  };
  /** Responds with 400 and a context without a path, since the request's must not be parsed. */
  const refuse: Dispatch = (c, _location, request) => {
    const bare = new RequestContext(shared, request, unknownTarget(request), c.info);
    bare.startMs = c.startMs;
    return refusals.target(bare, c.target.url);
  };
  return (c, location, request) => {
    const { kind, route } = location;
    const mayBeFile = fileStep !== undefined && kind !== "literal" && isRead(c.target.method);
    if (route !== undefined && !mayBeFile) return run(c, route);
    if (kind === "malformed") return refuse(c, location, request);
    if (kind === "outside") return passOn(c, request) ?? outcome.fail(c, notFound());
    return mayBeFile ? fileStep(c, () => enter(c, location, request)) : enter(c, location, request);
  };
}

/** Records the host application's response like any other. */
function measured(
  meter: RequestMetrics | undefined,
  { c, answer }: {
    readonly c: Exchange;
    readonly answer: () => Response | Promise<Response>;
  },
): Response | Promise<Response> {
  return meter === undefined ? answer() : measure(meter, { c, answer });
}

async function measure(
  meter: RequestMetrics,
  { c, answer }: {
    readonly c: Exchange;
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

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/** Sends the client to the path without the slash at its end, which is a route's. */
function redirectToRoute(c: Exchange, { finish }: Outcome): Response | Promise<Response> {
  const { path, url, pathEnd, method } = c.target;
  const location = localPath(path.slice(0, -1)) + sliceQuery(url, pathEnd);
  return finish(c, c.redirect(location, isRead(method) ? 301 : 308));
}

/** Sends the client to the path with its language as the application spells it. */
function redirectToSpelling(c: Exchange, { finish }: Outcome): Response | Promise<Response> {
  const { path, url, pathEnd, method } = c.target;
  const rest = afterSegments(path, c.base.split("/").length);
  const location = joinBase(c.base, `/${c.language}${rest}`) + sliceQuery(url, pathEnd);
  return finish(c, c.redirect(location, isRead(method) ? 301 : 308));
}

/** Creates the response to unmatched requests: 404, or 405 for an unsafe method on a file. */
function createUnmatched(
  { files, outcome: { fail } }: Steps,
): (c: Exchange) => Response | Promise<Response> {
  const refuse = (c: Exchange, file: unknown): Response | Promise<Response> => {
    if (file === undefined) return fail(c, notFound());
    return fail(c, httpError(405, "Method Not Allowed", { headers: { allow: "GET, HEAD" } }));
  };
  return (c) => {
    if (files === undefined || isRead(c.target.method)) return refuse(c, undefined);
    try {
      const file = files.find(filePath(c));
      if (!(file instanceof Promise)) return refuse(c, file);
      return file.then((found) => refuse(c, found), (error) => fail(c, error));
    } catch (error) {
      return fail(c, error);
    }
  };
}

/** Creates the step that runs the chain of a route. */
function createRun(
  { tracing, outcome: { finish, fail, settle } }: Steps,
): (c: RequestContext, route: CompiledRoute) => Response | Promise<Response> {
  return (c, found) => {
    const { method } = c.target;
    const route = found.actions !== undefined && method === "POST"
      ? chooseAction(found, c.target)
      : found;
    c.route = route;
    tracing?.nameSpan(method, route.label);
    const chain = method === "GET" ? route.get : route.chains[method === "HEAD" ? "GET" : method];
    if (chain === undefined) {
      const error = httpError(405, "Method Not Allowed", { headers: { allow: route.allow } });
      return fail(c, error);
    }
    try {
      const response = chain(c);
      return response instanceof Promise ? settle(c, response) : finish(c, response);
    } catch (error) {
      return fail(c, error);
    }
  };
}
