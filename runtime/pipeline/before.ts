import type { Answered } from "../base/ctx/answer.ts";
import type { Target } from "../base/ctx/target.ts";
import { type HttpError, httpError } from "../base/errors/errors.ts";
import { appendHeaders } from "../base/headers.ts";
import { stripBase } from "../base/url/path.ts";
import type { RateCheck } from "../guard/rate_limit.ts";
import { renderOwnPage, renderProblem } from "../render/error_pages.ts";
import { addHeader, buildEmpty, prefersPage } from "../request/answer.ts";
import type { RequestCtx } from "../request/request_ctx.ts";
import type { Located } from "./locate.ts";
import type { Outcome } from "./outcome.ts";
import type { Runtime } from "./runtime.ts";

/** A step before the router: it responds, or lets the request pass. */
export type BeforeStep = (
  c: RequestCtx,
  location: Located,
) => Answered | Promise<Response | undefined> | undefined;

export function listBefore(runtime: Runtime, outcome: Outcome): readonly BeforeStep[] {
  const { rateCheck } = runtime;
  const steps = [
    hostStep(runtime, outcome),
    preflightStep(runtime, outcome),
    rateCheck && rateStep(rateCheck, outcome),
  ];
  return steps.filter((step) => step !== undefined);
}

/** Refuses a host that is not allowed, so that no page builds links from it. */
function hostStep(runtime: Runtime, outcome: Outcome): BeforeStep | undefined {
  const { isAllowedHost, events, app } = runtime;
  if (isAllowedHost === undefined) return undefined;
  const hint = app.env === "dev" ? ": add it to config.allowedHosts (FW_ALLOWED_HOSTS)" : "";
  const message = `this host is not served here${hint}`;
  return (c) => {
    const { host, hostHeader } = c.target;
    // Each read of a header is a call into the server (`bench/http`).
    const header = hostHeader === undefined ? c.headers.get("host") : hostHeader;
    if (isAllowedHost(host, header, c.info)) return undefined;
    events.report(c, "host");
    const error = httpError(400, message, { code: "host_not_allowed" });
    return refuseEarly(c, { error, path: c.path }, runtime, outcome);
  };
}

/** Responds to the preflight that a browser sends before a cross-origin request (the Fetch standard). */
function preflightStep(runtime: Runtime, outcome: Outcome): BeforeStep | undefined {
  const hasRouteCors = runtime.app.routes.some(({ cors }) => cors !== undefined);
  if (runtime.cors === undefined && !hasRouteCors) return undefined;
  return (c, { route: own, near }) => {
    if (c.method !== "OPTIONS") return undefined;
    // Browsers do not follow a redirect of a preflight, but they follow that of the request after it.
    const route = own ?? near;
    const origin = c.headers.get("origin");
    const method = c.headers.get("access-control-request-method");
    if (origin === null || method === null) return undefined;
    // A route with its own OPTIONS handler responds by itself.
    if (route?.chains["OPTIONS"] !== undefined) return undefined;
    const serves = route?.chains[method === "HEAD" ? "GET" : method] !== undefined;
    const cors = serves ? route?.cors : runtime.cors;
    if (cors === undefined) return undefined;
    const served = serves ? route?.allow.split(", ") : undefined;
    const permitted = cors.preflight(origin, method, served);
    if (typeof permitted === "string") {
      runtime.events.report(c, "auth", { reason: `cors-${permitted}` });
      const message = `Other sites may not call with this ${permitted}.`;
      return outcome.fail(c, httpError(403, message, { code: "cors_refused" }));
    }
    const response = buildEmpty(c, 204);
    appendHeaders(response.headers, permitted);
    return outcome.finish(c, response);
  };
}

function rateStep(take: RateCheck, { fail }: Outcome): BeforeStep {
  return (c) => {
    const refusal = take(c);
    if (refusal instanceof Promise) return refusal.then((error) => error && fail(c, error));
    return refusal && fail(c, refusal);
  };
}

/** Responds with the framework's own text, before any code of the application runs. */
function refuseEarly(
  c: RequestCtx,
  { error, path }: { readonly error: HttpError; readonly path: string },
  { errorPages }: Runtime,
  { finish, lastResort }: Outcome,
): Answered {
  try {
    const response = prefersPage(c, path)
      ? renderOwnPage(c, error, { hasReload: false })
      : renderProblem(c, error, errorPages);
    addHeader(c, response, ["vary", "Accept"]);
    return finish(c, response);
  } catch (inner) {
    return lastResort(c, inner);
  }
}

/** Refuses a malformed or too long target, whose URL the application might fail to parse. */
export function refuseTarget(
  c: RequestCtx,
  { url, path }: Pick<Target, "url" | "path">,
  runtime: Runtime,
  outcome: Outcome,
): Answered {
  const error = url.length > runtime.app.config.timeouts.maxHeaderBytes
    ? httpError(414, "the request's URL is too long", { code: "target_too_long" })
    : httpError(400, "the request's host or path is malformed", { code: "bad_target" });
  const { status, code } = error;
  c.log.debug("request refused", { status, code, method: c.method });
  return refuseEarly(c, { error, path: stripBase(runtime.base, path) ?? path }, runtime, outcome);
}
