/**
 * HTTP bench: processor time per request of the framework and its peers, each in a separate
 * process, under the same load in interleaved rounds. The ratio is raw time / own time: higher is
 * better.
 *
 * `deno run -A bench/http/main.ts [requests] [part of a scenario's title]`
 */
import { copy } from "@std/fs";
import type { PostedForm } from "./load.ts";
import { guardedTitle, run as runGuarded } from "./guarded.ts";
import { generatedTitle, run as runGenerated } from "./generated.ts";
import { observabilityTitle, run as runObservability } from "./observability.ts";
import { fromFileUrl, join } from "@std/path";
import {
  measureRound,
  type ServerProcess,
  type ServerSpec,
  startServer,
} from "./server_process.ts";
import { median } from "../median.ts";

const folder = fromFileUrl(new URL("servers/", import.meta.url));
const root = fromFileUrl(new URL("../../", import.meta.url));

/** Number of measured rounds. */
const rounds = 7;

/** Number of warm-up rounds: a server is not yet fully optimised after ten thousand requests. */
const warmUpRounds = 4;

/** A request that is sent to every server. */
interface Scenario {
  readonly title: string;
  readonly path: string;
  readonly requests: number;
  readonly hasHeaders: boolean;
  readonly form?: PostedForm;
}

/** The CSRF token in the cookie and in the form, as after a first visit. */
const token = "A".repeat(43);
const form: PostedForm = {
  cookie: `fw_csrf=${token}`,
  body: new URLSearchParams({
    _csrf: token,
    title: "An evening of short talks",
    city: "Lisboa",
    seats: "120",
    starts: "2027-03-01",
  }).toString(),
};

function scenarios(requests: number): Scenario[] {
  return [
    { title: "JSON route", path: "/events", requests, hasHeaders: false },
    {
      title: "JSON route with security headers",
      path: "/events",
      requests,
      hasHeaders: true,
    },
    {
      title: "JSON route with a parameter",
      path: "/api/events/42",
      requests,
      hasHeaders: false,
    },
    { title: "Page of 2 KB", path: "/small", requests, hasHeaders: true },
    { title: "Form post", path: "/contact", requests, hasHeaders: false, form },
    {
      title: "Page of 60 KB",
      path: "/large",
      requests: Math.ceil(requests / 10),
      hasHeaders: true,
    },
  ];
}

function denoServer(
  name: string,
  options: { readonly file: string; readonly env?: Readonly<Record<string, string>> },
): ServerSpec {
  return {
    name,
    command: Deno.execPath(),
    args: ["run", "-A", "--no-lock", options.file],
    cwd: root,
    ...(options.env === undefined ? {} : { env: options.env }),
  };
}

function specs(scenario: Scenario, nodeFolder: string | undefined): ServerSpec[] {
  const hono = join(folder, "hono.ts");
  const headers = scenario.hasHeaders ? { BENCH_HEADERS: "on" } : undefined;
  const defaults = scenario.hasHeaders ? " with every default" : "";
  const withHeaders = scenario.hasHeaders ? " with secureHeaders" : "";
  const list = [
    denoServer("raw Deno.serve", {
      file: join(folder, "raw.ts"),
      env: { BENCH_PATH: scenario.path.startsWith("/api") ? "/events" : scenario.path },
    }),
    denoServer(`fw${defaults}, log off`, {
      file: join(folder, "fw.ts"),
      env: { ...headers, BENCH_LOG: "off" },
    }),
    denoServer(`fw${defaults}, log on`, {
      file: join(folder, "fw.ts"),
      ...(headers ? { env: headers } : {}),
    }),
    ...(scenario.title === "JSON route with security headers"
      ? [denoServer('fw with every default, log off, listener "node"', {
        file: join(folder, "fw.ts"),
        env: { ...headers, BENCH_LOG: "off", BENCH_LISTENER: "node" },
      })]
      : []),
    ...(scenario.title.startsWith("Page")
      ? [{
        ...denoServer("fw with every default, log off, the page's fragment", {
          file: join(folder, "fw.ts"),
          env: { ...headers, BENCH_LOG: "off" },
        }),
        headers: { "FW-Fragment": "events" },
      }]
      : []),
    denoServer(`Hono${withHeaders}`, { file: hono, ...(headers ? { env: headers } : {}) }),
    denoServer(`Hono${withHeaders} and logger`, {
      file: hono,
      env: { ...headers, BENCH_LOG: "on" },
    }),
    // fw reads the Host header to refuse paths shifted by a forged one. Hono reads no header.
    ...(scenario.title === "JSON route with a parameter"
      ? [
        denoServer("raw Deno.serve that reads Host", {
          file: join(folder, "raw.ts"),
          env: { BENCH_READS: "host" },
        }),
        denoServer("Hono behind a check that reads Host", {
          file: hono,
          env: { BENCH_READS: "host" },
        }),
      ]
      : []),
  ];
  // Neither peer reads forms without a plugin.
  if (nodeFolder === undefined || scenario.form !== undefined) return list;
  for (const name of ["fastify", "express"]) {
    list.push({
      name: `${name} on Node`,
      command: "node",
      args: [join(nodeFolder, `${name}.mjs`)],
      cwd: nodeFolder,
    });
  }
  return list;
}

