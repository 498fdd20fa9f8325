import { AsyncLocalStorage } from "node:async_hooks";

/** The flight whose function is running, also behind its awaits. */
const running: AsyncLocalStorage<Flight> = new AsyncLocalStorage();

/**
 * One run of a function that others may be waiting for. Flights know which flights they wait for, so
 * that one that would wait for itself, through however many others, is told instead of standing still.
 */
export class Flight {
  /** Name of the value in messages. */
  readonly label: string;
  /** The flights whose end this one waits for: most wait for none. */
  #awaited: Set<Flight> | undefined = undefined;
  #isOver = false;

  constructor(label: string) {
    this.label = label;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Runs the function; whatever waits for another flight inside it is noted. */
  run<A, R>(fn: (argument: A) => R, argument: A): R {
    // Nothing waits inside a flight that begins: a circle can only be closed by joining one.
    const outer = running.getStore();
    if (outer !== undefined && !outer.#isOver) outer.#await(this);
    return running.run(this, fn, argument);
  }

  /** Ends the flight. */
  end(): void {
    this.#isOver = true;
    this.#awaited = undefined;
  }

  /**
   * Notes that the running flight, if there is one, waits for this one.
   *
   * @returns The error to give instead, where that would be a wait without end.
   */
  join(): TypeError | undefined {
    const waiting = running.getStore();
    if (waiting === undefined || waiting.#isOver || this.#isOver) return undefined;
    if (!this.#reaches(waiting)) return waiting.#await(this);
    return new TypeError(
      `Cannot ask for ${this.label} inside the function that makes it: it would wait for itself; ` +
        "call what both need directly.",
    );
  }

  #await(flight: Flight): undefined {
    (this.#awaited ??= new Set()).add(flight);
  }

  #reaches(target: Flight): boolean {
    const reached = new Set<Flight>([this]);
    for (const flight of reached) {
      if (flight === target) return true;
      for (const next of flight.#awaited ?? []) reached.add(next);
    }
    return false;
  }
}
