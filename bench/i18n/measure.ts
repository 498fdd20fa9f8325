/** Measures contenders in turn, in one process. */

/** A compared call. */
export interface Contender {
  /** The name of its row. */
  readonly name: string;
  /** Prepares a call; the returned function is timed. */
  readonly prepare: () => () => Response | Promise<Response>;
}

/** Numbers of rounds and calls. */
export interface MeasureOptions {
  /** Number of measured rounds. */
  readonly rounds: number;
  /** Number of calls per contender and round: a short round is rarely interrupted. */
  readonly calls: number;
}

/** Number of warm-up rounds. */
const warmRounds = 40;

/**
 * Measures contenders in turn, in a random order each time. The fastest rounds show the time
 * without other load on the machine.
 *
 * @returns The time of each contender by name, in milliseconds per round: the fastest tenth of its
 * rounds are below it.
 */
export async function measureInTurn(
  contenders: readonly Contender[],
  { rounds, calls }: MeasureOptions,
): Promise<ReadonlyMap<string, number>> {
  const taken = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = -warmRounds; round < rounds; round++) {
    for (const at of shuffle(contenders)) {
      const time = await timeMs(at, calls);
      if (round >= 0) taken.get(at.name)?.push(time);
    }
  }
  return new Map([...taken].map(([name, times]) => [name, lowTenth(times)]));
}

/** Returns a list in random order. In a fixed one, each contender would follow the same other. */
function shuffle<T>(list: readonly T[]): T[] {
  return list.map((each) => ({ each, rank: Math.random() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ each }) => each);
}

async function timeMs({ prepare }: Contender, calls: number): Promise<number> {
  const prepared = Array.from({ length: calls }, prepare);
  const answers: (Response | Promise<Response>)[] = [];
  const start = performance.now();
  for (const call of prepared) answers.push(call());
  await Promise.all(answers);
  const time = performance.now() - start;
  for (const answer of answers) await (await answer).body?.cancel();
  return time;
}

/** Returns the tenth percentile of the times. */
function lowTenth(times: readonly number[]): number {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 10)] ?? Number.NaN;
}
