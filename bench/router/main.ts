/**
 * Router bench: the time of lookups with all parameters read by name, relative to the peers.
 *
 * `deno run -A bench/router/main.ts`
 */

import { CONTENDERS, type Lookup } from "./peers.ts";
import { benchRoutes, PathSource } from "./routes.ts";
import { medianRatio } from "../median.ts";

const COUNTS = [30, 1_000] as const;
const KINDS = ["repeated paths", "ever-new ids"] as const;
const WARM_ROUNDS = 6;
const ROUNDS = 25;
const BATCHES = 10;
// Few enough to keep new paths in the processor's cache, as in a server that has just read them.
const BATCH = 2_000;
// The same for 30 and 1,000 routes, so that only the number of routes differs.
const DISTINCT = 1_000;

/** A contender's nanoseconds per lookup, by cell and round. */
type Times = Map<string, number[]>;

const cellOf = (count: number, kind: string): string => `${count} routes, ${kind}`;
const CELLS: readonly string[] = COUNTS.flatMap((count) =>
  KINDS.map((kind) => cellOf(count, kind))
);

/**
 * Runs the bench.
 *
 * @returns A Markdown section with the ratios.
 */
export function run(): Promise<string> {
  return Promise.resolve(report(measure()));
}

function measure(): Map<string, Times> {
  const times = new Map(CONTENDERS.map(({ name }) => [name, new Map<string, number[]>()]));
  const source = new PathSource();
  const cases = COUNTS.map((count) => {
    const routes = benchRoutes(count);
    const lookups = CONTENDERS.map(({ name, prepare }) => ({ name, lookup: prepare(routes) }));
    return { count, routes, lookups, repeated: repeat(source.paths(routes, DISTINCT)) };
  });
  for (let round = -WARM_ROUNDS; round < ROUNDS; round++) {
    for (const { count, routes, lookups, repeated } of cases) {
      const sums = new Set<number>();
      // The order rotates each round, so that no contender always runs first.
      for (let i = 0; i < lookups.length; i++) {
        const turn = lookups[(i + round + WARM_ROUNDS) % lookups.length];
        if (turn === undefined) continue;
        for (const kind of KINDS) {
          let ns = 0;
          for (let batch = 0; batch < BATCHES; batch++) {
            const isRepeated = kind === "repeated paths";
            const paths = isRepeated ? repeated : source.paths(routes, BATCH);
            ns += timeNs(turn.lookup, paths, sums) / BATCHES;
          }
          if (round >= 0) keep(times.get(turn.name), cellOf(count, kind), ns);
        }
      }
      // All parameters have one length, so a contender with another sum did not do the work.
      if (sums.size !== 1) throw new Error(`the routers disagree: ${[...sums].join(", ")}`);
    }
  }
  return times;
}

function repeat(paths: readonly string[]): string[] {
  return Array.from({ length: BATCH }, (_, i) => paths[i % paths.length] ?? "");
}

function timeNs(lookup: Lookup, paths: readonly string[], sums: Set<number>): number {
  const start = performance.now();
  sums.add(lookup(paths));
  return (performance.now() - start) * 1e6 / paths.length;
}

function keep(times: Times | undefined, cell: string, ns: number): void {
  const list = times?.get(cell);
  if (list === undefined) times?.set(cell, [ns]);
  else list.push(ns);
}

function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

function report(times: Map<string, Times>): string {
  const base = times.get(CONTENDERS[0]?.name ?? "") ?? new Map<string, number[]>();
  const rows = [...times].map(([name, list]) => {
    const ratios = CELLS.map((cell) => medianRatio(list.get(cell), base.get(cell)));
    return [name, ...[...ratios, geometricMean(ratios)].map((ratio) => ratio.toFixed(2))]
      .join(" | ");
  });
  const growth = KINDS.map((kind) => {
    const ratio = medianRatio(base.get(cellOf(1_000, kind)), base.get(cellOf(30, kind)));
    return `${kind} ${ratio.toFixed(2)}`;
  });
  return `## Router

Time of a lookup with every parameter read by name; fw = 1.00, lower is faster. Medians of ${ROUNDS}
interleaved rounds of ${
    BATCHES * BATCH
  } lookups, compared round by round. Repeated: ${DISTINCT} strings again
and again, over all routes. Ever-new: strings never seen before, cut out of a URL. Peers with their
defaults; only fw and find-my-way decode parameters. Deno ${Deno.version.deno}.
Command: \`deno run -A bench/router/main.ts\`.

| | ${CELLS.join(" | ")} | geometric mean |
|---|${"---|".repeat(CELLS.length + 1)}
${rows.map((row) => `| ${row} |`).join("\n")}

fw, 1,000 routes against 30 (at most 1.5): ${growth.join(", ")}.
`;
}

if (import.meta.main) console.log(await run());
