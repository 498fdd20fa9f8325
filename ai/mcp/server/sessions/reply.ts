import type { Ctx } from "../../../../mod.ts";
import type { WireMessage } from "../../protocol/messages.ts";
import { newestSessionRevision } from "../../protocol/revision.ts";
import { ifSlow } from "../deadline.ts";
import type { EventLog } from "./event_log.ts";
import { takesStream } from "../reply.ts";
import type { HttpSession } from "./sessions.ts";

/** After how long without an answer the stream of a request begins, in milliseconds. */
const streamAfterMs = 100;

/**
 * The HTTP response to one request of a session: JSON where the result comes at once, else a stream that
 * the client can read again. A client that has gone has not cancelled: the messages wait for it.
 */
export class SessionReply {
  /** The response. */
  readonly response: Promise<Response>;
  readonly #c: Ctx;
  readonly #session: HttpSession;
  readonly #settle: (response: Response | Promise<Response>) => void;
  #timer: ReturnType<typeof setTimeout> | undefined = undefined;
  #log: EventLog | undefined = undefined;
  #hasEnded = false;

  /** @param c The context of the request. */
  constructor(c: Ctx, session: HttpSession) {
    this.#c = c;
    this.#session = session;
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
    // A client that takes no streams may read what belongs to the session.
    if (!this.#hasEnded) (this.#begin() ?? this.#session.events).add(message);
  }

  /** Sends the response; without one the stream ends, as after a cancellation. */
  end(message?: WireMessage): void {
    if (this.#hasEnded) return;
    clearTimeout(this.#timer);
    if (message === undefined) this.#begin();
    this.#hasEnded = true;
    if (this.#log !== undefined) this.#log.end(message);
    else this.#settle(message === undefined ? this.#c.noContent() : this.#c.json(200, message));
  }

  #begin(): EventLog | undefined {
    if (this.#log !== undefined || this.#hasEnded || !takesStream(this.#c)) return this.#log;
    clearTimeout(this.#timer);
    const log = this.#log = this.#session.openStream();
    this.#settle(streamLog(this.#c, { log, after: 0, session: this.#session }));
    return log;
  }
}

/** Returns a response that reads a stream from an event on. */
export function streamLog(
  c: Ctx,
  { log, after, session }: {
    readonly log: EventLog;
    readonly after: number;
    readonly session: HttpSession;
  },
): Response {
  return c.stream(async (s) => {
    // Older clients take an event without data for a broken message.
    const takesPriming = session.client.revision >= newestSessionRevision;
    if (takesPriming && !log.hasEnded) await s.send("", "", { id: log.idOf(after) });
    await log.read(after, { send: (text, id) => s.send("", text, { id }), signal: s.signal });
  });
}
