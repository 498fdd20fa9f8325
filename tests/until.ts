/** Waiting for facts: no test depends on how fast the machine is. */

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
