import { assert, assertEquals } from "@std/assert";
import * as h from "../../../html/mod.ts";
import { type Ctx, httpError, type Result, type Route } from "../../../mod.ts";
import { testRequest } from "../../../runtime/testing/mod.ts";
import { newSite, routeOf, textRoute, throwing } from "../app/support.ts";

const ok = (c: Ctx): Response => c.text(200, "ok");

const allowed: readonly [title: string, route: Route, method: string, allow: string][] = [
  ["one method", { pattern: "/", methods: { GET: ok } }, "POST", "GET, HEAD"],
  ["no GET", { pattern: "/", methods: { POST: ok, DELETE: ok } }, "GET", "POST, DELETE"],
  ["HEAD without GET", { pattern: "/", methods: { POST: ok } }, "HEAD", "POST"],
  ["a page", { pattern: "/", page: ok }, "PUT", "GET, HEAD"],
  ["page with a form", { pattern: "/", page: ok, methods: { POST: ok } }, "PUT", "GET, HEAD, POST"],
  ["OPTIONS without a handler", { pattern: "/", methods: { GET: ok } }, "OPTIONS", "GET, HEAD"],
  ["an unknown method", { pattern: "/", methods: { GET: ok } }, "PROPFIND", "GET, HEAD"],
  ["a name of Object.prototype", { pattern: "/", methods: { GET: ok } }, "toString", "GET, HEAD"],
  [
    "in a fixed order",
    { pattern: "/", methods: { OPTIONS: ok, DELETE: ok, PATCH: ok, PUT: ok, POST: ok, GET: ok } },
    "PURGE",
    "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
  ],
];

for (const [title, route, method, allow] of allowed) {
  Deno.test(`405 lists the methods of the route in Allow: ${title}`, async () => {
    const { app } = newSite([route]);
    const response = await app.fetch(new Request("http://localhost/", { method }));
    assertEquals([response.status, response.headers.get("allow")], [405, allow]);
  });
}

Deno.test("a 405 runs no middleware", async () => {
  let ran = false;
  const { app } = newSite([{
    pattern: "/",
    methods: { GET: ok },
    middleware: [{
      Middleware: (_c, next) => {
        ran = true;
        return next();
      },
    }],
  }]);
  await testRequest(app, "POST", "/").wantStatus(405);
  assert(!ran);
});

/** Handlers of `GET`, and whether the framework knows the length of their response. */
const heads: readonly [title: string, handler: (c: Ctx) => Result | Promise<Result>][] = [
  ["c.json", (c) => c.json(200, { name: "Zoë" })],
  ["c.json with another status", (c) => c.json(201, [1])],
  ["c.text", (c) => c.text(200, "naïve")],
  ["c.html", (c) => c.html(200, h.html(h.body("é")))],
  ["an asynchronous response", (c) => Promise.resolve(c.text(200, "later"))],
  ["a staged header", (c) => {
    c.header("x-a", "1");
    return c.text(200, "abc");
  }],
  ["an error", () => httpError(409, "sold out")],
  ["a failure", throwing(new Error("boom"))],
  ["a staged answer", (c) => c.respond(c.text(200, "staged"))],
  ["a node", () => h.p("node")],
];

for (const [title, handler] of heads) {
  Deno.test(`HEAD has the status, headers and length of GET, and no body: ${title}`, async () => {
    const { app } = newSite([{ pattern: "/", methods: { GET: handler } }]);
    const options = { headers: { "x-request-id": "same" } };
    const get = await app.fetch(new Request("http://localhost/", options));
    const head = await app.fetch(new Request("http://localhost/", { ...options, method: "HEAD" }));
    const { byteLength } = await get.arrayBuffer();
    assertEquals(head.status, get.status);
    assertEquals(head.headers.get("content-length"), String(byteLength));
    assertEquals((await head.arrayBuffer()).byteLength, 0);
    const other = new Headers(head.headers);
    other.delete("content-length");
    const shown = (headers: Headers): string =>
      JSON.stringify([...headers]).replace(/'nonce-[^']+'/g, "a nonce");
    assertEquals(shown(other), shown(get.headers));
  });
}

Deno.test("HEAD of a redirect and of a response without a body sends no length", async () => {
  const { app } = newSite([
    { pattern: "/to", methods: { GET: (c) => c.redirect("/x") } },
    { pattern: "/none", methods: { GET: (c) => c.noContent() } },
  ]);
  for (const [path, status] of [["/to", 303], ["/none", 204]] as const) {
    const { headers } = await testRequest(app, "HEAD", path).wantStatus(status);
    assertEquals(headers.get("content-length"), null);
  }
});

Deno.test("HEAD keeps the length of a foreign response and drops its body", async () => {
  const { app } = newSite([
    routeOf("GET", "/", () => new Response("12345", { headers: { "content-length": "5" } })),
  ]);
  await testRequest(app, "HEAD", "/").wantHeader("content-length", "5");
});

