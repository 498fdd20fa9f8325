import { createLogger, httpError, Off } from "../../../mod.ts";
import type { Logger, Route, Settings } from "../../../mod.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { testRequest, withHeader } from "../../../runtime/testing/mod.ts";
import { type LogLine, newSite, type Site, textRoute } from "../app/support.ts";

const routes: readonly Route[] = [
  textRoute("/a"),
  textRoute("/p/{id}"),
  { pattern: "/409", methods: { GET: () => httpError(409, "x") } },
  { pattern: "/503", methods: { GET: () => httpError(503, "x") } },
  { pattern: "/500", methods: { GET: () => Promise.reject(new Error("x")) } },
  { pattern: "/staged", methods: { GET: (c) => c.respond(c.text(202, "x")) } },
];

function siteOf(config: Settings = {}): Site {
  return newSite(routes, { config });
}

function requestLine(site: Site): Omit<LogLine, "time"> {
  const [line = {}, ...more] = site.logged("request");
  assertEquals(more, []);
  const { time, duration_ms, ...rest } = line;
  assertMatch(String(time), /^\d{4}-\d\d-\d\dT/);
  assert(typeof duration_ms === "number" && duration_ms >= 0 && duration_ms < 10_000);
  return rest;
}

const rows: readonly [method: string, path: string, line: LogLine][] = [
  ["GET", "/a", { level: "info", path: "/a", route: "/a", status: 200 }],
  ["GET", "/a?token=secret", { level: "info", path: "/a", route: "/a", status: 200 }],
  ["HEAD", "/a", { level: "info", path: "/a", route: "/a", status: 200 }],
  ["POST", "/a", { level: "info", path: "/a", route: "/a", status: 405 }],
  ["GET", "/p/caf%C3%A9", { level: "info", path: "/p/caf%C3%A9", route: "/p/{id}", status: 200 }],
  ["GET", "/p/%22x%22", { level: "info", path: "/p/%22x%22", route: "/p/{id}", status: 200 }],
  ["GET", "/409", { level: "info", path: "/409", route: "/409", status: 409 }],
  ["GET", "/503", { level: "error", path: "/503", route: "/503", status: 503 }],
  ["GET", "/500", { level: "error", path: "/500", route: "/500", status: 500 }],
  ["GET", "/staged", { level: "info", path: "/staged", route: "/staged", status: 202 }],
];

for (const [method, path, line] of rows) {
  Deno.test(`the line of ${method} ${path}`, async () => {
    const site = siteOf();
    await testRequest(site.app, method, path, withHeader("x-request-id", "r1"));
    const { level, ...rest } = line;
    assertEquals(requestLine(site), { level, msg: "request", method, ...rest, request_id: "r1" });
  });
}

Deno.test("the line has the trace id if present", async () => {
  const site = siteOf();
  const trace = "0af7651916cd43dd8448eb211c80319c";
  const option = withHeader("traceparent", `00-${trace}-b7ad6b7169203331-01`);
  await testRequest(site.app, "GET", "/a", option);
  assertEquals(requestLine(site)["trace_id"], trace);
});

const robots = new TextEncoder().encode("User-agent: *");
const dev: Settings = {
  env: "dev",
  public: {
    get: (name) => name === "robots.txt" ? { size: robots.length, read: () => robots } : undefined,
  },
};
const seen = (level: string, path: string, status: number): LogLine => ({ level, path, status });

/** Requests that match no route, and their log line, if any. */
const unmatched: readonly [title: string, Settings, method: string, path: string, LogLine?][] = [
  ["production", {}, "GET", "/nothing"],
  ["production", {}, "GET", "/a/"],
  ["production", {}, "GET", "/%zz"],
  ["all", { logRequest: "all" }, "GET", "/nothing", seen("info", "/nothing", 404)],
  ["all", { logRequest: "all" }, "GET", "/a/", seen("info", "/a/", 301)],
  ["all", { logRequest: "all" }, "GET", "/%zz", seen("info", "/", 400)],
  ["development", dev, "GET", "/nothing", seen("debug", "/nothing", 404)],
  ["development", dev, "GET", "/nothing?token=secret", seen("debug", "/nothing", 404)],
  ["development", dev, "POST", "/nothing", seen("debug", "/nothing", 404)],
  ["development, a file", dev, "GET", "/robots.txt"],
  ["development with Off", { ...dev, logRequest: Off }, "GET", "/nothing"],
];

for (const [title, config, method, path, line] of unmatched) {
  Deno.test(`an unmatched request is logged ${line ? "once" : "never"} (${title}): ${method} ${path}`, async () => {
    const site = siteOf(config);
    await testRequest(site.app, method, path, withHeader("x-request-id", "r1"));
    const found = site.logged("request").map(({ time: _, duration_ms: __, ...rest }) => rest);
    const common = { msg: "request", method, route: "", request_id: "r1" };
    assertEquals(found, line === undefined ? [] : [{ ...common, ...line }]);
  });
}

Deno.test("a 5xx without a route is logged", async () => {
  const site = newSite([], {
    parts: {
      notFound: (c) => {
        c.status(503);
        return c.text(503, "x");
      },
    },
  });
  await testRequest(site.app, "GET", "/x").wantStatus(503);
  const { level, route, status } = requestLine(site);
  assertEquals([level, route, status], ["error", "", 503]);
});

