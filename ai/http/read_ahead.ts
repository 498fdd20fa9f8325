import type { Delta } from "../chat.ts";

/** Lets a loop and a reader of the whole answer share one stream: the loop gets every piece, in order. */
export class ReadAhead implements AsyncIterator<Delta> {
  readonly #source: AsyncGenerator<Delta>;
  readonly #onLeave: () => void;
  /** What was read ahead of the loop; the first `#taken` pieces of it are the loop's already. */
  #waiting: Delta[] = [];
  #taken = 0;
  #hasLoop = false;
  #reading: Promise<boolean> | undefined = undefined;
  #failure: { readonly error: unknown } | undefined = undefined;

  /**
   * @param source The pieces.
   * @param onLeave Called when the loop is left while a piece is being read.
   */
  constructor(source: AsyncGenerator<Delta>, onLeave: () => void) {
    this.#source = source;
    this.#onLeave = onLeave;
  }

  /** Returns the iterator of the loop. */
  loop(): AsyncIterator<Delta> {
    this.#hasLoop = true;
    return this;
  }

  /** Reads to the end; never rejects, as the failure is the loop's to throw. */
  async toEnd(): Promise<void> {
    while (await this.#read());
  }

  /** Returns the next piece for the loop. */
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

  /** Ends the stream: its loop was left. */
  async return(): Promise<IteratorResult<Delta>> {
    this.#hasLoop = false;
    this.#waiting = [];
    this.#taken = 0;
    // A generator that awaits a piece takes notice of its return only afterwards.
    if (this.#reading !== undefined) this.#onLeave();
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
      if (this.#hasLoop) this.#waiting.push(value);
      return true;
    } catch (error) {
      this.#failure = { error };
      return false;
    }
  }
}
