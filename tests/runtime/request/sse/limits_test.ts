import { assert, assertEquals } from "@std/assert";
import type { App, OpenLimits } from "../../../../mod.ts";
import { newSite, routeOf } from "../../app/support.ts";
import { peer } from "../../peer.ts";

/** Opens a stream from an address; returns the status and a function that ends it. */
async function open(app: App, ip: string): Promise<[status: number, leave: () => Promise<void>]> {
  const request = new Request("http://localhost/stream");
  const response = await app.fetch(request, peer(ip));
  const reader = response.body?.getReader();
  const first = await reader?.read();
  if (response.status === 200) assert(first?.value !== undefined);
  return [response.status, async () => await reader?.cancel()];
}

const rows: readonly [
  name: string,
  limits: Partial<OpenLimits>,
  addresses: readonly string[],
  statuses: readonly number[],
][] = [
  ["one client", { client: 2 }, ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2"], [
    200,
    200,
    429,
    200,
  ]],
  ["IPv6 hosts", { client: 1 }, ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"], [200, 429, 200]],
  ["one site of IPv4", { site: 2 }, ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.3.1"], [
    200,
    200,
    429,
    200,
  ]],
  ["one site of IPv6", { site: 1 }, ["2001:db8::1", "2001:db8:0:1::1", "2001:db8:1::1"], [
    200,
    429,
    200,
  ]],
  ["all", { all: 1 }, ["192.0.2.1", "198.51.100.1"], [200, 429]],
];

for (const [name, openLimits, addresses, statuses] of rows) {
  Deno.test(`config.openLimits limits the event streams of ${name}`, async () => {
    const { app } = newSite([routeOf("GET", "/stream", (c) =>
      c.stream(async (stream) => {
        await stream.send("", "open");
        await new Promise((resolve) => stream.signal.addEventListener("abort", resolve));
      }))], { config: { openLimits } });
    const opened: [number, () => Promise<void>][] = [];
    for (const ip of addresses) opened.push(await open(app, ip));
    assertEquals(opened.map(([status]) => status), statuses);
    // A closed stream frees its place.
    for (const [, leave] of opened) await leave();
    const [status, leave] = await open(app, addresses[0] ?? "");
    assertEquals(status, 200);
    await leave();
    await app.shutdown();
  });
}
