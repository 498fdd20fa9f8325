import { assert, assertEquals, assertMatch, assertStrictEquals, assertThrows } from "@std/assert";
import { type Ctx, key } from "../../../mod.ts";
import { testRequest, withHeader } from "../../../runtime/testing/mod.ts";
import { newSite, routeOf, textRoute } from "../app/support.ts";

/** Runs a function with the context of one request and returns its result. */
async function inRequest<T>(
  path: string,
  read: (c: Ctx) => T | Promise<T>,
  options: { readonly pattern?: string; readonly init?: RequestInit } = {},
): Promise<T> {
  let outcome: { readonly value: T } | undefined;
  const handler = async (c: Ctx): Promise<Response> => {
    outcome = { value: await read(c) };
    return c.noContent();
  };
  const methods = { GET: handler, POST: handler, PUT: handler };
  const { app } = newSite([{ pattern: options.pattern ?? "/{path...}", methods }]);
  const response = await app.fetch(new Request(`http://localhost${path}`, options.init));
  assertEquals(response.status, 204, "the handler failed");
  assert(outcome !== undefined);
  return outcome.value;
}

Deno.test("param returns the value, decoded once", async () => {
  const rows: readonly [path: string, value: string][] = [
    ["/p/a", "a"],
    ["/p/caf%C3%A9", "café"],
    ["/p/a%2Fb", "a/b"],
    ["/p/a%252Fb", "a%2Fb"],
    ["/p/100%25", "100%"],
    ["/p/a+b", "a+b"],
    ["/p/__proto__", "__proto__"],
  ];
  for (const [path, value] of rows) {
    const got = await inRequest(path, (c) => c.param("name"), { pattern: "/p/{name}" });
    assertEquals(got, value);
  }
});

Deno.test("param of a catch-all keeps inner slashes, and several parameters keep their order", async () => {
  const rest = await inRequest("/f/a/b%2Fc/d", (c) => c.param("path"), { pattern: "/f/{path...}" });
  assertEquals(rest, "a/b/c/d");
  const pattern = "/{a}/x/{b}";
  const both = await inRequest("/1/x/2", (c) => [c.param("b"), c.param("a")], { pattern });
  assertEquals(both, ["2", "1"]);
});

Deno.test("param throws for an unknown name and lists the route's parameters", async () => {
  for (const name of ["slug", "", "toString", "0", "length"]) {
    await inRequest("/p/a", (c) => {
      const message = `Cannot read the parameter "${name}": the route "/p/{name}" has only name.`;
      assertThrows(() => c.param(name), TypeError, message);
    }, { pattern: "/p/{name}" });
  }
  await inRequest("/p", (c) => {
    assertThrows(() => c.param("x"), TypeError, 'the route "/p" has none.');
  }, { pattern: "/p" });
});

const queries: readonly [search: string, name: string, value: string | undefined][] = [
  ["", "a", undefined],
  ["?", "a", undefined],
  ["?a=1", "a", "1"],
  ["?a=1&a=2", "a", "1"],
  ["?a", "a", ""],
  ["?a=", "a", ""],
  ["?b=1", "a", undefined],
  ["?a=x+y%20z", "a", "x y z"],
  ["?a=caf%C3%A9", "a", "café"],
  ["?a=%zz", "a", "%zz"],
  ["?a=%FF", "a", "\ufffd"],
  ["?%61=1", "a", "1"],
  ["?a=1#?a=2", "a", "1"],
  ["?a=1?b=2", "a", "1?b=2"],
  ["?__proto__=1", "__proto__", "1"],
  ["?a=1", "toString", undefined],
];

for (const [search, name, value] of queries) {
  Deno.test(`query ${JSON.stringify(name)} of ${JSON.stringify(search)}`, async () => {
    assertEquals(await inRequest(`/x${search}`, (c) => c.query(name)), value);
  });
}

const badHeaders: readonly [name: string, value: string, message: string][] = [
  ["a b", "x", 'Cannot set the header "a b": its name may hold letters, digits and'],
  ["", "x", 'Cannot set the header "": its name may hold letters'],
  ["x-a\n", "x", 'Cannot set the header "x-a\\n": its name'],
  ["x-a", "x\r\nx-b: y", 'Cannot set the header "x-a": its value may hold neither a line break'],
  ["vary", "\0x", 'Cannot set the header "vary": its value may hold neither'],
  ["x-a", "a\x7f", 'Cannot set the header "x-a": its value may hold neither'],
  ["x-a", "日", 'Cannot set the header "x-a": its value may hold neither'],
];

