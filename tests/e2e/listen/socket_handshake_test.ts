import { assertEquals, assertThrows } from "@std/assert";
import { App, HttpError } from "../../../mod.ts";
import { Sockets } from "../../../runtime/pipeline/upgrade.ts";
import { listen, type Listening, listenSettings } from "../../security/raw_client.ts";

const maxPerClient = 4;

function handshake(path: string): Uint8Array {
  return new TextEncoder().encode(
    [
      `GET ${path} HTTP/1.1`,
      "Host: localhost",
      "Upgrade: websocket",
      "Connection: Upgrade",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "Sec-WebSocket-Version: 13",
      "\r\n",
    ].join("\r\n"),
  );
}

async function abortHandshake(server: Listening, path: string): Promise<void> {
  using connection = await Deno.connect({ hostname: server.hostname, port: server.port });
  await connection.write(handshake(path));
}

async function statusOf(server: Listening, path: string): Promise<number> {
  using connection = await Deno.connect({ hostname: server.hostname, port: server.port });
  await connection.write(handshake(path));
  const bytes = new Uint8Array(500);
  const length = await connection.read(bytes) ?? 0;
  return Number(new TextDecoder().decode(bytes.subarray(0, length)).split(" ")[1]);
}

// The platform never ends its operation of an aborted handshake.
Deno.test("an aborted WebSocket handshake frees its place", { sanitizeOps: false }, async () => {
  const lines: string[] = [];
  const app = new App({
    ...listenSettings(lines),
    timeouts: { drainMs: 0, shutdownMs: 100 },
  });
  const wait = () => new Promise((resolve) => setTimeout(resolve, 50));
  let upgrades = 0;
  app.route({
    pattern: "/before",
    methods: {
      GET: async (c) => {
        await wait();
        const { response } = c.upgrade({ maxPerClient });
        upgrades++;
        return response;
      },
    },
  });
  app.route({
    pattern: "/after",
    methods: {
      GET: async (c) => {
        const { response } = c.upgrade({ maxPerClient });
        upgrades++;
        await wait();
        return response;
      },
    },
  });
  await using server = await listen(app, lines);
  for (const path of ["/before", "/before", "/after", "/after"]) {
    await abortHandshake(server, path);
  }
  const endMs = performance.now() + 30_000;
  while (upgrades < maxPerClient && performance.now() < endMs) await wait();
  assertEquals(upgrades, maxPerClient);
  assertEquals(await statusOf(server, "/after"), 429);
  let status = 429;
  while (status === 429 && performance.now() < endMs) {
    await wait();
    status = await statusOf(server, "/after");
  }
  assertEquals(status, 101);
});

/** A socket that the test opens and closes. */
class FakeSocket extends EventTarget {
  close(): void {
    this.dispatchEvent(new Event("close"));
  }
}

Deno.test("a socket that opens after its time for the handshake counts again", () => {
  let nowMs = 0;
  const sockets = new Sockets(() => nowMs);
  const limits = { maxPerClient: 1, maxSockets: 2 };
  const socket = new FakeSocket() as unknown as WebSocket;
  const refuse = (client: string, max = limits) =>
    assertThrows(() => sockets.checkRoom(client, max), HttpError);
  sockets.add(socket, "a");
  refuse("a");
  nowMs = 60_000;
  sockets.checkRoom("a", limits);
  socket.dispatchEvent(new Event("open"));
  refuse("a");
  refuse("b", { maxPerClient: 1, maxSockets: 1 });
  nowMs = 600_000;
  refuse("a");
  socket.close();
  sockets.checkRoom("a", { maxPerClient: 1, maxSockets: 1 });
});
