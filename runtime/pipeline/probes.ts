import { observabilityPaths, type ObservabilitySettings } from "../base/config/observability.ts";
import { Off } from "../base/config/settings.ts";
import { type HttpError, httpError } from "../base/errors/errors.ts";
import { compileObservers, findForeignHost } from "../guard/observers.ts";
import { renderProblem } from "../render/error_pages.ts";
import { buildAnswer } from "../request/answer.ts";
import type { RequestCtx } from "../request/request_ctx.ts";
import type { Router } from "../request/router.ts";
import { healthResponse, metricsResponse, probeHeaders } from "../serve/probe_response.ts";
import type { StaticFiles } from "../serve/static/files.ts";
import { withoutBody } from "./outcome.ts";
import type { CompiledRoute, Runtime } from "./runtime.ts";

export type Endpoint = "live" | "ready" | "metrics";

export interface EndpointPath {
  /** The path as it is sent: an endpoint has one spelling. */
  readonly path: string;
  readonly endpoint: Endpoint;
}

/**
 * Lists the endpoints by the length of their paths: a `Map` would hash the path of every request
 * (`bench/router`).
 */
export function listEndpoints(
  settings: ObservabilitySettings,
  base: string,
): readonly (readonly EndpointPath[] | undefined)[] {
  const { live, ready, health, metrics } = observabilityPaths(settings);
  const all: [path: string | undefined, endpoint: Endpoint][] = [
    [live, "live"],
    [ready, "ready"],
    [health, "ready"],
    [metrics, "metrics"],
  ];
  const byLength: EndpointPath[][] = [];
  for (const [path, endpoint] of all) {
    if (path === undefined) continue;
    const sent = base + path;
    (byLength[sent.length] ??= []).push({ path: sent, endpoint });
  }
  return byLength;
}

/**
 * Refuses an endpoint that would hide a route of the application or one of its static files.
 *
 * @throws {TypeError} naming the setting, the path and the fix.
 */
export function refuseHidden(
  settings: ObservabilitySettings,
  served: {
    readonly router: Router<CompiledRoute>;
    readonly files: Pick<StaticFiles, "isInFolder"> | undefined;
  },
): void {
  const { router, files } = served;
  for (const [name, path] of Object.entries(observabilityPaths(settings))) {
    const match = router.find(path);
    const hidden = match?.isLiteral === true
      ? `the route "${match.value.pattern}" (${match.value.source})`
      : files?.isInFolder(path)
      ? "a static file"
      : undefined;
    if (hidden === undefined) continue;
    const setting = name === "metrics" ? "metrics (FW_METRICS)" : "health";
    throw new TypeError(
      `Cannot serve "${path}" (config.observability.${setting}): ${hidden} is there; choose another path for one of them.`,
    );
  }
}

/** Responds to a probe or a scraper, outside the application's middleware. */
export type ProbeAnswer = (c: RequestCtx, endpoint: Endpoint) => Response | Promise<Response>;

export function createProbeAnswer(runtime: Runtime): ProbeAnswer {
  const { health, events, isAllowedHost, errorPages, registry, process, meter, accessLog } =
    runtime;
  const settings = runtime.app.config.observability;
  const observe = compileObservers(settings);
  /** Ends a probe without the application's own headers, cookies and CORS policy. */
  const finish = (c: RequestCtx, response: Response): Response | Promise<Response> => {
    buildAnswer(c, response);
    c.seal();
    const { status } = response;
    meter?.end(c, status);
    accessLog.writeProbe(c, status);
    return c.method === "HEAD" ? withoutBody(c, response) : response;
  };
  /** Responds with a problem document, whatever the client accepts: no page of the application runs. */
  const refuse = (c: RequestCtx, error: HttpError): Response | Promise<Response> => {
    const response = renderProblem(c, error, errorPages);
    for (const [name, value] of Object.entries({ ...probeHeaders, ...error.headers })) {
      response.headers.set(name, value);
    }
    return finish(c, response);
  };
  const answerMetrics = async (c: RequestCtx): Promise<Response> => {
    // Checks measure what dependencies hold, such as the jobs that wait.
    await Promise.all([process?.collect(), health.report()]);
    return await finish(c, metricsResponse(registry));
  };
  return (c, endpoint) => {
    if (c.method !== "GET" && c.method !== "HEAD") {
      const headers = { allow: "GET, HEAD" };
      return refuse(c, httpError(405, "Method Not Allowed", { headers }));
    }
    // Where any host is served, none is known: a name may be another site's that leads here.
    const foreignHost = findForeignHost(c, (host) => isAllowedHost?.(host, null) ?? false);
    const observer = observe(c, { foreignHost });
    if (observer === "refused") events.report(c, "auth", { reason: "observability-token" });
    if (endpoint === "metrics") {
      const isListed = foreignHost === undefined || runtime.app.config.allowedHosts.length === 0;
      // Without the token, a 401 says what to do.
      if (!isListed && observer === "authorised") {
        events.report(c, "host");
        const message = "this host is not served here";
        return refuse(c, httpError(400, message, { code: "host_not_allowed" }));
      }
      if (observer === "authorised") return answerMetrics(c);
      events.reportRefusal(c, 401);
      return refuse(c, metricsRefused(observer === "foreign-host" ? foreignHost : undefined));
    }
    const isOpen = c.env === "dev" && foreignHost === undefined;
    const hasDetails = settings.details !== Off && (isOpen || observer === "authorised");
    if (endpoint === "live") {
      const { uptimeSeconds } = health;
      const alive = { status: "pass", checks: [], uptimeSeconds } as const;
      return finish(c, healthResponse(alive, { hasDetails }));
    }
    return health.report().then((report) => finish(c, healthResponse(report, { hasDetails })));
  };
}

/** @param foreignHost The name under which a trusted address asked, if that is why it is refused. */
function metricsRefused(foreignHost: string | undefined): HttpError {
  const name = foreignHost?.replace(/:\d+$/, "");
  const fix = name === undefined
    ? ""
    : `. This address needs none, but the Host "${foreignHost}" is not listed: add "${name}" to config.allowedHosts (FW_ALLOWED_HOSTS), beside the names of the site`;
  return httpError(401, `metrics need the token: send it as Authorization: Bearer${fix}`, {
    headers: { "www-authenticate": 'Bearer realm="metrics"' },
  });
}
