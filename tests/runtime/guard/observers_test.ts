import { assertEquals } from "@std/assert";
import { App, createLogger, type Settings } from "../../../mod.ts";

/** A scrape of the metrics or a look at a probe, without a token, by a trusted address. */
async function ask(
  url: string,
  settings: Settings,
  headers: Record<string, string> = {},
): Promise<string> {
  const app = new App({
    logger: createLogger({ write: () => {} }),
    observability: { metrics: "/metrics", trusted: ["10.0.0.0/8"] },
    ...settings,
  });
  const response = await app.fetch(new Request(url, { headers }), {
    remoteAddr: { transport: "tcp", hostname: "10.0.0.1", port: 1 },
    completed: Promise.resolve(),
  });
  return /fw_build_info|uptime_seconds/.test(await response.text()) ? "open" : "closed";
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
    assertEquals(await ask(`http://${host}/metrics`, { allowedHosts }), want);
  });
}

/** What follows a request that went before: an address of the server that is known is compared no more. */
const headers: readonly (readonly [url: string, host: string, want: string])[] = [
  ["http://10.0.0.7/metrics", "10.0.0.7", "open"],
  ["http://10.0.0.7/metrics", "evil.example", "closed"],
  ["http://localhost/metrics", "evil.example", "closed"],
  ["http://localhost/metrics", "localhost, evil.example", "closed"],
];

for (const [url, host, want] of headers) {
  Deno.test(`observability.trusted: ${url} with Host: ${host} is ${want}`, async () => {
    assertEquals(await ask(new URL("/", url).href, { env: "prod" }), "closed");
    assertEquals(await ask(url, {}, { host }), want);
  });
}

Deno.test("observability.trusted: a 401 under a name says which host to allow; others get no hint", async () => {
  const rows: readonly [address: string, headers: Record<string, string>, hint: boolean][] = [
    ["10.0.0.1", {}, true],
    ["192.0.2.1", {}, false],
    ["10.0.0.1", { authorization: "Bearer wrong" }, false],
    ["10.0.0.1", { "x-forwarded-for": "10.0.0.2" }, false],
  ];
  for (const [hostname, headers, hint] of rows) {
    const app = new App({
      logger: createLogger({ write: () => {} }),
      observability: { metrics: "/metrics", trusted: ["10.0.0.0/8"] },
    });
    const response = await app.fetch(new Request("http://app:9090/metrics", { headers }), {
      remoteAddr: { transport: "tcp", hostname, port: 1 },
      completed: Promise.resolve(),
    });
    const text = await response.text();
    assertEquals(response.status, 401);
    assertEquals(
      text.includes('the Host \\"app:9090\\" is not listed: add \\"app\\" to config.allowedHosts'),
      hint,
      text,
    );
  }
});

for (const [host, want] of [["localhost", "open"], ["evil.example", "closed"]] as const) {
  Deno.test(`details of a probe in development: http://${host} is ${want}`, async () => {
    assertEquals(await ask(`http://${host}/_fw/health`, { env: "dev" }), want);
  });
}
