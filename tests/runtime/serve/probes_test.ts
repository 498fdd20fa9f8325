import { assertEquals } from "@std/assert";
import { Off } from "../../../mod.ts";
import { newSite } from "../app/support.ts";
import { ask, common, failing, readReport, siteOf, token } from "./probed_site.ts";

const good = { "content-type": "application/health+json", ...common };

for (const path of ["/_fw/health/live", "/_fw/health/ready", "/_fw/health"]) {
  Deno.test(`${path} has exactly the headers of a probe, and HEAD the same length`, async () => {
    const get = await ask(siteOf(), { path, token: undefined });
    assertEquals(get, { status: 200, headers: good, text: '{"status":"pass"}' });
    const head = await ask(siteOf(), { path, method: "HEAD", token: undefined });
    assertEquals(head, { status: 200, headers: { ...good, "content-length": "17" }, text: "" });
  });

  for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"]) {
    Deno.test(`${method} ${path} is refused with Allow, as a problem`, async () => {
      const { status, headers, text } = await ask(siteOf(), {
        path,
        method,
        headers: { accept: "text/html", origin: "https://a.example" },
      });
      assertEquals(status, 405);
      const type = "application/problem+json";
      assertEquals(headers, { ...common, allow: "GET, HEAD", "content-type": type });
      assertEquals(JSON.parse(text).title, "Method Not Allowed");
    });
  }

  Deno.test(`${path} is not served with Off`, async () => {
    assertEquals((await ask(siteOf({}, { observability: { health: Off } }), { path })).status, 404);
  });
}

Deno.test("a failing readiness probe is 503 with Retry-After for every client", async () => {
  const site = siteOf({ db: failing });
  for (const shown of [token, undefined]) {
    const { status, headers } = await ask(site, { token: shown });
    assertEquals([status, headers], [503, { ...good, "retry-after": "5" }]);
  }
});

Deno.test("the live probe runs no check and always gets 200", async () => {
  let runs = 0;
  const site = siteOf({
    db: () => {
      runs++;
      throw new Error("x");
    },
  });
  const answer = await ask(site, { path: "/_fw/health/live" });
  assertEquals([answer.status, runs], [200, 0]);
  assertEquals(readReport(answer), { status: "pass", checks: [], uptime_seconds: -1 });
});

Deno.test("the probes are served below the base path, at the configured path", async () => {
  const site = siteOf({}, { config: { basePath: "/shop" }, observability: { health: "/healthz" } });
  const statuses: Record<string, number> = {};
  const cases = ["/shop/healthz", "/shop/healthz/live", "/shop/healthz/ready", "/healthz"]
    .concat(["/shop/_fw/health", "/shop/shop/healthz", "/shop/healthz/", "/shop/healthz/x"]);
  for (const path of cases) statuses[path] = (await ask(site, { path })).status;
  assertEquals(statuses, {
    "/shop/healthz": 200,
    "/shop/healthz/live": 200,
    "/shop/healthz/ready": 200,
    "/healthz": 404,
    "/shop/_fw/health": 404,
    "/shop/shop/healthz": 404,
    "/shop/healthz/": 404,
    "/shop/healthz/x": 404,
  });
});

Deno.test("a query has no effect", async () => {
  assertEquals((await ask(siteOf(), { path: "/_fw/health/live?x=1#y" })).status, 200);
});

const seen: readonly [title: string, options: {
  readonly env?: "dev" | "prod";
  readonly details?: typeof Off;
  readonly token?: string | undefined;
}, hasDetails: boolean][] = [
  ["to no client in production", { token: undefined }, false],
  ["to clients with the token", { token }, true],
  ["to no client with a wrong token", { token: token.replace("0", "1") }, false],
  ["to every client in development", { env: "dev", token: undefined }, true],
  ["to no client with Off", { details: Off, token }, false],
  ["to no client with Off in development", { env: "dev", details: Off, token }, false],
];

for (const [title, { env = "prod", details, ...asked }, hasDetails] of seen) {
  Deno.test(`details of a failure: ${title}`, async () => {
    const site = siteOf({ db: failing }, { config: { env }, observability: { details } });
    const { status, text } = await ask(site, asked);
    assertEquals([status, text.includes("no connection")], [503, hasDetails]);
    if (!hasDetails) assertEquals(text, '{"status":"fail"}');
  });
}

Deno.test("a probe is logged at debug level, whatever its status and logRequest", async () => {
  const site = siteOf({ db: failing }, { config: { logRequest: () => true } });
  await ask(site, { headers: { "x-request-id": "r1" } });
  await ask(site, { path: "/_fw/health/live", method: "POST" });
  const lines = site.logged("request");
  assertEquals(
    lines.map(({ level, method, path, route, status }) => [level, method, path, route, status]),
    [
      ["debug", "GET", "/_fw/health/ready", "", 503],
      ["debug", "POST", "/_fw/health/live", "", 405],
    ],
  );
  assertEquals(lines[0]?.["request_id"], "r1");
});

Deno.test("Off logs no probe", async () => {
  const site = siteOf({}, { config: { logRequest: Off } });
  await ask(site);
  assertEquals(site.lines, []);
});

Deno.test("a probe skips middleware, limits, the policy and the host application", async () => {
  let runs = 0;
  const site = newSite([{
    pattern: "/{path...}",
    methods: { GET: (c) => c.text(200, "route") },
    middleware: [{ Middleware: (_c, next) => (runs++, next()) }],
  }], {
    config: {
      rateLimit: { rate: 0.001, burst: 1 },
      cors: { origins: ["https://a.example"] },
      allowedHosts: ["example.com"],
      observability: { cacheForMs: 0 },
    },
  });
  const handler = site.app.handler({ next: () => new Response("host", { status: 299 }) });
  for (let index = 0; index < 3; index++) {
    const response = await handler(
      new Request("http://10.1.2.3:8080/_fw/health", { headers: { origin: "https://a.example" } }),
    );
    assertEquals([response.status, await response.text()], [200, '{"status":"pass"}']);
    assertEquals(Object.fromEntries(response.headers), good);
  }
  assertEquals(runs, 0);
});
