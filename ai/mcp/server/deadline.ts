import { McpError, rpcCodes } from "../protocol/errors.ts";

/** Number of microtask turns that a call may take before timers are worth their cost. */
const quickTurns = 24;

/** Runs a function once it is clear that a call waits for something; never for a call that has ended. */
export async function ifSlow(hasEnded: () => boolean, fn: () => void): Promise<void> {
  for (let turn = 0; turn < quickTurns; turn++) {
    if (hasEnded()) return;
    await undefined;
  }
  // Asked and done in one turn: the call may end in any other.
  if (!hasEnded()) fn();
}

export interface CallClock {
  /** Waits for the client without counting the time: a person takes longer than a tool may. */
  hold<T>(answer: Promise<T>): Promise<T>;
}

export interface CallDeadline {
  readonly timeoutMs: number;
  readonly stop: (reason: unknown) => void;
}

/**
 * Runs a call, but not for ever: a function that ignores its signal must not block the caller.
 *
 * @throws {McpError} when the time is up.
 */
export function withDeadline<T>(
  run: (clock: CallClock) => Promise<T>,
  { timeoutMs, stop }: CallDeadline,
): Promise<T> {
  if (timeoutMs === Infinity) return run({ hold: (answer) => answer });
  return new Promise((resolve, reject) => {
    const state: { hasEnded: boolean; held: number; timer?: ReturnType<typeof setTimeout> } = {
      hasEnded: false,
      held: 0,
    };
    const start = (): void => {
      if (state.hasEnded || state.held > 0) return;
      state.timer = setTimeout(() => {
        const message = `The call took longer than ${timeoutMs} ms`;
        stop(new DOMException(`${message}.`, "TimeoutError"));
        reject(new McpError(rpcCodes.internalError, message));
      }, timeoutMs);
    };
    const hold = async <A>(answer: Promise<A>): Promise<A> => {
      state.held++;
      clearTimeout(state.timer);
      try {
        return await answer;
      } finally {
        // After an answer the function has its whole time again.
        if (--state.held === 0) start();
      }
    };
    const end = (settle: () => void): void => {
      state.hasEnded = true;
      clearTimeout(state.timer);
      settle();
    };
    run({ hold }).then((value) => end(() => resolve(value)), (error) => end(() => reject(error)));
    ifSlow(() => state.hasEnded || state.held > 0, start);
  });
}
