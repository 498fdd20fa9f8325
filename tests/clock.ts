/**
 * A clock that a test moves, for tests that would wait long or where nothing may expire by itself.
 */

/** A clock that replaces `performance.now()` until the end of the block. */
export interface TestClock extends Disposable {
  advance(ms: number): void;
}

/**
 * Replaces `performance.now()` with a test clock. Timers are not affected.
 *
 * @param options With `isFrozen` only {@linkcode TestClock.advance} moves it. @default false
 */
export function replaceClock(options: { readonly isFrozen?: boolean } = {}): TestClock {
  const now = performance.now.bind(performance);
  // Whole, so that differences are exact.
  const startMs = Math.ceil(now());
  let aheadMs = 0;
  performance.now = (): number => (options.isFrozen ? startMs : now()) + aheadMs;
  return {
    advance: (ms) => void (aheadMs += ms),
    [Symbol.dispose]: () => {
      performance.now = now;
    },
  };
}
