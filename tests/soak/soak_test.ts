/**
 * Many requests of every kind: what they leave in memory does not grow with their number. `SOAK_SHOW=1`
 * prints the sizes.
 */
import { assert, assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { sendLoad } from "./load.ts";

/**
 * How many bytes more each request of a part may leave. It is less than the smallest object that a
 * list can keep, and more than what the sizes of two parts differ by without a leak.
 */
const maxBytesPerRequest = 16;

/** When the load of a test stops, however far it is. */
const maxMs = 600_000;

const script = fromFileUrl(new URL("server.ts", import.meta.url));

/** The server of both tests: what is filled once is filled by the first load. */
class SoakedServer {
  /** Bytes that are resident after each part of the load. */
  readonly sizes: number[] = [];
  /** How many requests were answered, or left by their clients. */
  count = 0;
  readonly #process: Deno.ChildProcess;
  readonly #folder: string;
  readonly #port: number;

  private constructor(process: Deno.ChildProcess, at: { folder: string; port: number }) {
    this.#process = process;
    this.#folder = at.folder;
    this.#port = at.port;
  }

  static async start(): Promise<SoakedServer> {
    const folder = await Deno.makeTempDir();
    await Deno.writeTextFile(join(folder, "site.css"), "a { color: red }\n".repeat(100));
    const process = new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-A", "--no-check", "--unstable-no-legacy-abort", "--v8-flags=--expose-gc"],
        ...[script, folder],
      ],
      env: { NO_COLOR: "1", PORT: "", FW_ENV: "" },
      stdin: "null",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    try {
      return new SoakedServer(process, { folder, port: await readPort(process.stdout) });
    } catch (error) {
      await end(process, folder);
      throw error;
    }
  }

  /** Sends the load that fills what is filled once, unless it was sent. */
  async warmUp(signal: AbortSignal): Promise<void> {
    if (this.sizes.length === 0) await this.send(40_000, signal);
  }

  /** Sends so many requests at least; returns how many bytes each of them left. */
  async send(requests: number, signal: AbortSignal): Promise<number> {
    const sent = await sendLoad(this.#port, { requests, signal });
    const before = this.sizes.at(-1) ?? 0;
    const after = await this.#readRss();
    this.count += sent;
    this.sizes.push(after);
    return (after - before) / sent;
  }

  /** Lets each request that reaches a route leave so many bytes. */
  async leak(bytes: number): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${this.#port}/leak/${bytes}`);
    await response.body?.cancel();
    assertEquals(response.status, 204);
  }

  /** What is resident after a collection. */
  async #readRss(): Promise<number> {
    const response = await fetch(`http://127.0.0.1:${this.#port}/memory`);
    assertEquals(response.status, 200);
    const { rss } = await response.json();
    assert(rss > 1_000_000, `${rss} bytes`);
    return rss;
  }

  async stop(): Promise<void> {
    await end(this.#process, this.#folder);
  }

  /** Shows the sizes of all parts. */
  text(growth: number): string {
    const texts = this.sizes.map((bytes) => `${(bytes / 1_048_576).toFixed(1)} MB`);
    return `${this.count} requests: ${texts.join(" → ")}, ${growth.toFixed(1)} bytes per request`;
  }
}

async function end(process: Deno.ChildProcess, folder: string): Promise<void> {
  process.kill("SIGKILL");
  await process.status;
  await Deno.remove(folder, { recursive: true });
}

async function readPort(stdout: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<number> {
  let text = "";
  for await (const chunk of stdout.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const [, port] = /"url":"http:\/\/127\.0\.0\.1:(\d+)/.exec(text) ?? [];
    if (port !== undefined) return Number(port);
  }
  throw new Error(`the server did not start: ${text}`);
}

function show(text: string): void {
  if (Deno.env.get("SOAK_SHOW")) console.log(text);
}

/** Runs a test with the signal that stops its load. */
async function inTime(run: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(`the machine is too slow: ${maxMs} ms`), maxMs);
  try {
    await run(stop.signal);
  } finally {
    clearTimeout(timer);
  }
}

let shared: SoakedServer | undefined;
Deno.test.beforeAll(async () => void (shared = await SoakedServer.start()));
Deno.test.afterAll(() => shared?.stop());

function sharedServer(): SoakedServer {
  assert(shared);
  return shared;
}

Deno.test("40,000 mixed requests leave no more than 16 bytes each in memory, once 40,000 came before", () =>
  inTime(async (signal) => {
    const server = sharedServer();
    await server.warmUp(signal);
    // A leak grows with the requests of each part, so none of the parts is steady then.
    let growth = Infinity;
    while (server.sizes.length < 12 && growth > maxBytesPerRequest) {
      growth = await server.send(40_000, signal);
    }
    const text = server.text(growth);
    show(text);
    assert(server.count > 80_000, text);
    assert(growth < maxBytesPerRequest, text);
  }));

Deno.test("200 bytes that each request of a route leaves are found after far fewer of them", () =>
  inTime(async (signal) => {
    const leakBytes = 200;
    const server = sharedServer();
    await server.warmUp(signal);
    await server.leak(leakBytes);
    try {
      // What is resident moves by some hundred kilobytes: after half as many requests that may hide the leak.
      const growth = await server.send(20_000, signal);
      const text = server.text(growth);
      show(text);
      // Three in five requests reach a route: it is the leak that is seen, not the noise of the first ones.
      assert(growth > leakBytes * 0.6, text);
    } finally {
      await server.leak(0);
    }
  }));
