import type { SecurityEvents } from "../base/events.ts";
import { type HttpError, httpError } from "../base/errors.ts";
import type { MetricRegistry } from "../base/metric_registry.ts";
import { observabilityPaths, type ObservabilitySettings } from "../base/observability.ts";
import { Off } from "../base/off.ts";
import type { ObserverCheck } from "../guard/observers.ts";
import { renderProblem } from "../render/errors.ts";
import type { RequestContext } from "../request/ctx.ts";
import type { Router } from "../request/router.ts";
import { healthResponse } from "../serve/health.ts";
import type { HealthChecks } from "../serve/health_checks.ts";
import { metricsResponse } from "../serve/metrics.ts";
import type { ProcessMetrics } from "../serve/process_metrics.ts";
import { watchHeaders } from "../serve/watch_headers.ts";
import type { Compiled } from "./compiled.ts";
import { withoutBody } from "./outcome.ts";
import type { CompiledRoute } from "./routes.ts";

/** By what the application is watched. */
type Endpoint = "live" | "ready" | "metrics";

/** What the endpoints are made of. */
export interface WatchParts {
  /** The application's URL prefix. */
  readonly base: string;
  /** Where they are, and who sees what. */
  readonly settings: ObservabilitySettings;
  /** Tells who asks. */
  readonly observe: ObserverCheck;
  /** The checks of the application. */
  readonly health: HealthChecks;
  /** The metrics of the application. */
  readonly registry: MetricRegistry;
  /** The measures that are taken when somebody reads them; absent while the metrics are off. */
  readonly process: ProcessMetrics | undefined;
}

/** The endpoints by which the application is watched. */
export interface Watch extends WatchParts {
  /** Finds the endpoint at a path as it was sent: they have one spelling. */
  find(sent: string): Endpoint | undefined;
}

/** Makes the endpoints. */
export function createWatch(parts: WatchParts): Watch {
  const { live, ready, health, metrics } = observabilityPaths(parts.settings);
  const all: [path: string | undefined, endpoint: Endpoint][] = [
    [live, "live"],
    [ready, "ready"],
    [health, "ready"],
    [metrics, "metrics"],
  ];
  // By length: a Map would hash the path of every request (`bench/router`).
  const byLength: { readonly path: string; readonly endpoint: Endpoint }[][] = [];
  for (const [path, endpoint] of all) {
    if (path === undefined) continue;
    const sent = parts.base + path;
    (byLength[sent.length] ??= []).push({ path: sent, endpoint });
  }
  return {
    ...parts,
    find: (sent) => byLength[sent.length]?.find(({ path }) => path === sent)?.endpoint,
  };
}

/**
 * Refuses an endpoint that would hide a route of the application.
 *
 * @throws {TypeError} naming the setting, the path and the mend.
 */
export function refuseHiddenRoutes(
  settings: ObservabilitySettings,
  router: Router<CompiledRoute>,
): void {
  for (const [name, path] of Object.entries(observabilityPaths(settings))) {
    const match = router.find(path);
    if (match?.isLiteral !== true) continue;
    const setting = name === "metrics" ? "metrics (FW_METRICS)" : "health";
    throw new TypeError(
      `Cannot serve "${path}" (config.observability.${setting}): the route "${match.value.pattern}" (${match.value.source}) is there; choose another path for one of them.`,
    );
  }
}

/** Answers a probe or a scraper, outside of everything that the application does with a request. */
export function answerWatch(
  compiled: Compiled,
  { c, endpoint }: { readonly c: RequestContext; readonly endpoint: Endpoint },
): Response | Promise<Response> {
  const { watch } = compiled;
  if (c.method !== "GET" && c.method !== "HEAD") {
    const error = httpError(405, "Method Not Allowed", { headers: { allow: "GET, HEAD" } });
    return refuse(compiled, { c, error });
  }
  const isHostAllowed = compiled.isAllowedHost?.(c) ?? true;
  const observer = watch.observe(c, { isHostAllowed });
  if (observer === "refused") compiled.events.report(c, "auth", { reason: "observability-token" });
  if (endpoint === "metrics") {
    return observer === "authorised"
      ? answerMetrics(compiled, c)
      : refuseObserver(compiled, { c, events: compiled.events });
  }
  const { details } = watch.settings;
  const isOpen = c.env === "dev" && isHostAllowed;
  const hasDetails = details !== Off && (isOpen || observer === "authorised");
  if (endpoint === "live") {
    const { uptimeSeconds } = watch.health;
    const alive = { status: "pass", checks: [], uptimeSeconds } as const;
    return finishWatch(compiled, { c, response: healthResponse(alive, { hasDetails }) });
  }
  return watch.health.report().then((report) =>
    finishWatch(compiled, { c, response: healthResponse(report, { hasDetails }) })
  );
}

async function answerMetrics(compiled: Compiled, c: RequestContext): Promise<Response> {
  const { registry, process } = compiled.watch;
  await process?.collect();
  return await finishWatch(compiled, { c, response: metricsResponse(registry) });
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
  const response = renderProblem(c, error, compiled.views);
  for (const [name, value] of Object.entries({ ...watchHeaders, ...error.headers })) {
    response.headers.set(name, value);
  }
  return finishWatch(compiled, { c, response });
}

/** Ends an answer without what the application adds to its own: headers, cookies, a CORS policy. */
function finishWatch(
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
