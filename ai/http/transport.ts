import { type BodyReader, openBody } from "./body.ts";
import { AiError, type AiErrorCode } from "../errors.ts";
import { FailedTry, readFailure, shownMessage } from "./failure.ts";
import type { CheckedOptions } from "../options.ts";
import { abortable, backoff, delay } from "./wait.ts";

export interface Outgoing {
  readonly body: string;
  /** Whether the response is expected as a stream, whose first byte comes early. */
  readonly isStream: boolean;
  readonly signal: AbortSignal | undefined;
}

const longestDelayMs = 8_000;

/** Time to wait for the end of a body once the answer is whole, so that the connection stays open. */
const endWaitMs = 100;

/**
 * Sends a request and waits for the first bytes, with retries before them. @throws {AiError}, or an abort's
 * reason.
 */
export async function sendRequest(
  options: CheckedOptions,
  outgoing: Outgoing,
): Promise<ResponseReader> {
  const endAt = performance.now() + options.timeoutMs;
  for (let count = 0;; count++) {
    outgoing.signal?.throwIfAborted();
    const reader = new ResponseReader(options, { endAt, signal: outgoing.signal });
    try {
      await reader.open(outgoing);
      return reader;
    } catch (thrown) {
      reader.close();
      if (!(thrown instanceof FailedTry)) throw thrown;
      const delayMs = delayOf(thrown, count, options);
      if (delayMs === undefined || performance.now() + delayMs >= endAt) throw thrown.error;
      await delay(delayMs, outgoing.signal);
    }
  }
}

function delayOf(
  { error: { retryAfterMs }, canRetry }: FailedTry,
  count: number,
  { maxRetries, maxRetryDelayMs }: CheckedOptions,
): number | undefined {
  if (!canRetry || count >= maxRetries) return undefined;
  if (retryAfterMs === undefined) return backoff(count, Math.min(longestDelayMs, maxRetryDelayMs));
  return retryAfterMs <= maxRetryDelayMs ? retryAfterMs : undefined;
}

export class ResponseReader {
  readonly #options: CheckedOptions;
  readonly #signal: AbortSignal | undefined;
  readonly #controller = new AbortController();
  readonly #watchdog: Watchdog;
  readonly #onAbort = (): void => this.#stop(this.#signal?.reason);
  #reader: BodyReader | undefined;
  #first: Uint8Array | undefined;
  #contentType = "";
  #bytes = 0;

