import { observabilityPaths, type ObservabilitySettings } from "../base/config/observability.ts";
import type { MetricRegistry } from "../telemetry/metric_registry.ts";
import type { ObserverCheck } from "../guard/observers.ts";
import type { Router } from "../request/router.ts";
import type { HealthChecks } from "../serve/health_checks.ts";
import type { ProcessMetrics } from "../serve/process_metrics.ts";
import type { StaticFiles } from "../serve/static/files.ts";
import type { CompiledRoute } from "./routes.ts";

/** By what the application is watched. */
export type Endpoint = "live" | "ready" | "metrics";

/** What the endpoints are made of. */
export interface ProbeParts {
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
export interface Probes extends ProbeParts {
  /** Finds the endpoint at a path as it was sent: they have one spelling. */
  find(sent: string): Endpoint | undefined;
}

/** Makes the endpoints. */
export function createProbes(parts: ProbeParts): Probes {
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
