/** Waits for conditions, so that no test depends on the speed of the machine. */

/** The timeout for anything on a busy machine, in milliseconds; only a failing test takes so long. */
export const patienceMs = 120_000;

/**
 * Waits until a condition holds.
 *
 * @param what The condition in words, for the error.
 */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string = String(isSo),
): Promise<void> {
  const endMs = performance.now() + patienceMs;
  while (!await isSo()) {
    if (performance.now() > endMs) throw new Error(`timed out waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/**
 * Runs a check whose times are short, and with times 4, 16 and 64 times as long while it fails,
 * because a busy machine may need more time than the check leaves.
 *
 * @param check Receives the factor of its times.
 */
export async function withMoreTime(check: (factor: number) => Promise<void>): Promise<void> {
  for (let factor = 1;; factor *= 4) {
    try {
      return await check(factor);
    } catch (error) {
      if (factor >= 64) throw error;
    }
  }
}
