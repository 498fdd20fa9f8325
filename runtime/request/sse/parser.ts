/** One Server-Sent Event, as `EventSource` dispatches it. */
export interface ServerEvent {
  /** The name; `message` by default. */
  readonly event: string;
  /** Its lines, joined by line feeds. */
  readonly data: string;
  /** The id of this event, or of the last event with an id. */
  readonly id: string | undefined;
}

/** Limits of a {@link ServerEventParser}. */
export interface ServerEventLimits {
  /** The maximum length of a line, in UTF-16 code units. @default 4194304 */
  readonly maxLineChars?: number;
  /** The maximum length of an event's data, in UTF-16 code units. @default 4194304 */
  readonly maxEventChars?: number;
  /** The id of the last event before this stream, which continues another. @default none */
  readonly lastEventId?: string | undefined;
  /**
   * Reports whether one line is the whole data of an event, so that the next line begins another one: for
   * servers that omit the blank line between events.
   *
   * @default only a blank line ends an event
   */
  readonly isWhole?: (line: string) => boolean;
}

const defaultMaxChars = 4 * 1024 * 1024;

/** The maximum length of an id: servers limit heads to some KiB, so a longer one could not be sent back. */
const maxIdChars = 4_096;

/**
 * Parses a stream of Server-Sent Events piece by piece (HTML standard, section 9.2.6), wherever the pieces
 * are cut. The caller decodes the bytes with one `TextDecoder` and `{ stream: true }`, which also joins split
 * UTF-8 and removes the byte order mark; a second mark is text.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { ServerEventParser } from "@fw/fw/addon";
 *
 * const parser = new ServerEventParser();
 * assertEquals(parser.push(": hello\nevent: score\nda"), []);
 * assertEquals(parser.push("ta: 1\n\n"), [{ event: "score", data: "1", id: undefined }]);
 * ```
 */
export class ServerEventParser {
  readonly #maxLineChars: number;
  readonly #maxEventChars: number;
  #events: ServerEvent[] = [];
  #pending = "";
  #endsInReturn = false;
  #event = "";
  readonly #isWhole: ServerEventLimits["isWhole"];
  #data: string | undefined;
  #hasOneLine = false;
  #id: string | undefined;
  /** The id that applies once its event is complete: a stream that is cut resumes at the last event. */
  #nextId: string | undefined;
  #retryMs: number | undefined;

  /** Creates a parser at the start of a stream. */
  constructor(limits: ServerEventLimits = {}) {
    this.#maxLineChars = limits.maxLineChars ?? defaultMaxChars;
    this.#maxEventChars = limits.maxEventChars ?? defaultMaxChars;
    this.#isWhole = limits.isWhole;
    this.#id = this.#nextId = limits.lastEventId;
  }

  /** The reconnection delay that the server requested, in milliseconds. */
  get retryMs(): number | undefined {
    return this.#retryMs;
  }

  /** The id of the last event with one, for `Last-Event-ID`. */
  get lastEventId(): string | undefined {
    return this.#id;
  }

  /**
   * Parses the next piece.
   *
   * @returns The events that this piece completes.
   * @throws {RangeError} for a line or an event over its limit; the parser must not be used afterwards.
   */
  push(text: string): ServerEvent[] {
    this.#events = [];
    const piece = this.#begin(text);
    let start = 0;
    for (const { 0: end, index } of piece.matchAll(/\r\n|\r|\n/g)) {
      this.#keep(piece.slice(start, index));
      const line = this.#pending;
      this.#pending = "";
      this.#readLine(line);
      start = index + end.length;
    }
    this.#keep(piece.slice(start));
    return this.#events;
  }

  /**
   * Parses the rest when the stream is over, including an event without its closing blank line. `EventSource`
   * drops such an event, but servers that close early intend it. It may be cut off, so
   * {@linkcode ServerEventParser.lastEventId} excludes it.
   *
   * @returns The last event, if there is one.
   */
  end(): ServerEvent[] {
    this.#events = [];
    if (this.#pending !== "") {
      this.#readLine(this.#pending);
      this.#pending = "";
    }
    const id = this.#id;
    if (this.#data !== undefined) this.#dispatch();
    this.#id = id;
    return this.#events;
  }

  /** Drops a line feed whose carriage return ended the last piece. */
  #begin(text: string): string {
    if (text === "") return text;
    const isSplit = this.#endsInReturn && text.charCodeAt(0) === 0x0a;
    this.#endsInReturn = text.charCodeAt(text.length - 1) === 0x0d;
    return isSplit ? text.slice(1) : text;
  }

  #keep(rest: string): void {
    if (this.#pending.length + rest.length > this.#maxLineChars) {
      throw this.#tooLong("line", this.#maxLineChars);
    }
    this.#pending += rest;
  }

  #readLine(line: string): void {
    if (line === "") return this.#dispatch();
    // Nearly every line is data.
    if (line.startsWith("data:")) {
      return this.#addData(line.slice(line.charCodeAt(5) === 0x20 ? 6 : 5));
    }
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0
      ? ""
      : line.slice(line.charCodeAt(colon + 1) === 0x20 ? colon + 2 : colon + 1);
    if (name === "data") this.#addData(value);
    else if (name === "event") this.#event = value;
    else if (name === "id" && !value.includes("\0") && value.length <= maxIdChars) {
      this.#nextId = value === "" ? undefined : value;
    } else if (name === "retry" && /^\d{1,9}$/.test(value)) this.#retryMs = Number(value);
  }

  #addData(value: string): void {
    // Called for a first line only, so that a long event is not read again with each of its lines.
    if (this.#data !== undefined && this.#hasOneLine && this.#isWhole?.(this.#data)) {
      this.#dispatch();
    }
    const before = this.#data;
    this.#hasOneLine = before === undefined;
    const data = before === undefined ? value : `${before}\n${value}`;
    if (data.length > this.#maxEventChars) throw this.#tooLong("event", this.#maxEventChars);
    this.#data = data;
  }

  #dispatch(): void {
    this.#id = this.#nextId;
    if (this.#data !== undefined) {
      const event = this.#event === "" ? "message" : this.#event;
      this.#events.push({ event, data: this.#data, id: this.#id });
    }
    this.#event = "";
    this.#data = undefined;
  }

  #tooLong(part: "line" | "event", maxChars: number): RangeError {
    return new RangeError(
      `Cannot read the event stream: a ${part} is over ${maxChars} characters.`,
    );
  }
}