/** Installs the Node peers in a separate folder. */
async function installNodePeers(): Promise<string> {
  const target = await Deno.makeTempDir({ prefix: "fw-bench-node-" });
  await copy(folder, target, { overwrite: true });
  await Deno.writeTextFile(join(target, "package.json"), '{"private":true,"type":"module"}');
  const { success, stderr } = await new Deno.Command("npm", {
    args: ["install", "--no-audit", "--no-fund", "fastify@5.12.8", "express@5.3.0"],
    cwd: target,
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return target;
}

async function measureScenario(
  scenario: Scenario,
  nodeFolder: string | undefined,
): Promise<string[]> {
  const servers: ServerProcess[] = [];
  try {
    for (const spec of specs(scenario, nodeFolder)) {
      servers.push(await startServer(spec, scenario));
    }
    const load = { ...scenario, connections: 32 };
    await measureRound(servers, { ...load, requests: load.requests * warmUpRounds });
    const results: ReadonlyMap<string, number>[] = [];
    for (let round = 0; round < rounds; round++) results.push(await measureRound(servers, load));
    return servers.map(({ name }) => {
      const ratio = median(
        results.map((costs) => cost(costs, "raw Deno.serve") / cost(costs, name)),
      );
      const micros = median(results.map((costs) => cost(costs, name))) / 1_000;
      return `| ${scenario.title} | ${name} | ${ratio.toFixed(2)} | ${micros.toFixed(1)} |`;
    });
  } finally {
    for (const server of servers) await server.stop();
  }
}

function cost(costs: ReadonlyMap<string, number>, name: string): number {
  return costs.get(name) ?? NaN;
}

/** Runs every scenario; returns a section for `bench/RESULTS.md`. */
export async function run(requests = 10_000, only = ""): Promise<string> {
  const lines = [
    "## HTTP",
    "",
    "Processor time per request (all threads, kernel included), 32 keep-alive connections, median " +
    `of ${rounds} interleaved rounds of ${requests} requests (a tenth for the large page). The ` +
    "ratio is raw / own: higher is better. The pages of fw and Hono are rendered for each " +
    "request; raw, Fastify and Express fill a template literal.",
    "",
    "| Scenario | Server | Ratio | µs a request |",
    "|---|---|---|---|",
  ];
  let nodeFolder: string | undefined;
  try {
    nodeFolder = await installNodePeers();
  } catch (error) {
    console.error(
      `skipped: Fastify and Express: ${error instanceof Error ? error.message : error}`,
    );
  }
  try {
    const chosen = scenarios(requests).filter(({ title }) => title.includes(only));
    for (const scenario of chosen) {
      lines.push(...await measureScenario(scenario, nodeFolder));
    }
  } finally {
    if (nodeFolder !== undefined) await Deno.remove(nodeFolder, { recursive: true });
  }
  const table = lines.join("\n") + "\n";
  const more: string[] = [];
  if (only === "" || generatedTitle.includes(only)) more.push(await runGenerated(requests));
  if (only === "" || guardedTitle.includes(only)) more.push(await runGuarded(requests * 2));
  if (only === "" || observabilityTitle.includes(only)) {
    more.push(await runObservability(requests * 2));
  }
  return [table, ...more].join("\n");
}

if (import.meta.main) console.log(await run(Number(Deno.args[0] ?? 10_000), Deno.args[1]));
