/**
 * Measures a generated application (`newApp()` of `fw_gen.ts`), as users run it, with production
 * settings, on paths of one, two and three segments, and with compression.
 *
 * `deno run -A bench/http/generated.ts [requests]`
 */
import { copy } from "@std/fs";
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
const rounds = 9;

/**
 * Number of warm-up requests: after 2,500, most functions are not yet optimised, and a request
 * takes half as long again as after 40,000.
 */
const warmUp = 40_000;

/** The title of the section. */
export const generatedTitle = "Generated app";

/** A server with its settings. */
interface Row {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  /** Additional headers of its requests. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it is a server without the framework. */
  readonly isRaw?: boolean;
}

/** Servers on one path; the others are compared with the first. */
interface Group {
  readonly path: string;
  readonly rows: readonly Row[];
}

const raw: Row = { name: "raw Deno.serve", env: {}, isRaw: true };
const readsHost: Row = {
  name: "raw Deno.serve that reads Host",
  env: { BENCH_READS: "host" },
  isRaw: true,
};
const sumsHeaders: Row = {
  name: "raw Deno.serve that sums the size of the headers",
  env: { BENCH_READS: "sum" },
  isRaw: true,
};
/** The platform's own cost of the framework's features: a response header, `Host`, the data of a log line. */
const floor: Row = { name: "raw with nosniff", env: { BENCH_READS: "nosniff" }, isRaw: true };
const floorLog: Row = {
  name: "raw with nosniff, two ids and the time read",
  env: { BENCH_READS: "nosniffLog" },
  isRaw: true,
};
const floorHost: Row = {
  name: "raw with nosniff that reads Host",
  env: { BENCH_READS: "nosniffHost" },
  isRaw: true,
};
const floorHostLog: Row = {
  name: "raw with nosniff that reads Host, two ids and the time read",
  env: { BENCH_READS: "nosniffHostLog" },
  isRaw: true,
};
const logOff: Row = { name: "fw, log off", env: { BENCH_LOG: "off" } };
const logOn: Row = { name: "fw, log on", env: {} };
const asks = { "accept-encoding": "gzip, deflate, br" };

const groups: readonly Group[] = [
  { path: "/events", rows: [raw, readsHost, sumsHeaders, floor, floorLog, logOff, logOn] },
  { path: "/api/events", rows: [raw, readsHost, floorHost, floorHostLog, logOff, logOn] },
  { path: "/api/v1/events", rows: [raw, readsHost, logOff, logOn] },
  {
    path: "/small",
    rows: [
      {
        name: "fw, log off, compress off",
        env: { BENCH_LOG: "off", BENCH_COMPRESS: "off" },
        headers: asks,
      },
      { name: "fw, log off, compress on, not asked for", env: { BENCH_LOG: "off" } },
      { name: "fw, log off, compress on, brotli", env: { BENCH_LOG: "off" }, headers: asks },
      {
        name: "fw, log off, compress on, gzip",
        env: { BENCH_LOG: "off" },
        headers: { "accept-encoding": "gzip" },
      },
    ],
  },
];

/** Runs the bench; returns a section for `bench/RESULTS.md`. */
export async function run(requests = 10_000): Promise<string> {
  // Inside the repository, whose configuration maps the framework's imports.
  const site = await Deno.makeTempDir({ dir: join(root, "bench/http"), prefix: "generated_" });
  const lines = [
    `### ${generatedTitle}`,
    "",
    "An application made by `gen` with the settings of production, processor time a request, medians " +
    `of ${rounds} interleaved rounds of ${requests} requests over 32 connections, after ` +
    `${
      Math.max(requests, warmUp)
    } requests. The ratio is the first server of the path / own: higher ` +
    "is better. The raw servers with nosniff do what the framework promises and nothing else: they " +
    "show what the platform alone takes. The raw servers that read headers show why the " +
    "size of all headers has no limit of the framework's under Deno's listener: Deno hands over the " +
    "headers and not their size, and summing them costs many times the 2 % that a limit may cost.",
    "",
    "| Path | Server | Ratio | µs a request |",
    "|---|---|---|---|",
  ];
  try {
    await generate(site);
    for (const group of groups) lines.push(...await measureGroup(group, { site, requests }));
  } finally {
    await Deno.remove(site, { recursive: true });
  }
  return lines.join("\n") + "\n";
}

/** Writes the application and its `fw_gen.ts`. */
async function generate(site: string): Promise<void> {
  await copy(join(root, "bench/http/site"), site, { overwrite: true });
  const manifest = join(site, "deno.json");
  await Deno.writeTextFile(manifest, "{}\n");
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--config", join(root, "deno.json"), join(root, "cli/main.ts"), "gen"],
    cwd: site,
  }).output();
  const text = new TextDecoder();
  if (!success) throw new Error(text.decode(stdout) + text.decode(stderr));
  // Without its own configuration, the application uses the repository's.
  await Deno.remove(manifest);
}

function specOf({ name, env, headers, isRaw }: Row, site: string): ServerSpec {
  const file = isRaw === true ? join(folder, "raw.ts") : join(site, "fw_gen.ts");
  return {
    name,
    command: Deno.execPath(),
    args: ["run", "-A", "--no-lock", "--no-check", file],
    cwd: root,
    env,
    ...(headers === undefined ? {} : { headers }),
  };
}

async function measureGroup(
  { path, rows }: Group,
  { site, requests }: { readonly site: string; readonly requests: number },
): Promise<string[]> {
  const servers: ServerProcess[] = [];
  const results: ReadonlyMap<string, number>[] = [];
  try {
    for (const row of rows) servers.push(await startServer(specOf(row, site), { path }));
    const load = { path, requests, connections: 32 };
    await measureRound(servers, { ...load, requests: Math.max(requests, warmUp) });
    for (let round = 0; round < rounds; round++) {
      // The order rotates, because the machine's state differs between the first and last server.
      const turn = round % servers.length;
      results.push(
        await measureRound([...servers.slice(turn), ...servers.slice(0, turn)], load),
      );
    }
  } finally {
    for (const server of servers) await server.stop();
  }
  const [first] = rows;
  const costsOf = (name = ""): number[] => results.map((costs) => costs.get(name) ?? NaN);
  const base = costsOf(first?.name);
  return rows.map(({ name }) => {
    const own = costsOf(name);
    const ratio = median(own.map((cost, round) => (base[round] ?? NaN) / cost));
    return `| ${path} | ${name} | ${ratio.toFixed(2)} | ${(median(own) / 1_000).toFixed(1)} |`;
  });
}

if (import.meta.main) console.log(await run(Number(Deno.args[0] ?? 10_000)));
