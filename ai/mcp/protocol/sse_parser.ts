import { LineReader } from "./lines.ts";

/** One event of a stream. */
export interface ServerEvent {
  /** The name; `"message"` where the stream gave none. */
  readonly event: string;
  /** The data, its lines joined by LF. */
  readonly data: string;
  /** The last id that the stream has given; `undefined` before the first. */
  readonly id: string | undefined;
}

/** What may be in a stream beside events. */
export interface SseHandlers {
  /** Receives every event that has data, or an id of its own. */
  readonly onEvent: (event: ServerEvent) => void;
  /** Receives how long to wait before the next connection, in milliseconds. */
  readonly onRetry?: (retryMs: number) => void;
}

/**
 * Parses Server-Sent Events (HTML standard, section 9.2.6) with a limit on one event. CR alone as the
 * end of a line is not supported: no MCP server writes it, and it would need a look ahead.
 */
export class SseParser {
  readonly #lines: LineReader;
  readonly #maxBytes: number;
  readonly #handlers: SseHandlers;
  #data: string[] = [];
  #dataChars = 0;
  #event = "";
  #id: string | undefined = undefined;
  #hasOwnId = false;
  #isFirst = true;

  /** @param options The most bytes of one event, and who receives what the stream holds. */
  constructor(options: SseHandlers & { readonly maxBytes: number }) {
    this.#maxBytes = options.maxBytes;
    this.#lines = new LineReader(options.maxBytes);
    this.#handlers = options;
  }

  /**
   * Takes a chunk of the stream.
   *
   * @throws {LineTooLongError} for a line over the limit.
   * @throws {RangeError} for an event of many lines over the limit.
   */
  take(chunk: Uint8Array): void {
    for (const line of this.#lines.take(chunk)) this.#line(line);
  }

  #line(line: string): void {
    // A byte order mark may open the stream.
    const text = this.#isFirst && line.startsWith("\uFEFF") ? line.slice(1) : line;
    this.#isFirst = false;
    if (text === "") return this.#dispatch();
    const colon = text.indexOf(":");
    if (colon === 0) return;
    const field = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? "" : text.slice(text[colon + 1] === " " ? colon + 2 : colon + 1);
    this.#field(field, value);
  }

  #field(field: string, value: string): void {
    if (field === "data") {
      this.#dataChars += value.length + 1;
      if (this.#dataChars > this.#maxBytes) {
        throw new RangeError(`an event is larger than ${this.#maxBytes} bytes`);
      }
      this.#data.push(value);
    } else if (field === "event") {
      this.#event = value;
    } else if (field === "id" && !value.includes("\0")) {
      this.#id = value;
      this.#hasOwnId = true;
    } else if (field === "retry" && /^\d{1,9}$/.test(value)) {
      this.#handlers.onRetry?.(Number(value));
    }
  }

  #dispatch(): void {
    const hasData = this.#data.length > 0;
    const event = this.#event === "" ? "message" : this.#event;
    const data = this.#data.join("\n");
    const isWanted = hasData || this.#hasOwnId;
    this.#data = [];
    this.#dataChars = 0;
    this.#event = "";
    this.#hasOwnId = false;
    if (isWanted) this.#handlers.onEvent({ event, data, id: this.#id });
  }
}
