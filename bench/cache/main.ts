/**
 * Cache bench: the time of an awaited hit relative to `lru-cache`, and the time of an invalidation
 * by tag.
 *
 * `deno run -A bench/cache/main.ts`
 *
 * @module
 */
import process from "node:process";
import { Cache } from "../../cache/mod.ts";
import { type Contender, fill, peer } from "./peers.ts";
import { medianRatio } from "../median.ts";

const SIZES = [100, 1_000, 10_000, 100_000] as const;
const KINDS = ["kept names", "names made anew"] as const;
const ROUNDS = 15;
const WARM_ROUNDS = 4;
const CALLS = 20_000;

const ENTRIES = 1_000_000;
const PER_TAG = 10;
const INVALIDATIONS = 1_000;

/** Nanoseconds of processor time per call, by round. */
type Times = Map<string, number[]>;

/**
 * Runs the bench.
 *
 * @returns A Markdown section with the ratios.
 */
export async function run(): Promise<string> {
  const cells = new Map<string, Times>();
  for (const size of SIZES) {
    for (const [kind, times] of await measureHits(size)) {
      cells.set(`${size.toLocaleString("en")}, ${kind}`, times);
    }
  }
  return report(cells, await measureInvalidation());
}

async function measureHits(size: number): Promise<Map<string, Times>> {
  const parts = Array.from({ length: size }, (_, index) => `short-talks-in-lisboa-${index}`);
  const kept = parts.map(nameOf);
  const contenders = await fill(kept);
  const found = new Map<string, Times>(
    KINDS.map((kind) => [kind, new Map(contenders.map(({ name }) => [name, []]))]),
  );
  for (let round = -WARM_ROUNDS; round < ROUNDS; round++) {
    const order = Array.from({ length: CALLS }, () => Math.floor(Math.random() * size));
    for (const kind of KINDS) {
      const sums = new Set<number>();
      for (let turn = 0; turn < contenders.length; turn++) {
        // The order rotates each round, so that no contender always runs first.
        const one = contenders[(turn + round + WARM_ROUNDS) % contenders.length];
        if (one === undefined) continue;
        const names = order.map((at) => kind === "kept names" ? kept[at] : nameOf(parts[at] ?? ""));
        const ns = await timeNs(one, { names: names.map((name) => name ?? ""), sums });
        if (round >= 0) found.get(kind)?.get(one.name)?.push(ns);
      }
      if (sums.size !== 1) throw new Error(`the caches disagree: ${[...sums].join(", ")}`);
    }
  }
  return found;
}

/** Returns a new string, as a handler creates one. */
function nameOf(part: string): string {
  return `event ${part}`;
}

async function timeNs(
  { hit }: Contender,
  { names, sums }: { readonly names: readonly string[]; readonly sums: Set<number> },
): Promise<number> {
  const start = process.cpuUsage();
  sums.add(await hit(names));
  const { user, system } = process.cpuUsage(start);
  return (user + system) * 1_000 / names.length;
}

/** Measures invalidations of one tag among a million entries, in milliseconds. */
async function measureInvalidation(): Promise<readonly number[]> {
  const cache = new Cache({ name: "bench", maxEntries: ENTRIES });
  for (let index = 0; index < ENTRIES; index++) {
    const tags = [`venue ${Math.floor(index / PER_TAG)}`, `day ${index % 365}`];
    await cache.do({ name: `event ${index}`, ttlMs: 3_600_000, tags }, () => index);
  }
  const times: number[] = [];
  for (let index = 0; index < INVALIDATIONS; index++) {
    const tag = `venue ${Math.floor(Math.random() * ENTRIES / PER_TAG)}`;
    const start = performance.now();
    const dropped = await cache.invalidate(tag);
    const ms = performance.now() - start;
    // A tag chosen twice has no entries left to drop.
    if (dropped === PER_TAG) times.push(ms);
  }
  return times.toSorted((a, b) => a - b);
}

function report(cells: ReadonlyMap<string, Times>, invalidations: readonly number[]): string {
  const columns = [...cells.values()];
  const names = [...columns[0]?.keys() ?? []];
  const rows = names.map((name) => {
    const ratios = columns.map((times) =>
      medianRatio(times.get(name), times.get(names[0] ?? "")).toFixed(2)
    );
    return `| ${[name, ...ratios].join(" | ")} |`;
  });
  const at = (share: number): string =>
    (invalidations[Math.floor(share * (invalidations.length - 1))] ?? Number.NaN).toFixed(3);
  return `## Cache

Processor time of an awaited call that finds its value, ${peer} with \`fetchMethod\` = 1.00; lower is
faster. Caches of ${
    SIZES.map((size) => size.toLocaleString("en")).join(", ")
  } values, asked in a random order;
medians of ${ROUNDS} interleaved rounds of ${
    CALLS.toLocaleString("en")
  } calls, compared round by round. Kept names are the
same texts again and again, names made anew are joined for each call. Every call of fw hands over its
tags and a function that is made for it; the peer knows no tags and is given its function once.
Deno ${Deno.version.deno}. Command: \`deno run -A bench/cache/main.ts\`.

| | ${[...cells.keys()].join(" | ")} |
|---|${"---|".repeat(columns.length)}
${rows.join("\n")}

Invalidating a tag of ${PER_TAG} among ${ENTRIES.toLocaleString("en")} values: median ${
    at(0.5)
  } ms, 99 of 100 within
${at(0.99)} ms, the longest of ${invalidations.length} ${at(1)} ms.
`;
}

if (import.meta.main) console.log(await run());