Deno.test("logRequest selects by context, status and duration, and a 5xx is always logged", async () => {
  const asked: [string, number][] = [];
  const site = siteOf({
    logRequest: (c, status, durationMs) => {
      assert(durationMs >= 0);
      asked.push([c.pattern, status]);
      return status === 409;
    },
  });
  for (const path of ["/a", "/409", "/503", "/500", "/nothing"]) {
    await testRequest(site.app, "GET", path);
  }
  assertEquals(asked, [["/a", 200], ["/409", 409]]);
  assertEquals(site.logged("request").map(({ status }) => status), [409, 503, 500]);
});

Deno.test("Off logs only 5xx responses, with their request id", async () => {
  const site = siteOf({ logRequest: Off });
  for (const path of ["/a", "/409"]) await testRequest(site.app, "GET", path);
  assertEquals(site.lines, []);
  await testRequest(site.app, "GET", "/503", withHeader("x-request-id", "r1"));
  const lines = site.logged("request");
  assertEquals(lines.map(({ path, status, request_id }) => [path, status, request_id]), [
    ["/503", 503, "r1"],
  ]);
});

Deno.test("a 5xx has two lines with one request id: the failure and the request", async () => {
  const site = siteOf();
  await testRequest(site.app, "GET", "/503");
  assertEquals(site.lines.map(({ msg }) => msg), ["handler failed", "request"]);
  assertEquals(new Set(site.lines.map(({ request_id }) => request_id)).size, 1);
});

Deno.test("the text format has the same fields", async () => {
  const lines: string[] = [];
  const logger = createLogger({ format: "text", write: (text) => void lines.push(text) });
  const { app } = newSite(routes, { config: { logger } });
  await testRequest(app, "GET", "/p/1", withHeader("x-request-id", "r1"));
  assertMatch(
    lines.join(""),
    /^\d\d:\d\d:\d\d\.\d{3} INFO {2}request method=GET path=\/p\/1 route=\/p\/\{id\} status=200 duration_ms=[\d.]+ request_id=r1\n$/,
  );
});

Deno.test("the application's own logger receives message and fields", async () => {
  const calls: unknown[][] = [];
  const note = (level: string) => (message: string, fields?: Record<string, unknown>): void =>
    void calls.push([level, message, fields?.["path"], fields?.["status"]]);
  const logger: Logger = {
    debug: note("debug"),
    info: note("info"),
    warn: note("warn"),
    error: note("error"),
    with: () => logger,
  };
  const { app } = newSite(routes, { config: { logger } });
  await testRequest(app, "GET", "/a");
  await testRequest(app, "GET", "/503");
  assertEquals(calls, [
    ["info", "request", "/a", 200],
    ["error", "handler failed", "/503", 503],
    ["error", "request", "/503", 503],
  ]);
});

const echoes: [string, Settings, string, sent: string | undefined, want: RegExp | undefined][] = [
  ["none for a request without an id", {}, "/a", undefined, undefined],
  ["the client's id", {}, "/a", "a.b_c:d/e+f=g", /^a\.b_c:d\/e\+f=g$/],
  ["none for an id that is unsafe in a log", {}, "/a", "a b", undefined],
  ["none for an id that is too long", {}, "/a", "a".repeat(300), undefined],
  ["a generated id on an error", {}, "/409", undefined, /^[\w-]{8,}$/],
  ["the client's id, on a failure", {}, "/500", "abc-1", /^abc-1$/],
  ["a new one on a 404", {}, "/nothing", undefined, /^[\w-]{8,}$/],
  [
    "a generated id on an error without a log",
    { logRequest: Off },
    "/409",
    undefined,
    /^[\w-]{8,}$/,
  ],
  ["none without a log", { logRequest: Off }, "/a", "abc-1", undefined],
];

for (const [name, config, path, sent, want] of echoes) {
  Deno.test(`X-Request-ID of the response: ${name}`, async () => {
    const site = siteOf(config);
    const options = sent === undefined ? [] : [withHeader("x-request-id", sent)];
    const response = await testRequest(site.app, "GET", path, ...options);
    const id = response.headers.get("x-request-id") ?? undefined;
    if (want === undefined) return assertEquals(id, undefined);
    assertMatch(id ?? "", want);
    const [line] = site.logged("request");
    if (line !== undefined) assertEquals(line["request_id"], id);
  });
}

Deno.test("X-Request-ID of the response: the application's own is kept", async () => {
  const own: Route = {
    pattern: "/own",
    methods: { GET: (c) => (c.header("x-request-id", "mine"), httpError(409, "x")) },
  };
  const { app } = newSite([own], {});
  const response = await testRequest(app, "GET", "/own");
  assertEquals(response.headers.get("x-request-id"), "mine");
});

Deno.test("each id header is read once, because each lookup slows down small requests", async () => {
  const site = newSite([textRoute("/a")], {});
  for (const sent of [undefined, "given"]) {
    const request = new Request("http://localhost/a");
    if (sent !== undefined) request.headers.set("x-request-id", sent);
    const seen: string[] = [];
    const { headers } = request;
    const get = headers.get.bind(headers);
    headers.get = (name) => (seen.push(name), get(name));
    const response = await site.app.handler()(request);
    assertEquals(response.headers.get("x-request-id"), sent ?? null);
    assertEquals(seen.filter((name) => name === "x-request-id"), ["x-request-id"]);
    assertEquals(seen.filter((name) => name === "traceparent"), ["traceparent"]);
  }
});
