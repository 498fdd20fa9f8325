import type { Ctx } from "../../../mod.ts";
import type { WireMessage } from "../protocol/messages.ts";
import { ifSlow } from "./deadline.ts";
import type { EventLog } from "./event_log.ts";

/**
 * After how long without an answer the stream of a call begins, in milliseconds. The server learns that a
 * client has gone only once the response has begun.
 */
const streamAfterMs = 100;

interface ReplyStream {
  readonly open: () => EventLog;
  readonly respond: (log: EventLog) => Response;
  readonly elsewhere?: EventLog;
}

/** The end of a response; without a message the stream ends, as after a cancellation. */
export interface Reply {
  readonly message?: WireMessage;
  /** @default 200 */
  readonly status?: number;
}

/**
 * Returns the HTTP response to one request: JSON where the result comes at once, else a stream of events,
 * which also begins with a message that belongs to the request.
 */
export function reply(
  c: Ctx,
  { open, respond, elsewhere }: ReplyStream,
  answer: (send: (message: WireMessage) => void) => Promise<Reply>,
): Promise<Response> {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const state: { log?: EventLog; hasEnded: boolean; timer?: ReturnType<typeof setTimeout> } = {
    hasEnded: false,
  };
  // A client that takes no streams waits for its JSON.
  const begin = (): EventLog | undefined => {
    if (state.log !== undefined || state.hasEnded || !takesStream(c)) return state.log;
    clearTimeout(state.timer);
    const log = state.log = open();
    resolve(respond(log));
    return log;
  };
  answer((message) => {
    if (!state.hasEnded) (begin() ?? elsewhere)?.add(message);
  }).then(({ message, status = 200 }) => {
    clearTimeout(state.timer);
    if (message === undefined) begin();
    state.hasEnded = true;
    if (state.log !== undefined) state.log.end(message);
    else resolve(message === undefined ? c.noContent() : c.json(status, message));
  });
  ifSlow(() => state.hasEnded || state.log !== undefined, () => {
    state.timer = setTimeout(begin, streamAfterMs);
  });
  return promise;
}

export function onAbort(signal: AbortSignal, fn: () => void): void {
  if (signal.aborted) fn();
  else signal.addEventListener("abort", fn, { once: true });
}

export function takesStream(c: Ctx): boolean {
  return c.accepts("text/event-stream") !== undefined;
}
