/** How fast the machine is, for tests that bound the processor time of something. */
import { cpuMs } from "./cpu_time.ts";

/** What the reference takes on the machine for which the limits are meant. */
const referenceMs = 15;

/** The most that a limit is raised: a spike during the reference must not excuse everything. */
const maxFactor = 4;

const text = `[0${",1e9".repeat(261_800)}]`;

/**
 * Measures how much slower this machine is than the one for which limits are meant, which parses a
 * mebibyte of numbers in 15 ms. The best of several, in processor time, so that what runs beside the
 * test counts only as far as it slows the work itself down.
 *
 * @returns A factor from 1 to 4.
 */
export function measureSlowness(): number {
  let bestMs = Infinity;
  for (let round = 0; round < 5; round++) {
    const startMs = cpuMs();
    JSON.parse(text);
    bestMs = Math.min(bestMs, cpuMs() - startMs);
  }
  return Math.min(Math.max(1, bestMs / referenceMs), maxFactor);
}
