/**
 * Doubles three times the inputs that a user, a visitor or a repository can enlarge, and checks that
 * the time at most doubles each time: a pass over the whole list for each item would quadruple it.
 */
import { cpuMs } from "../../tests/cpu_time.ts";
import { requests } from "./requests.ts";
import type { Subject } from "./subject.ts";
import { things } from "./things.ts";

/** The measured times of a subject. */
export interface Growth {
  readonly name: string;
  readonly size: number;
  /** The shortest time at each of the four sizes. */
  readonly ms: readonly number[];
  /** The average factor by which the time grows per doubling. */
  readonly perDoubling: number;
}

/** Maximum factor by which a doubling may increase the time. */
export const most = 2.4;

const doublings = 3;
/** Minimum time at the smallest size: shorter ones hide superlinear growth. */
const leastMs = 4;
/** Minimum total time of a measurement's runs, as processor time has steps of a few milliseconds. */
const measuredMs = 40;
const rounds = 5;
const maxTries = 3;

/** All measured subjects. */
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

/** Measures a subject at four sizes, and again if the growth is too high, which garbage collection may cause. */
export async function measure(subject: Subject): Promise<Growth> {
  let growth = await measureOnce(subject);
  for (let tries = 1; growth.perDoubling > most && tries < maxTries; tries++) {
    const again = await measureOnce(subject);
    if (again.perDoubling < growth.perDoubling) growth = again;
  }
  return growth;
}

/** Measures in rounds of all sizes, because other load on the machine slows down whole rounds. */
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

/** Measures all subjects; returns a table with each one's growth. */
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
