/**
 * Start bench: the waiting times of a developer, for the first response of an application with 50
 * routes, for the response after a save, and for a style sheet. Run it by `deno run -A
 * bench/start/main.ts`.
 *
 * @module
 */
import { copy } from "@std/fs";
import { join } from "@std/path";
import { freePort } from "../../tests/free_port.ts";
import { median, medianRatio } from "../median.ts";
import { cliArgs, inTemporaryFolder, tableRows, type TimedRow, writeProject } from "../project.ts";

const rounds = 9;
const startRounds = 15;
const routeCount = 50;

/**
 * Measures.
 *
 * @returns The section of the results, in Markdown.
 */
export async function run(): Promise<string> {
  return await inTemporaryFolder(async (dir) => {
    await writeApp(dir);
    await bundleApp(dir);
    const started = await startRows(dir);
    const saved = [
      { what: "`deno run --watch`, save to new answer", ms: await watchedSave(dir) },
      ...await developmentRows(dir),
    ];
    return format(started, saved);
  });
}

function format(started: readonly StartRow[], saved: readonly TimedRow[]): string {
  const showMs = (ms: number | undefined): string => `${ms?.toFixed(0) ?? "–"} ms`;
  const lines = started.map(({ what, ms, cpuMs }) => {
    const cells = [Math.min(...ms), median(ms), median(cpuMs)].map(showMs);
    const ratios = [medianRatio(ms, started[0]?.ms), medianRatio(cpuMs, started[0]?.cpuMs)];
    return `| ${[what, ...cells, ...ratios.map((ratio) => ratio.toFixed(2))].join(" | ")} |`;
  });
  return [
    "## Start and reload",
    "",
    `Deno ${Deno.version.deno}, ${navigator.hardwareConcurrency} cores. Start to first answer: each of`,
    `${startRounds} rounds starts every program once. Ratios are medians of the ratios to the bare server by`,
    "round; that of the processor time, of the first process alone, depends less on other load. Budget of",
    `fw with ${routeCount} routes: 250 ms.`,
    "",
    "| | fastest | median | processor | ratio | ratio of processor |",
    "|---|---|---|---|---|---|",
    ...lines,
    "",
    `Waiting times in development, medians of ${rounds} rounds; ratios to the first row:`,
    "",
    "| | median | ratio | budget |",
    "|---|---|---|---|",
    ...tableRows(saved, showMs),
    "",
  ].join("\n");
}

async function writeApp(dir: string): Promise<void> {
  const files: Record<string, string> = {};
  files["bare.ts"] =
    'Deno.serve({ hostname: "127.0.0.1", port: Number(Deno.env.get("PORT")) }, () => new Response("ok"));\n';
  files["app/layout.ts"] = `import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
export function Layout(_: Ctx, children: Node): Node {
  return h.html(h.head(h.title("Bench")), h.body(children));
}
`;
  files["app/page.ts"] = pageSource("start");
  for (let index = 1; index < routeCount; index++) {
    const isApi = index % 3 === 0;
    const folder = index % 5 === 0 ? `section${index}/id_` : `section${index}`;
    if (isApi) files[`app/api/${folder}/route.ts`] = routeSource(index);
    else files[`app/${folder}/page.ts`] = pageSource(`page ${index}`);
  }
  files["public/style.css"] = "body { color: red }\n";
  await writeProject(dir, files);
}

/** Creates the bundle as the deployment guide does. */
async function bundleApp(dir: string): Promise<void> {
  const args = ["bundle", "--quiet", "--code-splitting", "--outdir", "dist", "fw_gen.ts"];
  const { success } = await new Deno.Command(Deno.execPath(), { args, cwd: dir }).output();
  if (!success) throw new Error("Cannot bundle the application of the bench.");
  await copy(join(dir, "public"), join(dir, "dist/public"), { overwrite: true });
}

function pageSource(text: string): string {
  return `import type { Node } from "@fw/fw";
import * as h from "@fw/fw/h";
export function Page(): Node {
  return h.h1(${JSON.stringify(text)});
}
`;
}

function routeSource(index: number): string {
  return `import type { Ctx } from "@fw/fw";
export const GET = (c: Ctx): Response => c.json(200, { index: ${index} });
`;
}

