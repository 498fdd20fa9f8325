/**
 * Doubles three times what a user, a visitor or a repository can make larger, and checks that the work no more
 * than doubles with it: a pass over the whole list for each item would cost four times.
 */
import { cpuMs } from "../../tests/cpu_time.ts";
import { requests } from "./requests.ts";
import type { Subject } from "./subject.ts";
import { things } from "./things.ts";

/** The costs of a subject by size. */
export interface Growth {
  readonly name: string;
  readonly size: number;
  /** The shortest time at each of the four sizes. */
  readonly ms: readonly number[];
  /** By how much the time grows in a doubling, on average. */
  readonly perDoubling: number;
}

/** The most by which a doubling may raise the time. */
export const most = 2.4;

const doublings = 3;
/** Shorter times do not show what rises faster than the work. */
const leastMs = 4;
/** A time is that of several runs together, since the system counts processor time in steps of a few milliseconds. */
const measuredMs = 40;
const rounds = 5;
const maxTries = 3;

/** Everything that is measured. */
export const subjects: readonly Subject[] = [...requests, ...things];

/** Returns the processor time of one run in milliseconds. */
async function time(run: () => unknown, minMs: number): Promise<number> {
  const startMs = cpuMs();
  let passedMs = 0;
  let runs = 0;
  do {
    await run();
    runs++;
    passedMs = cpuMs() - startMs;
  } while (passedMs < minMs);
  return passedMs / runs;
}

/** Measures a subject at four sizes; a result that is too high may be the collector's, and is measured again. */
export async function measure(subject: Subject): Promise<Growth> {
  let growth = await measureOnce(subject);
  for (let tries = 1; growth.perDoubling > most && tries < maxTries; tries++) {
    const again = await measureOnce(subject);
    if (again.perDoubling < growth.perDoubling) growth = again;
  }
  return growth;
}

/** Measures one round after another, since what runs beside it slows whole rounds. */
async function measureOnce({ name, prepare, least }: Subject): Promise<Growth> {
  let size = least;
  while (size < least * 256 && await time(prepare(size), measuredMs) < leastMs) size *= 2;
  const runs = Array.from({ length: doublings + 1 }, (_, at) => prepare(size * 2 ** at));
  const ms: number[] = runs.map(() => Infinity);
  for (let round = 0; round < rounds; round++) {
    for (const [at, run] of runs.entries()) {
      ms[at] = Math.min(ms[at] ?? Infinity, await time(run, measuredMs));
    }
  }
  const perDoubling = ((ms[doublings] ?? NaN) / (ms[0] ?? NaN)) ** (1 / doublings);
  return { name, size, ms, perDoubling };
}

/** Measures everything; returns a table with each subject's growth. */
export async function run(): Promise<string> {
  const rows: string[] = [];
  for (const subject of subjects) {
    const { name, size, ms, perDoubling } = await measure(subject);
    const times = ms.map((value) => value.toFixed(1)).join(" | ");
    rows.push(`| ${name} | ${size} | ${times} | ${perDoubling.toFixed(2)} |`);
    if (perDoubling > most) throw new Error(`${name} grow ${perDoubling.toFixed(2)} × a doubling`);
  }
  const head = "| What grows | Size | ms | at 2 × | at 4 × | at 8 × | A doubling |";
  return `## growth\n\nAt most ${most} × a doubling.\n\n${head}\n| - | -: | -: | -: | -: | -: | -: |\n${
    rows.join("\n")
  }`;
}

if (import.meta.main) console.log(await run());
