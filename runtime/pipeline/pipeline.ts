import type { Answered } from "../base/ctx/answer.ts";
import type { FetchHandler, HandlerOptions } from "../base/ctx/application.ts";
import type { Target } from "../base/ctx/target.ts";
import { httpError, notFound } from "../base/errors/errors.ts";
import { isInScope, leaveScope, runInScope } from "../base/texts.ts";
import { parseAction } from "../base/url/href.ts";
import { joinBase, localPath, sliceQuery } from "../base/url/path.ts";
import { buildRedirect } from "../request/answer.ts";
import { appendCors } from "../request/stage.ts";
import { afterSegments } from "../request/language.ts";
import type { RequestCtx } from "../request/request_ctx.ts";
import type { StaticFile } from "../serve/static/file.ts";
import type { StaticFiles } from "../serve/static/files.ts";
import { lacksSlash } from "../serve/static/tree.ts";
import { type BeforeStep, listBefore, refuseTarget } from "./before.ts";
import { fixedTexts } from "./language_texts.ts";
import { createLocate, type Located, readTarget, unknownTarget } from "./locate.ts";
import { createOutcome, type Outcome } from "./outcome.ts";
import { createProbeAnswer } from "./probes.ts";
import type { CompiledRoute, Runtime } from "./runtime.ts";

/** Handles one request, synchronously when nothing in the chain is async. */
export type Pipeline = (request: Request, info?: Deno.ServeHandlerInfo) => Answered;

type NextHandler = NonNullable<HandlerOptions["next"]>;

export function createHandler(pipeline: Pipeline): FetchHandler {
  return async (request, info) => await pipeline(request, info);
}

export interface PipelineOptions extends HandlerOptions {
  /** Whether the requests come from the framework's own listener. @default false */
  readonly isListening?: boolean;
}

/**
 * Creates the ordered steps of a request: target, context, location, probes, the steps before the router,
 * files or the chain of a route, and the outcome (the head of the response and the log).
 */
export function createPipeline(made: Runtime, options: PipelineOptions = {}): Pipeline {
  const runtime = options.isListening === true ? { ...made, isListening: true } : made;
  const { Context, meter, accessLog, languages } = runtime;
  const { maxHeaderBytes } = runtime.app.config.timeouts;
  const isTimed = accessLog.isTimed || meter !== undefined;
  const outcome = createOutcome(runtime);
  const before = listBefore(runtime, outcome);
  const locate = createLocate(runtime);
  const answerProbe = createProbeAnswer(runtime);
  const dispatch = createDispatch();

  const handle = (request: Request, info?: Deno.ServeHandlerInfo): Answered => {
    const startMs = isTimed ? performance.now() : 0;
    const target = readTarget(request, maxHeaderBytes);
    const c = new Context(runtime, request, target ?? unknownTarget(request), info);
    c.startMs = startMs;
    meter?.begin();
    if (target === undefined) {
      return refuseTarget(c, { url: request.url, path: "/" }, runtime, outcome);
    }
    const location = locate(target);
    c.location = location;
    // Before the host check, because an orchestrator probes by an address that no host list contains.
    if (location.endpoint !== undefined) return answerProbe(c, location.endpoint);
    if (languages !== undefined) return speak(c, location, request);
    return before.length === 0 ? dispatch(c, location, request) : passFrom(0, c, location, request);
  };
  // A scope adds a tenth to the time of a small request (`bench/http`).
  const texts = languages === undefined ? fixedTexts(runtime.app.config) : undefined;
  if (texts === undefined) return handle;
  const scope = { facts: { texts, languagePrefix: "" } };
  return (...args) => runInScope(scope, handle, ...args);

  /** Passes a request through the steps before the router, starting with step `at`, and dispatches it. */
  function passFrom(at: number, c: RequestCtx, location: Located, request: Request): Answered {
    for (let index = at; index < before.length; index++) {
      const answered = (before[index] as BeforeStep)(c, location);
      if (answered === undefined) continue;
      if (!(answered instanceof Promise)) return answered;
      return answered.then((response) => response ?? passFrom(index + 1, c, location, request));
    }
    return dispatch(c, location, request);
  }

  /**
   * Runs a request in the scope of its texts, unless they are those of the process. The language of a page is
   * decided here, so that `Vary` is set even if code without a scope reads texts after an await. Entering a
   * scope costs two microseconds (`bench/i18n`).
   */
  function speak(c: RequestCtx, location: Located, request: Request): Answered {
    const mayBePlain = location.route?.isPage === true && isRead(c.target.method) &&
      location.language === undefined && !isInScope();
    if (mayBePlain) c.spoken = languages?.decide(c);
    if (c.spoken?.isPlain !== true) {
      return runInScope(c.scope = { facts: c }, passFrom, 0, c, location, request);
    }
    try {
      return passFrom(0, c, location, request);
    } finally {
      if (c.scope !== undefined) leaveScope();
    }
  }

  /** Creates the step that dispatches a request to a file, a route, or the fallback. */
  function createDispatch(): (c: RequestCtx, location: Located, request: Request) => Answered {
    const { files, tracing } = runtime;
    const { finish, fail, settle } = outcome;
    const enter = (c: RequestCtx, location: Located, request: Request): Answered => {
      if (location.route === undefined) return leadElsewhere(c, location, request);
      const { method } = c.target;
      const route = location.route.actions !== undefined && method === "POST"
        ? chooseAction(location.route, c.target)
        : location.route;
      c.route = route;
      tracing?.nameSpan(method, route.label);
      const chain = method === "GET" ? route.get : route.chains[method === "HEAD" ? "GET" : method];
      if (chain === undefined) return fail(c, methodNotAllowed(route.allow));
      try {
        const response = chain(c);
        return response instanceof Promise ? settle(c, response, fail) : finish(c, response);
      } catch (error) {
        return fail(c, error);
      }
    };
    if (files === undefined) return enter;
    const sendFile = createFileStep(files, runtime, outcome);
    return (c, location, request) => {
      const { kind } = location;
      const mayBeFile = kind !== "literal" && kind !== "malformed" && kind !== "outside" &&
        kind !== "base" && isRead(c.target.method);
      const sent = mayBeFile ? sendFile(c) : undefined;
      if (!(sent instanceof Promise)) return sent ?? enter(c, location, request);
      return sent.then((response) => response ?? enter(c, location, request));
    };
  }

  /** Responds to a request without a route: with a redirect, by the host application, or with an error. */
  function leadElsewhere(c: RequestCtx, { kind }: Located, request: Request): Answered {
    const { files } = runtime;
    const { finish, fail } = outcome;
    const { method } = c.target;
    if (kind === "malformed") {
      // A context without a path, since the request's must not be parsed.
      const bare = new Context(runtime, request, unknownTarget(request), c.info);
      bare.startMs = c.startMs;
      return refuseTarget(bare, c.target, runtime, outcome);
    }
    if (kind === "slash" || kind === "spelling" || kind === "base") {
      return finish(c, buildRedirect(c, redirectPath(c, kind), isRead(method) ? 301 : 308));
    }
    if (options.next !== undefined) return passOn(c, request, options.next);
    if (files === undefined || kind === "outside" || isRead(method)) return fail(c, notFound());
    return then(
      () => files.find(filePath(c)),
      (file) => fail(c, file === undefined ? notFound() : methodNotAllowed("GET, HEAD")),
      (error) => fail(c, error),
    );
  }

  /** Passes a request on to the host application, which is measured like a handler. */
  function passOn(c: RequestCtx, request: Request, next: NextHandler): Answered {
    if (meter === undefined) return next(request, c.info);
    let status = 500;
    return Promise.try(next, request, c.info).then((response) => {
      status = response.status;
      return response;
    }).finally(() => meter.end(c, status));
  }
}

