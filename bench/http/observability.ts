/**
 * What metrics and the request log cost: the same application with and without them, each a process of
 * its own, in interleaved rounds. The cost is what a request takes more than without both.
 *
 * `deno run -A bench/http/observability.ts [requests]`
 */
import { fromFileUrl, join } from "@std/path";
import { measureRound, median, type ServerProcess, startServer } from "./server_process.ts";

const folder = fromFileUrl(new URL("servers/", import.meta.url));
const root = fromFileUrl(new URL("../../", import.meta.url));

/** Rounds that count; two more warm everything up. */
const rounds = 10;

/** The servers with their budget: how much more than the first a request may take, in percent. */
const servers = [
  { name: "fw, log off", env: { BENCH_LOG: "off" } },
  { name: "fw, log off, metrics on", env: { BENCH_LOG: "off", BENCH_METRICS: "on" }, budget: 5 },
  { name: "fw, log on", env: {}, budget: 20 },
  { name: "fw, log on, metrics on", env: { BENCH_METRICS: "on" } },
] as const;

/** The title of the section. */
export const observabilityTitle = "Metrics and log";

/** Runs the bench; gives a section for `bench/RESULTS.md`. */
export async function run(requests = 20_000): Promise<string> {
  const load = { path: "/events", requests, connections: 32 };
  const started: ServerProcess[] = [];
  try {
    for (const { name, env } of servers) {
      const args = ["run", "-A", "--no-lock", join(folder, "fw.ts")];
      started.push(
        await startServer({ name, command: Deno.execPath(), args, cwd: root, env }, load),
      );
    }
    for (let round = 0; round < 2; round++) await measureRound(started, load);
    const results: ReadonlyMap<string, number>[] = [];
    for (let round = 0; round < rounds; round++) {
      // The order turns: who comes first meets the machine in another state than who comes last.
      const turned = [...started.slice(round % 4), ...started.slice(0, round % 4)];
      results.push(await measureRound(turned, load));
    }
    return report(results, requests);
  } finally {
    for (const server of started) await server.stop();
  }
}

function report(results: readonly ReadonlyMap<string, number>[], requests: number): string {
  const lines = [
    `### ${observabilityTitle}`,
    "",
    `The JSON route, processor time a request, medians of ${rounds} interleaved rounds of ` +
    `${requests} requests; the cost is compared round by round.`,
    "",
    "| Server | µs a request | more than the first | budget |",
    "|---|---|---|---|",
  ];
  const cost = (round: ReadonlyMap<string, number>, name: string): number => round.get(name) ?? NaN;
  for (const { name, ...rest } of servers) {
    const micros = median(results.map((round) => cost(round, name))) / 1_000;
    const more = median(results.map((round) => cost(round, name) / cost(round, servers[0].name)));
    const percent = (more - 1) * 100;
    const budget = "budget" in rest
      ? `${rest.budget} %: ${percent <= rest.budget ? "kept" : "exceeded"}`
      : "–";
    const shown = name === servers[0].name ? "–" : `${percent.toFixed(1)} %`;
    lines.push(`| ${name} | ${micros.toFixed(1)} | ${shown} | ${budget} |`);
  }
  return lines.join("\n") + "\n";
}

if (import.meta.main) console.log(await run(Number(Deno.args[0] ?? 20_000)));
