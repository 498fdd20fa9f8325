import { type HttpError, httpError } from "../base/errors/errors.ts";
import type { SecurityEvents } from "../base/observe/events.ts";
import type { Cors } from "../guard/cors.ts";
import type { RateCheck } from "../guard/rate_limit.ts";
import type { Exchange } from "../request/exchange.ts";
import { appendHeaders } from "../request/responses.ts";
import type { Located } from "./locate.ts";

/** A response, an error to respond with, or nothing for a request that may pass. */
export type Preflighted = Response | HttpError | undefined;

/** What every request passes before its route: the CORS preflight and the global limit. */
export type Preflight = (
  c: Exchange,
  location: Located,
) => Preflighted | Promise<Preflighted>;

/** What the preflight is made of. */
export interface PreflightParts {
  /** The application's CORS policy. */
  readonly cors: Cors | undefined;
  /** The application's rate limit. */
  readonly rate: RateCheck | undefined;
  /** Receives reports of refused requests. */
  readonly events: SecurityEvents;
  /** Whether some route has a policy of its own. */
  readonly hasRouteCors: boolean;
}

/** Creates the preflight step; returns `undefined` where every request passes. */
export function createPreflight(parts: PreflightParts): Preflight | undefined {
  const { rate } = parts;
  if (parts.cors === undefined && !parts.hasRouteCors) return rate && ((c) => rate(c));
  return (c, location) => {
    const answer = c.method === "OPTIONS" ? answerPreflight(c, location, parts) : undefined;
    return answer ?? rate?.(c);
  };
}

/** Responds to the preflight that a browser sends before a cross-origin request (the Fetch standard). */
function answerPreflight(c: Exchange, { route }: Located, parts: PreflightParts): Preflighted {
  const origin = c.headers.get("origin");
  const method = c.headers.get("access-control-request-method");
  if (origin === null || method === null) return undefined;
  // A route with its own OPTIONS handler responds by itself.
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