for (const [name, value, message] of badHeaders) {
  Deno.test(`header refuses ${JSON.stringify(`${name}: ${value}`)} with the fix`, async () => {
    await inRequest(
      "/x",
      (c) => void assertThrows(() => c.header(name, value), TypeError, message),
    );
  });
}

Deno.test("header accepts 1,000 names, and one more is a 500 with the error's own headers", async () => {
  const { app, logged } = newSite([routeOf("GET", "/{count}", (c) => {
    for (let at = 0; at < Number(c.param("count")); at++) c.header(`x-${at}`, "a");
    c.header("X-0", "b");
    return c.text(200, "");
  })], {
    parts: {
      error: (c) => {
        c.header("x-page", "1");
        return c.text(500, "own");
      },
    },
  });
  await testRequest(app, "GET", "/1000").wantStatus(200).wantHeader("x-0", "b");
  const own = await testRequest(app, "GET", "/1001", withHeader("accept", "text/html"));
  assertEquals([own.status, own.header("x-page"), own.body], [500, "1", "own"]);
  const response = await testRequest(app, "GET", "/1001").wantStatus(500);
  assert(response.header("x-request-id") !== undefined);
  assertEquals(response.header("cache-control"), "no-store");
  assertEquals(logged("the error page failed"), []);
  assertMatch(JSON.stringify(logged("handler failed")), /put lists into the body/);
});

Deno.test("pattern is the matched template, or empty without a match", async () => {
  assertEquals(await inRequest("/p/1", (c) => c.pattern, { pattern: "/p/{id}" }), "/p/{id}");
  const seen: string[] = [];
  const { app } = newSite([textRoute("/a")], {
    parts: { notFound: (c) => void seen.push(c.pattern) },
  });
  await testRequest(app, "GET", "/x").wantStatus(404);
  assertEquals(seen, [""]);
});

Deno.test("url is parsed once, method is uppercase, and env, base and app are the application's", async () => {
  await inRequest("/a/b?c=d", (c) => {
    assertEquals(c.url.href, "http://localhost/a/b?c=d");
    assertStrictEquals(c.url, c.url);
    assertEquals([c.method, c.env, c.base, c.app.routes.length], ["GET", "prod", "", 1]);
  });
  const found = await inRequest("/", (c) => c.method, { pattern: "/", init: { method: "put" } });
  assertEquals(found, "PUT");
});

Deno.test("assigning c.request resets the body and keeps the route", async () => {
  await inRequest("/p/1?a=1", (c) => {
    c.url;
    c.query("a");
    c.cookie("k");
    const headers = { cookie: "k=new", accept: "b/b" };
    c.request = new Request("http://other.example/q/2?a=2", { method: "POST", headers });
    const found = [c.url.host, c.query("a"), c.cookie("k"), c.method, c.accepts("a/a", "b/b")];
    assertEquals(found, ["other.example", "2", "new", "POST", "b/b"]);
    assertEquals([c.pattern, c.param("id")], ["/p/{id}", "1"]);
  }, { pattern: "/p/{id}", init: { headers: { cookie: "k=old" } } });
});

Deno.test("a middleware may assign c.request for inner handlers", async () => {
  const { app } = newSite([{
    pattern: "/",
    methods: { GET: (c) => c.text(200, c.request.headers.get("x-a") ?? "none") },
    middleware: [{
      Middleware: (c, next) => {
        c.request = new Request(c.request, { headers: { "x-a": "from middleware" } });
        return next();
      },
    }],
  }]);
  await testRequest(app, "GET", "/").wantContains("from middleware");
});

Deno.test("set and get keep values by string and by key separately, undefined if unset", async () => {
  const first = key<number>("n");
  const second = key<number>("n");
  await inRequest("/", (c) => {
    assertEquals([c.get("n"), c.get(first)], [undefined, undefined]);
    c.set("n", "text");
    c.set(first, 1);
    c.set(second, 2);
    c.set(first, 3);
    assertEquals([c.get("n"), c.get(first), c.get(second)], ["text", 3, 2]);
    assertEquals(c.get("__proto__"), undefined);
  }, { pattern: "/" });
});

Deno.test("set values do not reach the next request", async () => {
  const { app } = newSite([routeOf("GET", "/", (c) => {
    const before = c.get("x");
    c.set("x", 1);
    return c.json(200, { before });
  })]);
  for (let i = 0; i < 2; i++) assertEquals((await testRequest(app, "GET", "/")).body, "{}");
});

