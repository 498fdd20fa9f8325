import { ServerEventParser } from "../../runtime/addon.ts";
import { type BodyReader, openBody } from "./body.ts";
import { AiError, type AiErrorCode } from "../errors.ts";
import { FailedTry, parseReported, readFailure, shownMessage } from "./failure.ts";
import { type CheckedOptions, longestTimeoutMs } from "../options.ts";
import { abortable, backoff, delay } from "./wait.ts";

export interface Outgoing {
  readonly body: string;
  /** Whether the response should be a stream, whose first byte arrives early. */
  readonly isStream: boolean;
  readonly signal: AbortSignal;
}

const longestDelayMs = 8_000;

/** Time to wait for data after the `finish_reason`, such as the usage. */
const lastWaitMs = 2_000;

/** Time to wait for the end of a body after the answer is complete, so that the connection can be reused. */
const endWaitMs = 100;

/** Sends a request, with retries until the first bytes arrive. @throws {AiError}, or an abort's reason. */
export async function sendRequest(
  options: CheckedOptions,
  outgoing: Outgoing,
): Promise<ResponseReader> {
  const { signal } = outgoing;
  const endAt = performance.now() + options.timeoutMs;
  for (let count = 0;; count++) {
    signal.throwIfAborted();
    const reader = new ResponseReader(options, endAt, signal);
    try {
      await reader.open(outgoing);
      return reader;
    } catch (thrown) {
      reader.close();
      if (!(thrown instanceof FailedTry)) throw thrown;
      const delayMs = delayOf(thrown, count, options);
      if (delayMs === undefined || performance.now() + delayMs >= endAt) throw thrown.error;
      await delay(delayMs, signal);
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
  return retryAfterMs <= Math.min(maxRetryDelayMs, longestTimeoutMs) ? retryAfterMs : undefined;
}

export class ResponseReader {
  readonly #options: CheckedOptions;
  readonly #signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #watch: Watchdog;
  readonly #onAbort = (): void => this.#stop(this.#signal.reason);
  #reader: BodyReader | undefined;
  #first: Uint8Array | undefined;
  #contentType = "";
  #bytes = 0;

  constructor(options: CheckedOptions, endAt: number, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#watch = new Watchdog(endAt, (isCall) => {
      const error = new AiError(
        "ai_timeout",
        isCall
          ? `The call took longer than ${options.timeoutMs} ms: see timeoutMs.`
          : "The server was silent for too long: see firstByteTimeoutMs and idleTimeoutMs.",
      );
      // Only silence before the first byte may be retried.
      this.#stop(isCall || this.#bytes > 0 ? error : new FailedTry(error, true));
    });
    signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  /**
   * Whether the response is an event stream, by its first bytes, because some servers send a wrong
   * content type.
   */
  get isEventStream(): boolean {
    const start = firstText(this.#first);
    if (/^[[{<]/.test(start)) return false;
    return /^(?:data|event|id|retry)?:/.test(start) ||
      /^text\/event-stream\b/i.test(this.#contentType);
  }

  show(text: string): string {
    return shownMessage(text, this.hide);
  }

  async open({ body, isStream }: Outgoing): Promise<void> {
    const { firstByteTimeoutMs, idleTimeoutMs } = this.#options;
    this.#watch.expect(isStream ? firstByteTimeoutMs : Infinity);
    const response = await this.#fetch(body);
    this.#contentType = response.headers.get("content-type") ?? "";
    if (!response.ok) {
      // Bounds the time for an error page that does not end.
      if (!isStream) this.#watch.expect(firstByteTimeoutMs);
      const { signal } = this.#controller;
      const failure = await readFailure(response, { hide: this.hide, signal });
      signal.throwIfAborted();
      throw failure;
    }
    if (response.body !== null) this.#reader = openBody(response.body);
    let first = new Uint8Array();
    for (let start = ""; !telling.test(start); start = firstText(first)) {
      const more = await this.#readNext();
      if (this.#bytes === 0 && more === undefined) {
        const message = "The server closed the connection without an answer.";
        throw new FailedTry(new AiError("ai_broken_stream", message), true);
      }
      if (this.#bytes > 0) this.#watch.expect(idleTimeoutMs);
      // Copy, because the next read reuses the memory. Leading white space is skipped.
      const parts = start === "" ? [] : [first];
      first = await new Blob([...parts, more?.slice() ?? ""]).bytes();
      if (more === undefined) break;
    }
    this.#first = first;
    this.#watch.rest();
    const failure = this.#firstFailure(new TextDecoder().decode(first));
    if (failure?.canRetry) throw failure;
  }

  /** Returns the failure that the first event of a stream reports, such as an overload. */
  #firstFailure(text: string): FailedTry | undefined {
    if (!this.isEventStream || !/error/i.test(text)) return undefined;
    const [first] = new ServerEventParser().push(text).filter(({ data }) => data !== "");
    return first && parseReported({ text: first.data, event: first.event }, this.hide);
  }

  /**
   * Reads the next bytes, valid until the next read; `undefined` at the end. @throws {AiError}, or an
   * abort's reason.
   *
   * @param isWhole Whether the answer is complete, so that silence or a broken connection counts as the end.
   */
  async read(isWhole = false): Promise<Uint8Array | undefined> {
    const first = this.#first;
    this.#first = undefined;
    if (first !== undefined) return first;
    if (isWhole) this.#watch.expect(Math.min(this.#options.idleTimeoutMs, lastWaitMs));
    else this.#watch.begin();
    try {
      return await this.#readNext();
    } catch (thrown) {
      const error = thrown instanceof FailedTry ? thrown.error : thrown;
      if (isWhole && error instanceof AiError && error.code !== "ai_too_large") return undefined;
      throw error;
    } finally {
      this.#watch.rest();
    }
  }

  async readText(): Promise<string> {
    const decoder = new TextDecoder();
    let text = "";
    for (let bytes = await this.read(); bytes !== undefined; bytes = await this.read()) {
      text += decoder.decode(bytes, { stream: true });
    }
    return text + decoder.decode();
  }

  /** Waits briefly for the end of a complete body, so that the connection can be reused. */
  async finish(): Promise<void> {
    this.#watch.expect(endWaitMs);
    // Bytes after the answer are irrelevant.
    await this.#readNext().catch(() => {});
    this.close();
  }

  close(): void {
    this.#watch.stop();
    this.#signal.removeEventListener("abort", this.#onAbort);
    this.#reader?.cancel().catch(() => {});
    this.#controller.abort();
  }

  readonly hide = (text: string): string =>
    this.#options.secrets.reduce((hidden, secret) => hidden.replaceAll(secret, "[hidden]"), text);

  async #fetch(body: string): Promise<Response> {
    const { url, headers, fetch } = this.#options;
    const { signal } = this.#controller;
    try {
      // A redirect of a POST would lose the body, or send the key elsewhere.
      const pending = fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
      // A custom `fetch` may ignore its signal.
      return await abortable(pending, signal, ({ body }) => void body?.cancel().catch(() => {}));
    } catch (cause) {
      throw this.#failedTry("ai_unreachable", "The server cannot be reached", cause);
    }
  }

  async #readNext(): Promise<Uint8Array | undefined> {
    const { signal } = this.#controller;
    signal.throwIfAborted();
    let piece: Uint8Array | undefined;
    try {
      piece = await this.#reader?.read();
    } catch (cause) {
      throw this.#failedTry("ai_broken_stream", "The connection broke", cause);
    }
    signal.throwIfAborted();
    const { maxBytes } = this.#options;
    this.#bytes += piece?.byteLength ?? 0;
    if (this.#bytes <= maxBytes) return piece;
    throw new AiError("ai_too_large", `The response is over ${maxBytes} bytes: see maxBytes.`);
  }

  /** Returns the error of an attempt. @throws the reason, if the attempt was aborted. */
  #failedTry(code: AiErrorCode, what: string, cause: unknown): FailedTry {
    this.#controller.signal.throwIfAborted();
    const reason = cause instanceof Error ? this.hide(cause.message) : "unknown failure";
    const error = new AiError(code, `${what}: ${reason}`, { cause: new Error(reason) });
    return new FailedTry(error, this.#bytes === 0);
  }

  /** Aborts the call and ends a pending read at once, even if the body ignores the signal. */
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

/** Matches enough of a response to distinguish events from a document. */
const telling = /^(?:[[{<:]|id:|data:|.{6})/s;

/** Watches a call and its next step with one timer, because a timer per read would cost more than the read. */
class Watchdog {
  readonly #endAt: number;
  readonly #onOverdue: (isCall: boolean) => void;
  #waitMs = Infinity;
  #waitUntil = Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firesAt = Infinity;

  constructor(endAt: number, onOverdue: (isCall: boolean) => void) {
    this.#endAt = endAt;
    this.#onOverdue = onOverdue;
  }

  expect(waitMs: number): void {
    this.#waitMs = waitMs;
    this.begin();
  }

  begin(): void {
    this.#waitUntil = performance.now() + this.#waitMs;
    if (Math.min(this.#endAt, this.#waitUntil) < this.#firesAt) this.#check();
  }

  /** Pauses the idle timeout while the caller processes the data. */
  rest(): void {
    this.#waitUntil = Infinity;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#firesAt = Infinity;
  }

  #check(): void {
    this.stop();
    const dueAt = Math.min(this.#endAt, this.#waitUntil);
    const leftMs = dueAt - performance.now();
    // A timer may fire a fraction of a millisecond early.
    if (leftMs <= 1) return this.#onOverdue(dueAt === this.#endAt);
    this.#firesAt = dueAt;
    if (dueAt < Infinity) this.#timer = setTimeout(() => this.#check(), leftMs);
  }
}
