import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { App, httpError, type Route, type Settings } from "../../../mod.ts";
import { cpuMs } from "../../cpu_time.ts";
import { newSite, routeOf, type Site, textRoute, throwing } from "../app/support.ts";
import { newFolder } from "../../new_folder.ts";
import { ask, common, token } from "./probed_site.ts";

const routes: readonly Route[] = [
  textRoute("/a"),
  textRoute("/p/{id}"),
  { pattern: "/post", methods: { POST: (c) => c.noContent() } },
  { pattern: "/503", methods: { GET: () => httpError(503, "x") } },
  { pattern: "/403", methods: { GET: () => httpError(403, "x") } },
  { pattern: "/panic", methods: { GET: () => Promise.reject(new Error("x")) } },
];

function siteOf(settings: Settings = {}, list = routes): Site {
  const observability = { metrics: "/metrics", token, ...settings.observability };
  return newSite(list, { config: { ...settings, observability } });
}

async function send(site: Site, path: string, method = "GET"): Promise<number> {
  const response = await site.app.fetch(new Request(`http://localhost${path}`, { method }));
  return response.status;
}

async function scrape(site: Site, path = "/metrics"): Promise<string> {
  const { status, text } = await ask(site, { path });
  assertEquals(status, 200);
  return text;
}

/** Returns the lines whose name starts so, without buckets and sums of histograms. */
function linesOf(text: string, name: string): string[] {
  return text.split("\n").filter((line) =>
    line.startsWith(name) && !/_(?:bucket|sum)\b/.test(line)
  );
}

const requestsOf = (text: string): string[] =>
  linesOf(text, "fw_requests_total{").map((line) =>
    line.replace(/^\w+\{method="(\w+)",route="([^"]*)",status="(\d+)"\}/, "$1 $2 $3 ×")
  );

function valueOf(text: string, name: string): number {
  const line = text.split("\n").find((each) => each.startsWith(`${name} `));
  assert(line !== undefined, `no ${name}`);
  return Number(line.slice(name.length + 1));
}

Deno.test("the metrics have exactly these headers, and HEAD sends their length", async () => {
  const site = siteOf();
  const good = { ...common, "content-type": "text/plain; version=0.0.4; charset=utf-8" };
  const get = await ask(site, { path: "/metrics" });
  assertEquals([get.status, get.headers], [200, good]);
  const head = await ask(site, { path: "/metrics", method: "HEAD" });
  const { "content-length": length, ...headers } = head.headers;
  assertEquals([head.status, headers, head.text], [200, good, ""]);
  assertMatch(String(length), /^\d{4,5}$/);
});

Deno.test("metrics without authorization get 401, as a problem with its challenge", async () => {
  const site = siteOf();
  const sent = { path: "/metrics", token: undefined, headers: { accept: "text/html" } };
  const { status, headers, text } = await ask(site, sent);
  assertEquals([status, headers], [401, {
    ...common,
    "content-type": "application/problem+json",
    "www-authenticate": 'Bearer realm="metrics"',
  }]);
  assertEquals(JSON.parse(text).title, "Unauthorized");
  const found = site.logged("security").map(({ kind, reason }) => [kind, reason]);
  assertEquals(found, [["auth", "401"]]);
});

for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "QUERY"]) {
  Deno.test(`${method} of the metrics gets 405, even with the token`, async () => {
    const site = siteOf({ cors: { origins: ["https://a.example"] } });
    const asked = { origin: "https://a.example", "access-control-request-method": "GET" };
    const { status, headers } = await ask(site, { path: "/metrics", method, headers: asked });
    assertEquals([status, headers], [405, {
      ...common,
      allow: "GET, HEAD",
      "content-type": "application/problem+json",
    }]);
  });
}

for (const metrics of [undefined, ""]) {
  Deno.test(`without a path (${JSON.stringify(metrics)}) the metrics are neither served nor measured`, async () => {
    const site = siteOf({ observability: { metrics } });
    await send(site, "/a");
    assertEquals(await send(site, "/metrics"), 404);
    // The names are unused, because no metric was created.
    site.app.metrics.gauge("fw_requests_total", "Mine.").set(1);
    site.app.metrics.gauge("fw_panics_total", "Mine.").set(1);
    site.app.metrics.gauge("fw_uptime_seconds", "Mine.", "x");
  });
}

const counted: readonly [method: string, path: string, line: string][] = [
  ["GET", "/a", 'method="GET",route="/a",status="200"'],
  ["GET", "/a?q=secret", 'method="GET",route="/a",status="200"'],
  ["HEAD", "/a", 'method="HEAD",route="/a",status="200"'],
  ["GET", "/p/1", 'method="GET",route="/p/{id}",status="200"'],
  ["GET", "/p/secret", 'method="GET",route="/p/{id}",status="200"'],
  ["POST", "/post", 'method="POST",route="/post",status="204"'],
  ["POST", "/a", 'method="POST",route="/a",status="405"'],
  ["QUERY", "/a", 'method="other",route="/a",status="405"'],
  ["get", "/a", 'method="GET",route="/a",status="200"'],
  ["GET", "/503", 'method="GET",route="/503",status="503"'],
  ["GET", "/403", 'method="GET",route="/403",status="403"'],
  ["GET", "/panic", 'method="GET",route="/panic",status="500"'],
  ["GET", "/nothing", 'method="GET",route="other",status="404"'],
  ["GET", "/a/", 'method="GET",route="other",status="301"'],
  ["GET", "/%zz", 'method="GET",route="other",status="400"'],
  ["GET", "/_fw/health/live", 'method="GET",route="other",status="200"'],
  ["PATCH", "/_fw/health/live", 'method="PATCH",route="other",status="405"'],
  ["XYZ", "/nothing", 'method="other",route="other",status="404"'],
];

