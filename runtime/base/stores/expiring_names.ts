/** Number of names whose time is looked at for each that is added: more than one, so that all expired ones are found. */
const looksPerName = 4;

/** Options of {@link ExpiringNames}. */
export interface ExpiringNamesOptions {
  /** @default Date.now */
  readonly now?: () => number;
  /** The most names that are kept: the default uses about 10 MB. @default 100000 */
  readonly maxNames?: number;
  /** Called once, when the oldest name is dropped before its time. */
  readonly onFull?: () => void;
}

/** Keeps names in memory, each until a time of its own; of too many the one added first is dropped. */
export class ExpiringNames {
  readonly #options: ExpiringNamesOptions;
  readonly #untilMs: Map<string, number> = new Map();
  // The iterator is kept: a new one passes over the places of all that were removed since the map last grew.
  #names = this.#untilMs.keys();
  #oldest: string | undefined;
  #isFullNoted = false;

  /** Makes one without names. */
  constructor(options: ExpiringNamesOptions = {}) {
    this.#options = options;
  }

  /** Reports whether a name was added and has not expired. */
  has(name: string): boolean {
    const { now = Date.now } = this.#options;
    return (this.#untilMs.get(name) ?? -Infinity) > now();
  }

  /** Adds a name, or lets one that is known expire later. */
  add(name: string, ttlMs: number): void {
    const { now = Date.now } = this.#options;
    this.#delete(name);
    this.#makeRoom();
    this.#untilMs.set(name, now() + ttlMs);
  }

  #delete(name: string): void {
    if (name === this.#oldest) this.#oldest = undefined;
    this.#untilMs.delete(name);
  }

  #makeRoom(): void {
    const { maxNames = 100_000, onFull } = this.#options;
    for (let look = 0; look < looksPerName; look++) {
      const oldest = this.#findOldest();
      if (oldest === undefined) return;
      if (this.has(oldest)) {
        if (this.#untilMs.size < maxNames) return;
        if (!this.#isFullNoted) onFull?.();
        this.#isFullNoted = true;
      }
      this.#delete(oldest);
    }
  }

  #findOldest(): string | undefined {
    if (this.#oldest !== undefined) return this.#oldest;
    // An iterator that has ended does not go on with what is added later.
    let next = this.#names.next();
    if (next.done === true) next = (this.#names = this.#untilMs.keys()).next();
    return this.#oldest = next.value;
  }
}
