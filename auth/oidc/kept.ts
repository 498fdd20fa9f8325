/** Up to this age a value is used as it is. */
const freshMs = 10 * 60_000;

/** Up to this age a value is used while another is fetched in the background. */
const staleMs = 60 * 60_000;

/** Pause after a failed try, in milliseconds. */
const pauseMs = 10_000;

/** Pause after a forced try, in milliseconds. */
const forcedMs = 60_000;

export interface KeptOptions<T> {
  readonly load: () => Promise<T>;
  /** Handles the error of a background fetch. */
  readonly onError: (error: unknown) => void;
  readonly now: () => number;
}

/**
 * Keeps a value that is fetched over the network. After ten minutes it is fetched again in the
 * background, after an hour in the foreground; while that fails, the last value stays in use.
 */
export class Kept<T> {
  readonly #options: KeptOptions<T>;
  #value: { readonly value: T; readonly atMs: number } | undefined = undefined;
  #pending: Promise<T> | undefined = undefined;
  #failure: { readonly error: unknown; readonly atMs: number } | undefined = undefined;
  readonly #forcedMs: Map<string, number> = new Map();

  /** Makes one that has fetched nothing yet. */
  constructor(options: KeptOptions<T>) {
    this.#options = options;
  }

  /**
   * Returns the value; fetches it where there is none or it is too old.
   *
   * @throws the error of the fetch, where there is no earlier value; for ten seconds the same one.
   */
  async get(): Promise<T> {
    const kept = this.#value;
    const now = this.#options.now();
    const age = kept === undefined ? Infinity : Math.abs(now - kept.atMs);
    if (kept !== undefined && age <= freshMs) return kept.value;
    const failure = this.#failure;
    if (failure !== undefined && Math.abs(now - failure.atMs) < pauseMs) {
      if (kept !== undefined) return kept.value;
      throw failure.error;
    }
    const fetched = this.#fetch();
    if (kept === undefined) return await fetched;
    const outcome = fetched.catch((error: unknown) => {
      this.#options.onError(error);
      return kept.value;
    });
    return age <= staleMs ? kept.value : await outcome;
  }

  /**
   * Fetches again whatever the age, at most once a minute.
   *
   * @returns The last value, `undefined` where there is none, and whether it is as new as it can be.
   */
  async refetch(budget: string): Promise<{ readonly value: T | undefined; isNew: boolean }> {
    const now = this.#options.now();
    const isSoon = Math.abs(now - (this.#forcedMs.get(budget) ?? -Infinity)) < forcedMs;
    if (!isSoon) this.#forcedMs.set(budget, now);
    const before = this.#value;
    // What is under way tells of its own error.
    if (isSoon) await this.#pending?.catch(() => {});
    else await this.#fetch().catch(this.#options.onError);
    return { value: this.#value?.value, isNew: this.#value !== before };
  }

  /** Runs one fetch at a time: requests that come meanwhile wait for the same one. */
  #fetch(): Promise<T> {
    return this.#pending ??= this.#load().finally(() => this.#pending = undefined);
  }

  async #load(): Promise<T> {
    try {
      const value = await this.#options.load();
      this.#value = { value, atMs: this.#options.now() };
      this.#failure = undefined;
      return value;
    } catch (error) {
      this.#failure = { error, atMs: this.#options.now() };
      throw error;
    }
  }
}