for (const [method, path, line] of counted) {
  Deno.test(`${method} ${path} is counted and timed once, as ${line}`, async () => {
    const site = siteOf();
    await send(site, path, method);
    const text = await scrape(site);
    assertEquals(linesOf(text, "fw_requests_total{"), [`fw_requests_total{${line}} 1`]);
    const labels = line.replace(/,status=.*/, "");
    assertEquals(linesOf(text, "fw_request_duration_seconds"), [
      `fw_request_duration_seconds_count{${labels}} 1`,
    ]);
    const sum = /^fw_request_duration_seconds_sum\S* (.*)$/m.exec(text)?.[1];
    assert(Number(sum) > 0 && Number(sum) < 10);
    // The scrape itself is in flight.
    assertEquals(valueOf(text, "fw_requests_in_flight"), 1);
    assertEquals(valueOf(text, "fw_panics_total"), path === "/panic" ? 1 : 0);
  });
}

Deno.test("static files, missing files and refused methods have the route other", async () => {
  await using temporary = await newFolder();
  const folder = temporary.path;
  await Deno.writeTextFile(`${folder}/x.txt`, "hi");
  const site = siteOf({ public: folder, mounts: { "/m": folder } });
  assertEquals(await send(site, "/x.txt"), 200);
  assertEquals(await send(site, "/m/x.txt"), 200);
  assertEquals(await send(site, "/m/y.txt"), 404);
  assertEquals(await send(site, "/x.txt", "POST"), 405);
  const text = await scrape(site);
  assertEquals(requestsOf(text), ["GET other 200 × 2", "GET other 404 × 1", "POST other 405 × 1"]);
  assertEquals(valueOf(text, "fw_requests_in_flight"), 1);
});

Deno.test("the host's responses have the route other, and failures are counted", async () => {
  const site = siteOf();
  const answers = [
    () => new Response("now", { status: 201 }),
    () => Promise.resolve(new Response("later", { status: 202 })),
    () => Promise.reject(new Error("host")),
    throwing(new Error("host")),
    // A fault of plain JavaScript, which the host gets as a rejection.
    () => undefined as never,
  ];
  for (const next of answers) {
    const request = new Request("http://localhost/host");
    await site.app.handler({ next })(request).then((response) => response.body?.cancel(), () => {});
  }
  const text = await scrape(site);
  assertEquals(requestsOf(text), ["GET other 201 × 1", "GET other 202 × 1", "GET other 500 × 3"]);
  assertEquals(valueOf(text, "fw_requests_in_flight"), 1);
});

Deno.test("a request is in flight until its response starts", async () => {
  const gate = Promise.withResolvers<void>();
  const site = siteOf({}, [
    routeOf("GET", "/slow", (c) => gate.promise.then(() => c.text(200, "x"))),
  ]);
  const running = [send(site, "/slow"), send(site, "/slow")];
  assertEquals(valueOf(await scrape(site), "fw_requests_in_flight"), 3);
  gate.resolve();
  await Promise.all(running);
  assertEquals(valueOf(await scrape(site), "fw_requests_in_flight"), 1);
});

Deno.test("a response whose last steps fail is counted once", async () => {
  const site = siteOf({}, [routeOf("GET", "/bad", (c) => {
    c.header("x-bad", "a\nb");
    return c.text(200, "x");
  })]);
  await send(site, "/bad");
  const text = await scrape(site);
  assertEquals(requestsOf(text), ["GET /bad 500 × 1"]);
  assertEquals(valueOf(text, "fw_requests_in_flight"), 1);
});

Deno.test("every kind of security event has a series from the start and is counted", async () => {
  const site = siteOf({
    allowedHosts: ["localhost"],
    rateLimit: { rate: 0.001, burst: 3 },
    maxBodyBytes: 3,
  }, [
    ...routes,
    { pattern: "/form", page: () => null, methods: { POST: (c) => c.text(200, "x") } },
    { pattern: "/read", methods: { POST: async (c) => c.text(200, await c.request.text()) } },
  ]);
  const kinds = ["csrf", "auth", "body", "rate", "panic", "host"];
  const read = async (): Promise<number[]> => {
    const text = await scrape(site);
    return kinds.map((kind) => valueOf(text, `fw_security_events_total{kind="${kind}"}`));
  };
  assertEquals(await read(), [0, 0, 0, 0, 0, 0]);
  await send(site, "/panic");
  await send(site, "/form", "POST");
  const body = new Request("http://localhost/read", { method: "POST", body: "x".repeat(10) });
  await (await site.app.fetch(body)).body?.cancel();
  await send(site, "/a");
  await send(site, "/metrics");
  await (await site.app.fetch(new Request("http://evil.example/a"))).body?.cancel();
  assertEquals(await read(), [1, 1, 1, 1, 1, 1]);
  assertEquals(valueOf(await scrape(site), "fw_panics_total"), 1);
});

