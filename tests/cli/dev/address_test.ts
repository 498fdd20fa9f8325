/** The address of the development server, and the hosts it accepts. */
import { assertEquals, assertRejects } from "@std/assert";
import { createServer, type Server } from "node:http";
import {
  chooseAddress,
  isHostAllowed,
  listedHosts,
  type Listeners,
  listenOn,
  parseDevAddress,
  urlOf,
} from "../../../cli/dev/address.ts";
import { testUnless } from "../../../tools/skip.ts";

const chosen: [flag: string | undefined, env: Record<string, string>, want: string][] = [
  [undefined, {}, "localhost:3000"],
  [undefined, { PORT: "80" }, "localhost:80"],
  [undefined, { PORT: "" }, "localhost:3000"],
  [undefined, { ADDR: ":80", PORT: "81" }, ":80"],
  [":82", { ADDR: ":80", PORT: "81" }, ":82"],
  [undefined, { ADDR: "127.0.0.1", PORT: "81" }, "127.0.0.1:81"],
  [undefined, { ADDR: "127.0.0.1" }, "127.0.0.1:3000"],
  [undefined, { ADDR: "[::1]", PORT: "81" }, "[::1]:81"],
  [undefined, { ADDR: "80", PORT: "81" }, "80"],
  ["0.0.0.0", { ADDR: ":80", PORT: "81" }, "0.0.0.0:81"],
  ["localhost", { PORT: "81" }, "localhost:81"],
  ["here", { PORT: "81" }, "here"],
];

for (const [flag, env, want] of chosen) {
  Deno.test(`chooseAddress: returns ${want} for --addr ${flag} and ${JSON.stringify(env)}`, () => {
    assertEquals(chooseAddress(flag, env), want);
  });
}

/** A text, the host it listens on, and the URL for this machine. */
const addresses: readonly (readonly [text: string, hostname?: string | undefined, url?: string])[] =
  [
    [":3000", undefined, "http://localhost:3000"],
    ["3000", "localhost", "http://localhost:3000"],
    ["127.0.0.1:3000", "127.0.0.1", "http://127.0.0.1:3000"],
    ["localhost:80", "localhost", "http://localhost:80"],
    ["[::1]:3000", "::1", "http://[::1]:3000"],
    ["0.0.0.0:1", "0.0.0.0", "http://localhost:1"],
    ...["", "::1:3000", ":65536", "host", "http://a:1", "a b:1"].map((text): [string] => [text]),
  ];
for (const [text, hostname, url] of addresses) {
  Deno.test(`parseDevAddress ${JSON.stringify(text)} is ${url}`, () => {
    const address = parseDevAddress(text);
    assertEquals(address?.hostname, hostname);
    assertEquals(address === undefined ? undefined : urlOf(address), url);
  });
}

/** An address at which the network can reach this machine. */
const outer = Deno.networkInterfaces().find(({ family, address }) =>
  family === "IPv4" && !address.startsWith("127.")
)?.address;
const noNetwork = outer === undefined ? "this machine has no address but its own" : undefined;
const noIpv6 = Deno.networkInterfaces().some(({ address }) => address === "::1")
  ? undefined
  : "this machine has no IPv6";

function newServer(): Server {
  return createServer((_request, response) => response.end("x"));
}

async function withListeners(
  text: string,
  test: (listeners: Listeners) => Promise<void>,
): Promise<void> {
  const address = parseDevAddress(text);
  if (address === undefined) throw new Error(`no address: ${text}`);
  const listeners = await listenOn(address, newServer);
  try {
    await test(listeners);
  } finally {
    await listeners.close();
  }
}

async function isReached(hostname: string, port: number): Promise<boolean> {
  try {
    (await Deno.connect({ hostname, port })).close();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.ConnectionRefused) return false;
    throw error;
  }
}

const reached: readonly (readonly [text: string, hostname: string, want: boolean])[] = [
  ["localhost:0", "127.0.0.1", true],
  ["localhost:0", outer ?? "", false],
  ["0", outer ?? "", false],
  ["127.0.0.1:0", outer ?? "", false],
  [":0", "127.0.0.1", true],
  [":0", outer ?? "", true],
  ["0.0.0.0:0", outer ?? "", true],
];

for (const [text, hostname, want] of reached) {
  const from = hostname === "127.0.0.1" ? "this machine" : "the network";
  testUnless(noNetwork, {
    name: `listenOn: ${text} is ${want ? "" : "not "}reached from ${from}`,
    fn: () =>
      withListeners(text, async ({ port }) => {
        assertEquals(await isReached(hostname, port), want);
      }),
  });
}

testUnless(noIpv6, {
  name: "listenOn: localhost is reachable at both of its addresses",
  fn: () =>
    withListeners("localhost:0", async ({ port }) => {
      for (const url of [`http://127.0.0.1:${port}`, `http://[::1]:${port}`]) {
        assertEquals(await (await fetch(url)).text(), "x");
      }
      assertEquals(urlOf({ hostname: "localhost", port }), `http://localhost:${port}`);
    }),
});

for (const [reason, taken] of [[undefined, "127.0.0.1"], [noIpv6, "::1"]] as const) {
  testUnless(reason, {
    name:
      `listenOn: localhost is refused if another program uses ${taken}, and nothing keeps listening`,
    fn: async () => {
      const other = Deno.listen({ hostname: taken, port: 0 });
      const { port } = other.addr;
      try {
        await assertRejects(() => listenOn({ hostname: "localhost", port }, newServer), Error);
      } finally {
        other.close();
      }
      // The port is free again.
      Deno.listen({ hostname: "127.0.0.1", port }).close();
    },
  });
}

const listed = ["app.example", "*.tenant.example", "Box"];

const hosts: readonly (readonly [host: string | undefined, isAllowed: boolean])[] = [
  [undefined, true],
  ["localhost", true],
  ["LOCALHOST:3000", true],
  ["localhost.:3000", true],
  ["a.b.localhost:3000", true],
  ["127.0.0.1:3000", true],
  ["192.168.1.20", true],
  ["[::1]:3000", true],
  ["[fe80::1]", true],
  ["app.example:81", true],
  ["App.Example.", true],
  ["one.tenant.example", true],
  ["box:3000", true],
  ["tenant.example", false],
  ["a.b.tenant.example", false],
  ["evil.example", false],
  ["127.0.0.1.evil.example", false],
  ["localhost.evil.example", false],
  ["notlocalhost", false],
  ["app.example@evil", false],
  ["", false],
  ["a b", false],
];

for (const [host, isAllowed] of hosts) {
  Deno.test(`isHostAllowed ${JSON.stringify(host)} is ${isAllowed}`, () => {
    assertEquals(isHostAllowed(host, () => listed), isAllowed);
  });
}

const lists: readonly (readonly [value: string | undefined, env: string, hosts: string[]])[] = [
  [undefined, "", []],
  ["a, b,", "", ["a", "b"]],
  ["a", "FW_ALLOWED_HOSTS=b", ["a"]],
  ["", "FW_ALLOWED_HOSTS=b", []],
  [undefined, "export FW_ALLOWED_HOSTS = 'a, b'\r\n", ["a", "b"]],
];

for (const [value, env, hosts] of lists) {
  Deno.test(`listedHosts ${JSON.stringify([value, env])} returns ${hosts}`, () => {
    assertEquals(listedHosts(value, () => env), hosts);
  });
}
