import { setTimeout as pause } from "node:timers/promises";
import { type Application, type Channel, channel, publish, subscribe } from "../../../../mod.ts";
import { digestOf, findStores } from "../../../../runtime/addon.ts";
import type { RequestId, RpcFailure, RpcResult } from "../../protocol/messages.ts";

/** A message of a client for a call on another replica: an answer, a cancellation, or the end of its session. */
export interface Letter {
  /** The session. */
  readonly to: string;
  readonly answer?: RpcResult | RpcFailure;
  readonly cancelled?: RequestId;
  readonly hasEnded?: true;
}

interface MailOptions {
  readonly server: string;
  /** The name of this replica. */
  readonly own: string;
  readonly take: (letter: Letter) => void;
}

const pauseMs = 1_000;

/** Number of letters that a channel keeps, since clients cause them. */
const keep = 256;

/**
 * The letters of an application's replicas: a channel for the answers to each, and one for all cancellations,
 * since only the replica that runs a call knows of it. A channel for each session would let clients make any
 * number of them.
 */
export class Mail {
  readonly #app: Application;
  readonly #options: MailOptions;
  /** The place up to which each channel was read, at first its start: an answer must not come before the reading. */
  readonly #places: Map<Channel<Letter>, string>;
  #holds = 0;
  #reading: AbortController = new AbortController();

  constructor(app: Application, options: MailOptions) {
    this.#app = app;
    this.#options = options;
    const read = [this.#channelOf(options.own), this.#channelOf()];
    this.#places = new Map(read.map((each) => [each, "0-0"]));
  }

  /** Posts a letter to a replica, or to all, where they share channels; a failure is logged. */
  async post(letter: Letter, to?: string): Promise<void> {
    if (findStores(this.#app).channels === undefined) return;
    try {
      await publish(this.#app, this.#channelOf(to), letter);
    } catch (error) {
      this.#app.log.error("mcp message not sent to the other replicas", { error });
    }
  }

  /** Reads the letters until every returned function was called. */
  hold(): () => void {
    if (findStores(this.#app).channels === undefined) return () => {};
    if (this.#holds++ === 0) {
      this.#reading = new AbortController();
      for (const from of this.#places.keys()) this.#read(from, this.#reading.signal);
    }
    return () => {
      if (--this.#holds === 0) this.#reading.abort();
    };
  }

  #channelOf(replica = "all"): Channel<Letter> {
    return channel<Letter>(`mcp:${digestOf(this.#options.server)}:${replica}`, undefined, { keep });
  }

  #read(from: Channel<Letter>, signal: AbortSignal): void {
    readChannel(this.#app, from, {
      after: this.#places.get(from),
      signal,
      take: (letter, place) => {
        this.#places.set(from, place);
        if (letter !== undefined) this.#options.take(letter);
      },
    });
  }
}

/** Reads a channel, also after its store has failed; what was missed is told as `undefined`. */
export async function readChannel<T>(
  app: Application,
  from: Channel<T>,
  { after: start, signal, take }: {
    readonly after: string | undefined;
    readonly signal: AbortSignal;
    readonly take: (value: T | undefined, place: string) => void;
  },
): Promise<void> {
  for (let after = start; !signal.aborted;) {
    try {
      for await (const event of subscribe(app, from, { after, signal })) {
        after = event.id;
        take(event.kind === "message" ? event.value : undefined, after);
      }
    } catch {
      await pause(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
}