Deno.test("the metrics include the process", async () => {
  const text = await scrape(siteOf());
  const found = linesOf(text, "fw_build_info");
  assertEquals(found, [`fw_build_info{version="0.1.0",deno_version="${Deno.version.deno}"} 1`]);
  const uptime = valueOf(text, "fw_uptime_seconds");
  assert(uptime >= 0 && uptime < 60);
  const megabyte = 1_048_576;
  for (const name of ["process_resident_memory_bytes", "deno_heap_used_bytes"]) {
    assert(valueOf(text, name) > megabyte && valueOf(text, name) < 10_000 * megabyte);
  }
  assert(valueOf(text, "deno_heap_size_bytes") >= valueOf(text, "deno_heap_used_bytes"));
  assert(valueOf(text, "deno_external_memory_bytes") > 0);
  const started = valueOf(text, "process_start_time_seconds");
  assert(Math.abs(started - performance.timeOrigin / 1_000) < 1);
  assert(valueOf(text, "process_cpu_seconds_total") > 0);
  assertEquals(valueOf(text, "fw_event_loop_lag_seconds_count"), 1);
});

Deno.test("the CPU metric follows the process", async () => {
  const site = siteOf();
  const before = valueOf(await scrape(site), "process_cpu_seconds_total");
  const startMs = cpuMs();
  while (cpuMs() - startMs < 60);
  const grown = valueOf(await scrape(site), "process_cpu_seconds_total") - before;
  assert(grown > 0.01 && grown < 5, String(grown));
});

Deno.test("every series is unique", async () => {
  const site = siteOf({ observability: { maxSeries: 3 } });
  for (const [method, path] of counted) await send(site, path, method);
  const text = await scrape(site);
  const names = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.slice(0, line.lastIndexOf(" ")));
  assertEquals(names.length, new Set(names).size);
  const heads = text.split("\n").filter((line) => line.startsWith("# TYPE"));
  assertEquals(heads.length, new Set(heads).size);
});

Deno.test("series over the limit are counted as other, with one warning per metric", async () => {
  const site = siteOf({ observability: { maxSeries: 2 } });
  const orders = site.app.metrics.counter("shop_orders_total", "Orders taken.", "city");
  for (const city of ["Faro", "Porto", "Braga", "Beja"]) orders.with(city).inc();
  assertEquals(linesOf(await scrape(site), "shop_"), [
    'shop_orders_total{city="Faro"} 1',
    'shop_orders_total{city="Porto"} 1',
    'shop_orders_total{city="other"} 2',
  ]);
  const warned = site.lines.filter(({ msg }) => String(msg).startsWith("a metric has too many"));
  assertEquals(warned.map(({ level, metric, max_series }) => [level, metric, max_series]), [
    ["warn", "shop_orders_total", 2],
  ]);
});

Deno.test("the series limit applies to the application's metrics, and fw's own have every route", async () => {
  const site = siteOf({ observability: { maxSeries: 2 } });
  for (const path of ["/a", "/p/1", "/503", "/403", "/a"]) await send(site, path);
  // A flood of invented methods and paths creates one series.
  for (let index = 0; index < 200; index++) await send(site, `/x${index}`, `M${index}`);
  assertEquals(requestsOf(await scrape(site)), [
    "GET /a 200 × 2",
    "GET /p/{id} 200 × 1",
    "GET /503 503 × 1",
    "GET /403 403 × 1",
    "other other 404 × 200",
  ]);
});

Deno.test("the metrics are served below the base path", async () => {
  const site = siteOf({ basePath: "/shop" });
  assertEquals(await send(site, "/metrics"), 404);
  assertMatch(await scrape(site, "/shop/metrics"), /^# HELP /);
});

Deno.test("boot refuses a metric of the application with a name of the framework", () => {
  const app = new App({ observability: { metrics: "/metrics" } });
  app.metrics.gauge("fw_panics_total", "Mine.");
  assertThrows(() => app.handler(), TypeError, 'Cannot create the metric "fw_panics_total"');
});

Deno.test("a scrape is logged at debug", async () => {
  const site = siteOf();
  await scrape(site);
  assertEquals(site.lines.map(({ level, msg, path, status }) => [level, msg, path, status]), [
    ["debug", "request", "/metrics", 200],
  ]);
});

Deno.test("boot warns if every client is trusted", () => {
  const site = siteOf({ observability: { trusted: ["10.0.0.0/8", "0.0.0.0/0", "::/0"] } });
  site.app.handler();
  const found = site.lines.map(({ level, network }) => [level, network]);
  assertEquals(found, [["warn", "0.0.0.0/0"], ["warn", "::/0"]]);
});
