import { HttpError, httpError } from "../base/errors.ts";
import type { SecurityEvents } from "../base/events.ts";
import { decodePath, stripBase } from "../base/url/path.ts";
import type { Cors } from "../guard/cors.ts";
import type { RateCheck } from "../guard/rate_limit.ts";
import type { RequestContext } from "../request/context.ts";
import { appendHeaders } from "../request/default_headers.ts";
import type { Router } from "../request/router.ts";
import type { CompiledRoute } from "./routes.ts";

/** What a gate gives: an answer, an error to answer with, or nothing for a request that may pass. */
export type Gated = Response | HttpError | undefined;

/** What every request passes before its route is looked for: the preflight and the global limit. */
export type Preflight = (c: RequestContext, sent: string) => Gated | Promise<Gated>;

/** What the gate is made of. */
export interface PreflightParts {
  /** The routes by path. */
  readonly router: Router<CompiledRoute>;
  /** The application's URL prefix. */
  readonly base: string;
  /** The application's CORS policy. */
  readonly cors: Cors | undefined;
  /** The application's rate limit. */
  readonly rate: RateCheck | undefined;
  /** Takes reports of what was refused. */
  readonly events: SecurityEvents;
  /** Whether some route has a policy of its own. */
  readonly hasRouteCors: boolean;
}

/** Makes the gate; `undefined` where every request passes. */
export function createPreflight(parts: PreflightParts): Preflight | undefined {
  const { rate } = parts;
  const hasCors = parts.cors !== undefined || parts.hasRouteCors;
  if (!hasCors) return rate === undefined ? undefined : (c) => rate(c);
  return (c, sent) => {
    const preflight = c.method === "OPTIONS" ? answerPreflight(c, sent, parts) : undefined;
    const gated = preflight ?? rate?.(c);
    return gated instanceof Promise
      ? gated.then((settled) => withRoute(c, { sent, parts, gated: settled }))
      : gated && withRoute(c, { sent, parts, gated });
  };
}

/** Lets a page read why it was refused, where the route that it asked for would let it. */
function withRoute(
  c: RequestContext,
  options: { readonly sent: string; readonly parts: PreflightParts; readonly gated: Gated },
): Gated {
  const { sent, parts, gated } = options;
  if (gated instanceof HttpError && parts.hasRouteCors) c.refuseBefore(findRoute(sent, parts));
  return gated;
}

/** Answers what a browser asks before it sends a request of another site (the Fetch standard). */
function answerPreflight(c: RequestContext, sent: string, parts: PreflightParts): Gated {
  const origin = c.headers.get("origin");
  const method = c.headers.get("access-control-request-method");
  if (origin === null || method === null) return undefined;
  const route = findRoute(sent, parts);
  // A route with an OPTIONS of its own answers by itself.
  if (route?.chains["OPTIONS"] !== undefined) return undefined;
  const serves = route?.chains[method === "HEAD" ? "GET" : method] !== undefined;
  const cors = serves ? route?.cors : parts.cors;
  if (cors === undefined) return undefined;
  const served = serves ? route?.allow.split(", ") : undefined;
  const outcome = cors.preflight({ origin, method, served });
  if (typeof outcome === "string") {
    parts.events.report(c, "auth", { reason: `cors-${outcome}` });
    const what = outcome === "origin" ? "this origin" : "this method";
    return httpError(403, `Other sites may not call with ${what}.`, { code: "cors_refused" });
  }
  const response = c.noContent();
  appendHeaders(response.headers, outcome);
  return response;
}

function findRoute(sent: string, parts: PreflightParts): CompiledRoute | undefined {
  const path = decodePath(sent);
  const inner = path === undefined ? undefined : stripBase(parts.base, path);
  return inner === undefined ? undefined : parts.router.find(inner)?.value;
}
