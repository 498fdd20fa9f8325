import { type SecurityEvent, securityEventKinds } from "../base/observe/events.ts";
import type { MetricRegistry } from "../telemetry/metric_registry.ts";

/**
 * Creates the series of blocked requests. Each kind exists from the start, so that the first event is an
 * increase and not a new series.
 */
export function countSecurityEvents(registry: MetricRegistry): (event: SecurityEvent) => void {
  const total = registry.counter(
    "fw_security_events_total",
    "What was blocked, and failures, by kind.",
    "kind",
  );
  const panics = registry.counter(
    "fw_panics_total",
    "Requests that ended in an error that nobody meant.",
  );
  for (const kind of securityEventKinds) total.with(kind);
  return ({ kind }) => {
    total.with(kind).inc();
    if (kind === "panic") panics.inc();
  };
}
