import { assertEquals } from "@std/assert";
import { App, createLogger, type Settings } from "../../../mod.ts";
import { peer } from "../peer.ts";

/** Sends requests from an address to an application that shows its metrics to a network. */
function newSite(
  settings: Settings = {},
): (url: string, headers?: Record<string, string>, hostname?: string) => Promise<Response> {
  const observability = { metrics: "/metrics", trusted: ["10.0.0.0/8"] };
  const app = new App({ logger: createLogger({ write: () => {} }), observability, ...settings });
  return (url, headers = {}, hostname = "10.0.0.1") =>
    app.fetch(new Request(url, { headers }), peer(hostname));
}

const hosts: readonly (readonly [host: string, allowed: readonly string[], want: string])[] = [
  ["10.0.0.7:3000", [], "open"],
  ["127.0.0.1", [], "open"],
  ["[::1]:3000", [], "open"],
  ["[fd00::7]", [], "open"],
  ["localhost", [], "open"],
  ["LOCALHOST:3000", [], "open"],
  ["events.internal:3000", [], "closed"],
  ["localhost.evil.example", [], "closed"],
  ["evil-localhost", [], "closed"],
  ["10.0.0.7.evil.example", [], "closed"],
  ["events.internal:3000", ["events.internal"], "open"],
  ["10.0.0.7:3000", ["events.internal"], "open"],
  ["localhost", ["events.internal"], "open"],
  ["other.internal", ["events.internal"], "closed"],
];

for (const [host, allowedHosts, want] of hosts) {
  const name = `http://${host} with [${allowedHosts}] in allowedHosts is ${want}`;
  Deno.test(`observability.trusted: ${name}`, async () => {
    const response = await newSite({ allowedHosts })(`http://${host}/metrics`);
    const isOpen = (await response.text()).includes("fw_build_info");
    assertEquals(isOpen ? "open" : "closed", want);
  });
}

/**
 * Absolute targets with another `Host`. The second request of an origin is sent, because the target check
 * compares the two hosts only until the origin is known.
 */
const headers: readonly (readonly [url: string, host: string, status: number])[] = [
  ["http://10.0.0.7/metrics", "10.0.0.7", 200],
  ["http://10.0.0.7/metrics", "listed.example", 200],
  ["http://listed.example/metrics", "10.0.0.7", 200],
  ["http://10.0.0.7/metrics", "evil.example", 401],
  ["http://localhost/metrics", "evil.example", 401],
  ["http://localhost/metrics", "localhost, evil.example", 401],
];

for (const [url, host, status] of headers) {
  Deno.test(`observability.trusted: ${url} with Host: ${host} is ${status}`, async () => {
    const ask = newSite({ allowedHosts: ["listed.example"] });
    assertEquals((await ask(url)).status, 200);
    const response = await ask(url, { host });
    const text = await response.text();
    assertEquals(response.status, status, text);
    const hint = `the Host \\"${host}\\" is not listed`;
    assertEquals(text.includes(hint), status === 401, text);
  });
}

Deno.test("observability.trusted: a 401 under a host name suggests the host only to trusted peers", async () => {
  const rows: readonly [address: string, headers: Record<string, string>, hint: boolean][] = [
    ["10.0.0.1", {}, true],
    ["192.0.2.1", {}, false],
    ["10.0.0.1", { authorization: "Bearer wrong" }, false],
    ["10.0.0.1", { "x-forwarded-for": "10.0.0.2" }, false],
  ];
  for (const [hostname, headers, hint] of rows) {
    const response = await newSite()("http://app:9090/metrics", headers, hostname);
    const text = await response.text();
    assertEquals(response.status, 401);
    const fix = 'the Host \\"app:9090\\" is not listed: add \\"app\\" to config.allowedHosts';
    assertEquals(text.includes(fix), hint, text);
  }
});