function methodNotAllowed(allow: string): Error {
  return httpError(405, "Method Not Allowed", { headers: { allow } });
}

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/** Returns the route of the action that a request names, or the page's `POST` for an unknown one. */
function chooseAction(route: CompiledRoute, { url, pathEnd }: Target): CompiledRoute {
  const name = parseAction(sliceQuery(url, pathEnd));
  return name === undefined ? route : route.actions?.get(name) ?? route;
}

/**
 * Returns the path of the intended route: without the slash at its end, with that of the base path, or with the
 * application's spelling of its language.
 */
function redirectPath(c: RequestCtx, kind: "slash" | "spelling" | "base"): string {
  const { path, url, pathEnd } = c.target;
  const own = kind === "base"
    ? `${localPath(path)}/`
    : kind === "slash"
    ? localPath(path.slice(0, -1))
    : joinBase(c.base, `/${c.language}${afterSegments(path, c.base.split("/").length)}`);
  return own + sliceQuery(url, pathEnd);
}

/** Creates the step that sends the file at the path; it returns `undefined` if there is none. */
function createFileStep(
  files: StaticFiles,
  { meter }: Pick<Runtime, "meter">,
  { fail, finish }: Outcome,
): (c: RequestCtx) => Answered | Promise<Response | undefined> | undefined {
  const failing = (c: RequestCtx) => (error: unknown): Answered =>
    // A file that was removed after the start is not a failure of the server.
    fail(c, error instanceof Deno.errors.NotFound ? notFound() : error);
  const done = (c: RequestCtx, response: Response): Response => {
    // A file has its other headers already; the CORS headers depend on the request.
    const cors = c.cors?.(c.headers.get("origin"));
    if (cors !== undefined) appendCors(response.headers, cors);
    meter?.end(c, response.status);
    return response;
  };
  const send = (c: RequestCtx, file: StaticFile): Answered => {
    // The path may also match a route, but it led to a file.
    c.location = { path: filePath(c), route: undefined, captures: undefined };
    const isBareBase = c.path === "/" && !c.target.path.endsWith("/");
    if (isBareBase || lacksSlash(file, c.path)) {
      // With the slash, the relative links of an index resolve inside its folder.
      const { path, url, pathEnd } = c.target;
      const location = `${localPath(path)}/${sliceQuery(url, pathEnd)}`;
      return finish(c, buildRedirect(c, location, 301));
    }
    return then(() => files.answer(file, c), (response) => done(c, response), failing(c));
  };
  return (c) =>
    then(
      () => files.find(filePath(c)),
      (file) => file === undefined ? undefined : send(c, file),
      failing(c),
    );
}

/** Continues with the result of some work, synchronously if the work is. */
function then<T, R>(
  work: () => T | Promise<T>,
  next: (result: T) => R | Promise<R>,
  fail: (error: unknown) => R | Promise<R>,
): R | Promise<R> {
  try {
    const result = work();
    return result instanceof Promise ? result.then(next).catch(fail) : next(result);
  } catch (error) {
    return fail(error);
  }
}

/** Returns the path by which files are found; a language prefix is an ordinary folder. */
function filePath(c: RequestCtx): string {
  return c.location?.outer ?? c.path;
}
