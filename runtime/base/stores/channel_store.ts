import type { Awaitable } from "./session.ts";

/** A message as a store keeps it. */
export interface StoredMessage {
  /** The number of the message in its channel, from 1, without gaps. */
  readonly number: number;
  /** The value as JSON. */
  readonly text: string;
}

/** A message to be stored. */
export interface NewMessage {
  /** The value as JSON. */
  readonly text: string;
  /** Number of messages that the channel keeps. */
  readonly keep: number;
  /** Lifetime of its messages, in milliseconds. */
  readonly keepMs: number;
}

/** A position in a channel. */
export interface ChannelPlace {
  /** Identifies the start of the numbering; it changes when the store has lost its data. */
  readonly epoch: string;
  /** The number of a message; 0 before the first. */
  readonly number: number;
}

/** The messages of a channel after a number. */
export interface ChannelRead {
  /** As in a {@link ChannelPlace}; `""` for a channel without messages so far. */
  readonly epoch: string;
  /** The number of the newest message, whether it is still kept or not. */
  readonly last: number;
  /** The messages that are still kept, the oldest first. */
  readonly messages: readonly StoredMessage[];
}

/** Keeps the recent messages of channels, so that replicas read the same ones in the same order. */
export interface ChannelStore {
  /** Appends a message. */
  publish(channel: string, message: NewMessage): Awaitable<ChannelPlace>;
  /** Returns at most `count` messages with a number above `after`. */
  read(channel: string, after: number, count: number): Awaitable<ChannelRead>;
  /** Calls a function soon after each message of any replica; returns a function that ends the calls. */
  watch(channel: string, wake: () => void): () => void;
}

/** An external store of messages, from which {@link copyChannels} creates a {@link ChannelStore}. */
export interface ChannelSource {
  /** As {@link ChannelStore.publish}. */
  publish(channel: string, message: NewMessage): Promise<ChannelPlace>;
  /** As {@link ChannelStore.read}. */
  read(channel: string, after: number, count: number): Promise<ChannelRead>;
  /**
   * Listens while channels are watched, until the returned function is called. `onChange` gets a channel with
   * new messages, `undefined` if it may be any; `watched` returns the channels that are currently watched.
   */
  listen(
    onChange: (channel: string | undefined) => void,
    watched: () => readonly string[],
  ): () => void;
}

/** Maximum number of messages of one channel in memory, whatever `keep` says. */
const maxKept = 1_000;

/** Maximum total number of their characters. */
const maxKeptChars = 4_000_000;

interface MessageLog {
  readonly epoch: string;
  last: number;
  readonly messages: StoredMessage[];
  chars: number;
}

class Wakes {
  readonly #wakes: Map<string, Set<() => void>> = new Map();

  get channels(): readonly string[] {
    return [...this.#wakes.keys()];
  }

  has(channel: string): boolean {
    return this.#wakes.has(channel);
  }

  /** Adds a function, and returns the one that removes it. */
  add(channel: string, wake: () => void): () => void {
    const wakes = this.#wakes.getOrInsertComputed(channel, () => new Set()).add(wake);
    return () => {
      if (wakes.delete(wake) && wakes.size === 0) this.#wakes.delete(channel);
    };
  }

  wake(channel: string): void {
    for (const wake of this.#wakes.get(channel) ?? []) wake();
  }
}

/** Number of channels in memory beyond which those without a reader are forgotten. */
const maxIdleChannels = 10_000;

/** Number of channels that are checked for each new one, in turn, starting with the oldest. */
const looksPerChannel = 4;

/** Keeps channels in the memory of this process. Messages expire by their number, not by age. */
export function memoryChannels(): ChannelStore {
  const logs = new Map<string, MessageLog>();
  const wakes = new Wakes();
  // Kept, because a new iterator would skip all removed entries, and each time those with readers.
  let names = logs.keys();
  const forgetIdle = (): void => {
    for (let look = 0; look < looksPerChannel && logs.size >= maxIdleChannels; look++) {
      let next = names.next();
      if (next.done === true) next = (names = logs.keys()).next();
      if (next.value !== undefined && !wakes.has(next.value)) logs.delete(next.value);
    }
  };
  return {
    publish: (channel, { text, keep }) => {
      if (!logs.has(channel)) forgetIdle();
      const log = logs.getOrInsertComputed(
        channel,
        () => ({ epoch: newEpoch(), last: 0, messages: [], chars: 0 }),
      );
      const { epoch, messages } = log;
      messages.push({ number: ++log.last, text });
      log.chars += text.length;
      while (
        messages.length > Math.min(keep, maxKept) ||
        (log.chars > maxKeptChars && messages.length > 1)
      ) log.chars -= messages.shift()?.text.length ?? 0;
      wakes.wake(channel);
      return { epoch, number: log.last };
    },
    read: (channel, after, count) => {
      const { epoch = "", last = 0, messages = [] } = logs.get(channel) ?? {};
      const start = Math.max(0, messages.length - Math.max(0, last - after));
      return { epoch, last, messages: messages.slice(start, start + count) };
    },
    watch: (channel, wake) => wakes.add(channel, wake),
  };
}

/** Returns a new epoch. */
export function newEpoch(): string {
  return crypto.randomUUID().slice(0, 8);
}

/** Creates a store from a source. Readers of this process at one position share a read and its values. */
export function copyChannels(source: ChannelSource): ChannelStore {
  const reads = new Map<string, Promise<ChannelRead>>();
  const wakes = new Wakes();
  let stop: (() => void) | undefined;
  const onChange = (changed: string | undefined): void => {
    for (const channel of changed === undefined ? wakes.channels : [changed]) {
      // A read that has already started may miss the message.
      for (const name of reads.keys()) if (name.startsWith(`${channel} `)) reads.delete(name);
      wakes.wake(channel);
    }
  };
  return {
    publish: async (channel, message) => {
      const place = await source.publish(channel, message);
      onChange(channel);
      return place;
    },
    read: (channel, after, count) => {
      const name = `${channel} ${after} ${count}`;
      return reads.getOrInsertComputed(name, () => {
        const read = source.read(channel, after, count).finally(() => {
          if (reads.get(name) === read) reads.delete(name);
        });
        return read;
      });
    },
    watch: (channel, wake) => {
      const remove = wakes.add(channel, wake);
      stop ??= source.listen(onChange, () => wakes.channels);
      return () => {
        remove();
        if (wakes.channels.length > 0) return;
        stop?.();
        stop = undefined;
      };
    },
  };
}

/** The maximum number of messages, and of their characters, buffered for a slow client. */
const maxRead = 100;
const maxReadChars = 65_536;

/** The delay before a failed store is read again, in milliseconds. */
const retryMs = 500;

/** A reader of a channel: it reads the store and waits for new messages. */
export class ChannelReader {
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

/** Returns the id by which clients name a position. */
export function formatPlaceId({ epoch, number }: ChannelPlace): string {
  return `${epoch === "" ? "0" : epoch}-${number}`;
}

/** Parses an id that a client sent; `undefined` if it is malformed. */
export function parsePlaceId(id: string): ChannelPlace | undefined {
  const [, epoch, number] = /^([0-9a-z]{1,24})-(\d{1,15})$/.exec(id) ?? [];
  if (epoch === undefined) return undefined;
  return { epoch: epoch === "0" ? "" : epoch, number: Number(number) };
}
