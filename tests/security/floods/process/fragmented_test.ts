/**
 * Bodies in tiny chunks: their cost for the server, and the wait of an honest client. Both are
 * measured in the server's processor time, because a busy machine makes everything wait.
 */
import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { testUnless } from "../../../../tools/skip.ts";
import { measureSlowness } from "../../../slowness.ts";
import { startWatched } from "../../../watched_process.ts";

/**
 * The maximum processor time of the server for one flood, and between two responses to an honest
 * client, on a machine as fast as the reference.
 */
const maxCpuMs = 1_000;
const maxWaitMs = 300;
const script = fromFileUrl(new URL("../fragmented_server.ts", import.meta.url));
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

interface Server {
  readonly port: number;
  readonly cpuMs: () => number;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

async function startServer(listener: string): Promise<Server> {
  const args = ["run", "-A", "--no-check", script, listener];
  const server = startWatched(Deno.execPath(), { args, env: {} });
  return {
    port: Number(new URL(await server.url()).port),
    cpuMs: () => {
      const fields = Deno.readTextFileSync(`/proc/${server.pid}/stat`).split(") ")[1]?.split(" ");
      // In ticks of 10 ms (proc_pid_stat(5)).
      return (Number(fields?.[11]) + Number(fields?.[12])) * 10;
    },
    [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose](),
  };
}

interface Flood {
  readonly reader: string;
  readonly size: number;
  readonly count: number;
  readonly listener?: "deno" | "node";
  readonly status: readonly number[];
}

const types: Readonly<Record<string, string>> = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  upload: "multipart/form-data; boundary=111",
};

/** Sends the body and returns the status; stops if the server stops reading. */
async function flood(port: number, sent: Flood): Promise<number> {
  const { reader, size, count } = sent;
  const type = types[reader] ?? "text/plain";
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  await connection.write(encode(
    `POST /${reader} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\n` +
      "Transfer-Encoding: chunked\r\n\r\n",
  ));
  const piece = `${size.toString(16)}\r\n${"1".repeat(size)}\r\n`;
  const block = encode(piece.repeat(1_000));
  const answered = readStatus(connection);
  const sending = (async () => {
    for (let left = count; left > 0; left -= 1_000) {
      for (let rest = block; rest.length > 0;) rest = rest.subarray(await connection.write(rest));
    }
    await connection.write(encode("0\r\n\r\n"));
  })();
  // The server may end a flood early, and this test does.
  sending.catch(() => {});
  const status = await answered;
  // Data that arrives after the response also costs time.
  await new Promise((resolve) => setTimeout(resolve, 100));
  return status;
}

async function readStatus(connection: Deno.Conn): Promise<number> {
  const buffer = new Uint8Array(4_096);
  const size = await connection.read(buffer) ?? 0;
  return Number(new TextDecoder().decode(buffer.subarray(0, size)).slice(9, 12));
}

/** Sends requests until it is stopped; returns the maximum processor time between responses. */
async function waitHonestly(server: Server, isOver: () => boolean): Promise<number> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
  const request = encode("GET /ok HTTP/1.1\r\nHost: localhost\r\n\r\n");
  let worst = 0;
  while (!isOver()) {
    const before = server.cpuMs();
    await connection.write(request);
    assertEquals(await readStatus(connection), 200);
    worst = Math.max(worst, server.cpuMs() - before);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return worst;
}

const refused = [400, 413];

const rows: readonly Flood[] = [
  { reader: "json", size: 1, count: 400_000, status: refused },
  { reader: "raw", size: 16, count: 200_000, status: refused },
  { reader: "stream", size: 17, count: 300_000, status: refused },
  { reader: "form", size: 64, count: 200_000, status: refused },
  { reader: "upload", size: 255, count: 100_000, status: refused },
  { reader: "raw", size: 256, count: 200_000, status: refused },
  { reader: "nobody", size: 16, count: 200_000, status: [200] },
  { reader: "raw", size: 16, count: 4_000, status: [200] },
  { reader: "raw", size: 17, count: 200_000, listener: "node", status: refused },
];

const noProc = Deno.build.os === "linux" ? undefined : "only Linux tells a process's time";

async function testFloods(floods: readonly Flood[]): Promise<void> {
  for (const listener of ["deno", "node"] as const) {
    const own = floods.filter((row) => (row.listener ?? "deno") === listener);
    if (own.length === 0) continue;
    await using server = await startServer(listener);
    for (const row of own) {
      const name = `${listener}: ${row.count} × ${row.size} bytes, ${row.reader}`;
      let seen = await measureFlood(server, row);
      // A busy machine also increases the processor time, so one flood of three within the limits
      // is enough.
      for (let again = 0; again < 2 && isOverLimit(seen); again++) {
        seen = await measureFlood(server, row);
      }
      const { status, cpuMs, waitMs } = seen;
      assert(row.status.includes(status), `${name}: status ${status}`);
      const slowness = measureSlowness();
      assert(cpuMs <= maxCpuMs * slowness, `${name}: ${cpuMs} ms of processor time`);
      assert(waitMs <= maxWaitMs * slowness, `${name}: an honest client waited ${waitMs} ms`);
    }
  }
}

interface Cost {
  readonly status: number;
  readonly cpuMs: number;
  readonly waitMs: number;
}

function isOverLimit({ cpuMs, waitMs }: Cost): boolean {
  return cpuMs > maxCpuMs || waitMs > maxWaitMs;
}

async function measureFlood(server: Server, row: Flood): Promise<Cost> {
  let isOver = false;
  const honest = waitHonestly(server, () => isOver);
  const before = server.cpuMs();
  const status = await flood(server.port, row);
  const cpuMs = server.cpuMs() - before;
  isOver = true;
  return { status, cpuMs, waitMs: await honest };
}

testUnless(noProc, {
  name: "a body in tiny chunks is cheap, and other clients get responses meanwhile",
  fn: () => testFloods(rows),
});
