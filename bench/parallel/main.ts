/**
 * How many more requests two cores serve than one: `deno serve --parallel`, and two processes on one port.
 *
 * `deno run -A bench/parallel/main.ts [requests]`
 */
import { fromFileUrl } from "@std/path";
import { load } from "../http/load.ts";
import { median, medianRatio } from "../median.ts";

const server = fromFileUrl(new URL("server.ts", import.meta.url));
const root = fromFileUrl(new URL("../../", import.meta.url));
const rounds = 9;
const connections = 16;

/** A way to run the server. */
interface Way {
  readonly name: string;
  readonly args: (port: number) => readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly processes: number;
  /** The row that it is compared with. */
  readonly base: string;
}

const serve = (port: number): readonly string[] => [
  ...["serve", "--parallel", "-A", "--no-lock", "--host=127.0.0.1", `--port=${port}`, server],
];
const run = (): readonly string[] => ["run", "-A", "--no-lock", "--unstable-net", server];

const ways: readonly Way[] = [
  {
    name: "`deno serve`, one thread",
    args: serve,
    env: { BENCH_SERVE: "on", DENO_JOBS: "1" },
    processes: 1,
    base: "`deno serve`, one thread",
  },
  {
    name: "`deno serve --parallel`, two threads",
    args: serve,
    env: { BENCH_SERVE: "on", DENO_JOBS: "2" },
    processes: 1,
    base: "`deno serve`, one thread",
  },
  { name: "one process", args: run, env: {}, processes: 1, base: "one process" },
  {
    name: "`reusePort`, two processes",
    args: run,
    env: { BENCH_REUSE: "on" },
    processes: 2,
    base: "one process",
  },
];

interface Started {
  readonly way: Way;
  readonly port: number;
  readonly cookies: readonly string[];
  stop(): Promise<void>;
}

let nextPort = 21_000 + (Deno.pid % 1_000) * 5;

async function start(way: Way): Promise<Started> {
  const port = nextPort++;
  const stores = await Deno.makeTempFile({ prefix: "fw-bench-", suffix: ".sqlite" });
  const children: Deno.ChildProcess[] = [];
  for (let n = 0; n < way.processes; n++) {
    const child = new Deno.Command(Deno.execPath(), {
      args: [...way.args(port)],
      cwd: root,
      env: { ...way.env, PORT: String(port), BENCH_STORES: stores },
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    children.push(child);
    // One after the other: both make the tables.
    await waitFor(port, children.length);
  }
  const cookies: string[] = [];
  for (let user = 0; user < connections; user++) {
    const response = await fetch(`http://127.0.0.1:${port}/sign-in?user=${user}`);
    await response.body?.cancel();
    cookies.push(response.headers.getSetCookie().map((text) => text.split(";")[0]).join("; "));
  }
  return {
    way,
    port,
    cookies,
    stop: async () => {
      for (const child of children) {
        child.kill("SIGKILL");
        await child.status;
      }
      await Deno.remove(stores);
    },
  };
}

/** Waits until the port answers; a second process on it is given the time that the first one took. */
async function waitFor(port: number, count: number): Promise<void> {
  const startMs = performance.now();
  for (;;) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/sign-in?user=0`);
      await response.body?.cancel();
      break;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  if (count > 1) await new Promise((resolve) => setTimeout(resolve, 3_000));
  if (performance.now() - startMs > 60_000) throw new Error(`Cannot start the server on ${port}`);
}

/** Runs the bench; gives a section for `bench/RESULTS.md`. */
export async function runBench(requests = 2_000): Promise<string> {
  const started: Started[] = [];
  const rates = new Map<string, number[]>(ways.map(({ name }) => [name, []]));
  try {
    for (const way of ways) started.push(await start(way));
    const measure = async ({ port, cookies }: Started, count: number): Promise<number> => {
      const startMs = performance.now();
      await load(port, { path: "/events", requests: count, connections, cookies });
      return count * 1_000 / (performance.now() - startMs);
    };
    for (const each of started) await measure(each, requests);
    for (let round = 0; round < rounds; round++) {
      const turn = round % started.length;
      for (const each of [...started.slice(turn), ...started.slice(0, turn)]) {
        rates.get(each.way.name)?.push(await measure(each, requests));
      }
    }
  } finally {
    for (const each of started) await each.stop();
  }
  const rows = ways.map(({ name, base }) => {
    const rate = median(rates.get(name) ?? []).toFixed(0);
    const ratio = medianRatio(rates.get(name), rates.get(base)).toFixed(2);
    return `| ${name} | ${rate} | ${ratio} |`;
  });
  return [
    "## Parallel",
    "",
    `A guarded list of 1,000 rows, sessions in one SQLite file for all, ${connections} connections, medians of ${rounds}`,
    `interleaved rounds of ${requests} requests. The client takes its part of the same two cores. To reach: 1.70.`,
    "",
    "| Server | requests a second | × one |",
    "| --- | --- | --- |",
    ...rows,
  ].join("\n");
}

export { runBench as run };

if (import.meta.main) console.log(await runBench(Number(Deno.args[0] ?? 2_000)));
