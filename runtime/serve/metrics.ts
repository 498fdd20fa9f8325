import { version } from "../base/conventions.ts";
import type { MatchedRoute } from "../base/ctx/target.ts";
import { type SecurityEvent, securityEventKinds } from "../base/observe/events.ts";
import type { Counter, Gauge, Histogram } from "../base/observe/metrics.ts";
import type { RequestCtx } from "../request/request_ctx.ts";
import type { MetricRegistry } from "../telemetry/metric_registry.ts";

/** The label of methods and routes that the application does not have. */
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
  // Keyed by identity: building and looking up a string per request costs more than everything else.
  readonly #routes = new Map<MatchedRoute | undefined, (Series | undefined)[]>();

  constructor(registry: MetricRegistry) {
    this.#totals = registry.counter(
      "fw_requests_total",
      "Requests handled, by method, route pattern and status.",
      "method",
      "route",
      "status",
    );
    this.#durations = registry.histogram(
      "fw_request_duration_seconds",
      "Time from the head of a request to the head of its response, in seconds.",
      undefined,
      "method",
      "route",
    );
    this.#inFlight = registry.gauge(
      "fw_requests_in_flight",
      "Requests whose response has not started.",
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
    let slots = this.#routes.get(c.route);
    if (slots === undefined) this.#routes.set(c.route, slots = new Array(methods.length + 1));
    const slot = slotOf(c.method);
    const series = slots[slot] ??= {
      duration: this.#durations.with(...labelsOf(c.route, slot)),
      totals: new Map(),
    };
    let total = series.totals.get(status);
    if (total === undefined) {
      total = this.#totals.with(...labelsOf(c.route, slot), status);
      series.totals.set(status, total);
    }
    total.inc();
    c.endMs ||= performance.now();
    series.duration.observe((c.endMs - c.startMs) / 1_000);
  }
}

function labelsOf(route: MatchedRoute | undefined, slot: number): [method: string, route: string] {
  return [methods[slot] ?? other, route?.label ?? other];
}

/** Returns the slot of a method: clients may send any text, which must not create a new series each time. */
function slotOf(method: string): number {
  if (method === "GET") return 0;
  const index = (methods as readonly string[]).indexOf(method);
  return index < 0 ? methods.length : index;
}

/** Counts security events. Each kind exists from the start, so that its first event is an increase. */
export function countSecurityEvents(registry: MetricRegistry): (event: SecurityEvent) => void {
  const total = registry.counter(
    "fw_security_events_total",
    "Blocked requests and failures, by kind.",
    "kind",
  );
  const panics = registry.counter("fw_panics_total", "Requests that ended in an unhandled error.");
  for (const kind of securityEventKinds) total.with(kind);
  return ({ kind }) => {
    total.with(kind).inc();
    if (kind === "panic") panics.inc();
  };
}

const lookMs = 250;

const memoryParts: readonly (readonly [keyof Deno.MemoryUsage, name: string, help: string])[] = [
  ["rss", "process_resident_memory_bytes", "Memory of the process, in bytes."],
  ["heapUsed", "deno_heap_used_bytes", "Memory used by objects, in bytes."],
  ["heapTotal", "deno_heap_size_bytes", "Memory reserved by V8 for objects, in bytes."],
  ["external", "deno_external_memory_bytes", "Memory of buffers outside the heap, in bytes."],
];

export class ProcessMetrics {
  readonly #uptimeSeconds: () => number;
  readonly #uptime: Gauge<readonly []>;
  readonly #memory: readonly (readonly [keyof Deno.MemoryUsage, Gauge<readonly []>])[];
  readonly #processor: Counter<readonly []>;
  readonly #lag: Histogram<readonly []>;
  #processorSeconds = 0;
  #isWatched = false;

  constructor(registry: MetricRegistry, uptimeSeconds: () => number) {
    this.#uptimeSeconds = uptimeSeconds;
    this.#uptime = registry.gauge(
      "fw_uptime_seconds",
      "Time since the application was created, in seconds.",
    );
    registry.gauge(
      "fw_build_info",
      "The versions of the framework and of Deno; always 1.",
      "version",
      "deno_version",
    ).with(version, Deno.version.deno).set(1);
    registry.gauge(
      "process_start_time_seconds",
      "When the process started, in seconds since 1970.",
    ).set(Math.round(performance.timeOrigin) / 1_000);
    this.#processor = registry.counter(
      "process_cpu_seconds_total",
      "Processor time used by the process, in seconds.",
    );
    this.#memory = memoryParts.map(([part, name, help]) =>
      [part, registry.gauge(name, help)] as const
    );
    this.#lag = registry.histogram(
      "fw_event_loop_lag_seconds",
      "Delay of the event loop, in seconds.",
      undefined,
    );
  }

  async collect(): Promise<void> {
    this.#uptime.set(this.#uptimeSeconds());
    // Node's `process` is loaded at the first scrape, because it adds 30 ms to a start (`bench/start`).
    const { user, system } = process.cpuUsage();
    const seconds = (user + system) / 1e6;
    this.#processor.add(Math.max(0, seconds - this.#processorSeconds));
    this.#processorSeconds = seconds;
    const usage = Deno.memoryUsage();
    for (const [part, gauge] of this.#memory) gauge.set(usage[part]);
    if (this.#isWatched) return;
    // A background timer could not be stopped in an application that another server hosts, so measure on each
    // scrape.
    const startMs = performance.now();
    // A timer of 0 ms takes 2 ms on an idle event loop.
    await new Promise<void>((resolve) => void setImmediate(resolve));
    this.#lag.observe((performance.now() - startMs) / 1_000);
  }

  watchLoop(): () => void {
    this.#isWatched = true;
    let dueMs = performance.now() + lookMs;
    const timer = setInterval(() => {
      const now = performance.now();
      this.#lag.observe(Math.max(0, now - dueMs) / 1_000);
      dueMs = now + lookMs;
    }, lookMs);
    return () => {
      this.#isWatched = false;
      clearInterval(timer);
    };
  }
}
