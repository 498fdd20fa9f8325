/** The most identifiers that are kept: they use about 10 MB. */
const defaultMaxEntries = 100_000;

export interface EndedSessionsOptions {
  /** Lifetime of the record of an ended session, which is that of its cookie. */
  readonly lifeMs: number;
  readonly now: () => number;
  /** @default 100000 */
  readonly maxEntries?: number;
  /** Called once, when the oldest entry is dropped before its time. */
  readonly onFull: () => void;
}

/** The identifiers of sessions that ended while their cookies still have a valid date. */
export class EndedSessions {
  readonly #options: EndedSessionsOptions;
  /** When each is dropped, in that order. */
  readonly #untilMs = new Map<string, number>();
  #isFullNoted = false;

  constructor(options: EndedSessionsOptions) {
    this.#options = options;
  }

  add(id: string): void {
    const { lifeMs, now } = this.#options;
    this.#untilMs.delete(id);
    this.#makeRoom();
    this.#untilMs.set(id, now() + lifeMs);
  }

  has(id: string): boolean {
    return this.#untilMs.has(id);
  }

  #makeRoom(): void {
    const { now, maxEntries = defaultMaxEntries, onFull } = this.#options;
    const nowMs = now();
    for (const [id, untilMs] of this.#untilMs) {
      if (untilMs > nowMs) {
        if (this.#untilMs.size < maxEntries) return;
        if (!this.#isFullNoted) onFull();
        this.#isFullNoted = true;
      }
      this.#untilMs.delete(id);
    }
  }
}
