/** Why a reader of lines gave up. */
export class LineTooLongError extends Error {
  override readonly name: string = "LineTooLongError";
}

/**
 * Joins chunks of bytes to lines of UTF-8. A line may end in LF, or CR LF; what is over the limit
 * throws, so that a peer that never ends a line cannot fill the memory.
 */
export class LineReader {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  take(chunk: Uint8Array): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      this.#hold(chunk.subarray(start, end));
      lines.push(this.#flush());
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk.slice(start));
    return lines;
  }

  end(): string {
    return this.#flush();
  }

  #hold(part: Uint8Array): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#maxBytes) {
      this.#parts = [];
      throw new LineTooLongError(`a line is longer than ${this.#maxBytes} bytes`);
    }
    this.#parts.push(part);
  }

  #flush(): string {
    const [first] = this.#parts;
    const bytes = this.#parts.length === 1 && first !== undefined ? first : this.#join();
    this.#parts = [];
    this.#bytes = 0;
    const text = decoder.decode(bytes);
    return text.endsWith("\r") ? text.slice(0, -1) : text;
  }

  #join(): Uint8Array {
    const joined = new Uint8Array(this.#bytes);
    let at = 0;
    for (const part of this.#parts) {
      joined.set(part, at);
      at += part.length;
    }
    return joined;
  }
}

const lineFeed = 10;
// What is no UTF-8 becomes replacement characters, and then fails as JSON or as a message.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
