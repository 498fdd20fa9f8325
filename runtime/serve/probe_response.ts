import type { CheckResult, HealthReport } from "../base/observe/health.ts";
import type { MetricRegistry } from "../telemetry/metric_registry.ts";
import { formatMetrics, metricTextType } from "../telemetry/metric_text.ts";

/** The headers of every response to a probe or a scraper: never cached, never shared. */
export const probeHeaders: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "x-robots-tag": "noindex",
  "x-content-type-options": "nosniff",
};

/** Delay before a balancer asks again, in seconds. */
const retryAfterSeconds = "5";

/**
 * Creates the response to a probe: 200, or 503 where a check failed. The body is JSON with `status` and, for
 * clients that may see details, `checks` and `uptime_seconds`; a check has `name`, `status`, `duration_ms`
 * and, where it failed, `error`.
 */
export function healthResponse(
  report: HealthReport,
  options: { readonly hasDetails: boolean },
): Response {
  const isPass = report.status === "pass";
  const body = options.hasDetails
    ? {
      status: report.status,
      checks: report.checks.map(checkMembers),
      uptime_seconds: report.uptimeSeconds,
    }
    : { status: report.status };
  return new Response(JSON.stringify(body), {
    status: isPass ? 200 : 503,
    headers: {
      "content-type": "application/health+json",
      ...probeHeaders,
      ...(isPass ? {} : { "retry-after": retryAfterSeconds }),
    },
  });
}

function checkMembers({ name, status, durationMs, error }: CheckResult): object {
  return { name, status, duration_ms: durationMs, ...(error === undefined ? {} : { error }) };
}

export function metricsResponse(registry: MetricRegistry): Response {
  return new Response(formatMetrics(registry), {
    headers: { "content-type": metricTextType, ...probeHeaders },
  });
}
