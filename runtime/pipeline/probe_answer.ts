import { Off } from "../base/config/settings.ts";
import { type HttpError, httpError } from "../base/errors/errors.ts";
import type { SecurityEvents } from "../base/observe/events.ts";
import type { HostCheck } from "../guard/hosts.ts";
import { findForeignHost, type ObserverCheck } from "../guard/observers.ts";
import { type ErrorPages, renderProblem } from "../render/error_pages.ts";
import type { Exchange } from "../request/exchange.ts";
import type { AccessLog } from "../serve/access_log.ts";
import type { HealthChecks } from "../serve/health_checks.ts";
import { healthResponse, metricsResponse, probeHeaders } from "../serve/probe_response.ts";
import type { ProcessMetrics } from "../serve/process_metrics.ts";
import type { RequestMetrics } from "../serve/request_metrics.ts";
import type { MetricRegistry } from "../telemetry/metric_registry.ts";
import type { ObservabilitySettings } from "../base/config/observability.ts";
import { withoutBody } from "./outcome.ts";
import type { Endpoint } from "./probes.ts";

/** The parts that probe and metrics responses are built from. */
export interface ProbeParts {
  /** Who sees what. */
  readonly settings: ObservabilitySettings;
  /** Determines the client's access. */
  readonly observe: ObserverCheck;
  /** Whether a host is allowed; `undefined` where any is. */
  readonly isAllowedHost: HostCheck | undefined;
  /** The checks of the application. */
  readonly health: HealthChecks;
  /** The metrics of the application. */
  readonly registry: MetricRegistry;
  /** The process metrics, measured on each scrape; absent while the metrics are off. */
  readonly process: ProcessMetrics | undefined;
  /** The error pages. */
  readonly errorPages: ErrorPages;
  /** Receives reports of blocked requests. */
  readonly events: SecurityEvents;
  /** The request log. */
  readonly accessLog: AccessLog;
  /** Counts and times requests. */
  readonly meter: RequestMetrics | undefined;
}

/** Responds to a probe or a scraper, outside the application's middleware. */
export type ProbeAnswer = (c: Exchange, endpoint: Endpoint) => Response | Promise<Response>;

/** Creates the handler of probes and scrapers. */
export function createProbeAnswer(parts: ProbeParts): ProbeAnswer {
  const { settings, observe, isAllowedHost, health, events } = parts;
  const finish = createProbeEnd(parts);
  /** Responds with a problem document, whatever the client accepts: no page of the application runs. */
  const refuse = (c: Exchange, error: HttpError): Response | Promise<Response> => {
    const response = renderProblem(c, error, parts.errorPages);
    for (const [name, value] of Object.entries({ ...probeHeaders, ...error.headers })) {
      response.headers.set(name, value);
    }
    return finish(c, response);
  };
  const answerMetrics = async (c: Exchange): Promise<Response> => {
    await parts.process?.collect();
    return await finish(c, metricsResponse(parts.registry));
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

/** Creates the end of a probe, without the application's own headers, cookies and CORS policy. */
function createProbeEnd(
  { meter, accessLog }: Pick<ProbeParts, "meter" | "accessLog">,
): (c: Exchange, response: Response) => Response | Promise<Response> {
  return (c, response) => {
    c.keep(response);
    c.seal();
    const { status } = response;
    meter?.end(c, status);
    accessLog.writeProbe(c, status);
    return c.method === "HEAD" ? withoutBody(c, response) : response;
  };
}
