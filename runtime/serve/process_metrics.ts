import { version } from "../base/conventions.ts";
import type { MetricRegistry } from "../telemetry/metric_registry.ts";
import type { Counter, Gauge, Histogram } from "../base/observe/metrics.ts";

/** Interval at which the event loop is measured while the application listens, in milliseconds. */
const lookMs = 250;

type Memory = Readonly<Record<keyof Deno.MemoryUsage, Gauge<readonly []>>>;

/** Measures the process: its memory, its processor time, and how late its event loop is. */
export class ProcessMetrics {
  readonly #uptimeSeconds: () => number;
  readonly #uptime: Gauge<readonly []>;
  readonly #memory: Memory;
  readonly #processor: Counter<readonly []>;
  readonly #lag: Histogram<readonly []>;
  #processorSeconds = 0;
  #isWatched = false;

  constructor(registry: MetricRegistry, uptimeSeconds: () => number) {
    this.#uptimeSeconds = uptimeSeconds;
    this.#uptime = registry.gauge(
      "fw_uptime_seconds",
      "Time since the application was made, in seconds.",
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
      "Processor time that the process has taken, in seconds.",
    );
    this.#memory = openMemory(registry);
    this.#lag = registry.histogram(
      "fw_event_loop_lag_seconds",
      "How late the event loop came to what was due, in seconds.",
      undefined,
    );
  }

  /** Brings the series up to date, for a scraper. */
  async collect(): Promise<void> {
    this.#uptime.set(this.#uptimeSeconds());
    // Node's `process` is loaded at the first scrape: it costs a start 30 ms (`bench/start`).
    const { user, system } = process.cpuUsage();
    const seconds = (user + system) / 1e6;
    this.#processor.add(Math.max(0, seconds - this.#processorSeconds));
    this.#processorSeconds = seconds;
    const usage = Deno.memoryUsage();
    for (const part of ["rss", "heapUsed", "heapTotal", "external"] as const) {
      this.#memory[part].set(usage[part]);
    }
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

function openMemory(registry: MetricRegistry): Memory {
  return {
    rss: registry.gauge("process_resident_memory_bytes", "Memory of the process, in bytes."),
    heapUsed: registry.gauge("deno_heap_used_bytes", "Memory that objects take, in bytes."),
    heapTotal: registry.gauge(
      "deno_heap_size_bytes",
      "Memory that V8 keeps for objects, in bytes.",
    ),
    external: registry.gauge(
      "deno_external_memory_bytes",
      "Memory of buffers outside the heap, in bytes.",
    ),
  };
}
