import type { Child } from "../../../html/node.ts";
import type { OpenLimits } from "../config/settings.ts";

/** The fields of an event besides its name and data. */
export interface SendOptions {
  /** Id that a reconnecting client sends as `Last-Event-ID`; no line breaks. */
  readonly id?: string;
}

/** Options of `c.stream`. */
export interface StreamOptions {
  /** Limits of open streams for this route, where they differ from `config.openLimits`. */
  readonly limits?: Partial<OpenLimits>;
}

/** A stream of Server-Sent Events (HTML standard, section 9.2), as the callback of `c.stream` gets it. */
export interface EventStream {
  /**
   * Sends an event; without a name (`""`) the client sees it as `message`. Line breaks in `data` are kept.
   * The promise is pending while the client lags behind, and rejects with an `AbortError` once the stream is
   * over, so that a loop ends. A promise that is not awaited is safe.
   */
  send(event: string, data: string, options?: SendOptions): Promise<void>;
  /** Sends an event whose data is JSON; bigints are written exactly. */
  json(event: string, value: unknown, options?: SendOptions): Promise<void>;
  /** Sends a comment, which clients ignore. */
  comment(text: string): Promise<void>;
  /** Ends the stream for good: sends `done`, so that the client closes instead of reconnecting. */
  done(): Promise<void>;
  /** Aborts when the stream is over: the client disconnected, the server is stopping, or the callback ended. */
  readonly signal: AbortSignal;
  /** The id of the last event that the client saw, if it is reconnecting. */
  readonly lastEventId: string | undefined;
}

/** Options of `c.defer`. */
export interface DeferOptions {
  /** The content shown instead of a part that failed. @default a sentence saying that it failed */
  readonly error?: (error: unknown) => Child;
  /** The text of the link to the whole page, for readers without JavaScript; one per page. */
  readonly link?: string;
}

/** Writes a stream; the stream ends when it returns. */
export type StreamHandler = (s: EventStream) => void | Promise<void>;
