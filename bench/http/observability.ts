/**
 * Measures the cost of metrics and the request log: the same application with and without them, each
 * in a separate process, in interleaved rounds. The cost is the additional time of a request compared
 * with neither.
 *
 * `deno run -A bench/http/observability.ts [requests]`
 */
import { fromFileUrl, join } from "@std/path";
import { measureRound, type ServerProcess, startServer } from "./server_process.ts";
import { median } from "../median.ts";

const folder = fromFileUrl(new URL("servers/", import.meta.url));
const root = fromFileUrl(new URL("../../", import.meta.url));

/** Number of rounds, each with new processes, because the compiler's optimisations differ. */
const rounds = 10;

/** Number of requests until a server is fully optimised; before, they take a third longer. */
const warmUp = 60_000;

/** Number of turns per round in which each server gets a share of the load. */
const turns = 4;

/**
 * The servers with their budgets: the maximum additional time relative to the first, in percent.
 * All send the default security headers, because no peers are compared.
 */
const servers = [
  { name: "fw, log off", env: { BENCH_LOG: "off" } },
  { name: "fw, log off, metrics on", env: { BENCH_LOG: "off", BENCH_METRICS: "on" }, budget: 5 },
  { name: "fw, log on", env: {}, budget: 20 },
  { name: "fw, log on, metrics on", env: { BENCH_METRICS: "on" } },
] as const;

/** The title of the section. */
export const observabilityTitle = "Metrics and log";

/** The routes: a synchronous one, and one that awaits something, as most do. */
const paths = ["/events", "/awaited"] as const;

/** The time of a request by server, in nanoseconds. */
type Costs = ReadonlyMap<string, number>;

/** Runs the bench; returns a section for `bench/RESULTS.md`. */
export async function run(requests = 20_000): Promise<string> {
  const lines = [
    `### ${observabilityTitle}`,
    "",
    `A JSON route with every default on, processor time a request, medians of ${rounds} rounds of ${requests} requests, ` +
    "interleaved, with fresh processes in each; the cost is compared round by round. The log of a " +
    "handler that answers at once costs more, since Deno sends the answer later once somebody has " +
    "looked at the headers of the request, where the ids are.",
    "",
    "| Handler | Server | µs a request | more than the first | budget |",
    "|---|---|---|---|---|",
  ];
  const results: ReadonlyMap<string, Costs>[] = [];
  for (let round = 0; round < rounds; round++) results.push(await measureFresh(requests));
  for (const path of paths) lines.push(...report(path, results.map((costs) => costs.get(path))));
  return lines.join("\n") + "\n";
}

/** Runs one round; returns the costs by path of warmed-up servers. */
async function measureFresh(requests: number): Promise<ReadonlyMap<string, Costs>> {
  const share = Math.ceil(requests / turns);
  const started: ServerProcess[] = [];
  try {
    for (const { name, env } of servers) {
      const args = ["run", "-A", "--no-lock", join(folder, "fw.ts")];
      const all = { BENCH_HEADERS: "on", ...env };
      const spec = { name, command: Deno.execPath(), args, cwd: root, env: all };
      started.push(await startServer(spec, { path: paths[0] }));
    }
    const results = new Map<string, Costs>();
    for (const path of paths) {
      await measureRound(started, { path, requests: warmUp, connections: 32 });
      const sums = new Map<string, number>();
      for (let turn = 0; turn < turns; turn++) {
        // The order rotates, because the machine's state differs between the first and last server.
        const turned = [...started.slice(turn), ...started.slice(0, turn)];
        const costs = await measureRound(turned, { path, requests: share, connections: 32 });
        for (const [name, cost] of costs) sums.set(name, (sums.get(name) ?? 0) + cost / turns);
      }
      results.set(path, sums);
    }
    return results;
  } finally {
    for (const server of started) await server.stop();
  }
}

function report(path: string, rounds: readonly (Costs | undefined)[]): string[] {
  const costs = (name: string): number[] => rounds.map((round) => round?.get(name) ?? NaN);
  const first = costs(servers[0].name);
  return servers.map(({ name, ...rest }) => {
    const own = costs(name);
    const percent = (median(own.map((cost, round) => cost / (first[round] ?? NaN))) - 1) * 100;
    const budget = "budget" in rest
      ? `${rest.budget} %: ${percent <= rest.budget ? "kept" : "exceeded"}`
      : "–";
    const shown = name === servers[0].name ? "–" : `${percent.toFixed(1)} %`;
    const micros = (median(own) / 1_000).toFixed(1);
    const handler = path === paths[0] ? "answers at once" : "awaits";
    return `| ${handler} | ${name} | ${micros} | ${shown} | ${budget} |`;
  });
}

if (import.meta.main) console.log(await run(Number(Deno.args[0] ?? 20_000)));
