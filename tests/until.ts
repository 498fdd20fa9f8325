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
