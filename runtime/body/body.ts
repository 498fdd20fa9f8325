import { httpError } from "../base/errors/errors.ts";
import type { BodyLimits } from "../base/ctx/input.ts";
import {
  ByteBuffer,
  type ChunkReader,
  openReader,
  tooLarge,
  tooLate,
  unreadable,
} from "./chunks.ts";
import { type Deadline, dropDeadline, endDeadline, startDeadline } from "./deadline.ts";
import { type BodyType, parseBodyType } from "./type.ts";
import type { FormBody } from "./form/fields.ts";
import type { UploadSpool } from "./upload/spool.ts";

export interface BodySettings {
  /** The maximum size of a body in bytes, unless `allowBody` overrides it. */
  readonly maxBytes: number;
  readonly readMs: number;
  readonly limits: BodyLimits;
  readonly spoolDir: string | undefined;
  /** Whether a refusal names the fix, as in development. */
  readonly explains: boolean;
  /** Number of bytes of a string or a form kept for an incident; 0 for none. */
  readonly keptBytes: number;
}

export interface JsonBody {
  readonly value: unknown;
  /** Whether no string in it can contain a character that `text` refuses. */
  readonly isPlainText: boolean;
  readonly members: number;
}

/** The time after which a body counts as slow, in milliseconds: its sender may have been signed out. */
const slowMs = 1_000;

/** Checks of the caller, such as that of its session, which throw; repeated after a slow body. */
export type Checks = (() => Promise<void>)[];

export class RequestBody {
  readonly request: Request;
  readonly settings: BodySettings;
  form: Promise<FormBody> | undefined = undefined;
  json: Promise<JsonBody> | undefined = undefined;
  spool: UploadSpool | undefined = undefined;
  /** The bytes read, for an incident: `unread` until its end, `large` when it is over the limit. */
  kept: Uint8Array | "large" | "unread" | undefined = undefined;
  maxBytes: number;
  readMs: number;
  /** The length that the client announced; `undefined` for a chunked body. */
  readonly declaredBytes: number | undefined;
  readonly type: BodyType | undefined;
  #reader: string | undefined = undefined;
  #deadline: Deadline | undefined = undefined;
  #startMs = 0;
  /** The bytes for an incident while they are read. */
  #held: ByteBuffer | undefined = undefined;
  readonly #checks: Checks;

  constructor(request: Request, settings: BodySettings, checks: Checks = []) {
    this.request = request;
    this.settings = settings;
    this.#checks = checks;
    this.maxBytes = settings.maxBytes;
    this.readMs = settings.readMs;
    const { headers } = request;
    const length = headers.get("content-length");
    this.declaredBytes = length !== null && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
    const type = headers.get("content-type");
    this.type = type === null ? undefined : parseBodyType(type);
  }

