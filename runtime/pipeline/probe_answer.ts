import { type HttpError, httpError } from "../base/errors.ts";
import type { SecurityEvents } from "../base/events.ts";
import { Off } from "../base/config/settings.ts";
import { renderProblem } from "../render/error_pages.ts";
import { isFixedHost } from "../guard/observers.ts";
import type { RequestContext } from "../request/context.ts";
import { healthResponse } from "../serve/probe_response.ts";
import { metricsResponse } from "../serve/probe_response.ts";
import { probeHeaders } from "../serve/probe_response.ts";
import type { Compiled } from "./compiled.ts";
import { withoutBody } from "./outcome.ts";
import type { Endpoint } from "./probes.ts";

/** Answers a probe or a scraper, outside of everything that the application does with a request. */
export function answerProbe(
  compiled: Compiled,
  { c, endpoint }: { readonly c: RequestContext; readonly endpoint: Endpoint },
): Response | Promise<Response> {
  const { probes } = compiled;
  if (c.method !== "GET" && c.method !== "HEAD") {
    const error = httpError(405, "Method Not Allowed", { headers: { allow: "GET, HEAD" } });
    return refuse(compiled, { c, error });
  }
  // Where any host is served, none is known: a name may be another site's that leads here.
  const isHostAllowed = compiled.isAllowedHost?.(c) ?? false;
  const observer = probes.observe(c, { isHostAllowed });
  if (observer === "refused") compiled.events.report(c, "auth", { reason: "observability-token" });
  if (endpoint === "metrics") {
    return observer === "authorised"
      ? answerMetrics(compiled, c)
      : refuseObserver(compiled, { c, events: compiled.events });
  }
  const { details } = probes.settings;
  const isOpen = c.env === "dev" && (isHostAllowed || isFixedHost(c));
  const hasDetails = details !== Off && (isOpen || observer === "authorised");
  if (endpoint === "live") {
    const { uptimeSeconds } = probes.health;
    const alive = { status: "pass", checks: [], uptimeSeconds } as const;
    return finishProbe(compiled, { c, response: healthResponse(alive, { hasDetails }) });
  }
  return probes.health.report().then((report) =>
    finishProbe(compiled, { c, response: healthResponse(report, { hasDetails }) })
  );
}

async function answerMetrics(compiled: Compiled, c: RequestContext): Promise<Response> {
  const { registry, process } = compiled.probes;
  await process?.collect();
  return await finishProbe(compiled, { c, response: metricsResponse(registry) });
}

function refuseObserver(
  compiled: Compiled,
  { c, events }: { readonly c: RequestContext; readonly events: SecurityEvents },
): Response | Promise<Response> {
  events.reportRefusal(c, 401);
  const error = httpError(401, "metrics need the token: send it as Authorization: Bearer", {
    headers: { "www-authenticate": 'Bearer realm="metrics"' },
  });
  return refuse(compiled, { c, error });
}

/** Answers with a problem document, whatever the client would like better: no page of the application runs. */
function refuse(
  compiled: Compiled,
  { c, error }: { readonly c: RequestContext; readonly error: HttpError },
): Response | Promise<Response> {
  const response = renderProblem(c, error, compiled.errorPages);
  for (const [name, value] of Object.entries({ ...probeHeaders, ...error.headers })) {
    response.headers.set(name, value);
  }
  return finishProbe(compiled, { c, response });
}

/** Ends an answer without what the application adds to its own: headers, cookies, a CORS policy. */
function finishProbe(
  compiled: Compiled,
  { c, response }: { readonly c: RequestContext; readonly response: Response },
): Response | Promise<Response> {
  c.made = response;
  c.seal();
  const { status } = response;
  compiled.meter?.end(c, status);
  compiled.accessLog.writeProbe(c, status);
  return c.method === "HEAD" ? withoutBody(c, response) : response;
}
