/**
 * Tail bench: the latency of the slowest requests to the example with 10,000 events, whose list is read
 * page by page over 64 connections, with the memory in the second half and the causes of event loop delays.
 *
 * `deno run -A bench/tail/main.ts [seconds]`
 */
import { DatabaseSync } from "node:sqlite";
import { fromFileUrl, join } from "@std/path";
import { readAnswer } from "../http/load.ts";

const demo = fromFileUrl(new URL("../../examples/events/", import.meta.url));

const eventCount = 10_000;
const pageCount = 400;
const connectionCount = 64;

/** Long enough to read all pages once, which fills the cache and lets the compiler finish. */
const warmSeconds = 10;

/** Maximum ratio of the 99th percentile to the median. */
const maxTail = 4;

/** A day on which all copies of the sample events are in the future. */
const today = "2026-05-14T10:00";

/** The example in a separate process. */
interface Demo {
  readonly port: number;
  readonly pid: number;
  /** The garbage collector's pauses so far, in milliseconds. */
  readonly pauses: readonly number[];
  /** The heap size after each full collection so far, in MB. */
  readonly heaps: readonly number[];
  readonly stop: () => Promise<void>;
}

async function startDemo(database: string): Promise<Demo> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--v8-flags=--trace-gc", "fw_gen.ts"],
    cwd: demo,
    env: {
      ADDR: "127.0.0.1:0",
      EVENTS_DB: database,
      EVENTS_NOW: today,
      FW_METRICS: "/metrics",
      FW_OBS_TRUSTED: "127.0.0.1/32",
      NO_COLOR: "1",
    },
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const pauses: number[] = [];
  const heaps: number[] = [];
  const started = Promise.withResolvers<number>();
  const reading = (async () => {
    let rest = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const port = /"url":"http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1];
        if (port !== undefined) started.resolve(Number(port));
        const pause = /\b(?:Scavenge|Mark-Compact)\b.*? MB, ([\d.]+) \//.exec(line)?.[1];
        if (pause !== undefined) pauses.push(Number(pause));
        const heap = /\bMark-Compact\b.*? -> ([\d.]+) \(/.exec(line)?.[1];
        if (heap !== undefined) heaps.push(Number(heap));
      }
    }
    started.reject(new Error("Cannot measure: the demo ended before it listened."));
  })();
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await child.status;
    await reading;
  };
  return { port: await started.promise, pid: child.pid, pauses, heaps, stop };
}

/** Copies the sample events until there are enough, each copy some hours later. */
function multiply(database: string): void {
  const db = new DatabaseSync(database);
  const columns = db.prepare("pragma table_info(events)").all().map(({ name }) => String(name))
    .filter((name) => name !== "id");
  const values: Readonly<Record<string, string>> = {
    slug: "slug || '-' || n",
    starts_at: "strftime('%Y-%m-%dT%H:%M', starts_at, '+' || (n * 7) || ' hours')",
    ends_at: "strftime('%Y-%m-%dT%H:%M', ends_at, '+' || (n * 7) || ' hours')",
  };
  const { count } = db.prepare("select count(*) as count from events").get() ?? {};
  const copies = Math.ceil(eventCount / Number(count)) - 1;
  db.exec(
    `with recursive copy (n) as (select 1 union all select n + 1 from copy where n < ${copies})
    insert into events (${columns.join()})
    select ${columns.map((name) => values[name] ?? name).join()} from events, copy
    limit ${eventCount - Number(count)}`,
  );
  db.close();
}

/** Reads pages over one connection until `endMs` and records the latencies. */
async function drive(port: number, endMs: number, latencies: number[]): Promise<void> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  connection.setNoDelay();
  const buffer = new Uint8Array(256 * 1_024);
  const encoder = new TextEncoder();
  while (performance.now() < endMs) {
    const page = 1 + Math.floor(Math.random() * pageCount);
    const startMs = performance.now();
    await connection.write(
      encoder.encode(`GET /events?page=${page} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`),
    );
    await readAnswer(connection, buffer);
    latencies.push(performance.now() - startMs);
  }
}

/** One run of the load. */
interface Run {
  /** The sorted latencies of the requests, in milliseconds. */
  readonly latencies: readonly number[];
  /** The resident memory in MB, sampled once a second. */
  readonly memory: readonly number[];
}

async function load({ port, pid }: Demo, seconds: number): Promise<Run> {
  const endMs = performance.now() + seconds * 1_000;
  const latencies: number[] = [];
  const memory: number[] = [];
  const sampling = setInterval(() => memory.push(residentMb(pid)), 1_000);
  try {
    await Promise.all(
      Array.from({ length: connectionCount }, () => drive(port, endMs, latencies)),
    );
  } finally {
    clearInterval(sampling);
  }
  return { latencies: latencies.sort((a, b) => a - b), memory };
}

function residentMb(pid: number): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
}