  constructor(
    options: CheckedOptions,
    { endAt, signal }: { readonly endAt: number; readonly signal: AbortSignal | undefined },
  ) {
    this.#options = options;
    this.#signal = signal;
    this.#watchdog = new Watchdog(endAt, (overdue) => {
      const isLate = overdue === "wait";
      const error = new AiError(
        "ai_timeout",
        isLate
          ? "The server was silent for too long: see firstByteTimeoutMs and idleTimeoutMs."
          : `The call took longer than ${options.timeoutMs} ms: see timeoutMs.`,
      );
      // Only the silence before the first byte may be another server's luck.
      this.#stop(isLate && this.#bytes === 0 ? new FailedTry(error, true) : error);
    });
    signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** Whether it is a stream of events: by its first bytes, since some servers send another content type. */
  get isEventStream(): boolean {
    const start = firstText(this.#first);
    if (/^[[{<]/.test(start)) return false;
    return /^(?:data|event|id|retry)?:/.test(start) ||
      /^text\/event-stream\b/i.test(this.#contentType);
  }

  show(text: string): string {
    return shownMessage(text, (each) => this.hide(each));
  }

  async open({ body, isStream }: Outgoing): Promise<void> {
    this.#watchdog.expect(isStream ? this.#options.firstByteTimeoutMs : Infinity);
    const response = await this.#fetch(body);
    this.#contentType = response.headers.get("content-type") ?? "";
    if (!response.ok) {
      // A flood of an error page counts as silence.
      if (!isStream) this.#watchdog.expect(this.#options.firstByteTimeoutMs);
      const failure = await readFailure(response, (text) => this.hide(text));
      this.#controller.signal.throwIfAborted();
      throw failure;
    }
    if (response.body !== null) this.#reader = openBody(response.body);
    let first = await this.#readFirst();
    this.#watchdog.expect(this.#options.idleTimeoutMs);
    for (let start = firstText(first); !telling.test(start); start = firstText(first)) {
      // The next read uses the same memory. Blanks before the response do not count.
      const parts = start === "" ? [] : [first.slice()];
      this.#watchdog.begin();
      const more = await this.#readNext();
      first = await new Blob([...parts, more?.slice() ?? ""]).bytes();
      if (more === undefined) break;
    }
    this.#first = first;
    this.#watchdog.rest();
  }

  /**
   * Reads the next bytes, good until the next read; `undefined` at the end. @throws {AiError}, or an abort's
   * reason.
   */
  async read(): Promise<Uint8Array | undefined> {
    if (this.#first !== undefined) {
      const first = this.#first;
      this.#first = undefined;
      return first;
    }
    this.#watchdog.begin();
    try {
      return await this.#readNext();
    } catch (thrown) {
      throw thrown instanceof FailedTry ? thrown.error : thrown;
    } finally {
      this.#watchdog.rest();
    }
  }

  async readText(): Promise<string> {
    const decoder = new TextDecoder();
    const pieces: string[] = [];
    for (let bytes = await this.read(); bytes !== undefined; bytes = await this.read()) {
      pieces.push(decoder.decode(bytes, { stream: true }));
    }
    pieces.push(decoder.decode());
    return pieces.join("");
  }

  /** Waits a moment for the end of a body whose content is whole: the connection can then be reused. */
  async finish(): Promise<void> {
    this.#watchdog.expect(endWaitMs);
    try {
      await this.#readNext();
    } catch {
      // What comes after the answer does not matter.
    }
    this.close();
  }

  close(): void {
    this.#watchdog.stop();
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#reader?.cancel().catch(() => {});
    this.#controller.abort();
  }

  hide(text: string): string {
    let hidden = text;
    for (const secret of this.#options.secrets) hidden = hidden.replaceAll(secret, "[hidden]");
    return hidden;
  }

  async #fetch(body: string): Promise<Response> {
    const { url, headers, fetch } = this.#options;
    try {
      // A redirect of a POST would lose the body, or send the key elsewhere.
      const pending = fetch(url, {
        method: "POST",
        headers,
        body,
        redirect: "manual",
        signal: this.#controller.signal,
      });
      // A fetch that was passed in may ignore its signal.
      const drop = ({ body }: Response): void => void body?.cancel().catch(() => {});
      return await abortable(pending, this.#controller.signal, drop);
    } catch (cause) {
      this.#controller.signal.throwIfAborted();
      throw this.#failedTry("ai_unreachable", "The server cannot be reached", cause);
    }
  }

  async #readFirst(): Promise<Uint8Array> {
    for (;;) {
      const bytes = await this.#readNext();
      if (bytes !== undefined && bytes.byteLength === 0) continue;
      if (bytes !== undefined) return bytes;
      throw new FailedTry(
        new AiError("ai_broken_stream", "The server closed the connection without an answer."),
        true,
      );
    }
  }

  async #readNext(): Promise<Uint8Array | undefined> {
    const piece = await this.#readPiece();
    this.#controller.signal.throwIfAborted();
    if (piece === undefined) return undefined;
    this.#bytes += piece.byteLength;
    if (this.#bytes <= this.#options.maxBytes) return piece;
    throw new AiError(
      "ai_too_large",
      `The response is over ${this.#options.maxBytes} bytes: see maxBytes.`,
    );
  }

  async #readPiece(): Promise<Uint8Array | undefined> {
    this.#controller.signal.throwIfAborted();
    try {
      return await this.#reader?.read();
    } catch (cause) {
      this.#controller.signal.throwIfAborted();
      throw this.#failedTry("ai_broken_stream", "The connection broke", cause);
    }
  }

  #failedTry(code: AiErrorCode, what: string, cause: unknown): FailedTry {
    const reason = cause instanceof Error ? this.hide(cause.message) : "unknown failure";
    const error = new AiError(code, `${what}: ${reason}`, { cause: new Error(reason) });
    return new FailedTry(error, this.#bytes === 0);
  }

  /** Aborts the call: a pending read ends at once, also of a body that ignores the signal. */
  #stop(reason: unknown): void {
    if (this.#controller.signal.aborted) return;
    this.#controller.abort(reason);
    this.#reader?.cancel(reason).catch(() => {});
  }
}

function firstText(bytes: Uint8Array = new Uint8Array()): string {
  const at = bytes.findIndex((byte) => byte > 0x20);
  return at < 0 ? "" : new TextDecoder().decode(bytes.subarray(at, at + 64)).trimStart();
}

/** The start of a response that tells events from a document. */
const telling = /^(?:[[{<:]|id:|data:|.{6})/s;

type Overdue = "call" | "wait";

/** Watches a call and its next step by one timer: one for every read would cost more than the read. */
class Watchdog {
  readonly #endAt: number;
  readonly #onOverdue: (overdue: Overdue) => void;
  #waitMs = Infinity;
  #waitUntil = Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firesAt = Infinity;

  constructor(endAt: number, onOverdue: (overdue: Overdue) => void) {
    this.#endAt = endAt;
    this.#onOverdue = onOverdue;
  }

  expect(waitMs: number): void {
    this.#waitMs = waitMs;
    this.begin();
  }

  begin(): void {
    this.#waitUntil = performance.now() + this.#waitMs;
    const dueAt = Math.min(this.#endAt, this.#waitUntil);
    if (dueAt < this.#firesAt) this.#arm(dueAt);
  }

  /** Ends the wait: the time until the next one is the caller's own. */
  rest(): void {
    this.#waitUntil = Infinity;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#firesAt = Infinity;
  }

  #arm(dueAt: number): void {
    clearTimeout(this.#timer);
    this.#firesAt = dueAt;
    if (dueAt === Infinity) return;
    this.#timer = setTimeout(() => this.#check(), Math.max(0, dueAt - performance.now()));
  }

  #check(): void {
    const now = performance.now();
    // A timer may fire a fraction of a millisecond early.
    if (now + 1 >= this.#endAt) return this.#giveUp("call");
    if (now + 1 >= this.#waitUntil) return this.#giveUp("wait");
    this.#arm(Math.min(this.#endAt, this.#waitUntil));
  }

  #giveUp(overdue: Overdue): void {
    this.stop();
    this.#onOverdue(overdue);
  }
}
