import type { MetricRegistry } from "../base/metric_registry.ts";
import { formatMetrics, metricTextType } from "../base/metric_text.ts";
import { watchHeaders } from "./watch_headers.ts";

/** Answers a scraper with every series. */
export function metricsResponse(registry: MetricRegistry): Response {
  return new Response(formatMetrics(registry), {
    headers: { "content-type": metricTextType, ...watchHeaders },
  });
}