/** Returns how long the main thread has waited for a core that another program used, in milliseconds. */
function waitedMs(pid: number): number {
  return Number(Deno.readTextFileSync(`/proc/${pid}/task/${pid}/schedstat`).split(" ")[1]) / 1e6;
}

/** The buckets of a histogram: the number of values up to each bound. */
type Buckets = ReadonlyMap<number, number>;

async function readLag(port: number): Promise<Buckets> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const buckets = text.matchAll(/^fw_event_loop_lag_seconds_bucket\{le="([^"]+)"\} (\S+)/gm);
  return new Map(
    [...buckets].map((
      [, bound, count],
    ) => [bound === "+Inf" ? Infinity : Number(bound), Number(count)]),
  );
}

/** Returns the smallest bound below which a share of a period's values lies, in milliseconds. */
function lagBelow(before: Buckets, after: Buckets, share: number): number {
  const counts = [...after].map(([bound, count]) =>
    [bound, count - (before.get(bound) ?? 0)] as const
  );
  const all = counts.at(-1)?.[1] ?? 0;
  return (counts.find(([, count]) => count >= all * share)?.[0] ?? NaN) * 1_000;
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? NaN;
}

/** Runs the bench; returns a section for `bench/RESULTS.md`. */
export async function run(seconds = 60): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "fw-bench-tail-" });
  const database = join(folder, "events.db");
  try {
    // The first start creates the tables and the sample events.
    await (await startDemo(database)).stop();
    multiply(database);
    const server = await startDemo(database);
    try {
      await load(server, warmSeconds);
      const [lagBefore, pausesBefore] = [await readLag(server.port), server.pauses.length];
      const heapsBefore = server.heaps.length;
      const waitedBefore = waitedMs(server.pid);
      const { latencies, memory } = await load(server, seconds);
      const coreWaitMs = waitedMs(server.pid) - waitedBefore;
      const lagAfter = await readLag(server.port);
      const pauses = server.pauses.slice(pausesBefore);
      const heaps = server.heaps.slice(heapsBefore);
      return report({ seconds, heaps, latencies, memory, pauses, lagBefore, lagAfter, coreWaitMs });
    } finally {
      await server.stop();
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function report(
  { seconds, heaps, latencies, memory, pauses, lagBefore, lagAfter, coreWaitMs }: Run & {
    readonly seconds: number;
    readonly pauses: readonly number[];
    readonly heaps: readonly number[];
    readonly lagBefore: Buckets;
    readonly lagAfter: Buckets;
    readonly coreWaitMs: number;
  },
): string {
  const median = quantile(latencies, 0.5);
  const tail = quantile(latencies, 0.99);
  const half = memory.slice(memory.length >> 1);
  const third = Math.ceil(half.length / 3);
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const growth = mean(half.slice(-third)) - mean(half.slice(0, third));
  const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
  const paused = pauses.reduce((sum, pause) => sum + pause, 0);
  const rows: readonly (readonly [string, string])[] = [
    ["requests", `${latencies.length} in ${seconds} s`],
    ["median", ms(median)],
    ["99 of 100", ms(tail)],
    ["the longest", ms(latencies.at(-1) ?? NaN)],
    [
      `99 of 100 / median, at most ${maxTail}`,
      `${(tail / median).toFixed(2)}: ${tail <= median * maxTail ? "kept" : "exceeded"}`,
    ],
    [
      "memory in the second half",
      `${Math.min(...half).toFixed(0)} to ${Math.max(...half).toFixed(0)} MB, its last third ${
        growth.toFixed(1)
      } MB over its first`,
    ],
    [
      "heap after full collections",
      heaps.length === 0 ? "none was needed" : `first ${heaps[0]} MB, last ${heaps.at(-1)} MB`,
    ],
    [
      "pauses of the garbage collector",
      `${(paused / seconds / 10).toFixed(1)} % of the time, the longest ${
        ms(Math.max(0, ...pauses))
      }`,
    ],
    [
      "waiting for a core that another program had",
      `${(coreWaitMs / seconds / 10).toFixed(1)} % of the time`,
    ],
    [
      "lag of the event loop",
      `half below ${ms(lagBelow(lagBefore, lagAfter, 0.5))}, 99 of 100 below ${
        ms(lagBelow(lagBefore, lagAfter, 0.99))
      }`,
    ],
  ];
  return [
    "## Tail",
    "",
    `The demo with ${eventCount} events: its list of ${pageCount} pages, in a random order, over ` +
    `${connectionCount} connections that ask again as soon as they are answered, after ` +
    `${warmSeconds} s of the same. Each connection waits for the others: the median is ` +
    `${connectionCount} times what a page takes.`,
    "",
    "| | |",
    "|---|---|",
    ...rows.map(([name, value]) => `| ${name} | ${value} |`),
  ].join("\n") + "\n";
}

if (import.meta.main) console.log(await run(Number(Deno.args[0] ?? 60)));
