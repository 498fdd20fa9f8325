import { assertEquals, assertThrows } from "@std/assert";
import { App, createLogger, type Ctx, Off, type SecurityEvent } from "../../../mod.ts";
import { isInNetworks, parseIp, parseNetwork } from "../../../runtime/base/ip.ts";
import { routeOf } from "../app/support.ts";
import { peer } from "../peer.ts";

const networks: readonly [network: string, inside: string, outside: string][] = [
  ["10.0.0.0/8", "10.255.0.1", "11.0.0.0"],
  ["10.0.0.1/8", "10.9.9.9", "9.255.255.255"],
  ["192.0.2.128/25", "192.0.2.129", "192.0.2.127"],
  ["192.0.2.1", "192.0.2.1", "192.0.2.2"],
  ["192.0.2.1/32", "192.0.2.1", "192.0.2.0"],
  ["0.0.0.0/0", "203.0.113.9", "::1"],
  ["2001:db8::/32", "2001:db8:ffff::1", "2001:db9::"],
  ["2001:db8::/33", "2001:db8:7fff::1", "2001:db8:8000::"],
  ["::1", "::1", "::2"],
  ["::/0", "2001:db8::1", "127.0.0.1"],
  ["::ffff:10.0.0.0/104", "10.1.1.1", "11.0.0.1"],
];

for (const [text, inside, outside] of networks) {
  Deno.test(`${text} contains ${inside} and not ${outside}`, () => {
    const network = parseNetwork(text);
    const holds = (ip: string): boolean =>
      network !== undefined && isInNetworks(parseIp(ip) ?? [], [network]);
    assertEquals([holds(inside), holds(outside)], [true, false]);
  });
}