Deno.test("HEAD reads nothing from a stream and cancels it, so its source can stop", async () => {
  const calls: string[] = [];
  const { app } = newSite([routeOf("GET", "/", () =>
    new Response(
      new ReadableStream({
        pull: () => void calls.push("pull"),
        cancel: () => void calls.push("cancel"),
      }, { highWaterMark: 0 }),
    ))]);
  const { body, headers } = await testRequest(app, "HEAD", "/").wantStatus(200);
  assertEquals([body, headers.get("content-length"), calls], ["", null, ["cancel"]]);
});

Deno.test("HEAD responds even if the body of a foreign response is locked or fails to cancel", async () => {
  const locked = (): Response => {
    const response = new Response("x");
    response.body?.getReader();
    return response;
  };
  const failing = (): Response =>
    new Response(new ReadableStream({ cancel: throwing(new Error("cannot stop")) }));
  const { app } = newSite([
    { pattern: "/locked", methods: { GET: locked } },
    { pattern: "/failing", methods: { GET: failing } },
  ]);
  for (const path of ["/locked", "/failing"]) {
    const { body } = await testRequest(app, "HEAD", path).wantStatus(200);
    assertEquals(body, "");
  }
});

const slashes: readonly [method: string, path: string, status: number, location: string][] = [
  ["GET", "/a/", 301, "/a"],
  ["HEAD", "/a/", 301, "/a"],
  ["POST", "/a/", 308, "/a"],
  ["PUT", "/a/", 308, "/a"],
  ["PATCH", "/a/", 308, "/a"],
  ["DELETE", "/a/", 308, "/a"],
  ["GET", "/a/?q=1&r=%2F", 301, "/a?q=1&r=%2F"],
  ["GET", "/a/?next=//evil.example/", 301, "/a?next=//evil.example/"],
  ["GET", "/a/?q=1?r#x", 301, "/a?q=1?r"],
  ["GET", "/a/#x?q=1", 301, "/a"],
  ["GET", "/a/#x", 301, "/a"],
  ["GET", "//", 301, "/"],
  ["GET", "/p/x/", 301, "/p/x"],
  ["GET", "/p/caf%C3%A9/", 301, "/p/caf%C3%A9"],
  ["GET", "/p/%2Fevil.example/", 301, "/p/%2Fevil.example"],
];

for (const [method, path, status, location] of slashes) {
  Deno.test(`a trailing slash redirects: ${method} ${path}`, async () => {
    const { app } = newSite([textRoute("/"), textRoute("/a"), textRoute("/p/{name}")]);
    await testRequest(app, method, path).wantStatus(status).wantHeader("location", location);
  });
}

const unslashed: readonly [path: string, status: number][] = [
  ["/", 200],
  ["/a//", 404],
  ["//evil.example/", 404],
  ["/a/b/", 404],
  ["/files/a/", 200],
];

for (const [path, status] of unslashed) {
  Deno.test(`a path without a route after dropping its slash is not redirected: ${path}`, async () => {
    const routes = ["/", "/a", "/{name}", "/files/{path...}"].map((path) => textRoute(path));
    const { app } = newSite(routes);
    const { headers } = await testRequest(app, "GET", path).wantStatus(status);
    assertEquals(headers.get("location"), null);
  });
}

Deno.test("an escaped path reaches the literal route of the same characters", async () => {
  const { app } = newSite([textRoute("/café"), textRoute("/a b")]);
  for (const path of ["/caf%C3%A9", "/caf%c3%a9", "/a%20b", "/%61%20b"]) {
    await testRequest(app, "GET", path).wantStatus(200);
  }
});

Deno.test("invalid routes are refused at the first request", async () => {
  const methods = (names: string): NonNullable<Route["methods"]> =>
    Object.fromEntries(names.split(" ").map((name) => [name, (c: Ctx) => c.noContent()]));
  const page = (c: Ctx): Response => c.noContent();
  const known = "write GET, POST, PUT, PATCH, DELETE, OPTIONS.";
  const cases: readonly (readonly [route: Partial<Route>, fault: string])[] = [
    [{}, "it has neither a page nor a method"],
    [{ methods: {} }, "it has neither a page nor a method"],
    [{ methods: methods("get") }, `its methods have "get"; ${known}`],
    [{ methods: methods("GET HEAD") }, `its methods have "HEAD"; ${known}`],
    [{ page, methods: methods("TRACE") }, `its methods have "TRACE"; ${known}`],
    [
      { page, methods: methods("GET POST") },
      'its methods have "GET" beside a page, which answers it; leave one of them out.',
    ],
  ];
  const all: [routes: Route[], message: string][] = cases.map(([route, fault]) => [
    [{ pattern: "/a", ...route }],
    `Cannot add the route "/a": ${fault}`,
  ]);
  all.push([[textRoute("/a/{x}"), textRoute("/a/{y}")], 'Cannot add the route "/a/{y}"']);
  for (const [routes, message] of all) {
    const { app } = newSite(routes);
    let thrown: unknown;
    await app.fetch(new Request("http://localhost/")).catch((error) => thrown = error);
    assert(thrown instanceof TypeError && thrown.message.startsWith(message), String(thrown));
  }
});
