/** Measures contenders in turn, in one process. */

/** What is compared. */
export interface Contender {
  /** The name of its row. */
  readonly name: string;
  /** Prepares one call: what it returns is timed. */
  readonly prepare: () => () => Response | Promise<Response>;
}

/** How often contenders run. */
export interface MeasureOptions {
  /** How many rounds count. */
  readonly rounds: number;
  /** How many calls a round makes of each contender: a short round is rarely interrupted. */
  readonly calls: number;
}

/** How many rounds go before those that count. */
const warmRounds = 40;

/**
 * Measures contenders in turn, in a random order each time. What a round takes when nothing else runs is near its fastest rounds, so load
 * on the machine cancels out.
 *
 * @returns The time of each by name, in milliseconds a round: below it stays a tenth of the rounds.
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

/** Returns a list in random order. In a fixed one, each contender always follows the same other one. */
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

/** The time below which a tenth of the rounds stay. */
function lowTenth(times: readonly number[]): number {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 10)] ?? Number.NaN;
}
