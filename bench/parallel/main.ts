/**
 * Parallel bench: the throughput of two cores relative to one, with `deno serve --parallel` and with two
 * processes on one port.
 *
 * The client and other programs share the two cores, so the bench also counts processor time. The busier
 * of two threads or processes is the limit: `× by processor time` is the time of a request on one
 * server, divided by the busier one's time per request of both. 2.00 is an even split without a loss.
 *
 * `deno run -A bench/parallel/main.ts [requests]`
 */
import { fromFileUrl } from "@std/path";
import { load } from "../http/load.ts";
import { cpuTime } from "../http/server_process.ts";
import { median, medianRatio } from "../median.ts";

const server = fromFileUrl(new URL("server.ts", import.meta.url));
const root = fromFileUrl(new URL("../../", import.meta.url));
const rounds = 5;
const connections = 32;

/** Requests per connection: few, because both ways distribute connections and not requests. */
const perConnection = 20;

/** A way to run the server. */
interface Way {
  readonly name: string;
  readonly args: (port: number) => readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly processes: number;
  /** The row with which it is compared. */
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
  readonly pids: readonly number[];
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
    // One after the other, because both create the tables.
    if (n === 0) await waitFor(port);
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
    pids: children.map(({ pid }) => pid),
    stop: async () => {
      for (const child of children) {
        child.kill("SIGKILL");
        await child.status;
      }
      await Deno.remove(stores);
    },
  };
}

async function waitFor(port: number): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/sign-in?user=0`);
      await response.body?.cancel();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error(`Cannot start the server on ${port}`);
}

/** Returns the processor time of each process or serving thread, in nanoseconds. */
function partTimes({ way, pids }: Started): number[] {
  const [pid = 0] = pids;
  if (way.args !== serve) return pids.map(cpuTime);
  const tasks = [...Deno.readDirSync(`/proc/${pid}/task`)].map(({ name }) => name);
  const serving = tasks.filter((task) =>
    task === String(pid) ||
    Deno.readTextFileSync(`/proc/${pid}/task/${task}/comm`).startsWith("serve-worker")
  );
  return serving.map((task) =>
    Number(Deno.readTextFileSync(`/proc/${pid}/task/${task}/schedstat`).split(" ")[0])
  );
}

interface Round {
  readonly rate: number;
  /** Processor time per request, in microseconds: server, busiest part and client. */
  readonly serverUs: number;
  readonly busiestUs: number;
  readonly clientUs: number;
}

/** Sends requests over connections that are closed and reopened after a few, as browsers do. */
async function measure(server: Started, requests: number): Promise<Round> {
  const { port, cookies, pids } = server;
  const total = (): number => pids.reduce((sum, pid) => sum + cpuTime(pid), 0);
  const [parts, before, own] = [partTimes(server), total(), cpuTime(Deno.pid)];
  const startMs = performance.now();
  let left = requests;
  await Promise.all(cookies.map(async (cookie) => {
    while (left > 0) {
      left -= perConnection;
      const options = { path: "/events", connections: 1, cookies: [cookie] };
      await load(port, { ...options, requests: perConnection });
    }
  }));
  const sent = requests - left;
  const us = (ns: number): number => ns / 1_000 / sent;
  return {
    rate: sent * 1_000 / (performance.now() - startMs),
    serverUs: us(total() - before),
    busiestUs: us(Math.max(...partTimes(server).map((time, at) => time - (parts[at] ?? 0)))),
    clientUs: us(cpuTime(Deno.pid) - own),
  };
}

/** Warms up a server until each of its parts has served requests. */
async function warmUp(server: Started, requests: number): Promise<void> {
  const parts = server.way.processes === 2 || server.way.env["DENO_JOBS"] === "2" ? 2 : 1;
  for (let attempt = 0; attempt < 20; attempt++) {
    const before = partTimes(server);
    await measure(server, requests);
    const after = partTimes(server);
    const busy = after.filter((time, at) => time - (before[at] ?? 0) > 100_000_000);
    if (busy.length >= parts) return;
  }
  throw new Error(`Cannot measure "${server.way.name}": a part of it serves nothing`);
}

/** Runs the bench; returns a section for `bench/RESULTS.md`. */
export async function runBench(requests = 1_600): Promise<string> {
  const started: Started[] = [];
  const results = new Map<string, Round[]>(ways.map(({ name }) => [name, []]));
  try {
    for (const way of ways) started.push(await start(way));
    for (const each of started) await warmUp(each, requests);
    for (let round = 0; round < rounds; round++) {
      const turn = round % started.length;
      for (const each of [...started.slice(turn), ...started.slice(0, turn)]) {
        results.get(each.way.name)?.push(await measure(each, requests));
      }
    }
  } finally {
    for (const each of started) await each.stop();
  }
  const of = (name: string, key: keyof Round): number[] =>
    (results.get(name) ?? []).map((round) => round[key]);
  const rows = ways.map(({ name, base }) => {
    const cells = [
      median(of(name, "rate")).toFixed(0),
      medianRatio(of(name, "rate"), of(base, "rate")).toFixed(2),
      median(of(name, "serverUs")).toFixed(0),
      median(of(name, "clientUs")).toFixed(0),
      medianRatio(of(base, "busiestUs"), of(name, "busiestUs")).toFixed(2),
    ];
    return `| ${name} | ${cells.join(" | ")} |`;
  });
  return [
    "## Parallel",
    "",
    `A guarded list of 1,000 rows, sessions in one SQLite file for all, ${connections} connections of ${perConnection}`,
    `requests each, medians of ${rounds} interleaved rounds of ${requests} requests, processor time a request. The`,
    `client shares the two cores with the server; load of the machine ${
      Deno.loadavg()[0]?.toFixed(1)
    }. To reach: 1.70.`,
    "",
    "| Server | requests a second | × one | µs, server | µs, client | × by processor time |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

export { runBench as run };

if (import.meta.main) console.log(await runBench(Number(Deno.args[0] ?? 1_600)));
