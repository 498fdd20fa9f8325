/** Requests lost by a stop under load, with both listeners. */
import { createDrain } from "../../../runtime/listen/listener.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { startServer } from "./process.ts";
import type { WatchedProcess } from "../../watched_process.ts";
import { until } from "../../until.ts";

const clients = 32;
/** Well below the quiet time after which a drain ends. */
const maxStallMs = 100;
const runs = Number(Deno.args[0] ?? 2);

/** The observations of the clients in one run. */
interface Seen {
  answers: number;
  /** Requests without a response. */
  lost: number;
  /** Responses that told the client to reconnect. */
  closed: number;
}

const request = new TextEncoder().encode("GET /slow/0 HTTP/1.1\r\nHost: localhost\r\n\r\n");

/** Reads one response with a `Content-Length`; `undefined` if the connection ends before it. */
async function readResponse(connection: Deno.Conn): Promise<string | undefined> {
  const buffer = new Uint8Array(4_096);
  let text = "";
  for (;;) {
    const size = await connection.read(buffer).catch(() => null);
    if (size === null) return undefined;
    text += new TextDecoder().decode(buffer.subarray(0, size));
    const head = text.indexOf("\r\n\r\n");
    const [, length] = /content-length: (\d+)/i.exec(text) ?? [];
    if (head >= 0 && text.length >= head + 4 + Number(length)) return text;
  }
}

/**
 * Sends one request after the other, and reconnects when told so, until nothing listens any more.
 */
async function keepAsking(port: number, seen: Seen): Promise<void> {
  for (;;) {
    let connection: Deno.Conn;
    try {
      connection = await Deno.connect({ hostname: "127.0.0.1", port });
    } catch {
      return;
    }
    for (let isOpen = true; isOpen;) {
      const isSent = await connection.write(request).then(() => true, () => false);
      const response = isSent ? await readResponse(connection) : undefined;
      if (response === undefined) seen.lost++;
      else seen.answers++;
      isOpen = response !== undefined && !/^connection: close/im.test(response);
      if (response !== undefined && !isOpen) seen.closed++;
    }
    connection.close();
  }
}

/** Measures the longest stall of this process in milliseconds, until it is stopped. */
function watchStalls(): { readonly stop: () => number } {
  let mostMs = 0;
  let lastMs = performance.now();
  const note = (): void => {
    const nowMs = performance.now();
    mostMs = Math.max(mostMs, nowMs - lastMs);
    lastMs = nowMs;
  };
  const timer = setInterval(note, 10);
  return {
    stop: () => {
      clearInterval(timer);
      note();
      return mostMs;
    },
  };
}

/**
 * Stops a server under load. Stalled clients look idle to the server, which then closes their
 * connections, so a run counts only if this process did not stall.
 */
async function stopCalmly(args: readonly string[]): Promise<Seen & { output: string }> {
  for (let tries = 1;; tries++) {
    const stalls = watchStalls();
    await using server = startServer(args);
    const seen = await stopUnderLoad(server);
    const stalledMs = stalls.stop();
    if (seen.lost === 0 || stalledMs < maxStallMs || tries === 40) {
      return { ...seen, output: server.output() };
    }
  }
}

async function stopUnderLoad(server: WatchedProcess): Promise<Seen> {
  const port = Number(new URL(await server.url()).port);
  const seen: Seen = { answers: 0, lost: 0, closed: 0 };
  const asking = Array.from({ length: clients }, () => keepAsking(port, seen));
  await until(() => seen.answers >= 2_000);
  server.kill("SIGTERM");
  await Promise.all(asking);
  assertEquals((await server.ended()).code, 0);
  return seen;
}

/**
 * Requests from a server that has started to drain; rejects with a `TypeError` if it has already
 * ended.
 */
async function askInDrain(listener: string): Promise<Record<string, unknown>> {
  await using server = startServer(["5000", listener, "drain=10000"]);
  const url = await server.url();
  const askReady = async (): Promise<[status: number, connection: string | null]> => {
    const response = await fetch(`${url}_fw/health/ready`);
    await response.body?.cancel();
    return [response.status, response.headers.get("connection")];
  };
  assertEquals((await askReady())[0], 200);
  server.kill("SIGTERM");
  await server.saw("shutting down");
  const ready = await askReady();
  const response = await fetch(`${url}slow/0`);
  const slow = [response.status, await response.text()];
  return { ready, slow, code: (await server.ended()).code };
}

for (const listener of ["deno", "node"]) {
  Deno.test(`SIGTERM under ${clients} busy keep-alive clients loses no request, ${listener}`, async () => {
    for (let run = 0; run < runs; run++) {
      const args = ["5000", listener, "drain=500", "quiet"];
      const { lost, closed, output } = await stopCalmly(args);
      assertEquals(lost, 0, `run ${run}`);
      assert(closed >= clients, `${closed} were told to connect again`);
      assert(!output.includes("cut off"));
    }
  });

  Deno.test(`during the drain the application is not ready but serves requests, ${listener}`, async () => {
    // A drain without requests ends early, so a test that stalls meanwhile comes too late.
    for (let tries = 1;; tries++) {
      const outcome = await askInDrain(listener).catch((error) => {
        if (error instanceof TypeError && tries < 40) return undefined;
        throw error;
      });
      if (outcome === undefined) continue;
      return assertEquals(outcome, { ready: [503, "close"], slow: [200, "finished"], code: 0 });
    }
  });

  Deno.test(`a body that is still arriving at SIGTERM is read to its end, ${listener}`, async () => {
    await using server = startServer(["5000", listener, "drain=0"]);
    const port = Number(new URL(await server.url()).port);
    using connection = await Deno.connect({ hostname: "127.0.0.1", port });
    const send = (text: string): Promise<number> =>
      connection.write(new TextEncoder().encode(text));
    const rest = ' name="f"; filename="late.txt"\r\n\r\n...\r\n--b--\r\n';
    await send(
      `POST /upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${36 + rest.length}\r\n`,
    );
    await send("Content-Type: multipart/form-data; boundary=b\r\n\r\n");
    await send("--b\r\nContent-Disposition: form-data;");
    await server.saw("upload began");
    server.kill("SIGTERM");
    await server.saw("shutting down");
    await new Promise((resolve) => setTimeout(resolve, 100));
    await send(rest);
    assertStringIncludes(await readResponse(connection) ?? "", "late.txt");
    assertEquals((await server.ended()).code, 0);
  });

  Deno.test(`a server without requests ends before drainMs has passed, ${listener}`, async () => {
    await using server = startServer(["5000", listener, "drain=60000"]);
    const url = await server.url();
    assertEquals(await (await fetch(`${url}slow/0`)).text(), "finished");
    const startMs = performance.now();
    server.kill("SIGTERM");
    assertEquals((await server.ended()).code, 0);
    const tookMs = performance.now() - startMs;
    assert(tookMs < 20_000, `${tookMs}`);
  });
}

Deno.test("the drain: a pause of the process does not count as quiet", async () => {
  const drain = createDrain(() => new Response());
  let isOver = false;
  const over = drain.run({ drainMs: 60_000, shutdownMs: 0 }).then(() => isOver = true);
  // The process gets no time, as on an overloaded machine.
  for (const endMs = performance.now() + 400; performance.now() < endMs;);
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert(!isOver);
  await over;
});