Deno.test("requestId is generated once per request and differs between requests", async () => {
  const seen = new Set<string>();
  for (let i = 0; i < 50; i++) {
    await inRequest("/", (c) => {
      assertEquals(c.requestId, c.requestId);
      seen.add(c.requestId);
    }, { pattern: "/" });
  }
  assertEquals(seen.size, 50);
});

Deno.test("log carries request_id, and trace_id if present", async () => {
  const trace = "0af7651916cd43dd8448eb211c80319c";
  const site = newSite([routeOf("GET", "/", (c) => {
    c.log.info("mine", { n: 1 });
    c.log.with({ step: 2 }).warn("deeper");
  })]);
  for (const traceparent of [`00-${trace}-b7ad6b7169203331-01`, "garbage"]) {
    const option = withHeader("traceparent", traceparent);
    await testRequest(site.app, "GET", "/", withHeader("x-request-id", "r1"), option);
  }
  const own = site.lines.filter(({ msg }) => msg === "mine" || msg === "deeper")
    .map(({ time: _, ...line }) => line);
  const wanted = [
    { level: "info", msg: "mine", request_id: "r1", n: 1 },
    { level: "warn", msg: "deeper", request_id: "r1", step: 2 },
  ];
  assertEquals(own, [...wanted.map((line) => ({ ...line, trace_id: trace })), ...wanted]);
});

Deno.test("redirect: uses 303 by default and accepts only redirect statuses", async () => {
  await inRequest("/", (c) => {
    assertEquals(c.redirect("/x").status, 303);
    for (const status of [301, 302, 303, 307, 308] as const) {
      assertEquals(c.redirect("/x", status).status, status);
    }
    for (const status of [200, 300, 304, 305, 306, 309, 404, NaN]) {
      const message =
        `Cannot redirect with the status "${status}": use one of 301, 302, 303, 307, 308.`;
      assertThrows(() => c.redirect("/x", status as 303), RangeError, message);
    }
  }, { pattern: "/" });
});

Deno.test("signal is one object that does not abort after the response", async () => {
  const client = new AbortController();
  let signal: AbortSignal | undefined;
  const { app } = newSite([routeOf("GET", "/", (c) => {
    signal = c.signal;
    assertStrictEquals(c.signal, signal);
    return c.json(200, c.signal.aborted);
  })]);
  const response = await app.fetch(new Request("http://localhost/", { signal: client.signal }));
  assertEquals(await response.text(), "false");
  client.abort();
  assertEquals(signal?.aborted, false as boolean);
});

Deno.test("signal aborts if the client disconnects before the response", async () => {
  const client = new AbortController();
  const { app } = newSite([routeOf("GET", "/", async (c) => {
    const gone = new Promise((resolve) => c.signal.addEventListener("abort", resolve));
    client.abort(new Error("closed the tab"));
    await gone;
    return c.text(200, String(c.signal.reason));
  })]);
  const response = await app.fetch(new Request("http://localhost/", { signal: client.signal }));
  assertEquals(await response.text(), "Error: closed the tab");
});

Deno.test("signal is already aborted if the client disconnected before the first access", async () => {
  const init = { signal: AbortSignal.abort() };
  await inRequest("/", (c) => assert(c.signal.aborted), { pattern: "/", init });
});

Deno.test("signal can be assigned to limit inner handlers", async () => {
  const { app } = newSite([{
    pattern: "/",
    methods: { GET: (c) => c.text(200, String(c.signal.aborted)) },
    middleware: [{
      Middleware: (c, next) => {
        c.signal = AbortSignal.any([c.signal, AbortSignal.abort()]);
        return next();
      },
    }],
  }]);
  assertEquals((await testRequest(app, "GET", "/")).body, "true");
});

Deno.test("shutdown aborts the signals of requests in flight", async () => {
  const { app } = newSite([routeOf("GET", "/", async (c) => {
    const ended = new Promise((resolve) => c.signal.addEventListener("abort", resolve));
    const stopped = app.shutdown();
    await ended;
    await stopped;
    return c.text(200, String(c.signal.reason));
  })]);
  await testRequest(app, "GET", "/").wantContains("AbortError: The server is shutting down.");
});

Deno.test("asset returns the plain URL if there is no such file", async () => {
  assertEquals(
    await inRequest("/", (c) => [c.asset("/app.css"), c.asset("app.css")], { pattern: "/" }),
    ["/app.css", "/app.css"],
  );
});
