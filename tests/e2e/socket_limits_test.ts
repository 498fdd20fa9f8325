import { assertEquals } from "@std/assert";
import { App, type UpgradeOptions } from "../../mod.ts";
import { listen, listenSettings } from "../security/raw_client.ts";

/** Opens sockets one after the other; gives whether each was accepted, and the sockets. */
async function open(url: string, count: number): Promise<[boolean[], WebSocket[]]> {
  const sockets: WebSocket[] = [];
  const accepted: boolean[] = [];
  for (let index = 0; index < count; index++) {
    const socket = new WebSocket(url);
    sockets.push(socket);
    accepted.push(
      await new Promise((resolve) => {
        socket.onopen = () => resolve(true);
        socket.onerror = (event) => {
          if ("preventDefault" in event) event.preventDefault();
          resolve(false);
        };
      }),
    );
  }
  return [accepted, sockets];
}

async function close(sockets: readonly WebSocket[]): Promise<void> {
  await Promise.all(sockets.map((socket) =>
    new Promise<void>((resolve) => {
      if (socket.readyState === WebSocket.CLOSED) return resolve();
      socket.onclose = () => resolve();
      socket.close();
    })
  ));
}

const rows: readonly [name: string, options: UpgradeOptions, want: boolean[], status: number][] = [
  ["of each client", { maxPerClient: 2 }, [true, true, false], 429],
  ["in all", { maxSockets: 1 }, [true, false, false], 503],
  ["by default", {}, [true, true, true], 101],
];

for (const [name, options, want, status] of rows) {
  Deno.test(`c.upgrade limits the open sockets ${name}: ${status}`, async () => {
    const lines: string[] = [];
    const app = new App(listenSettings(lines));
    app.route({ pattern: "/ws", methods: { GET: (c) => c.upgrade(options).response } });
    await using server = await listen(app, lines);
    const url = `ws://${server.hostname}:${server.port}/ws`;
    const [accepted, sockets] = await open(url, 3);
    assertEquals(accepted, want);
    assertEquals(lines.join("").includes(`"status":${status}`), true, lines.join(""));
    // A socket that closes makes room.
    await close(sockets);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const [again, others] = await open(url, 1);
    assertEquals(again, [true]);
    await close(others);
  });
}
