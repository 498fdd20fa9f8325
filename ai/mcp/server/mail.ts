import { setTimeout as pause } from "node:timers/promises";
import { type Application, type Channel, channel, subscribe } from "../../../mod.ts";
import { findStores, randomToken } from "../../../runtime/addon.ts";

interface Sent<T> {
  readonly from: string;
  readonly letter: T;
}

export interface MailOptions<T> {
  readonly subject: string;
  readonly take: (letter: T) => void;
  readonly fromStart?: boolean;
  readonly keep?: number;
}

const pauseMs = 1_000;

/** Lifetime of a letter, in milliseconds: as long as a client may take to answer. */
const keepMs = 3_600_000;

const maxChars = 1_048_576;

const start = "0-0";

/** Carries letters between the replicas of an application; without channels that they share it carries none. */
export class Mail<T> {
  readonly #app: Application;
  readonly #channel: Channel<Sent<T>>;
  readonly #take: (letter: T) => void;
  readonly #own = randomToken();
  #after: string | undefined;
  #holds = 0;
  #reading: AbortController | undefined = undefined;
  // In the order in which they were posted.
  #posted: Promise<void> = Promise.resolve();

  constructor(
    app: Application,
    { subject, take, fromStart = false, keep = 1_000 }: MailOptions<T>,
  ) {
    this.#app = app;
    this.#channel = channel<Sent<T>>(subject, undefined, { keep, keepMs });
    this.#take = take;
    this.#after = fromStart ? start : undefined;
  }

  /** Posts a letter to the other replicas, after those before it; what fails is logged. */
  async post(letter: T): Promise<void> {
    try {
      await this.send(letter);
    } catch (error) {
      this.#app.log.error("mcp message not sent to the other replicas", { error });
    }
  }

  /** Posts a letter. Returns whether it could be; rejects where the store fails. */
  async send(letter: T): Promise<boolean> {
    const { channels } = findStores(this.#app);
    const text = JSON.stringify({ from: this.#own, letter });
    if (channels === undefined || text.length > maxChars) return false;
    const { name, keep } = this.#channel;
    const sent = this.#posted.then(() => channels.publish(name, { text, keep, keepMs }));
    this.#posted = sent.then(() => {}, () => {});
    await sent;
    return true;
  }

  get isHeld(): boolean {
    return this.#holds > 0;
  }

  hold(): () => void {
    if (findStores(this.#app).channels === undefined) return () => {};
    if (this.#holds++ === 0) {
      this.#reading = new AbortController();
      void this.#read(this.#reading.signal);
    }
    let isHeld = true;
    return () => {
      if (isHeld && --this.#holds === 0) this.#reading?.abort();
      isHeld = false;
    };
  }

  /** Ends the reading for all who hold it: a stream that was never read does not let go. */
  close(): void {
    this.#reading?.abort();
  }

  /** Yields the letters that are kept, those of this replica as well, then the ones that come. */
  async *readAll(signal: AbortSignal): AsyncGenerator<T> {
    for await (const event of subscribe(this.#app, this.#channel, { after: start, signal })) {
      if (event.kind === "message") yield event.value.letter;
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const options = { after: this.#after, signal };
        for await (const event of subscribe(this.#app, this.#channel, options)) {
          this.#after = event.id;
          if (event.kind === "message" && event.value.from !== this.#own) {
            this.#take(event.value.letter);
          }
        }
      } catch {
        await pause(pauseMs, undefined, { signal }).catch(() => {});
      }
    }
  }
}
