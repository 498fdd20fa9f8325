import { routeMethods } from "../base/conventions.ts";
import { canonicalText, parsePattern, type Segment, sliceQuery } from "../base/url/path.ts";
import type { AppTree } from "../base/ctx/application.ts";
import { csrfNames } from "../base/config/config.ts";
import type { Handler, Method, ProblemsHandler, Route } from "../base/ctx/route.ts";
import { httpError, notFound } from "../base/errors/errors.ts";
import { isActionName, parseAction } from "../base/url/href.ts";
import { compileCors } from "../guard/cors.ts";
import { isCsrfChecked, isSiteChecked, refuseCrossSite, requireCsrf } from "../guard/csrf.ts";
import type { Languages } from "../i18n/languages.ts";
import { type Chain, composeChain, type Step } from "../request/chain.ts";
import { Router } from "../request/router.ts";
import { isSecretName } from "../serve/incidents/secrets.ts";
import type { CompiledRoute, Runtime } from "./runtime.ts";

/** The application, its CORS policy for routes without one, and its languages. */
type Made = Pick<Runtime, "app" | "cors" | "languages">;

/**
 * Compiles the routes into a router.
 *
 * @throws {TypeError} for a malformed or duplicate pattern, and for a route without handlers, with two GET
 * handlers or with an unknown method.
 */
export function compileRoutes(made: Made): Router<CompiledRoute> {
  const { routes } = made.app;
  const router = new Router<CompiledRoute>();
  for (const { pattern } of routes) refuseLanguage(pattern, made.languages);
  for (const route of routes) router.add(route.pattern, compileRoute(route, made));
  return router;
}

/**
 * Returns the lookup of the `Problems` for a path without a route; `undefined` if the application has none.
 *
 * @throws {TypeError} for a `Problems` that is not a function.
 */
export function compileProblems(
  folders: AppTree["problems"] = {},
): ((path: string) => ProblemsHandler | undefined) | undefined {
  const compiled = Object.entries(folders).map(([pattern, problems]) => {
    refuseProblems(pattern, problems);
    const steps = parsePattern(pattern).segments.map((segment) =>
      segment.kind === "literal"
        ? `/${RegExp.escape(canonicalText(segment.text))}`
        : segment.kind === "param"
        ? "/[^/]+"
        : "/.+"
    );
    return { problems, start: new RegExp(`^${steps.join("")}(?:/|$)`) };
  });
  if (compiled.length === 0) return undefined;
  return (path) => compiled.find(({ start }) => start.test(path))?.problems;
}

function refuseProblems(pattern: string, problems: unknown): void {
  if (problems === undefined || typeof problems === "function") return;
  throw new TypeError(
    `Cannot use the Problems of "${pattern}": it is not a function; export one from kind.ts.`,
  );
}

/** Refuses a route whose path starts with a language: it would shadow other routes in that language. */
function refuseLanguage(pattern: string, languages: Languages | undefined): void {
  const [, first = ""] = pattern.split("/");
  const prefixed = languages?.parsePrefix(`/${first}`);
  if (prefixed === undefined) return;
  throw refused(
    pattern,
    `with config.languagePrefix its first segment is the language "${prefixed.language}"; rename the ` +
      "folder, or leave the language out of the path",
  );
}

function refused(pattern: string, reason: string): TypeError {
  return new TypeError(`Cannot add the route "${pattern}": ${reason}.`);
}

