import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";

const clients = 5_000;
/** Both ends of every connection are descriptors of this machine, though of two processes. */
const neededDescriptors = 12_000;
const batch = 250;

async function descriptorLimit(): Promise<number> {
  const { stdout } = await new Deno.Command("sh", { args: ["-c", "ulimit -n"] }).output();
  const text = new TextDecoder().decode(stdout).trim();
  return text === "unlimited" ? Infinity : Number(text);
}

const limit = await descriptorLimit();
const isShort = limit < neededDescriptors;
if (isShort) console.log(`skipped: the descriptor limit is ${limit}, below ${neededDescriptors}`);

async function startServer(): Promise<{ process: Deno.ChildProcess; port: number }> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", fromFileUrl(new URL("streams_server.ts", import.meta.url))],
    env: { NO_COLOR: "1" },
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let log = "";
  let port: string | undefined;
  while (port === undefined) {
    log += (await reader.read()).value ?? "";
    port = /"url":"http:\/\/127\.0\.0\.1:(\d+)/.exec(log)?.[1];
  }
  // The rest of the log is read too, so that the server never waits for its pipe.
  (async (): Promise<void> => {
    while (!(await reader.read()).done);
  })().catch(() => {});
  return { process, port: Number(port) };
}

const decoder = new TextDecoder();

async function open(port: number): Promise<Deno.Conn> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  await connection.write(new TextEncoder().encode("GET /idle HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  const buffer = new Uint8Array(1_024);
  let text = "";
  while (!text.includes("data: 1\n\n")) {
    const size = await connection.read(buffer);
    if (size === null) throw new Error(`the server closed: ${text}`);
    text += decoder.decode(buffer.subarray(0, size));
  }
  return connection;
}

async function readToEnd(connection: Deno.Conn): Promise<string> {
  const buffer = new Uint8Array(1_024);
  let text = "";
  for (;;) {
    const size = await connection.read(buffer).catch(() => null);
    if (size === null) return text;
    text = (text + decoder.decode(buffer.subarray(0, size))).slice(-64);
  }
}

Deno.test({
  name:
    `c.stream: ${clients} idle clients take under 500 MB, and all are closed soon after SIGTERM`,
  ignore: isShort || Deno.build.os === "windows",
  fn: async () => {
    const { process, port } = await startServer();
    const connections: Deno.Conn[] = [];
    try {
      while (connections.length < clients) {
        connections.push(...await Promise.all(Array.from({ length: batch }, () => open(port))));
      }
      const response = await fetch(`http://127.0.0.1:${port}/memory`);
      const { rss } = await response.json();
      assert(rss < 500 * 1_048_576, `${rss}`);
      process.kill("SIGTERM");
      // Those that the server cuts off when its time is up lack the end.
      const ends = await Promise.all(connections.map(readToEnd));
      assertEquals(ends.filter((text) => !text.endsWith("0\r\n\r\n")).length, 0);
      assertEquals((await process.status).code, 0);
    } finally {
      for (const connection of connections) connection.close();
      try {
        process.kill("SIGKILL");
      } catch {
        // It has ended, as it should.
      }
      await process.status;
    }
  },
});