/** The programs with compared start times. */
const starts: readonly { readonly what: string; readonly args: readonly string[] }[] = [
  { what: "bare `Deno.serve`", args: ["run", "-A", "bare.ts"] },
  { what: `fw, ${routeCount} routes`, args: ["run", "-A", "fw_gen.ts"] },
  { what: "the same from a bundle", args: ["run", "-A", "dist/fw_gen.js"] },
  { what: "`fw dev`", args: [...cliArgs, "dev"] },
];

/** The times of one program by round. */
interface StartRow {
  readonly what: string;
  readonly ms: number[];
  readonly cpuMs: number[];
}

/** Measures the time from process start to first response; a round starts each program once. */
async function startRows(dir: string): Promise<StartRow[]> {
  const rows = starts.map(({ what }): StartRow => ({ what, ms: [], cpuMs: [] }));
  for (let round = 0; round < startRounds + 1; round++) {
    for (const [at, { args }] of starts.entries()) {
      const port = freePort();
      const startedMs = performance.now();
      const process = start(dir, { args, port });
      await untilBody(`http://127.0.0.1:${port}/`, "");
      const ms = performance.now() - startedMs;
      const cpuMs = processorMs(process.pid);
      // The first round fills the caches.
      if (round > 0) {
        rows[at]?.ms.push(ms);
        rows[at]?.cpuMs.push(cpuMs);
      }
      await stop(process);
    }
  }
  return rows;
}

/** Returns the processor time of the threads of a process, in milliseconds; `NaN` where Linux does not tell it. */
function processorMs(pid: number): number {
  try {
    const threads = [...Deno.readDirSync(`/proc/${pid}/task`)].map(({ name }) =>
      Deno.readTextFileSync(`/proc/${pid}/task/${name}/schedstat`)
    );
    return threads.reduce((sum, text) => sum + Number.parseInt(text) / 1e6, 0);
  } catch {
    return NaN;
  }
}

async function developmentRows(dir: string): Promise<TimedRow[]> {
  const port = freePort();
  const process = start(dir, { args: [...cliArgs, "dev", "--addr", `127.0.0.1:${port}`], port });
  const url = `http://127.0.0.1:${port}`;
  await untilBody(`${url}/`, "<h1>");
  const saves = await saveTimes(dir, url);
  const styles = await styleTimes(dir, url);
  await stop(process);
  return [
    { what: "`fw dev`, save to new answer", ms: median(saves), budgetMs: 400 },
    { what: "`fw dev`, style sheet to event", ms: median(styles), budgetMs: 100 },
  ];
}

async function watchedSave(dir: string): Promise<number> {
  const port = freePort();
  const process = start(dir, { args: ["run", "-A", "--watch", "fw_gen.ts"], port });
  const url = `http://127.0.0.1:${port}`;
  await untilBody(`${url}/`, "<h1>");
  const times = await saveTimes(dir, url);
  // The application handles SIGTERM itself, and the watcher would then wait for the next save.
  await stop(process, "SIGKILL");
  return median(times);
}

async function saveTimes(dir: string, url: string): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await pause(300);
    const text = `saved ${crypto.randomUUID()}`;
    const savedMs = performance.now();
    await Deno.writeTextFile(join(dir, "app/page.ts"), pageSource(text));
    await untilBody(`${url}/`, text);
    times.push(performance.now() - savedMs);
  }
  return times;
}

async function styleTimes(dir: string, url: string): Promise<number[]> {
  const response = await fetch(`${url}/_fw/events`);
  if (response.body === null) throw new Error("no event stream");
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await pause(100);
    const savedMs = performance.now();
    await Deno.writeTextFile(join(dir, "public/style.css"), `body { --round: ${round} }\n`);
    for (let text = ""; !text.includes("event: css");) text += (await reader.read()).value ?? "";
    times.push(performance.now() - savedMs);
  }
  await reader.cancel();
  return times;
}

function start(
  dir: string,
  options: { readonly args: readonly string[]; readonly port: number },
): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: [...options.args],
    cwd: dir,
    env: { PORT: String(options.port), FW_ENV: "dev", NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
}

async function stop(
  process: Deno.ChildProcess,
  signal: Deno.Signal = "SIGTERM",
): Promise<void> {
  process.kill(signal);
  await process.status;
}

async function untilBody(url: string, text: string): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (performance.now() < deadline) {
    try {
      const response = await fetch(url);
      if ((await response.text()).includes(text)) return;
    } catch {
      // Not listening yet.
    }
    await pause(1);
  }
  throw new Error(`${url} did not answer in time`);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

if (import.meta.main) console.log(await run());
