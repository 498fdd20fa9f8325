import { McpError, rpcCodes } from "../protocol/errors.ts";

/** How many turns of the microtask queue a call may take before timers are worth their cost. */
const quickTurns = 24;

/**
 * Waits until a call has ended, or until it is clear that it waits for something.
 *
 * @returns Whether the call has ended.
 */
export async function endsSoon(hasEnded: () => boolean): Promise<boolean> {
  for (let turn = 0; turn < quickTurns; turn++) {
    if (hasEnded()) return true;
    await undefined;
  }
  return hasEnded();
}

/** How a call is bounded. */
export interface CallDeadline {
  /** How long the call may take, in milliseconds; `Infinity` for ever. */
  readonly timeoutMs: number;
  /** Stops the function of the call. */
  readonly stop: (reason: unknown) => void;
}

/**
 * Waits for a call, but not for ever: a function that ignores its signal keeps nobody waiting.
 *
 * @throws {McpError} when the time is up.
 */
export function inTime<T>(work: Promise<T>, { timeoutMs, stop }: CallDeadline): Promise<T> {
  if (timeoutMs === Infinity) return work;
  return new Promise((resolve, reject) => {
    const state: { hasEnded: boolean; timer?: ReturnType<typeof setTimeout> } = { hasEnded: false };
    const end = (settle: () => void): void => {
      state.hasEnded = true;
      clearTimeout(state.timer);
      settle();
    };
    work.then((value) => end(() => resolve(value)), (error) => end(() => reject(error)));
    const arm = (ended: boolean): void => {
      if (ended) return;
      state.timer = setTimeout(() => {
        const message = `The call took longer than ${timeoutMs} ms`;
        stop(new DOMException(`${message}.`, "TimeoutError"));
        reject(new McpError(rpcCodes.internalError, message));
      }, timeoutMs);
    };
    endsSoon(() => state.hasEnded).then(arm);
  });
}
