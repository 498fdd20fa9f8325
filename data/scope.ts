import { AsyncLocalStorage } from "node:async_hooks";
import { type Call, type Level, type Result, type Transaction, within } from "./engine.ts";

const scopes: AsyncLocalStorage<Scope | undefined> = new AsyncLocalStorage();

export const outside: <T>(run: () => T) => T = AsyncLocalStorage.snapshot();

/** The function of a transaction or savepoint, and its calls, whose statements join it. */
export class Scope {
  readonly db: { changeCount: number };
  transaction: Transaction;
  readonly #outer: Scope | undefined = scopes.getStore();
  /** Whether each change has a savepoint, so that a failed one does not end the transaction. */
  readonly savesChanges: boolean;
  /** The current savepoint inside: only one is open at a time. */
  child: Scope | undefined;
  #isOver = false;
  #reason: Error | undefined;
  #stop: (reason: Error) => void = ignore;
  /** Settles after all running and waiting work; `undefined` if there is none. */
  #tail: Promise<void> | undefined;

  constructor(db: Scope["db"], transaction: Transaction, savesChanges: boolean) {
    this.db = db;
    this.transaction = transaction;
    this.savesChanges = savesChanges;
  }

  static find(db: object): Scope | undefined {
    let scope = scopes.getStore();
    while (scope !== undefined && scope.db !== db) scope = scope.#outer;
    return scope;
  }

  static holdsTransaction(): boolean {
    let scope = scopes.getStore();
    while (scope !== undefined && scope.#isOver) scope = scope.#outer;
    return scope !== undefined;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  check(): void {
    if (!this.#isOver) return;
    throw this.#reason ?? endedError();
  }

  async run<T>(work: () => Promise<T>, level: Level): Promise<T> {
    try {
      this.check();
      const value = await new Promise<T>((resolve, reject) => {
        this.#stop = reject;
        Promise.resolve(scopes.run(this, work)).then(resolve, reject);
      });
      const settling = this.#settle();
      if (settling !== undefined) await settling;
      if (this.#reason !== undefined) throw this.#reason;
      const keeping = level.keep();
      if (keeping !== undefined) await keeping;
      this.db.changeCount++;
      return value;
    } catch (error) {
      await this.#settle();
      await level.undo();
      throw error;
    } finally {
      // The asynchronous context keeps the scope until a full collection of garbage (`bench/data`).
      this.transaction = ended;
      this.#stop = ignore;
      this.child = undefined;
    }
  }

  end(reason: Error): void {
    this.#isOver = true;
    this.#reason ??= reason;
    if (this.child === undefined) this.transaction.cancel();
    else this.child.end(reason);
    this.#stop(reason);
  }

  /** Refuses waiting statements and waits for running ones. */
  #settle(): Promise<void> | undefined {
    this.#isOver = true;
    if (this.child?.isOver === false) this.child.end(endedError());
    return this.#tail;
  }

  execute(call: Call): Result | Promise<Result> {
    if (this.savesChanges && !call.plan.isRead) return this.queue(() => this.#executeSaved(call));
    return this.queue(() => this.transaction.run(call));
  }

  async #executeSaved(call: Call): Promise<Result> {
    return await within(await this.transaction.save(), () => this.transaction.run(call));
  }

  /** Runs work after the scope's earlier work; a savepoint delays the statements of its parent. */
  queue<T>(work: () => T | Promise<T>): T | Promise<T> {
    let result: T | Promise<T>;
    if (this.#tail === undefined) {
      this.check();
      result = work();
      if (!(result instanceof Promise)) return result;
    } else {
      result = this.#tail.then(() => {
        this.check();
        return work();
      });
    }
    const ended = (): void => {
      if (this.#tail === tail) this.#tail = undefined;
    };
    const tail: Promise<void> = result.then(ended, ended);
    this.#tail = tail;
    return result;
  }
}

const endedError = (): Error => new Error("The transaction has ended: await what it starts.");

const ignore = (): void => {};

const ended: Transaction = {
  run: () => Promise.reject(endedError()),
  save: () => Promise.reject(endedError()),
  keep: ignore,
  undo: ignore,
  cancel: ignore,
};

/** The longest time of a timer, 24 days, in milliseconds; a longer one would fire at once. */
export const maxTimerMs = 2 ** 31 - 1;

export class Limit {
  readonly #signal: AbortSignal | undefined;
  readonly #abort = (): void => this.#end(abortReason(this.#signal));
  readonly #timeoutMs: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #endMs: number | undefined;
  #reason: Error | undefined;
  #onEnd: (reason: Error) => void = () => {};

  constructor(signal: AbortSignal | undefined, timeoutMs: number | undefined) {
    this.#signal = signal;
    if (signal?.aborted) this.#reason = abortReason(signal);
    signal?.addEventListener("abort", this.#abort);
    // A timer over the maximum would fire at once.
    if (timeoutMs === undefined || timeoutMs > maxTimerMs) return;
    this.#timeoutMs = timeoutMs;
    this.#endMs = performance.now() + timeoutMs;
    this.#timer = setTimeout(() => this.#end(this.#late()), timeoutMs);
  }

  get leftMs(): number | undefined {
    return this.#endMs && Math.max(this.#endMs - performance.now(), 1);
  }

  /** Throws if the limit is reached, also before the timer of a busy process fires. */
  check(): void {
    if (this.#endMs !== undefined && performance.now() >= this.#endMs) {
      this.#reason ??= this.#late();
    }
    if (this.#reason !== undefined) throw this.#reason;
  }

  /** Waits for a transaction to open; one that opens after the limit is rolled back. */
  race(opening: Promise<Transaction>): Promise<Transaction> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      this.#onEnd = (reason) => {
        isLate = true;
        reject(reason);
      };
      opening.then((opened) => isLate ? opened.undo() : resolve(opened)).catch(reject);
    });
  }

  guard(scope: Scope): void {
    this.#onEnd = (reason) => scope.end(reason);
    if (this.#reason !== undefined) scope.end(this.#reason);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#abort);
  }

  #late(): Error {
    const message = `The transaction took longer than ${this.#timeoutMs} ms`;
    return new DOMException(message, "TimeoutError");
  }

  #end(reason: Error): void {
    this.#reason ??= reason;
    this.#onEnd(this.#reason);
  }
}

function abortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException(String(reason), "AbortError");
}
