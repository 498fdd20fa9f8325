import type { WireMessage } from "../protocol/messages.ts";

interface Entry {
  readonly seq: number;
  readonly text: string;
}

const maxEntries = 512;
const maxChars = 1_048_576;

/** Characters that the streams of one caller hold, and those of all callers together. */
export class LogBudget {
  chars = 0;
  readonly #max: number;
  readonly #all: LogBudget | undefined;
  /** The oldest first. */
  readonly #ended: Set<EventLog> = new Set();

  constructor(max: number, all?: LogBudget) {
    this.#max = max;
    this.#all = all;
  }

  get isOver(): boolean {
    return this.chars > this.#max || this.#all?.isOver === true;
  }

  add(chars: number): void {
    this.chars += chars;
    this.#all?.add(chars);
  }

  noteEnded(log: EventLog): void {
    this.#ended.add(log);
    this.#all?.noteEnded(log);
  }

  forget(log: EventLog): void {
    this.#ended.delete(log);
    this.#all?.forget(log);
  }

  /** Drops ended streams until the rest fits: those of a caller that holds too much before those of others. */
  dropEnded(): void {
    for (const log of this.#ended) {
      if (this.chars <= this.#max) break;
      if (!log.isRead) log.drop();
    }
    this.#all?.dropEnded();
  }
}

export interface EventLogOptions {
  readonly budget: LogBudget;
  /** Is told of each message, and of the end, for the other replicas. @default none */
  readonly mirror?: ((seq: number, text: string | undefined) => void) | undefined;
}

/**
 * The messages of one stream of a session, with what was sent already, so that a client that lost its
 * connection gets the rest ("Resumability and Redelivery" of revision 2025-11-25). One connection at a
 * time reads; the next takes its place.
 */
export class EventLog {
  readonly name: string;
  #entries: Entry[] = [];
  #chars = 0;
  #seq = 0;
  #sent = 0;
  #hasEnded = false;
  #isReleased = false;
  #reader: { readonly stop: () => void; readonly wake: () => void } | undefined = undefined;

  readonly #budget: LogBudget;
  readonly #mirror: EventLogOptions["mirror"];

  constructor(name: string, { budget, mirror }: EventLogOptions) {
    this.name = name;
    this.#budget = budget;
    this.#mirror = mirror;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get isRead(): boolean {
    return this.#reader !== undefined;
  }

  idOf(seq: number): string {
    return `${this.name}_${seq}`;
  }

  add(message: WireMessage): void {
    if (this.#hasEnded) return;
    const text = JSON.stringify(message);
    this.copy(this.#seq + 1, text);
    this.#mirror?.(this.#seq, text);
  }

  copy(seq: number, text: string): void {
    if (this.#hasEnded || seq <= this.#seq) return;
    this.#seq = seq;
    this.#entries.push({ seq, text });
    this.#chars += text.length;
    this.#budget.add(text.length);
    if (this.#budget.isOver) this.#budget.dropEnded();
    this.#trim();
    this.#reader?.wake();
  }

  end(message?: WireMessage): void {
    if (message !== undefined) this.add(message);
    if (!this.#hasEnded) {
      this.#mirror?.(this.#seq, undefined);
      this.#budget.noteEnded(this);
    }
    this.#hasEnded = true;
    this.#reader?.wake();
  }

  /** The last message always stays: it may be the response. */
  #trim(): void {
    while (
      this.#entries.length > 1 &&
      (this.#entries.length > maxEntries || this.#chars > maxChars ||
        this.#budget.isOver)
    ) {
      const chars = this.#entries.shift()?.text.length ?? 0;
      this.#chars -= chars;
      this.#budget.add(-chars);
    }
  }

  /** Drops all messages, since no client can read the stream again. */
  drop(): void {
    this.#budget.add(-this.#chars);
    this.#chars = 0;
    this.#entries = [];
    this.end();
    this.#budget.forget(this);
  }

  /** Drops all messages once no client reads them any more. */
  release(): void {
    this.#isReleased = true;
    if (!this.isRead) this.drop();
  }

  /** Hands a connection the messages after a number, until the stream or the connection ends. */
  async read(
    after: number,
    connection: {
      readonly send: (text: string, id: string) => Promise<void>;
      readonly signal: AbortSignal;
    },
  ): Promise<void> {
    if (connection.signal.aborted) return;
    this.#reader?.stop();
    let isOver = false;
    const reader = {
      stop: (): void => {
        isOver = true;
        reader.wake();
      },
      wake: (): void => {},
    };
    this.#reader = reader;
    const { send, signal } = connection;
    signal.addEventListener("abort", reader.stop);
    try {
      for (let seen = after; !isOver;) {
        const next = this.#entries.find(({ seq }) => seq > seen);
        if (next !== undefined) {
          await send(next.text, this.idOf(next.seq));
          seen = next.seq;
          this.#sent = Math.max(this.#sent, seen);
        } else if (this.#hasEnded) return;
        else await new Promise<void>((resolve) => reader.wake = resolve);
      }
    } finally {
      signal.removeEventListener("abort", reader.stop);
      if (this.#reader === reader) {
        this.#reader = undefined;
        if (this.#isReleased) this.drop();
      }
    }
  }

  get sent(): number {
    return this.#sent;
  }
}
