import { routeMethods } from "../base/conventions.ts";
import { parsePattern } from "../base/url/pattern.ts";
import type { Config, CsrfNames } from "../base/config/config.ts";
import type { Route } from "../base/types.ts";
import { compileCors, type Cors } from "../guard/cors.ts";
import { isCsrfChecked, isSiteChecked, refuseCrossSite, requireCsrf } from "../guard/csrf.ts";
import { type Chain, composeChain, limitBody } from "../request/chain.ts";
import { Router } from "../request/router.ts";
import type { MatchedRoute } from "../request/exchange.ts";

/** A route with everything that could be computed before its first request. */
export interface CompiledRoute extends MatchedRoute {
  /** Which other sites may call it. */
  readonly cors: Cors | undefined;
  /** The chains by method, on an object without a prototype. */
  readonly chains: Readonly<Record<string, Chain>>;
  /** The chain of `GET`, the method that most requests have. */
  readonly get: Chain | undefined;
  /** The `Allow` header of a 405. */
  readonly allow: string;
}

/** What compiling a route needs of the application. */
export interface CompileOptions {
  /** The configuration. */
  readonly config: Pick<Config, "csrfForApi">;
  /** The names by which the CSRF token travels. */
  readonly csrf: Required<CsrfNames>;
  /** The application's CORS policy, for routes without one. */
  readonly cors: Cors | undefined;
}

/**
 * Compiles the routes into a router.
 *
 * @throws {TypeError} for a pattern that is malformed or taken, and for a route that handles nothing,
 * has two GET handlers or has a method that no route has.
 */
export function compileRoutes(
  routes: readonly Route[],
  options: CompileOptions,
): Router<CompiledRoute> {
  const router = new Router<CompiledRoute>();
  for (const route of routes) router.add(route.pattern, compileRoute(route, options));
  return router;
}

function compileRoute(route: Route, options: CompileOptions): CompiledRoute {
  refuseUnknownMethods(route);
  refuseSecondGet(route);
  const chains: Record<string, Chain> = Object.create(null);
  const allowed: string[] = [];
  for (const method of routeMethods) {
    const own = method === "GET" ? route.page ?? route.methods?.GET : route.methods?.[method];
    if (own === undefined) continue;
    const checked = isCsrfChecked(route, method, options.config)
      ? requireCsrf(own, options.csrf)
      : own;
    const handler = method === "GET" ? checked : limitBody(checked);
    const chain = composeChain(route.middleware ?? [], { method, handler });
    chains[method] = isSiteChecked(route, method, options.config)
      ? refuseCrossSite(chain, options.csrf)
      : chain;
    allowed.push(method);
    if (method === "GET") allowed.push("HEAD");
  }
  if (allowed.length === 0) {
    throw new TypeError(
      `Cannot add the route "${route.pattern}": it has neither a page nor a method; give it one.`,
    );
  }
  const cors = route.cors === undefined ? options.cors : compileCors(route.cors, {
    name: `CORS of the route "${route.pattern}"`,
    csrfHeader: options.csrf.header,
  });
  return {
    cors,
    corsHeaders: cors?.headers,
    pattern: route.pattern,
    names: parsePattern(route.pattern).names,
    isPage: route.page !== undefined,
    kind: route.kind,
    layouts: route.layouts ?? [],
    source: route.source ?? "app.route",
    chains,
    get: chains["GET"],
    allow: allowed.join(", "),
  };
}

/** A misspelt method would never match a request. */
function refuseUnknownMethods(route: Route): void {
  const known: readonly string[] = routeMethods;
  const unknown = Object.keys(route.methods ?? {}).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(
    `Cannot add the route "${route.pattern}": its methods have "${unknown}"; ${fixOf(unknown)}.`,
  );
}

/** Only one of the two could handle the request. */
function refuseSecondGet(route: Route): void {
  if (route.page === undefined || route.methods?.GET === undefined) return;
  throw new TypeError(
    `Cannot add the route "${route.pattern}": its methods have "GET" beside a page, which answers ` +
      "it; leave one of them out.",
  );
}

function fixOf(method: string): string {
  const known: readonly string[] = routeMethods;
  const upper = method.toUpperCase();
  if (upper === "HEAD") return "leave it out, GET answers HEAD";
  if (known.includes(upper)) return `write "${upper}"`;
  return `write ${known.slice(0, -1).join(", ")} or ${known.at(-1)}`;
}
