/**
 * Static files bench: processor time per request, compared with `serveDir` of `@std/http` and
 * Hono's `serveStatic`, each in a separate process, under the same load in interleaved rounds. The
 * ratio is serveDir's time / own time: higher is better.
 *
 * `deno run -A bench/static/main.ts [requests]`
 *
 * @module
 */
import { fromFileUrl, join, toFileUrl } from "@std/path";
import {
  measureRound,
  type ServerProcess,
  type ServerSpec,
  startServer,
} from "../http/server_process.ts";
import { median } from "../median.ts";
import { installFileServer } from "./std_server.ts";

const servers = fromFileUrl(new URL("servers/", import.meta.url));
const root = fromFileUrl(new URL("../../", import.meta.url));

/** Number of measured rounds; one more round is for warm-up. */
const rounds = 7;

/** The base of the ratios. */
const baseline = "@std/http serveDir";

/** A requested file. */
interface Scenario {
  readonly title: string;
  readonly name: string;
  readonly bytes: number;
  readonly requests: number;
}

function scenarios(requests: number): readonly Scenario[] {
  return [
    { title: "4 KB", name: "small.css", bytes: 4 * 1_024, requests },
    {
      title: "1 MB",
      name: "large.bin",
      bytes: 1_024 * 1_024,
      requests: Math.ceil(requests / 20),
    },
    {
      title: "4 MB",
      name: "huge.bin",
      bytes: 4 * 1_024 * 1_024,
      requests: Math.ceil(requests / 50),
    },
  ];
}

/** The paths of the bench's files. */
interface Place {
  readonly publicFolder: string;
  readonly std: string;
}

function specs({ publicFolder, std }: Place): readonly ServerSpec[] {
  const server = (name: string, file: string): ServerSpec => ({
    name,
    command: Deno.execPath(),
    args: ["run", "-A", "--no-lock", join(servers, file)],
    cwd: root,
    env: { BENCH_PUBLIC: publicFolder, BENCH_STD: toFileUrl(std).href },
  });
  return [
    server(baseline, "serve_dir.ts"),
    server("fw, public", "fw.ts"),
    server("fw, mount", "mount.ts"),
    server("Hono serveStatic", "hono.ts"),
  ];
}

async function measureScenario(scenario: Scenario, place: Place): Promise<string[]> {
  const path = `/${scenario.name}`;
  const running: ServerProcess[] = [];
  try {
    for (const spec of specs(place)) running.push(await startServer(spec, { path }));
    const load = { path, requests: scenario.requests, connections: 16 };
    await measureRound(running, load);
    const results: ReadonlyMap<string, number>[] = [];
    for (let round = 0; round < rounds; round++) results.push(await measureRound(running, load));
    return running.map(({ name }) => {
      const ratio = median(results.map((costs) => cost(costs, baseline) / cost(costs, name)));
      const micros = median(results.map((costs) => cost(costs, name))) / 1_000;
      return `| ${scenario.title} | ${name} | ${ratio.toFixed(2)} | ${micros.toFixed(1)} |`;
    });
  } finally {
    for (const server of running) await server.stop();
  }
}

function cost(costs: ReadonlyMap<string, number>, name: string): number {
  return costs.get(name) ?? NaN;
}

/** Creates reproducible content that looks random. */
function makeContent(bytes: number): Uint8Array<ArrayBuffer> {
  let state = 1;
  return Uint8Array.from({ length: bytes }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return 32 + state % 90;
  });
}

/** Runs every scenario; returns a section for `bench/RESULTS.md`. */
export async function run(requests = 10_000): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "fw-bench-static-" });
  const lines = [
    "## Static files",
    "",
    "Processor time per request (all threads, kernel included), 16 keep-alive connections, no " +
    `compression asked for, median of ${rounds} interleaved rounds of ${requests} requests (fewer ` +
    "for larger files). The ratio is serveDir / own: higher is better. fw and serveDir send an " +
    "`ETag` and `Last-Modified`, Hono neither.",
    "",
    "| File | Server | Ratio | µs a request |",
    "|---|---|---|---|",
  ];
  try {
    const publicFolder = join(folder, "public");
    await Deno.mkdir(publicFolder);
    const place = { publicFolder, std: await installFileServer(join(folder, "std")) };
    for (const scenario of scenarios(requests)) {
      await Deno.writeFile(join(publicFolder, scenario.name), makeContent(scenario.bytes));
      lines.push(...await measureScenario(scenario, place));
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  return lines.join("\n") + "\n";
}

if (import.meta.main) console.log(await run(Number(Deno.args[0] ?? 10_000)));
