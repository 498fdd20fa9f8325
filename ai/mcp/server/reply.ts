import type { Ctx } from "../../../mod.ts";
import type { WireMessage } from "../protocol/messages.ts";
import { ifSlow } from "./deadline.ts";

/**
 * After how long without an answer the stream of a call begins, in milliseconds. The server learns that a
 * client has gone only once the response has begun.
 */
const streamAfterMs = 100;

/** How many notifications may wait for a slow client; what comes then is dropped. */
const maxWaiting = 1_000;
const maxWaitingChars = 1_048_576;

/**
 * The HTTP response to one stateless request: JSON where the result comes at once, else a stream of
 * events that ends with the result. A client that closes the stream cancels the call.
 */
export class StatelessReply {
  /** The response. */
  readonly response: Promise<Response>;
  readonly #c: Ctx;
  readonly #onGone: () => void;
  readonly #settle: (response: Response | Promise<Response>) => void;
  #waiting: string[] = [];
  #waitingChars = 0;
  #wake: (() => void) | undefined = undefined;
  #timer: ReturnType<typeof setTimeout> | undefined = undefined;
  #isStream = false;
  #hasEnded = false;

  /**
   * @param c The context of the request.
   * @param onGone Called when the client has gone before the result.
   */
  constructor(c: Ctx, onGone: () => void) {
    this.#c = c;
    this.#onGone = onGone;
    const { promise, resolve } = Promise.withResolvers<Response>();
    this.response = promise;
    this.#settle = resolve;
  }

  /** Begins the stream when the call takes its time. */
  watch(): void {
    ifSlow(() => this.#hasEnded || this.#isStream, () => {
      this.#timer = setTimeout(() => this.#begin(), streamAfterMs);
    });
  }

  /** Sends a notification; it begins the stream. */
  send(message: WireMessage): void {
    if (this.#hasEnded || !this.#begin()) return;
    if (this.#waiting.length < maxWaiting && this.#waitingChars < maxWaitingChars) {
      this.#push(JSON.stringify(message));
    }
  }

  /** Sends the response; the status counts unless the stream has begun. */
  end(status: number, message: WireMessage): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    if (this.#isStream) this.#push(JSON.stringify(message));
    else this.#settle(this.#c.json(status, message));
  }

  #push(text: string): void {
    this.#waiting.push(text);
    this.#waitingChars += text.length;
    this.#wake?.();
  }

  /** @returns Whether there is a stream. */
  #begin(): boolean {
    if (this.#isStream) return true;
    // Clients must take streams; one that does not waits for its JSON.
    if (!takesStream(this.#c)) return false;
    this.#isStream = true;
    clearTimeout(this.#timer);
    this.#settle(this.#c.stream(async (s) => {
      onAbort(s.signal, () => {
        if (!this.#hasEnded) this.#onGone();
        this.#wake?.();
      });
      await this.#drain((text) => s.send("", text), s.signal);
    }));
    return true;
  }

  async #drain(send: (text: string) => Promise<void>, signal: AbortSignal): Promise<void> {
    for (;;) {
      const texts = this.#waiting;
      this.#waiting = [];
      this.#waitingChars = 0;
      for (const text of texts) await send(text);
      if (this.#waiting.length > 0) continue;
      if (this.#hasEnded || signal.aborted) return;
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }
}

/** Calls a function when a signal aborts, at once where it has: a client may leave at any time. */
export function onAbort(signal: AbortSignal, fn: () => void): void {
  if (signal.aborted) fn();
  else signal.addEventListener("abort", fn, { once: true });
}

/** Reports whether the client takes a stream of events. */
export function takesStream(c: Ctx): boolean {
  return c.accepts("text/event-stream") !== undefined;
}
