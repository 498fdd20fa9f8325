import type { MatchedRoute } from "../base/ctx/target.ts";
import { type SecurityEvent, securityEventKinds } from "../base/observe/events.ts";
import type { Counter, Gauge, Histogram } from "../base/observe/metrics.ts";
import type { RequestCtx } from "../request/request_ctx.ts";
import type { MetricRegistry } from "../telemetry/metric_registry.ts";

/** The label of methods and routes that are none of the application's. */
const other = "other";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

interface Series {
  readonly duration: Histogram<readonly []>;
  readonly totals: Map<number, Counter<readonly []>>;
}

export class RequestMetrics {
  readonly #inFlight: Gauge<readonly []>;
  readonly #totals: Counter<readonly ["method", "route", "status"]>;
  readonly #durations: Histogram<readonly ["method", "route"]>;
  // By identity: to build and look up a string for each request costs more than all the rest.
  readonly #routes = new Map<MatchedRoute | undefined, (Series | undefined)[]>();

  constructor(registry: MetricRegistry) {
    this.#totals = registry.counter(
      "fw_requests_total",
      "Requests answered, by method, route pattern and status.",
      "method",
      "route",
      "status",
    );
    this.#durations = registry.histogram(
      "fw_request_duration_seconds",
      "Time from the head of a request to the head of its answer, in seconds.",
      undefined,
      "method",
      "route",
    );
    this.#inFlight = registry.gauge(
      "fw_requests_in_flight",
      "Requests whose answer has not begun.",
    );
  }

  begin(): void {
    this.#inFlight.inc();
  }

  /** Counts the response once: a later step may fail and respond again. */
  end(c: RequestCtx, status: number): void {
    if (c.isMeasured) return;
    c.isMeasured = true;
    this.#inFlight.dec();
    const slots = this.#routes.get(c.route) ?? this.#openRoute(c.route);
    const slot = slotOf(c.method);
    const series = slots[slot] ??= this.#openSeries(c.route, slot);
    let total = series.totals.get(status);
    if (total === undefined) {
      total = this.#openTotal(c.route, { slot, status });
      series.totals.set(status, total);
    }
    total.inc();
    series.duration.observe((c.endMs - c.startMs) / 1_000);
  }

  #openRoute(route: MatchedRoute | undefined): (Series | undefined)[] {
    const slots: (Series | undefined)[] = new Array(methods.length + 1).fill(undefined);
    this.#routes.set(route, slots);
    return slots;
  }

  #openSeries(route: MatchedRoute | undefined, slot: number): Series {
    const labels = [methods[slot] ?? other, route?.label ?? other] as const;
    return { duration: this.#durations.with(...labels), totals: new Map() };
  }

  #openTotal(
    route: MatchedRoute | undefined,
    at: { readonly slot: number; readonly status: number },
  ): Counter<readonly []> {
    return this.#totals.with(methods[at.slot] ?? other, route?.label ?? other, at.status);
  }
}

/** Returns the slot of a method: clients may send any text, which must not create a series each. */
function slotOf(method: string): number {
  if (method === "GET") return 0;
  const index = (methods as readonly string[]).indexOf(method);
  return index < 0 ? methods.length : index;
}

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