const values = ["", "x", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/08", "10.0.0.0/8/8", "10.0.0/8"]
  .concat(["::/129", "::ffff:10.0.0.0/95", "fe80::%1/64", "10.0.0.0/-1", "*", "localhost"]);
for (const text of values) {
  Deno.test(`boot refuses a proxy ${JSON.stringify(text)} with the fix`, () => {
    const message =
      `Cannot trust the proxy "${text}" (config.trustedProxies, FW_TRUSTED_PROXIES): write an address or a CIDR such as "10.0.0.0/8".`;
    assertThrows(() => new App({ trustedProxies: [text] }).handler(), TypeError, message);
  });
}

interface Told {
  readonly ip: string | undefined;
  readonly isSecure: boolean;
}

async function ask(
  trustedProxies: readonly string[],
  request: { peer?: string; headers?: Record<string, string>; url?: string },
): Promise<Told> {
  const app = new App({ trustedProxies, logRequest: Off });
  app.route(routeOf("GET", "/", (c) => {
    c.setCookie({ name: "a", value: "1" });
    c.header("x-url", c.url.href);
    return c.text(200, c.clientIp ?? "none");
  }));
  const { headers = {}, url = "http://localhost/" } = request;
  const info = request.peer === undefined ? undefined : peer(request.peer);
  const response = await app.fetch(new Request(url, { headers }), info);
  const isSecure = response.headers.has("strict-transport-security");
  assertEquals(response.headers.get("set-cookie")?.includes("Secure"), isSecure);
  const own = new URL(url);
  if (isSecure) own.protocol = "https:";
  assertEquals(response.headers.get("x-url"), own.href);
  const text = await response.text();
  return { ip: text === "none" ? undefined : text, isSecure };
}

const trusted = ["10.0.0.0/8", "fd00::/8"];

const chains: readonly [list: string, client: string][] = [
  ["203.0.113.9, 10.0.0.2", "203.0.113.9"],
  ["198.51.100.1, 203.0.113.9, 10.0.0.2, 10.0.0.3", "203.0.113.9"],
  ["10.0.0.7", "10.0.0.7"],
  ["[2001:db8::1]:443", "2001:db8::1"],
  ["[::1]", "::1"],
  ["203.0.113.9:61000", "203.0.113.9"],
  ["203.0.113.9:65535", "203.0.113.9"],
  ["2001:db8::1, fd00::2%eth0", "2001:db8::1"],
  [" 203.0.113.9 ,10.0.0.2 ", "203.0.113.9"],
  // Each form of an address has one canonical text.
  ..."192.0.2.1 0.0.0.0 255.255.255.255 :: ::1 1:: 2001:db8::1 2001:db8:0:1:1:1:1:1 1:2:3:4:5:6:7:8"
    .split(" ").map((text): [string, string] => [text, text]),
  ["2001:DB8::1", "2001:db8::1"],
  ["2001:0db8:0000:0000:0000:0000:0000:0001", "2001:db8::1"],
  ["2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
  ["1:2:3:4:5:6:192.0.2.1", "1:2:3:4:5:6:c000:201"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::FFFF:c000:201", "192.0.2.1"],
  ["64:ff9b::192.0.2.1", "64:ff9b::c000:201"],
  ["fe80::1%eth0", "fe80::1"],
  ["fe80::1%1", "fe80::1"],
  // Entries to the left of the client's address come from the client itself.
  ...["127.0.0.1", "10.0.0.7", "::1", "198.51.100.1", "fd00::1", "10.0.0.9, ".repeat(20) + "::1"]
    .map((forged): [string, string] => [`${forged}, 203.0.113.9`, "203.0.113.9"]),
  [`127.0.0.1${", 10.9.9.9".repeat(40)}`, "10.9.9.9"],
  ["127.0.0.1, x, 10.0.0.2", "10.0.0.2"],
  // An invalid address ends the search at the proxy that wrote it.
  ...["", "unknown", "_hidden", "<script>", "256.1.1.1", "0177.0.0.1", "0x7f.0.0.1", "2130706433"]
    .concat(["1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.-4", "1.2.3.4:port", "[1.2.3.4]"])
    .concat([":", ":::", "1:::2", "::1::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9"])
    .concat(["1:2:3:4:5:6:7::8", "12345::", "g::", "::1.2.3", "1.2.3.4::", "::1%", "[::1", "::1]"])
    .concat(["::" + "0".repeat(200), "é", "for=1.2.3.4", "localhost", "'; drop table clients"])
    .map((garbage): [string, string] => [garbage, "10.0.0.1"]),
];

for (const [list, client] of chains) {
  Deno.test(`clientIp behind a trusted proxy is ${client} for ${list}`, async () => {
    const headers = { "x-forwarded-for": list };
    assertEquals((await ask(trusted, { peer: "10.0.0.1", headers })).ip, client);
  });
}

/** `X-Forwarded-Proto` with the chain, and whether the client's connection was HTTPS. */
const schemes: readonly [proto: string, list: string, isSecure: boolean][] = [
  ["https", "203.0.113.9", true],
  ["HTTPS", "203.0.113.9", true],
  ["http", "203.0.113.9", false],
  ["https, http", "203.0.113.9, 10.0.0.2", true],
  ["https, http", "203.0.113.9", false],
  [`${"https, ".repeat(1_000)}http`, "203.0.113.9", false],
  ["http, https", "203.0.113.9, 10.0.0.2", false],
  ["https", "203.0.113.9, 10.0.0.2, 10.0.0.3", true],
  ["httpsx", "203.0.113.9", false],
  ["", "203.0.113.9", false],
];

for (const [proto, list, isSecure] of schemes) {
  Deno.test(`isSecure: "${proto.slice(0, 30)}" with the chain ${list} is ${isSecure}`, async () => {
    const headers = { "x-forwarded-for": list, "x-forwarded-proto": proto };
    assertEquals((await ask(trusted, { peer: "10.0.0.1", headers })).isSecure, isSecure);
  });
}

Deno.test("X-Forwarded-* is ignored without trusted proxies and from any other peer", async () => {
  for (const list of ["203.0.113.9", "127.0.0.1", "10.0.0.1", "203.0.113.9, 10.0.0.2"]) {
    const headers = { "x-forwarded-for": list, "x-forwarded-proto": "https" };
    const told = (peer: string, networks = trusted) => ask(networks, { peer, headers });
    assertEquals(await told("192.0.2.5", []), { ip: "192.0.2.5", isSecure: false });
    for (const peer of ["192.0.2.5", "2001:db8::5", "11.0.0.0"]) {
      assertEquals(await told(peer), { ip: peer, isSecure: false });
    }
    assertEquals((await told("::ffff:192.0.2.5")).ip, "192.0.2.5");
  }
});

Deno.test("an HTTPS request is secure without a proxy", async () => {
  const found = await ask([], { peer: "::ffff:192.0.2.5", url: "https://localhost/" });
  assertEquals(found, { ip: "192.0.2.5", isSecure: true });
});

Deno.test("c.url has the client's scheme and the unchanged host and port", async () => {
  const headers = { "x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https" };
  for (const url of ["http://shop.example/?a=/b", "http://shop.example:8443/", "http://[::1]/"]) {
    const told = await ask(trusted, { peer: "10.0.0.1", headers, url });
    assertEquals(told, { ip: "203.0.113.9", isSecure: true });
  }
});

Deno.test("c.clientIp is undefined without a connection", async () => {
  assertEquals((await ask(trusted, {})).ip, undefined);
});

Deno.test("a security event has the client's address, not the proxy's", async () => {
  const events: SecurityEvent[] = [];
  const take = (event: SecurityEvent) => void events.push(event);
  const app = new App({ trustedProxies: trusted, logRequest: Off, onSecurityEvent: take });
  app.route(routeOf("GET", "/x", (c: Ctx) => {
    c.app.security.report(c, "auth", { reason: "test" });
    return c.text(200, "");
  }));
  const headers = { "x-forwarded-for": "203.0.113.9" };
  await app.fetch(new Request("http://localhost/x", { headers }), peer("10.0.0.1"));
  assertEquals(events.map(({ ip, path }) => [ip, path]), [["203.0.113.9", "/x"]]);
});

const networkRows: [network: string, isWarned: boolean][] = [
  ["0.0.0.0/0", true],
  ["192.0.2.1/0", true],
  ["::/0", true],
  ["::ffff:0.0.0.0/96", true],
  ["0.0.0.0/1", false],
  ["10.0.0.0/8", false],
  ["::1", false],
];

for (const [network, isWarned] of networkRows) {
  Deno.test(`trustedProxies: ${network} ${isWarned ? "causes one warning" : "causes no warning"}`, () => {
    let log = "";
    const logger = createLogger({ write: (text) => void (log += text) });
    const app = new App({ trustedProxies: ["127.0.0.1", network], logger, logRequest: Off });
    app.handler();
    app.handler();
    const warnings = log.trimEnd().split("\n").filter((line) =>
      line.includes("trusts every client")
    );
    assertEquals(warnings.length, isWarned ? 1 : 0);
    assertEquals(warnings.filter((line) => JSON.parse(line).network === network), warnings);
  });
}
