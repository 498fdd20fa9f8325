/** Helpers shared by the tests of the cache. */
import { Cache, type CacheOptions } from "../../cache/mod.ts";
import { formatMetrics, MetricRegistry } from "../../runtime/telemetry/metric_registry.ts";

/** A cache with a clock that the test moves. */
export interface ClockedCache {
  readonly cache: Cache;
  readonly clock: { now: number };
}

/** Creates a cache named "test" with its own clock. */
export function openCache(options: Partial<CacheOptions> = {}): ClockedCache {
  const clock = { now: 1_000_000 };
  return { cache: new Cache({ name: "test", now: () => clock.now, ...options }), clock };
}

export function counter(): { (): number; runs: number } {
  const count = (): number => ++count.runs;
  count.runs = 0;
  return count;
}

/** A function whose runs end when the test says so. */
export class Gate<T> {
  readonly runs: (PromiseWithResolvers<T> & { readonly signal: AbortSignal })[] = [];

  readonly fn = (signal: AbortSignal): Promise<T> => {
    const run = { ...Promise.withResolvers<T>(), signal };
    this.runs.push(run);
    return run.promise;
  };

  open(run: number, value: T): void {
    this.runs[run]?.resolve(value);
  }
}

export async function outcome(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : { thrown: error };
  }
}

/** The registry of an application, with the counts of its caches. */
export class CacheMetrics {
  readonly registry: MetricRegistry = new MetricRegistry({
    maxSeries: () => 100,
    onOverflow: ({ name }) => {
      throw new Error(`too many series of ${name}`);
    },
  });

  /** Returns the counts of a cache: hits, misses, evictions, entries. */
  of(cache: string): number[] {
    const text = formatMetrics(this.registry);
    return ["hits_total", "misses_total", "evictions_total", "entries"].map((name) => {
      const line = text.split("\n").find((line) =>
        line.startsWith(`fw_cache_${name}{cache="${cache}"} `)
      );
      return Number(line?.split(" ")[1] ?? NaN);
    });
  }
}
