/** A clock that never goes back, also where the one it reads is set back. */
export class Clock {
  readonly #read: () => number;
  #last = -Infinity;
  #ahead = 0;

  constructor(read: () => number) {
    this.#read = read;
  }

  /** The time in milliseconds: from some moment on, at the pace of the clock that is read. */
  now(): number {
    const read = this.#read();
    // Otherwise what was kept before would be given for longer by as much.
    if (read < this.#last) this.#ahead += this.#last - read;
    this.#last = read;
    return read + this.#ahead;
  }
}
