/** What `deno serve --parallel` splits over its threads is told of, once, and nothing else is. */
import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";

/** How long a test waits for its threads. */
const maxMs = 120_000;

const script = fromFileUrl(new URL("parallel_server.ts", import.meta.url));

interface Run {
  /** What is kept in memory. */
  readonly split: string;
  /** How many threads serve. */
  readonly threads: number;
  /** Permissions beside that of the network. @default all that the test needs */
  readonly permissions?: readonly string[];
}

const listening = /Listening on http:\/\/[^:]+:(\d+)/g;

/** Serves until every thread has answered, and gives the settings that the log warned of. */
async function warnedSettings(run: Run): Promise<string[]> {
  const { split, threads, permissions = ["--allow-env"] } = run;
  const parallel = threads > 1 ? ["--parallel"] : [];
  await using server = start([...parallel, ...permissions], {
    SPLIT: split,
    DENO_JOBS: String(threads),
  });
  await askAll(await server.port(), threads);
  return await warnedIn(server);
}

/** Asks until every thread has answered. */
async function askAll(port: number, threads: number): Promise<void> {
  const seen = new Set<string>();
  for (const startedMs = performance.now(); seen.size < threads;) {
    assert(performance.now() - startedMs < maxMs, `${seen.size} of ${threads} threads answered`);
    // A connection of its own for each request: the system gives it to any of the threads.
    using connection = await Deno.connect({ hostname: "127.0.0.1", port });
    seen.add(await ask(connection));
  }
}

async function warnedIn(server: Server): Promise<string[]> {
  // Lines are written in batches.
  await new Promise((resolve) => setTimeout(resolve, 300));
  return [...server.text().matchAll(/"level":"warn".*"setting":"((?:[^"\\]|\\.)*)"/g)]
    .map(([, setting = ""]) => JSON.parse(`"${setting}"`)).sort();
}

async function ask(connection: Deno.Conn): Promise<string> {
  const request = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  await connection.write(new TextEncoder().encode(request));
  const text = await new Response(connection.readable).text();
  assert(text.startsWith("HTTP/1.1 200 "), text);
  return text.slice(text.indexOf("\r\n\r\n"));
}

interface Server extends AsyncDisposable {
  /** What it wrote so far. */
  text(): string;
  /** Waits until it listens, the given time in its life. */
  port(time?: number): Promise<number>;
}

function start(flags: readonly string[], env: Readonly<Record<string, string>>): Server {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["serve", "--no-check", "--no-prompt", "--host", "127.0.0.1", "--port", "0", ...flags]
      .concat(script),
    env: { NO_COLOR: "1", FW_ENV: "", PORT: "", ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let text = "";
  const collect = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> => {
    for await (const chunk of stream.pipeThrough(new TextDecoderStream())) text += chunk;
  };
  const collected = Promise.all([collect(child.stdout), collect(child.stderr)]);
  return {
    text: () => text,
    port: async (time = 1) => {
      for (const startedMs = performance.now(); performance.now() - startedMs < maxMs;) {
        const [, port] = [...text.matchAll(listening)][time - 1] ?? [];
        if (port !== undefined) return Number(port);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      throw new Error(`it does not listen:\n${text}`);
    },
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await child.status;
      await collected;
    },
  };
}

const rows: readonly (Run & { readonly name: string; readonly want: readonly string[] })[] = [
  { name: "the global limit", split: "global", threads: 2, want: ["config.rateLimit"] },
  { name: "a limit of some routes", split: "middleware", threads: 2, want: ["limit(50, 90000)"] },
  { name: "a memory store that is named", split: "named", threads: 2, want: ["limit(5, 90000)"] },
  { name: "a cache", split: "cache", threads: 2, want: ['cache "events"'] },
  {
    name: "everything, once, however many threads",
    split: "global,middleware,cache",
    threads: 4,
    want: ['cache "events"', "config.rateLimit", "limit(50, 90000)"],
  },
  { name: "a store that all share", split: "shared", threads: 2, want: [] },
  { name: "nothing in memory", split: "", threads: 2, want: [] },
  { name: "a limit with one thread", split: "global", threads: 1, want: [] },
  {
    name: "a limit, without the permission to find the other threads",
    split: "global",
    threads: 2,
    permissions: ["--allow-env=SPLIT"],
    want: [],
  },
];

for (const { name, want, ...run } of rows) {
  const told = want.length > 0 ? "is told" : "is not told";
  Deno.test(`deno serve with ${run.threads} threads: ${name} ${told}`, async () => {
    assertEquals(await warnedSettings(run), want);
  });
}

Deno.test("deno serve --watch: the thread of an earlier start is no other thread", async () => {
  const watched = await Deno.makeTempFile();
  try {
    await using server = start(["--allow-env", `--watch=${watched}`], { SPLIT: "global" });
    await askAll(await server.port(), 1);
    await Deno.writeTextFile(watched, "changed");
    await askAll(await server.port(2), 1);
    assertEquals(await warnedIn(server), []);
  } finally {
    await Deno.remove(watched);
  }
});
