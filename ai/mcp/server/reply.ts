import type { Ctx } from "../../../mod.ts";
import type { WireMessage } from "../protocol/messages.ts";
import { ifSlow } from "./deadline.ts";
import type { EventLog } from "./event_log.ts";

/**
 * After how long without an answer the stream of a call begins, in milliseconds. The server learns that a
 * client has gone only once the response has begun.
 */
const streamAfterMs = 100;

/** The differences between the eras in the stream of a response. */
export interface ReplyStream {
  readonly open: () => EventLog;
  /** Returns the response that reads the log. */
  readonly respond: (log: EventLog) => Response;
  /** Keeps the messages for a client that takes no streams. @default they are dropped */
  readonly elsewhere?: EventLog;
}

/** The HTTP response to one request: JSON where the result comes at once, else a stream of events. */
export class HttpReply {
  readonly response: Promise<Response>;
  readonly #c: Ctx;
  readonly #stream: ReplyStream;
  readonly #settle: (response: Response) => void;
  #timer: ReturnType<typeof setTimeout> | undefined = undefined;
  #log: EventLog | undefined = undefined;
  #hasEnded = false;

  constructor(c: Ctx, stream: ReplyStream) {
    this.#c = c;
    this.#stream = stream;
    const { promise, resolve } = Promise.withResolvers<Response>();
    this.response = promise;
    this.#settle = resolve;
  }

  /** Begins the stream when the request takes its time. */
  watch(): void {
    ifSlow(() => this.#hasEnded || this.#log !== undefined, () => {
      this.#timer = setTimeout(() => this.#begin(), streamAfterMs);
    });
  }

  /** Sends a message that belongs to the request; it begins the stream. */
  send(message: WireMessage): void {
    if (!this.#hasEnded) (this.#begin() ?? this.#stream.elsewhere)?.add(message);
  }

  /** Sends the response; without one the stream ends, as after a cancellation. */
  end(message?: WireMessage, status = 200): void {
    if (this.#hasEnded) return;
    clearTimeout(this.#timer);
    if (message === undefined) this.#begin();
    this.#hasEnded = true;
    if (this.#log !== undefined) this.#log.end(message);
    else this.#settle(message === undefined ? this.#c.noContent() : this.#c.json(status, message));
  }

  /** Returns the log; `undefined` for a client that takes no streams, which waits for its JSON. */
  #begin(): EventLog | undefined {
    if (this.#log !== undefined || this.#hasEnded || !takesStream(this.#c)) return this.#log;
    clearTimeout(this.#timer);
    const log = this.#log = this.#stream.open();
    this.#settle(this.#stream.respond(log));
    return log;
  }
}

export function onAbort(signal: AbortSignal, fn: () => void): void {
  if (signal.aborted) fn();
  else signal.addEventListener("abort", fn, { once: true });
}

export function takesStream(c: Ctx): boolean {
  return c.accepts("text/event-stream") !== undefined;
}
