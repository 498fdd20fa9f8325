/** The speed of the machine, for tests that limit processor time. */
import { cpuMs } from "./cpu_time.ts";

/** The time of the reference on the machine for which the limits are meant. */
const referenceMs = 15;

/** The maximum factor of a limit: a spike during the reference must not excuse everything. */
const maxFactor = 4;

const text = `[0${",1e9".repeat(261_800)}]`;

/**
 * Measures how much slower this machine is than the one for which limits are meant, which parses a
 * mebibyte of numbers in 15 ms. Uses the best of several runs, in processor time, so other
 * processes count only as far as they slow the work itself down.
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
