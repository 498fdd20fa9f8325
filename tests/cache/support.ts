/** What the tests of the cache share. */
import { Cache, type CacheCounter, type CacheGauge, type CacheMetrics } from "../../cache/mod.ts";
import type { CacheOptions } from "../../cache/options.ts";

/** A cache with a clock that stands still until the test moves it. */
export interface ClockedCache {
  readonly cache: Cache;
  readonly clock: { now: number };
}

/** Makes a cache named "test" with a clock of its own. */
export function openCache(options: Partial<CacheOptions> = {}): ClockedCache {
  const clock = { now: 1_000_000 };
  return { cache: new Cache({ name: "test", now: () => clock.now, ...options }), clock };
}

/** A fetching function that counts its runs and gives their number. */
export function counter(): { (): number; runs: number } {
  const count = (): number => ++count.runs;
  count.runs = 0;
  return count;
}

/** A fetching function whose runs end when the test says so. */
export class Gate<T> {
  /** How it was called, and how to end each run. */
  readonly runs: (PromiseWithResolvers<T> & { readonly signal: AbortSignal })[] = [];

  /** The function. */
  readonly fn = (signal: AbortSignal): Promise<T> => {
    const run = { ...Promise.withResolvers<T>(), signal };
    this.runs.push(run);
    return run.promise;
  };

  /** Ends a run with a value. */
  open(run: number, value: T): void {
    this.runs[run]?.resolve(value);
  }
}

/** What a promise came to: its value, or the error as text. */
export async function outcome(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : { thrown: error };
  }
}

/** Metrics in a map: `name{label}` to number. */
export class MapMetrics implements CacheMetrics {
  readonly values = new Map<string, number>();
  /** How often a series was looked up. */
  lookups = 0;

  counter(name: string, help: string, ...labels: string[]): CacheCounter {
    return this.#open(name, { help, labels });
  }

  gauge(name: string, help: string, ...labels: string[]): CacheGauge {
    return this.#open(name, { help, labels });
  }

  #open(
    name: string,
    about: { readonly help: string; readonly labels: readonly string[] },
  ): CacheCounter & CacheGauge {
    const open = (key: string): CacheCounter & CacheGauge => ({
      inc: () => void this.values.set(key, (this.values.get(key) ?? 0) + 1),
      add: (value) => void this.values.set(key, (this.values.get(key) ?? 0) + value),
      with: (...values) => {
        this.lookups++;
        if (about.help === "") throw new Error(`${name} has no help`);
        return open(`${name}{${about.labels.map((label, at) => `${label}=${values[at]}`)}}`);
      },
    });
    return open(name);
  }

  /** The numbers of a cache: hits, misses, evictions, entries. */
  of(cache: string): number[] {
    return ["hits_total", "misses_total", "evictions_total", "entries"]
      .map((name) => this.values.get(`fw_cache_${name}{cache=${cache}}`) ?? 0);
  }
}
