/** The number of bytes buffered before they are written at once. */
const capacity = 64 * 1_024;

/** The most bytes that UTF-8 takes for a unit of UTF-16. */
const maxBytesPerUnit = 3;

const space = 0x20;
const quote = 0x22;
const backslash = 0x5c;
const tilde = 0x7e;

const encoder = new TextEncoder();

interface BufferOptions {
  /** Writes the bytes; the buffer is reused afterwards. */
  readonly write: (bytes: Uint8Array) => void;
  /** Told that there are bytes that wait. */
  readonly onWaiting: () => void;
}

/**
 * Bytes of lines that wait to be written. Texts become bytes at once: to join them into a longer text
 * first costs more, since that text is built piece by piece (`bench/http`).
 */
export class LineBuffer {
  readonly #options: BufferOptions;
  readonly #bytes = new Uint8Array(capacity);
  #start = 0;
  #end = 0;

  constructor(options: BufferOptions) {
    this.#options = options;
  }

  text(lines: string): void {
    const most = lines.length * maxBytesPerUnit;
    if (most > capacity) {
      this.flush();
      this.#options.write(encoder.encode(lines));
      return;
    }
    this.#makeRoom(most);
    this.#end += encoder.encodeInto(lines, this.#bytes.subarray(this.#end)).written;
    this.#options.onWaiting();
  }

  /**
   * Begins a line that is put together by the methods below.
   *
   * @returns Whether there is room for so long a line.
   */
  beginLine(maxBytes: number): boolean {
    if (maxBytes > capacity) return false;
    this.#makeRoom(maxBytes);
    this.#start = this.#end;
    return true;
  }

  block(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /** Adds a text of ASCII characters to the line. */
  ascii(text: string): void {
    const bytes = this.#bytes;
    let at = this.#end;
    for (let index = 0; index < text.length; index++) bytes[at++] = text.charCodeAt(index);
    this.#end = at;
  }

  /**
   * Appends a part of a text that needs no escaping inside a JSON string.
   *
   * @returns Whether it needs no escaping; if it does, the line is discarded.
   */
  jsonPart(text: string, start: number, end: number): boolean {
    const bytes = this.#bytes;
    let at = this.#end;
    for (let index = start; index < end; index++) {
      const code = text.charCodeAt(index);
      if (code < space || code > tilde || code === quote || code === backslash) {
        this.#end = this.#start;
        return false;
      }
      bytes[at++] = code;
    }
    this.#end = at;
    return true;
  }

  byte(value: number): void {
    this.#bytes[this.#end++] = value;
  }

  endLine(): void {
    this.#options.onWaiting();
  }

  flush(): void {
    const end = this.#end;
    if (end === 0) return;
    this.#end = 0;
    this.#options.write(this.#bytes.subarray(0, end));
  }

  #makeRoom(bytes: number): void {
    if (this.#end + bytes > capacity) this.flush();
  }
}
