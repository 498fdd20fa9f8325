import type { AnySchema, StandardResult } from "../standard_schema.ts";
import { isThenable } from "../values.ts";
import type { ChannelPlace, ChannelRead, ChannelStore, StoredMessage } from "./channel_store.ts";
import type { Awaitable } from "./session.ts";

/** An event of `subscribe`. */
export type ChannelEvent<T> =
  | {
    readonly kind: "message";
    /** Identifies the message: a reader that passes it to `subscribe` continues after it. */
    readonly id: string;
    /** The value, which all readers of this process share: do not change it. */
    readonly value: T;
  }
  | {
    /** Messages that this reader missed: it should read the state again. */
    readonly kind: "gap";
    /** Identifies the position after the gap. */
    readonly id: string;
    /** Number of missed messages; `Infinity` if the store has lost them or does not know the position. */
    readonly missed: number;
  };

/** The maximum number of messages, and of their characters, buffered for a slow client. */
const maxRead = 100;
const maxReadChars = 65_536;

/** The delay before a failed store is read again, in milliseconds. */
const retryMs = 500;

/** A reader of a channel: it reads the store and waits for new messages. */
export class Reader {
  readonly #store: ChannelStore;
  readonly #channel: string;
  readonly #signal: AbortSignal | undefined;
  readonly #stop: () => void;
  #hasRead = false;
  /** Lower after long messages, so that they are not read repeatedly. */
  #count = maxRead;
  #isWoken = false;
  #resolve: () => void = () => {};
  readonly #mark = (): void => {
    this.#isWoken = true;
    this.#resolve();
  };

  constructor(store: ChannelStore, channel: string, signal: AbortSignal | undefined) {
    this.#store = store;
    this.#channel = channel;
    this.#signal = signal;
    this.#stop = store.watch(channel, this.#mark);
    signal?.addEventListener("abort", this.#mark);
  }

  get isOver(): boolean {
    return this.#signal?.aborted === true;
  }

  /** Reads messages. If the store fails, the first read rejects; later ones wait and return `undefined`. */
  async read(after: number, most = maxRead): Promise<ChannelRead | undefined> {
    try {
      const count = Math.min(this.#count, most);
      const { epoch, last, messages } = await this.#store.read(this.#channel, after, count);
      this.#hasRead = true;
      let chars = 0;
      const kept = messages.filter(({ text }, at) =>
        (chars += text.length) <= maxReadChars || at === 0
      );
      this.#count = kept.length < messages.length ? kept.length : Math.min(2 * count, maxRead);
      return { epoch, last, messages: kept };
    } catch (error) {
      if (!this.#hasRead) throw error;
      const timer = setTimeout(this.#mark, retryMs);
      await this.wait();
      clearTimeout(timer);
      return undefined;
    }
  }

  /** Resolves once a message has arrived since the last call. */
  async wait(): Promise<void> {
    if (!this.#isWoken && !this.isOver) {
      await new Promise<void>((resolve) => this.#resolve = resolve);
    }
    this.#isWoken = false;
  }

  end(): void {
    this.#stop();
    this.#signal?.removeEventListener("abort", this.#mark);
  }
}

export async function* readMessages<T>(
  store: ChannelStore,
  { name, schema }: { readonly name: string; readonly schema: AnySchema<T> | undefined },
  options: {
    readonly start: Promise<ChannelPlace | undefined>;
    readonly signal: AbortSignal | undefined;
  },
): AsyncGenerator<ChannelEvent<T>> {
  const reader = new Reader(store, name, options.signal);
  try {
    let place = await options.start;
    while (!reader.isOver) {
      const found = await reader.read(place?.number ?? 0);
      if (found === undefined) continue;
      const { epoch, last, messages } = found;
      const isKnown = place !== undefined && (place.epoch === epoch || place.epoch === "");
      if (place === undefined || !isKnown || place.number > last) {
        // The store lost its data, or the client invented the position: the kept messages follow the gap.
        place = { epoch, number: epoch === place?.epoch ? last : 0 };
        yield { kind: "gap", id: idText(place), missed: Infinity };
        continue;
      }
      const next = messages[0]?.number ?? last + 1;
      if (next > place.number + 1) {
        const missed = next - place.number - 1;
        place = { epoch, number: next - 1 };
        yield { kind: "gap", id: idText(place), missed };
      }
      for (const message of messages) {
        if (reader.isOver) return;
        place = { epoch, number: message.number };
        const event = readEvent(message, schema, epoch);
        yield isThenable(event) ? await event : event;
      }
      if (messages.length === 0) await reader.wait();
    }
  } finally {
    reader.end();
  }
}

/** Events by message and schema, shared by all readers of this process. */
const events: WeakMap<StoredMessage, Map<unknown, unknown>> = new WeakMap();

function readEvent<T>(
  message: StoredMessage,
  schema: AnySchema<T> | undefined,
  epoch: string,
): Awaitable<ChannelEvent<T>> {
  const known = events.get(message);
  const event = known?.get(schema);
  // Cached under the schema that produced it.
  if (event !== undefined) return event as ChannelEvent<T>;
  const parsed: unknown = JSON.parse(message.text);
  const id = idText({ epoch, number: message.number });
  const keep = (checked: StandardResult<T> | undefined): ChannelEvent<T> => {
    // The schema has changed since the message was published: readers treat it as missed.
    if (checked?.issues !== undefined) return { kind: "gap", id, missed: 1 };
    // Without a schema the type is the application's claim.
    const value = checked === undefined ? parsed as T : checked.value;
    const made: ChannelEvent<T> = { kind: "message", id, value };
    events.set(message, new Map(known).set(schema, made));
    return made;
  };
  const checked = schema?.["~standard"].validate(parsed);
  return isThenable(checked) ? Promise.resolve(checked).then(keep) : keep(checked);
}

export function idText({ epoch, number }: ChannelPlace): string {
  return `${epoch === "" ? "0" : epoch}-${number}`;
}

/** Parses an id that a client sent; `undefined` if it is malformed. */
export function parseId(id: string): ChannelPlace | undefined {
  const [, epoch, number] = /^([0-9a-z]{1,24})-(\d{1,15})$/.exec(id) ?? [];
  if (epoch === undefined) return undefined;
  return { epoch: epoch === "0" ? "" : epoch, number: Number(number) };
}
