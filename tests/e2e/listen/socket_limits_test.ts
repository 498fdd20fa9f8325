import { assertEquals, assertStringIncludes } from "@std/assert";
import type { UpgradeOptions } from "../../../mod.ts";
import { serve } from "../../security/raw_client.ts";
import { routeOf } from "../../routes.ts";
import { until } from "../../until.ts";

async function open(url: string, count: number): Promise<[string, WebSocket[]]> {
  const sockets: WebSocket[] = [];
  const outcomes: string[] = [];
  for (let index = 0; index < count; index++) {
    const socket = new WebSocket(url);
    sockets.push(socket);
    outcomes.push(
      await new Promise((resolve) => {
        socket.onopen = () => resolve("open");
        socket.onerror = (event) => {
          if ("preventDefault" in event) event.preventDefault();
          resolve("refused");
        };
      }),
    );
  }
  return [outcomes.join(" "), sockets];
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

const rows: readonly [name: string, options: UpgradeOptions, want: string, status: number][] = [
  ["of each client", { limits: { client: 2 } }, "open open refused", 429],
  ["of each site", { limits: { site: 2 } }, "open open refused", 429],
  ["in all", { limits: { all: 1 } }, "open refused refused", 429],
  ["by default", {}, "open open open", 101],
];

for (const [name, options, want, status] of rows) {
  Deno.test(`c.upgrade limits the open sockets ${name}: ${status}`, async () => {
    await using server = await serve([routeOf("GET", "/ws", (c) => c.upgrade(options).response)]);
    const url = `ws://${server.hostname}:${server.port}/ws`;
    const [outcomes, sockets] = await open(url, 3);
    assertEquals(outcomes, want);
    assertStringIncludes(server.log(), `"status":${status}`);
    // A closed socket frees its place.
    await close(sockets);
    await until(async () => {
      const [again, others] = await open(url, 1);
      await close(others);
      return again === "open";
    });
  });
}
