/**
 * Measures the cost of a guard: the same JSON route without and with one, by kind of session, and
 * for peers. Each connection is a browser with its own session.
 *
 * `deno run -A bench/http/guarded.ts [requests]`
 */
import { fromFileUrl, join } from "@std/path";
import { startRedis } from "../../tests/data/redis_server.ts";
import { measureRound, type ServerProcess, startServer } from "./server_process.ts";
import { median } from "../median.ts";

const folder = fromFileUrl(new URL("servers/", import.meta.url));
const root = fromFileUrl(new URL("../../", import.meta.url));

/** Number of measured rounds; one more round is for warm-up. */
const rounds = 9;

/** Number of requests after which a server is fully optimised. */
const warmUp = 40_000;

/** Number of browsers, each with a connection: enough for full load. */
const connections = 128;

/** The title of the section. */
export const guardedTitle = "Guarded routes";

/** The servers. `floor` is the one without a guard, `budget` the minimum ratio to it. */
const servers: readonly {
  readonly name: string;
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  readonly floor: string;
  readonly budget?: number;
}[] = [
  { name: "fw, no guard", file: "guarded.ts", env: { BENCH_GUARD: "none" }, floor: "fw, no guard" },
  {
    name: "fw, stateless session",
    file: "guarded.ts",
    env: { BENCH_GUARD: "stateless" },
    floor: "fw, no guard",
    budget: 0.7,
  },
  {
    name: "fw, memory store",
    file: "guarded.ts",
    env: { BENCH_GUARD: "memory" },
    floor: "fw, no guard",
    budget: 0.78,
  },
  {
    name: "fw, SQLite store",
    file: "guarded.ts",
    env: { BENCH_GUARD: "sqlite" },
    floor: "fw, no guard",
    budget: 0.5,
  },
  {
    name: "fw, Redis store",
    file: "guarded.ts",
    env: { BENCH_GUARD: "redis" },
    floor: "fw, no guard",
    budget: 0.6,
  },
  {
    name: "Hono, no guard",
    file: "guarded_peer.ts",
    env: { BENCH_GUARD: "none", BENCH_PEER: "hono" },
    floor: "Hono, no guard",
  },
  {
    name: "Hono, its JWT middleware (HS256, cookie)",
    file: "guarded_peer.ts",
    env: { BENCH_PEER: "hono" },
    floor: "Hono, no guard",
  },
  {
    name: "Deno.serve, no guard",
    file: "guarded_peer.ts",
    env: { BENCH_GUARD: "none", BENCH_PEER: "iron" },
    floor: "Deno.serve, no guard",
  },
  {
    name: "Deno.serve with iron-session",
    file: "guarded_peer.ts",
    env: { BENCH_PEER: "iron" },
    floor: "Deno.serve, no guard",
  },
];

/** Runs the bench; returns a section for `bench/RESULTS.md`. */
export async function run(requests = 16_000): Promise<string> {
  await using redis = await startRedis();
  const started: ServerProcess[] = [];
  const results: ReadonlyMap<string, number>[] = [];
  try {
    for (const { name, file, env } of servers) {
      const args = ["run", "-A", "--no-lock", join(folder, file)];
      const spec = {
        name,
        command: Deno.execPath(),
        args,
        cwd: root,
        env: { ...env, BENCH_REDIS: String(redis.port) },
      };
      started.push(await startServer(spec, { path: "/sign-in" }));
    }
    const load = { path: "/events", requests, connections };
    await signInAll(started);
    await measureRound(started, { ...load, requests: warmUp });
    for (let round = 0; round < rounds; round++) {
      // The order rotates, because the machine's state differs between the first and last server.
      // The load generator does not store renewed session cookies, so it signs in again.
      await signInAll(started);
      const turn = round % started.length;
      results.push(
        await measureRound([...started.slice(turn), ...started.slice(0, turn)], load),
      );
    }
  } finally {
    for (const server of started) await server.stop();
  }
  return report(results, requests);
}

async function signInAll(servers: readonly ServerProcess[]): Promise<void> {
  for (const server of servers) server.cookies = await signIn(server.port);
}

/** Signs in a browser for each connection; returns their cookies. */
async function signIn(port: number): Promise<string[]> {
  const cookies: string[] = [];
  for (let user = 0; user < connections; user++) {
    const response = await fetch(`http://127.0.0.1:${port}/sign-in?user=${user}`);
    await response.body?.cancel();
    cookies.push(response.headers.getSetCookie().map((text) => text.split(";")[0]).join("; "));
  }
  return cookies;
}

function report(results: readonly ReadonlyMap<string, number>[], requests: number): string {
  const cost = (costs: ReadonlyMap<string, number>, name: string): number => costs.get(name) ?? NaN;
  const lines = [
    `### ${guardedTitle}`,
    "",
    `A JSON route, processor time a request, medians of ${rounds} interleaved rounds of ${requests} ` +
    `requests over ${connections} connections, each a browser with a session of its own. The ratio ` +
    "is without guard / with guard of the same server, round by round: higher is better.",
    "",
    "| Server | Ratio | at least | µs a request |",
    "|---|---|---|---|",
  ];
  for (const { name, floor, budget } of servers) {
    const ratio = median(results.map((costs) => cost(costs, floor) / cost(costs, name)));
    const micros = median(results.map((costs) => cost(costs, name))) / 1_000;
    lines.push(
      `| ${name} | ${ratio.toFixed(2)} | ${budget?.toFixed(2) ?? ""} | ${micros.toFixed(1)} |`,
    );
  }
  return lines.join("\n") + "\n";
}

if (import.meta.main) console.log(await run(Number(Deno.args[0] ?? 16_000)));
