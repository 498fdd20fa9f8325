import { createLogger, type Logger } from "../mod.ts";
import type { CacheRead, CacheStore, CacheWrite } from "./store.ts";

/** A store that is down is told about once in this time. */
const warnEveryMs = 60_000;

/** How a store is used. */
export interface SharedStoreOptions {
  /** The name of the cache. */
  readonly cache: string;
  /** The store. */
  readonly store: CacheStore;
  /** How long a reading or writing is waited for. */
  readonly timeoutMs: number;
  /** Takes the warnings. */
  readonly log: Logger | undefined;
}

/** A store whose failures cost its values and nothing else: a cache is no guard. */
export class SharedStore {
  readonly #options: SharedStoreOptions;
  #log: Logger | undefined;
  #failures = 0;
  #warnedAt = -Infinity;

  /** Wraps a store. */
  constructor(options: SharedStoreOptions) {
    this.#options = options;
    this.#log = options.log;
  }

  /** Looks an entry up; `undefined` where the store fails or takes too long. */
  read(name: string, tags: readonly string[]): Promise<CacheRead | undefined> {
    const { store, cache } = this.#options;
    return this.#try(() => store.read({ cache, name, tags }), "read");
  }

  /** Writes a value, or does not. */
  async write(name: string, tags: readonly string[], entry: CacheWrite): Promise<void> {
    const { store, cache } = this.#options;
    await this.#try(() => store.write({ cache, name, tags }, entry), "written");
  }

  async #try<T>(act: () => Promise<T>, done: string): Promise<T | undefined> {
    const { timeoutMs } = this.#options;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      const refuse = (): void => reject(new Error(`the store took more than ${timeoutMs} ms`));
      if (timeoutMs !== Infinity) timer = setTimeout(refuse, timeoutMs);
    });
    try {
      return await Promise.race([act(), late]);
    } catch (error) {
      this.#warn(done, error);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  #warn(done: string, error: unknown): void {
    this.#failures++;
    const now = performance.now();
    if (now - this.#warnedAt < warnEveryMs) return;
    this.#warnedAt = now;
    const { cache } = this.#options;
    this.#log ??= createLogger();
    this.#log.warn(`a value of the cache was not ${done}: its store failed`, {
      cache,
      failures: this.#failures,
      error,
    });
    this.#failures = 0;
  }
}