  /** Creates the body of an assigned request; files stay until both are done. */
  replace(request: Request): RequestBody {
    const body = new RequestBody(request, this.settings, this.#checks);
    body.spool = this.spool;
    body.kept = this.kept;
    body.maxBytes = this.maxBytes;
    body.readMs = this.readMs;
    return body;
  }

  /** Repeats the checks if the body, which was read to its end, arrived slowly. */
  async checkAgain(): Promise<void> {
    if (this.readEndMs - this.#startMs <= slowMs) return;
    for (const check of this.#checks) await check();
  }

  /** The stream of the server, without limit or deadline. */
  get stream(): ReadableStream<Uint8Array> | null {
    nativeStream ??= Object.getOwnPropertyDescriptor(Request.prototype, "body")?.get;
    return nativeStream === undefined ? this.request.body : nativeStream.call(this.request);
  }

  allow(maxBytes: number): void {
    if (!(maxBytes >= 0)) {
      throw new RangeError(`Cannot allow a body of "${maxBytes}" bytes: use a number from 0 up.`);
    }
    if (this.#reader !== undefined) {
      throw new TypeError(
        `Cannot change the body's limit: ${this.#reader} has read it already; call allowBody in a ` +
          "middleware, before anything reads.",
      );
    }
    this.maxBytes = maxBytes;
  }

  dropDeadline(): void {
    this.readMs = Infinity;
    // A read that has started continues without a deadline.
    if (this.#deadline !== undefined) dropDeadline(this.#deadline);
  }

  /** The time at which the body was read to its end: 0 before any read, `Infinity` during one. */
  get readEndMs(): number {
    return this.#deadline === undefined ? 0 : this.#deadline.endMs ?? Infinity;
  }

  /** Refuses a body whose announced length is over the limit, before anything is read. */
  refuseOversize(): void {
    const declared = this.declaredBytes;
    if (declared === undefined || declared <= this.maxBytes) return;
    // Otherwise the server reads the rest of the body before it closes the connection.
    if (this.stream?.locked === false) this.stream.cancel().catch(() => {});
    throw tooLarge(this.maxBytes, this.settings.explains);
  }

  /** Records the reader of the body, which can be read only once. */
  claim(reader: string): void {
    const first = this.#reader ?? (this.request.bodyUsed ? "the request itself" : undefined);
    if (first !== undefined) {
      throw new TypeError(
        `Cannot read the body with ${reader}: ${first} has read it already; read it once and keep ` +
          "the result.",
      );
    }
    this.#reader = reader;
  }

  async bytes(reader: string): Promise<Uint8Array<ArrayBuffer>> {
    const declared = this.declaredBytes;
    const { minBytesPerSecond } = this.settings.limits;
    // Up to this length, a body that is complete within `readMs` always meets the minimum rate.
    const maxUnpacedBytes = this.readMs === Infinity
      ? Infinity
      : this.readMs / 1_000 * minBytesPerSecond;
    if (declared === undefined || declared > Math.min(this.maxBytes, maxUnpacedBytes)) {
      return await this.#gather(reader);
    }
    this.claim(reader);
    // One promise around the read: a race of several costs a tenth of a form post (`bench/http`).
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
    const deadline = this.watch(() => reject(tooLate()));
    // The native read is a third faster than a stream (`bench/http`); a late result is ignored.
    Request.prototype.bytes.call(this.request).then(resolve, (cause) => reject(unreadable(cause)));
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      bytes = await promise;
    } finally {
      endDeadline(deadline);
    }
    // Only a request built by other code can lie about its length.
    if (bytes.length > this.maxBytes) throw tooLarge(this.maxBytes, this.settings.explains);
    const { keptBytes } = this.settings;
    // A copy, because the handler may change the bytes.
    if (keptBytes > 0) this.kept = bytes.length > keptBytes ? "large" : bytes.slice();
    if (this.#checks.length > 0) await this.checkAgain();
    return bytes;
  }

  async #gather(reader: string): Promise<Uint8Array<ArrayBuffer>> {
    const chunks = this.chunks(reader);
    const held = new ByteBuffer();
    for (let chunk = await chunks.read(); chunk !== undefined; chunk = await chunks.read()) {
      held.append(chunk);
    }
    return held.view();
  }

  chunks(reader: string): BodyChunks {
    this.claim(reader);
    this.refuseOversize();
    if (this.settings.keptBytes > 0 && this.type?.kind !== "multipart") {
      this.#held = new ByteBuffer();
      this.kept = "unread";
    }
    return new BodyChunks(this);
  }

  watch(expire: () => void): Deadline {
    this.#startMs = performance.now();
    return this.#deadline = startDeadline(this.#startMs + this.readMs, expire);
  }

  /** Keeps a piece for an incident, up to the limit; `undefined` ends the body. */
  keep(piece: Uint8Array | undefined): void {
    const held = this.#held;
    if (held === undefined) return;
    if (piece === undefined) this.kept = held.view();
    else if (held.length + piece.length <= this.settings.keptBytes) held.append(piece);
    else {
      this.#held = undefined;
      this.kept = "large";
    }
  }
}

const maxReadBytes = 65_536;

/**
 * The largest read of a chunked body, in bytes. The platform fills a read from the socket, returns one piece,
 * and moves the rest each time: with 64 KiB, 65,000 pieces of 16 bytes took a second, and 300,000 half a
 * minute. Large pieces are read in parts, at 20 ms per MiB.
 */
const maxPieceReadBytes = 512;

/** A piece below this is small, in bytes. */
const smallBytes = 256;

/** The maximum number of small pieces, at about 10 µs each; every KiB of the body allows one more. */
const maxSmallPieces = 4_096;

/** The minimum average size at which the pieces of a refused body are read and discarded, in bytes. */
const discardedPieceBytes = 384;

/** Number of reads before other requests get a turn: reading pieces that have arrived does not yield. */
const readsPerTurn = 64;

export class BodyChunks {
  readonly #body: RequestBody;
  readonly #reader: ChunkReader | undefined;
  readonly #deadline: Deadline | undefined;
  /** Time spent waiting for the client, without the handler's time between two reads. */
  #waitedMs = 0;
  #count = 0;
  #smallPieces = 0;
  #reads = 0;
  #isLate = false;
  #isOver = false;

  constructor(body: RequestBody) {
    this.#body = body;
    const { stream, declaredBytes } = body;
    if (stream === null) return;
    const readBytes = declaredBytes === undefined
      ? maxPieceReadBytes
      : Math.max(Math.min(declaredBytes, maxReadBytes), 1);
    const reader = openReader(stream, readBytes);
    this.#reader = reader;
    this.#deadline = body.watch(() => {
      this.#isLate = true;
      // This ends the pending read.
      reader.cancel().catch(() => {});
    });
  }

  /** Returns the next piece, `undefined` at the end. The piece is valid until the next call. */
  async read(): Promise<Uint8Array | undefined> {
    if (this.#reader === undefined || this.#isOver) return undefined;
    const body = this.#body;
    let piece: Uint8Array | undefined;
    try {
      piece = await this.#readInTime(this.#reader);
      if (this.#isLate) throw tooLate();
    } catch (error) {
      this.#end();
      throw this.#isLate ? tooLate() : unreadable(error);
    }
    if (piece === undefined) {
      this.#end();
      body.keep(undefined);
      await body.checkAgain();
      return undefined;
    }
    this.#count += piece.length;
    if (this.#count > body.maxBytes) {
      await this.#refuse();
      throw tooLarge(body.maxBytes, body.settings.explains);
    }
    body.keep(piece);
    const isSmall = piece.length < smallBytes;
    if (isSmall && ++this.#smallPieces > maxSmallPieces + this.#count / 1_024) {
      await this.#refuse();
      throw httpError(400, "the body arrived in too many small pieces: send larger chunks", {
        code: "body_fragmented",
      });
    }
    if (++this.#reads % readsPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
    return piece;
  }

  async #readInTime(reader: ChunkReader): Promise<Uint8Array | undefined> {
    const deadline = this.#deadline;
    const { readMs, settings: { limits: { minBytesPerSecond } } } = this.#body;
    if (deadline === undefined || readMs === Infinity) return await reader.read();
    const startMs = performance.now();
    const paidMs = this.#count / minBytesPerSecond * 1_000;
    const leftMs = Math.max(readMs, paidMs) - this.#waitedMs;
    // Without a minimum rate the quotient is `NaN` or `Infinity`.
    deadline.dueMs = startMs + (minBytesPerSecond > 0 ? Math.min(readMs, leftMs) : readMs);
    const piece = await reader.read();
    this.#waitedMs += performance.now() - startMs;
    deadline.dueMs = Infinity;
    return piece;
  }

  async cancel(): Promise<void> {
    if (this.#isOver) return;
    this.#end();
    await this.#reader?.cancel().catch(() => {});
  }

  /** Refuses the body. The platform also discards piece by piece, so a flood of small ones is left unread. */
  async #refuse(): Promise<void> {
    if (this.#count >= this.#reads * discardedPieceBytes) return await this.cancel();
    this.#end();
  }

  #end(): void {
    this.#isOver = true;
    if (this.#deadline !== undefined) endDeadline(this.#deadline);
  }
}

// `c.request` overrides members that lead here. `Request` is accessed on first use, because it adds 4 ms to
// a start (`bench/start`).
let nativeStream: ((this: Request) => ReadableStream<Uint8Array> | null) | undefined;
