/**
 * Many requests of every kind: what they leave in memory does not grow with their number. `SOAK_SHOW=1`
 * prints the sizes.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { sendLoad } from "./soak_load.ts";

/** How much more or less may be resident at the end than half-way. */
const maxChange = 0.05;

/** When the load stops, however far it is. */
const maxMs = 600_000;

const script = fromFileUrl(new URL("soak_server.ts", import.meta.url));

/** What is resident in the server, half-way and at the end. */
interface Soaked {
  /** How many requests were answered, or left by their clients. */
  readonly count: number;
  /** Bytes after the first half. */
  readonly half: number;
  /** Bytes after the second half. */
  readonly end: number;
}

/** Runs the server through the requests; `leakBytes` are kept of each one. Up to `maxMore` halves follow until it is steady. */
async function soak(
  options: { requests: number; leakBytes?: number; maxMore?: number },
): Promise<Soaked> {
  const { requests, leakBytes = 0, maxMore = 0 } = options;
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(join(folder, "site.css"), "a { color: red }\n".repeat(100));
  const server = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", "--no-check", "--unstable-no-legacy-abort", "--v8-flags=--expose-gc"],
      ...[script, folder],
    ],
    env: { NO_COLOR: "1", PORT: "", FW_ENV: "", SOAK_LEAK_BYTES: String(leakBytes) },
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(`the machine is too slow: ${maxMs} ms`), maxMs);
  try {
    const port = await readPort(server.stdout);
    const load = { requests: requests / 2, signal: stop.signal };
    let count = await sendLoad(port, load);
    let half = await readRss(port);
    count += await sendLoad(port, load);
    let end = await readRss(port);
    // A leak goes on with every half; pages that the allocator has once taken for itself do not.
    for (let more = 0; more < maxMore && !isSteady({ count, half, end }); more++) {
      count += await sendLoad(port, load);
      [half, end] = [end, await readRss(port)];
    }
    return { count, half, end };
  } finally {
    clearTimeout(timer);
    server.kill("SIGKILL");
    await server.status;
    await Deno.remove(folder, { recursive: true });
  }
}

/** Whether the size is the same at both times, as far as it can be told. */
function isSteady({ half, end }: Soaked): boolean {
  return Math.abs(end - half) / half < maxChange;
}

function sizesText({ half, end }: Soaked): string {
  return [half, end].map((bytes) => `${(bytes / 1_048_576).toFixed(1)} MB`).join(" → ");
}

/** What is resident after a collection. */
async function readRss(port: number): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/memory`);
  assertEquals(response.status, 200);
  const { rss } = await response.json();
  assert(rss > 1_000_000, `${rss} bytes`);
  return rss;
}

/** The port in the first line that the server prints. */
async function readPort(stdout: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<number> {
  let text = "";
  for await (const chunk of stdout.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const [, port] = /"url":"http:\/\/127\.0\.0\.1:(\d+)/.exec(text) ?? [];
    if (port !== undefined) return Number(port);
  }
  throw new Error(`the server did not start: ${text}`);
}

Deno.test("over 500,000 mixed requests resident memory stays within 5 % from half-way on", async () => {
  const soaked = await soak({ requests: 500_000, maxMore: 2 });
  if (Deno.env.get("SOAK_SHOW")) console.log(soaked.count, sizesText(soaked));
  assert(soaked.count > 500_000, `${soaked.count} requests`);
  assert(isSteady(soaked), sizesText(soaked));
});

Deno.test("200 bytes that each request of a route leaves are found after far fewer of them", async () => {
  const leakBytes = 200;
  const soaked = await soak({ requests: 60_000, leakBytes });
  if (Deno.env.get("SOAK_SHOW")) console.log(soaked.count, sizesText(soaked));
  assert(!isSteady(soaked), sizesText(soaked));
  // Three in five requests reach a route: it is the leak that is seen, not the noise of the first ones.
  assert(soaked.end - soaked.half > leakBytes * soaked.count / 2 * 0.6, sizesText(soaked));
});
