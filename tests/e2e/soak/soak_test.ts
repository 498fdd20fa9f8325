/**
 * Many requests of every kind: what they leave in memory does not grow with their number. `SOAK_SHOW=1`
 * prints the sizes.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { sendLoad } from "./load.ts";

/**
 * How many bytes more each request of a part may leave. It is less than the smallest object that a
 * list can keep, and more than what the sizes of two parts differ by without a leak.
 */
const maxBytesPerRequest = 16;

/** When the load stops, however far it is. */
const maxMs = 600_000;

const script = fromFileUrl(new URL("server.ts", import.meta.url));

/** What is resident in the server. */
interface Soaked {
  /** How many requests were answered, or left by their clients. */
  readonly count: number;
  /** Bytes after each part. */
  readonly sizes: readonly number[];
  /** Bytes that each request of the last part left. */
  readonly growth: number;
}

/**
 * Runs the server through parts of so many requests, until one leaves no more than it may, or through
 * all of them. A leak grows with the requests of each part, so none of the parts is steady then.
 * `leakBytes` are kept of each request.
 */
async function soak(
  options: { requests: number; maxParts: number; leakBytes?: number },
): Promise<Soaked> {
  const { requests, maxParts, leakBytes = 0 } = options;
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
    const load = { requests, signal: stop.signal };
    // The first part fills what is filled once.
    let count = await sendLoad(port, load);
    const sizes = [await readRss(port)];
    let growth = Infinity;
    while (sizes.length < maxParts && growth > maxBytesPerRequest) {
      const sent = await sendLoad(port, load);
      count += sent;
      const before = sizes.at(-1) ?? 0;
      const after = await readRss(port);
      sizes.push(after);
      growth = (after - before) / sent;
    }
    return { count, sizes, growth };
  } finally {
    clearTimeout(timer);
    server.kill("SIGKILL");
    await server.status;
    await Deno.remove(folder, { recursive: true });
  }
}

function sizesText({ count, sizes, growth }: Soaked): string {
  const texts = sizes.map((bytes) => `${(bytes / 1_048_576).toFixed(1)} MB`);
  return `${count} requests: ${texts.join(" → ")}, ${growth.toFixed(1)} bytes per request`;
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

function show(soaked: Soaked): void {
  if (Deno.env.get("SOAK_SHOW")) console.log(sizesText(soaked));
}

Deno.test("40,000 mixed requests leave no more than 16 bytes each in memory, once 40,000 came before", async () => {
  const soaked = await soak({ requests: 40_000, maxParts: 12 });
  show(soaked);
  assert(soaked.count > 80_000, sizesText(soaked));
  assert(soaked.growth < maxBytesPerRequest, sizesText(soaked));
});

Deno.test("200 bytes that each request of a route leaves are found after far fewer of them", async () => {
  const leakBytes = 200;
  const soaked = await soak({ requests: 15_000, maxParts: 2, leakBytes });
  show(soaked);
  // Three in five requests reach a route: it is the leak that is seen, not the noise of the first ones.
  assert(soaked.growth > leakBytes * 0.6, sizesText(soaked));
});
