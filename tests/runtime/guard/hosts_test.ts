import { assert, assertEquals, assertThrows } from "@std/assert";
import { App, createLogger, type Env, Off, type SecurityEvent } from "../../../mod.ts";

const events: SecurityEvent[] = [];

async function statusOf(
  allowedHosts: readonly string[],
  request: { readonly host: string; readonly env?: Env; readonly accept?: string },
): Promise<number> {
  const { host, env = "prod" } = request;
  const take = (event: SecurityEvent) => void events.push(event);
  const app = new App({ allowedHosts, env, logRequest: Off, onSecurityEvent: take });
  app.route({ pattern: "/x", methods: { GET: (c) => c.text(200, "") } });
  const response = await app.fetch(new Request(`http://${host}/x`));
  return response.status;
}

/** Hosts by the allowed list, including refused ones. */
const rows: readonly [allowed: string, passing: string, refused: string][] = [
  [
    "example.com",
    "example.com EXAMPLE.com:8080 example.com. example.com.:443",
    "www.example.com example.com.evil.example badexample.com examplexcom example.co example.comm " +
    "www.example.com. example.com.. 192.0.2.1:80 [2001:db8::1] localhost 127.0.0.1 [::1]",
  ],
  ["Example.COM", "example.com", ""],
  ["example.com.", "example.com example.com.", "com"],
  ["example.com:3000", "example.com", ""],
  [
    "*.example.com",
    "a.example.com A.example.com:1 a.example.com.",
    "a.b.example.com example.com aexample.com www.a.example.com:8080 .example.com .example.com:80",
  ],
  ["127.0.0.1", "127.0.0.1:3000", "127.0.0.2"],
  ["[::1]", "[::1]:3000", ""],
  ["::1", "[::1]", ""],
  ["[2001:db8::1]", "[2001:DB8:0::1]", ""],
];

for (const [allowed, passing, refused] of rows) {
  for (const [hosts, status] of [[passing, 200], [refused, 400]] as const) {
    for (const host of hosts.split(" ").filter((host) => host !== "")) {
      Deno.test(`allowedHosts ${allowed}: ${host} is ${status}`, async () => {
        assertEquals(await statusOf([allowed], { host }), status);
      });
    }
  }
}

/** Requests that follow an allowed one to the same application, whose result is cached. */
const later: readonly [name: string, url: string, init: RequestInit][] = [
  ["another host", "http://evil.example/x", {}],
  ["a host with an allowed prefix", "http://example.com.evil/x", {}],
  ["another method", "http://evil.example/x", { method: "DELETE" }],
  ["a path without a route", "http://evil.example/nothing", {}],
  ["X-Forwarded-Host of an allowed host", "http://evil.example/x", {
    headers: { "x-forwarded-host": "example.com", forwarded: "host=example.com" },
  }],
  ...["evil.example", "evil.example:80", "example.com.evil.example", "a.b.example.com", "[::1]"]
    .map((host): [string, string, RequestInit] => [
      `the absolute form with Host: ${host}`,
      "http://example.com/x",
      { headers: { host } },
    ]),
];

for (const [name, url, init] of later) {
  Deno.test(`allowedHosts after an accepted request: ${name} gets 400`, async () => {
    const app = new App({ allowedHosts: ["example.com", "*.example.com"], logRequest: Off });
    const GET = (): Response => new Response();
    app.route({ pattern: "/x", methods: { GET, DELETE: GET } });
    assertEquals((await app.fetch(new Request("http://example.com/x"))).status, 200);
    const headers = { accept: "application/json", ...init.headers as Record<string, string> };
    const response = await app.fetch(new Request(url, { ...init, headers }));
    assertEquals([response.status, (await response.json()).code], [400, "host_not_allowed"]);
  });
}

const refused: readonly (readonly [name: string, host: string, sent: string, logged: string])[] = [
  ["its name", "evil.example:81", "", "evil.example:81"],
  ["the Host that differs", "example.com", "evil.example", "example.com evil.example"],
  ["an escaped name", "example.com", "a\u0085\u00ad", "example.com a\\u0085\\u00ad"],
  ["a capped name", "example.com", "a".repeat(999), `example.com ${"a".repeat(247)}`],
];
for (const [name, host, sent, logged] of refused) {
  Deno.test(`allowedHosts: the log line of a refused host has ${name} and the setting`, async () => {
    let lines = "";
    const logger = createLogger({ write: (line) => void (lines += line) });
    const app = new App({ allowedHosts: ["example.com"], env: "prod", logger, logRequest: Off });
    const headers = { accept: "application/json", ...sent === "" ? {} : { host: sent } };
    // After an accepted request, another Host passes the parser.
    await app.fetch(new Request("http://example.com/x"));
    const response = await app.fetch(new Request(`http://${host}/x`, { headers }));
    assertEquals([response.status, (await response.json()).code], [400, "host_not_allowed"]);
    assert(lines.includes(`"host":"${logged}"`), lines);
    assert(lines.includes("config.allowedHosts (FW_ALLOWED_HOSTS)"), lines);
  });
}

