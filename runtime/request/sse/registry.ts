import { type OpenBound, OpenCounter } from "../../base/open_counter.ts";
import type { OpenLimits } from "../../base/config/settings.ts";

export interface OpenStream {
  tick(): void;
  /** Signals the handler of the stream to end. */
  ask(): void;
  close(): void;
}

const tickMs = 1_000;

/** The time that a stream has to end by itself at shutdown, in milliseconds. */
const graceMs = 1_000;

/** One interval for all open streams: a timer for each would cost memory and wake-ups. */
export class StreamRegistry {
  readonly #open: Map<OpenStream, () => void> = new Map();
  readonly #counter: OpenCounter = new OpenCounter();
  #timer: ReturnType<typeof setInterval> | undefined;
  #emptied: (() => void) | undefined;
  #isEnding = false;

  reached(ip: string | undefined, limits: OpenLimits): OpenBound | undefined {
    return this.#counter.reached(ip, limits);
  }

  /** Registers a stream until {@link StreamRegistry.delete}; returns false once the application is stopping. */
  add(stream: OpenStream, ip: string | undefined): boolean {
    if (this.#isEnding) return false;
    this.#open.set(stream, this.#counter.open(ip));
    this.#timer ??= setInterval(() => this.#tick(), tickMs);
    return true;
  }

  delete(stream: OpenStream): void {
    this.#open.get(stream)?.();
    if (!this.#open.delete(stream) || this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#emptied?.();
  }

  #tick(): void {
    for (const stream of this.#open.keys()) stream.tick();
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    for (const stream of [...this.#open.keys()]) stream.ask();
    if (this.#open.size === 0) return;
    const emptied = Promise.withResolvers<void>();
    this.#emptied = emptied.resolve;
    const timer = setTimeout(() => {
      for (const stream of [...this.#open.keys()]) stream.close();
    }, graceMs);
    await emptied.promise;
    clearTimeout(timer);
  }
}
