import type { Delta } from "../chat.ts";

/** Lets a loop and a reader of the whole answer share one stream: the loop gets every piece, in order. */
export class ReadAhead implements AsyncIterator<Delta> {
  readonly #source: AsyncGenerator<Delta>;
  readonly #leaving: AbortController = new AbortController();
  /** Deltas read ahead of the loop, which has already taken the first `#taken`. */
  #waiting: Delta[] = [];
  #taken = 0;
  #reading: Promise<boolean> | undefined = undefined;
  #failure: { readonly error: unknown } | undefined = undefined;

  constructor(source: (left: AbortSignal) => AsyncGenerator<Delta>) {
    this.#source = source(this.#leaving.signal);
  }

  /** Reads to the end; never rejects, as the failure is the loop's to throw. */
  async toEnd(): Promise<void> {
    while (await this.#read());
  }

  async next(): Promise<IteratorResult<Delta>> {
    for (;;) {
      const value = this.#waiting[this.#taken];
      if (value !== undefined) {
        this.#taken++;
        return { done: false, value };
      }
      this.#waiting = [];
      this.#taken = 0;
      if (!await this.#read()) return this.#end();
    }
  }

  async return(): Promise<IteratorResult<Delta>> {
    this.#waiting = [];
    this.#taken = 0;
    // A generator that awaits a piece takes notice of its return only afterwards.
    this.#leaving.abort();
    await this.#source.return(undefined);
    return { done: true, value: undefined };
  }

  #end(): IteratorResult<Delta> {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure.error;
    return { done: true, value: undefined };
  }

  /** Reads one piece; all who wait for one wait for the same. Returns `false` at the end. */
  #read(): Promise<boolean> {
    return this.#reading ??= this.#readNext().finally(() => this.#reading = undefined);
  }

  async #readNext(): Promise<boolean> {
    try {
      const { done, value } = await this.#source.next();
      if (done) return false;
      // A loop may begin after the answer is whole.
      if (!this.#leaving.signal.aborted) this.#waiting.push(value);
      return true;
    } catch (error) {
      this.#failure = { error };
      return false;
    }
  }
}
