import type { SecurityEvents } from "../base/observe/events.ts";
import type { MetricRegistry } from "../telemetry/metric_registry.ts";
import { observabilityPaths, type ObservabilitySettings } from "../base/config/observability.ts";
import type { HealthChecks } from "../serve/health_checks.ts";
import { ProcessMetrics } from "../serve/process_metrics.ts";
import { RequestMetrics } from "../serve/request_metrics.ts";
import { countSecurityEvents } from "../serve/security_metrics.ts";

/** What measures an application. */
export interface Instruments {
  /** Counts and times requests. */
  readonly meter: RequestMetrics;
  /** Measures the process. */
  readonly process: ProcessMetrics;
}

/** Creates the framework's metrics; returns `undefined` when they are not exposed. */
export function openInstruments(
  settings: ObservabilitySettings,
  from: {
    readonly registry: MetricRegistry;
    readonly events: SecurityEvents;
    readonly health: HealthChecks;
  },
): Instruments | undefined {
  if (observabilityPaths(settings).metrics === undefined) return undefined;
  const { registry, events, health } = from;
  events.subscribe(countSecurityEvents(registry));
  return {
    meter: new RequestMetrics(registry),
    process: new ProcessMetrics(registry, () => health.uptimeSeconds),
  };
}
