import { type HttpError, httpError } from "../base/errors.ts";
import { preferredFormat } from "../base/headers.ts";
import { renderOwnPage, renderProblem } from "../render/error_pages.ts";
import type { RequestContext } from "../request/context.ts";
import type { Compiled } from "./compiled.ts";
import { finish, lastResort } from "./outcome.ts";

/**
 * Answers 400 to a request whose path nothing could agree on. No code of the application runs: it
 * might parse the URL, which throws for some of these.
 */
export function refuseTarget(
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
export function refuseHost(compiled: Compiled, c: RequestContext): Response | Promise<Response> {
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
  c.header("vary", "Accept");
  // Not c.request: to guard a body it would parse the URL.
  const isJson = preferredFormat(c.headers.get("accept")) === "json";
  try {
    const response = isJson
      ? renderProblem(c, error, compiled.errorPages)
      : renderOwnPage(c, error, { hasReload: false });
    return finish(compiled, { c, response });
  } catch (inner) {
    return lastResort(compiled, { c, error: inner });
  }
}
