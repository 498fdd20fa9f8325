/**
 * Bytes that come in pieces. One array that doubles: a client chooses how small its pieces are, and
 * an object for each of them would take a hundred times their bytes.
 */
export class ByteBuffer {
  #bytes = new Uint8Array(1_024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.#length);
    this.#length = length;
  }

  /** Returns the bytes, valid until the next piece is appended. */
  view(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }
}