/** Hosts of an application that allows example.com, and of one without a list, in development. */
const inDevelopment: readonly [status: number, unlisted: number, ...hosts: string[]][] = [
  [200, 200, ..."localhost localhost:3000 127.0.0.1:3000 127.1.2.3:80 [::1]:3000".split(" ")],
  // Another site cannot make an IP address point here (DNS rebinding).
  [200, 200, ..."10.0.0.5 192.168.1.20:3000 [fe80::1]:3000 [fe80::1]".split(" ")],
  [400, 400, ..."evil.example localhost.evil.example 127.0.0.1.evil.example".split(" ")],
  [400, 400, ..."evil.example:3000 evillocalhost app".split(" ")],
  [200, 400, "example.com"],
  [200, 200, ..."LOCALHOST shop.localhost a.shop.localhost:3000".split(" ")],
];

for (const [status, unlisted, ...hosts] of inDevelopment) {
  for (const host of hosts) {
    Deno.test(`allowedHosts in development: ${host} gets ${status}, or ${unlisted} without a list`, async () => {
      assertEquals(await statusOf(["example.com"], { host, env: "dev" }), status);
      assertEquals(await statusOf([], { host, env: "dev" }), unlisted);
    });
  }
}

Deno.test("an empty list accepts every host in production", async () => {
  assertEquals(await statusOf([], { host: "anything.example" }), 200);
});

Deno.test("an empty list in development hides the error page from other hosts", async () => {
  const app = new App({ env: "dev", logRequest: Off, logger: createLogger({ write: () => {} }) });
  app.route({
    pattern: "/x",
    page: () => {
      throw new Error("with source");
    },
  });
  for (const [host, shows] of [["localhost", true], ["evil.example", false]] as const) {
    const answer = await app.fetch(
      new Request(`http://${host}/x`, { headers: { accept: "text/html" } }),
    );
    assertEquals((await answer.text()).includes("with source"), shows, host);
  }
});

Deno.test("a refusal is reported as a host event and runs no code of the application", async () => {
  events.length = 0;
  let ran = 0;
  const app = new App({
    allowedHosts: ["example.com"],
    logRequest: Off,
    onSecurityEvent: (event) => void events.push(event),
  }, { error: () => void ran++ });
  app.route({ pattern: "/x", methods: { GET: (c) => (ran++, c.text(200, "")) } });
  const cases = [["text/html", "text/html; charset=utf-8"], [
    "application/json",
    "application/problem+json",
  ]] as const;
  for (const [accept, type] of cases) {
    const response = await app.fetch(
      new Request("http://evil.example/x?y", { headers: { accept } }),
    );
    assertEquals([response.status, response.headers.get("content-type")], [400, type]);
    assert(!(await response.text()).includes("evil.example"));
  }
  const told = events.map(({ kind, path }) => `${kind} ${path}`);
  assertEquals([ran, ...told], [0, "host /x", "host /x"]);
});

const values = ["", "*", "http://example.com", "example.com/", "a b", "*.*.example.com", ".x"]
  .concat(["a.*.com", "user@example.com", "example.com..", "a..b", "[x]", "*example"]);
for (const pattern of values) {
  Deno.test(`allowedHosts refuses ${JSON.stringify(pattern)} at boot with the fix`, () => {
    const message =
      `Cannot allow the host "${pattern}" (config.allowedHosts, FW_ALLOWED_HOSTS): write a name such as "example.com" or "*.example.com", without scheme and path`;
    assertThrows(() => new App({ allowedHosts: [pattern] }).handler(), TypeError, message);
  });
}

Deno.test("allowedHosts requires the ASCII form of an international name", () => {
  const message = 'Cannot allow the host "exämple.com" (config.allowedHosts, FW_ALLOWED_HOSTS): ' +
    'write "xn--exmple-cua.com", as browsers do.';
  assertThrows(() => new App({ allowedHosts: ["exämple.com"] }).handler(), TypeError, message);
});