function compileRoute(route: Route, made: Made): CompiledRoute {
  const { config } = made.app;
  const csrf = csrfNames(config);
  refuseMethods(route);
  refuseProblems(route.pattern, route.problems);
  const chains: Record<string, Chain> = Object.create(null);
  const allowed: string[] = [];
  const compose = (method: Method, own: Step): Chain => {
    const handler = isCsrfChecked(route, method, config) ? requireCsrf(own, csrf) : own;
    const chain = composeChain(route, method, handler);
    return isSiteChecked(route, method, config) ? refuseCrossSite(chain) : chain;
  };
  for (const method of routeMethods) {
    const own = handlerOf(route, method);
    if (own === undefined) continue;
    chains[method] = compose(method, own);
    allowed.push(method);
    if (method === "GET") allowed.push("HEAD");
  }
  if (allowed.length === 0) {
    throw refused(route.pattern, "it has neither a page nor a method; give it one");
  }
  const cors = route.cors === undefined
    ? made.cors
    : compileCors(route.cors, `CORS of the route "${route.pattern}"`, csrf.header);
  const { segments, names } = parsePattern(route.pattern);
  const compiled: CompiledRoute = {
    cors,
    corsHeaders: cors?.headers,
    pattern: route.pattern,
    label: route.pattern,
    actionNames: Object.keys(route.actions ?? {}),
    actions: undefined,
    names,
    secretSegments: hideSegments(segments),
    isPage: route.page !== undefined,
    kind: route.page === undefined ? route.kind : "page",
    problems: route.page === undefined && route.kind !== "page" ? route.problems : undefined,
    layouts: route.layouts ?? [],
    source: route.source ?? "app.route",
    chains,
    get: chains["GET"],
    allow: allowed.join(", "),
  };
  const actions = compileActions(route, compiled, (handler) => compose("POST", handler));
  return actions === undefined ? compiled : { ...compiled, actions };
}

/** Returns the log replacements of segments that look secret; `undefined` if none does. */
function hideSegments(segments: readonly Segment[]): (string | undefined)[] | undefined {
  const hidden = segments.map((segment) => {
    if (segment.kind === "literal" || !isSecretName(segment.name)) return undefined;
    return segment.kind === "rest" ? `{${segment.name}...}` : `{${segment.name}}`;
  });
  return hidden.some((name) => name !== undefined) ? hidden : undefined;
}

function handlerOf(route: Route, method: Method): Step | undefined {
  if (method === "GET") return route.page ?? route.methods?.GET;
  const own = route.methods?.[method];
  return method === "POST" && route.actions !== undefined ? unnamedAction(own) : own;
}

/** Refuses a misspelt method, which would never match a request, and a second handler of GET. */
function refuseMethods({ pattern, page, methods = {} }: Route): void {
  const known: readonly string[] = routeMethods;
  const unknown = Object.keys(methods).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw refused(pattern, `its methods have "${unknown}"; write ${known.join(", ")}`);
  }
  if (page === undefined || methods.GET === undefined) return;
  throw refused(
    pattern,
    'its methods have "GET" beside a page, which answers it; leave one of them out',
  );
}

/**
 * Compiles the actions of a page: each is a copy of the route with its own label and `POST`.
 *
 * @throws {TypeError} for a route without a page, for no actions, and for a name that is unsafe in a URL.
 */
function compileActions(
  route: Route,
  compiled: CompiledRoute,
  compose: (handler: Handler) => Chain,
): ReadonlyMap<string, CompiledRoute> | undefined {
  const { pattern, page, actions: given } = route;
  if (given === undefined) return undefined;
  if (page === undefined) throw refused(pattern, "only a page has Actions; give it a page");
  const actions = new Map<string, CompiledRoute>();
  for (const [name, handler] of Object.entries(given)) {
    if (!isActionName(name)) {
      throw refused(pattern, `the action ${JSON.stringify(name)} must be letters, digits and "_"`);
    }
    if (typeof handler !== "function") {
      throw refused(pattern, `the action "${name}" is not a function`);
    }
    actions.set(name, {
      ...compiled,
      label: `${compiled.label}?/${name}`,
      chains: Object.assign(Object.create(null), compiled.chains, { POST: compose(handler) }),
    });
  }
  if (actions.size > 0) return actions;
  throw refused(pattern, "its Actions are empty; name one or leave them out");
}

/**
 * Returns the `POST` of a page with actions: 404 for an unknown action, and 405 without an action if the page
 * has no `POST`. It runs after the guards, so that a client learns nothing about a page that it may not
 * access.
 */
function unnamedAction(post: Handler | undefined): Step {
  return (c) => {
    const { url, pathEnd } = c.target;
    const name = parseAction(sliceQuery(url, pathEnd));
    if (name !== undefined) return notFound("the page has no such action");
    if (post !== undefined) return post(c);
    return httpError(405, "Method Not Allowed", { headers: { allow: "GET, HEAD" } });
  };
}
