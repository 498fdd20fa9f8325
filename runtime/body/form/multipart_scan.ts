import type { BodyChunks } from "../body.ts";
import { ByteBuffer } from "../chunks.ts";
import { invalidForm } from "./fields.ts";

const CR = 0x0d;
const LF = 0x0a;
const DASH = 0x2d;
const SPACE = 0x20;
const TAB = 0x09;
const blankLine = new Uint8Array([CR, LF, CR, LF]);

/** The maximum padding after a delimiter; clients send none in practice. */
const maxPaddingBytes = 64;

/**
 * Finds the delimiters of a multipart body as it arrives (RFC 2046, section 5.1.1), strictly: lines end in CR
 * LF, and text that starts like a delimiter must be one. Holds one chunk and the end of the previous one,
 * which a delimiter may span.
 */
export class MultipartScan {
  readonly #chunks: BodyChunks;
  /** CR LF, two dashes, the boundary. */
  readonly #delimiter: Uint8Array;
  // The first delimiter has no line break before it, so one is prepended.
  #window: Uint8Array = new Uint8Array([CR, LF]);
  #at = 0;

  constructor(chunks: BodyChunks, boundary: string) {
    this.#chunks = chunks;
    this.#delimiter = new TextEncoder().encode(`\r\n--${boundary}`);
  }

  /** Appends the next chunk to the unread bytes; returns false at the end of the body. */
  async #fill(): Promise<boolean> {
    // The next read reuses the memory of this chunk.
    const left = this.#window.slice(this.#at);
    const chunk = await this.#chunks.read();
    if (chunk === undefined) return false;
    this.#at = 0;
    if (left.length === 0) {
      this.#window = chunk;
    } else {
      this.#window = new Uint8Array(left.length + chunk.length);
      this.#window.set(left);
      this.#window.set(chunk, left.length);
    }
    return true;
  }

  async #has(bytes: number): Promise<boolean> {
    while (this.#window.length - this.#at < bytes) if (!await this.#fill()) return false;
    return true;
  }

  async #need(bytes: number): Promise<void> {
    if (!await this.#has(bytes)) throw invalidForm("it ends early");
  }

  /** Reads the content up to the next delimiter, then skips the delimiter. */
  async readContent(write: (piece: Uint8Array) => void): Promise<void> {
    await this.#readUntil(this.#delimiter, write);
    this.#at += this.#delimiter.length;
  }

  async #readUntil(mark: Uint8Array, write: (piece: Uint8Array) => void): Promise<void> {
    for (;;) {
      const { index, isWhole } = this.#find(mark);
      if (index > this.#at) write(this.#window.subarray(this.#at, index));
      this.#at = index;
      if (isWhole) return;
      if (!await this.#fill()) throw invalidForm("it ends early");
    }
  }

  /** Finds a mark, which begins with CR, or the position from which one may still begin. */
  #find(mark: Uint8Array): { readonly index: number; readonly isWhole: boolean } {
    const window = this.#window;
    for (let at = window.indexOf(CR, this.#at); at >= 0; at = window.indexOf(CR, at + 1)) {
      const same = this.#sameBytes(at, mark);
      const isWhole = same === mark.length;
      if (isWhole || at + same === window.length) return { index: at, isWhole };
    }
    return { index: window.length, isWhole: false };
  }

  #sameBytes(at: number, mark: Uint8Array): number {
    const window = this.#window;
    let same = 0;
    while (same < mark.length && at + same < window.length && window[at + same] === mark[same]) {
      same++;
    }
    return same;
  }

  async readDelimiterEnd(): Promise<boolean> {
    await this.#need(2);
    const isLast = this.#window[this.#at] === DASH && this.#window[this.#at + 1] === DASH;
    if (isLast) this.#at += 2;
    for (let padding = 0; padding <= maxPaddingBytes; padding++) {
      // The body may end with its last delimiter.
      if (isLast && !await this.#has(2)) return false;
      await this.#need(2);
      const byte = this.#window[this.#at];
      if (byte === CR && this.#window[this.#at + 1] === LF) {
        this.#at += 2;
        return !isLast;
      }
      if (byte !== SPACE && byte !== TAB) break;
      this.#at++;
    }
    throw invalidForm("a line begins like its boundary");
  }

  async readHeaderBlock(maxBytes: number): Promise<Uint8Array> {
    const block = new ByteBuffer();
    await this.#readUntil(blankLine, (piece) => {
      block.append(piece);
      if (block.length <= maxBytes) return;
      throw invalidForm(`a part has headers over ${maxBytes} bytes`);
    });
    // The second line break may belong to the delimiter of a part without content.
    this.#at += 2;
    await this.#need(this.#delimiter.length);
    if (this.#sameBytes(this.#at, this.#delimiter) < this.#delimiter.length) this.#at += 2;
    return block.view();
  }
}
