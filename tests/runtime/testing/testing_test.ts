import { App, type Ctx, key, Off, provide, type Result, type Route, use } from "../../../mod.ts";
import {
  assert,
  assertEquals,
  assertInstanceOf,
  AssertionError,
  assertMatch,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import * as h from "../../../html/mod.ts";
import {
  newTestClient,
  testApp,
  type TestOption,
  testPage,
  testRequest,
  testRoute,
  withApp,
  withBody,
  withCookie,
  withForm,
  withHeader,
  withJson,
  withoutCsrf,
  withSigned,
} from "../../../runtime/testing/mod.ts";
import { routeOf } from "../app/support.ts";
import { newFolder } from "../../new_folder.ts";

interface Seen {
  method: string;
  url: string;
  cookie: string;
  csrf: string | null;
  type: string | null;
  body: string;
  header: string | null;
  signed: string | undefined;
}

async function echo(c: Ctx): Promise<Response> {
  const { headers } = c.request;
  const seen: Seen = {
    method: c.method,
    url: c.request.url,
    cookie: headers.get("cookie") ?? "",
    csrf: headers.get("x-csrf-token"),
    type: headers.get("content-type"),
    body: await c.request.text(),
    header: headers.get("x-test"),
    signed: c.signed("who"),
  };
  return c.json(200, seen);
}

function newApp(routes: Route[] = []): App {
  const app = new App({ env: "dev", devReload: Off, logRequest: Off });
  const methods = { GET: echo, POST: echo, PUT: echo, PATCH: echo, DELETE: echo };
  for (const route of [{ pattern: "/echo", methods }, ...routes]) app.route(route);
  return app;
}

async function seen(method: string, ...options: TestOption[]): Promise<Seen> {
  return JSON.parse((await testRequest(newApp(), method, "/echo?q=1", ...options)).body);
}

Deno.test("testRequest sends the CSRF cookie, and the same value in the header for unsafe methods", async () => {
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "post"]) {
    const { cookie, csrf } = await seen(method);
    const token = /^fw_csrf=([A-Za-z0-9_-]{43}); __Host-fw_csrf=\1$/.exec(cookie)?.[1];
    assert(token !== undefined, `${method}: ${cookie}`);
    assertEquals(csrf, method === "GET" ? null : token, method);
  }
});

Deno.test("testRequest follows the configured CSRF names", async () => {
  const app = new App({ env: "dev", logRequest: Off, csrf: { cookie: "tok", header: "X-Tok" } });
  let headers = new Headers();
  app.route({ pattern: "/", methods: { POST: (c) => void (headers = c.request.headers) } });
  await testRequest(app, "POST", "/");
  assertEquals(headers.get("cookie"), `tok=${headers.get("x-tok")}`);
  assertEquals(headers.get("x-csrf-token"), null);
});

Deno.test("testRequest applies its options to the request", async () => {
  const file = new FormData();
  file.set("f", new File(["hello"], "a.txt"));
  const rows: readonly [name: string, options: TestOption[], want: Partial<Seen>][] = [
    ["withHeader", [withHeader("X-Test", "1")], { header: "1" }],
    ["withHeader twice", [withHeader("X-Test", "1"), withHeader("x-test", "2")], { header: "2" }],
    ["withHeader host", [withHeader("host", "a.example")], { url: "http://a.example/echo?q=1" }],
    ["withHeader keeps a token", [withHeader("X-CSRF-Token", "mine")], { csrf: "mine" }],
    ["withoutCsrf", [withoutCsrf()], { cookie: "", csrf: null }],
    ["withCookie", [withoutCsrf(), withCookie("a", "b")], { cookie: "a=b" }],
    ["withCookie twice", [withoutCsrf(), withCookie("a", "b"), withCookie("c", "d")], {
      cookie: "a=b; c=d",
    }],
    ["withCookie as token", [withCookie("fw_csrf", "t")], { cookie: "fw_csrf=t", csrf: "t" }],
    ["withSigned", [withSigned("who", "ada ;é")], { signed: "ada ;é" }],
    ["withForm", [withForm({ a: "1 é", b: ["2", "3"] })], {
      type: "application/x-www-form-urlencoded;charset=UTF-8",
      body: "a=1+%C3%A9&b=2&b=3",
    }],
    ["withForm of parameters", [withForm(new URLSearchParams("a=1&a=2"))], { body: "a=1&a=2" }],
    ["withJson", [withJson({ a: [1] })], { type: "application/json", body: '{"a":[1]}' }],
    ["withBody", [withBody("text/csv", "a,b")], { type: "text/csv", body: "a,b" }],
  ];
  for (const [name, options, want] of rows) {
    const got = await seen("POST", ...options);
    for (const [member, value] of Object.entries(want)) {
      assertEquals(got[member as keyof Seen], value, `${name}: ${member}`);
    }
  }
  const multipart = await seen("POST", withForm(file));
  assertMatch(multipart.type ?? "", /^multipart\/form-data; ?boundary=/);
  assertStringIncludes(multipart.body, 'filename="a.txt"');
});

Deno.test("testRequest accepts an absolute URL and refuses an invalid path", async () => {
  const { body } = await testRequest(newApp(), "GET", "https://shop.example/echo");
  assertEquals(JSON.parse(body).url, "https://shop.example/echo");
  await assertRejects(() => testRequest(newApp(), "GET", "echo"), TypeError, "starts with a slash");
});

Deno.test("TestResponse returns status, headers, body and bytes", async () => {
  const app = newApp([{ pattern: "/x", methods: { GET: (c) => c.text(201, "é") } }]);
  const response = await testRequest(app, "GET", "/x");
  assertEquals([response.status, response.body], [201, "é"]);
  assertEquals(response.bytes, new Uint8Array([0xc3, 0xa9]));
  assertEquals(response.header("Content-Type"), "text/plain; charset=utf-8");
  assertEquals([response.header("x-none"), response.node], [undefined, undefined]);
  assertStrictEquals(
    response.wantStatus(201).wantContains("é").wantHeader(
      "content-type",
      "text/plain; charset=utf-8",
    ),
    response,
  );
});

Deno.test("a failed check prints the status, the target and the body, awaited or not", async () => {
  const app = newApp([{ pattern: "/x", methods: { GET: (c) => c.text(404, "nothing here") } }]);
  const rows: readonly [name: string, run: () => PromiseLike<unknown>, want: string][] = [
    ["status", () => testRequest(app, "GET", "/x?a=1").wantStatus(200), "want status 200, got 404"],
    ["body", () => testRequest(app, "GET", "/x?a=1").wantContains("é"), 'want a body with "é"'],
    ["header", () => testRequest(app, "GET", "/x?a=1").wantHeader("x", "y"), "got none"],
    [
      "after await",
      async () => (await testRequest(app, "GET", "/x?a=1")).wantHeader("content-type", "y"),
      'got "text/plain; charset=utf-8"',
    ],
    [
      "chained",
      () => testRequest(app, "GET", "/x?a=1").wantStatus(404).wantContains("here").wantStatus(1),
      "want status 1, got 404",
    ],
  ];
  for (const [name, run, want] of rows) {
    const error = await assertRejects(async () => await run(), AssertionError);
    assertInstanceOf(error, AssertionError);
    for (const part of ["GET /x?a=1", want, "status 404", "nothing here"]) {
      assertStringIncludes(error.message, part, name);
    }
    assertStringIncludes(error.stack ?? "", "testing_test.ts", name);
  }
});

Deno.test("a failed check names the line that calls it", async () => {
  const lineOf = (error: Error) => /testing_test\.ts:(\d+)/.exec(error.stack ?? "")?.[1];
  const [here, check] = [new Error("here"), testRequest(newApp([]), "GET", "/x").wantStatus(1)];
  const error = await assertRejects(async () => await check, AssertionError);
  assertEquals(lineOf(error), lineOf(here));
});

Deno.test("the pending response is a promise", async () => {
  const app = newApp();
  const all = await Promise.all([testRequest(app, "GET", "/echo"), testRequest(app, "GET", "/no")]);
  assertEquals(all.map(({ status }) => status), [200, 404]);
  let isDone = false;
  await testRequest(app, "GET", "/echo").finally(() => isDone = true);
  assert(isDone);
  assertEquals(await testRequest(app, "GET", "/echo").wantStatus(1).catch(() => "no"), "no");
});

Deno.test("testRoute resolves the parameters in development", async () => {
  const route: Route = routeOf(
    "GET",
    "/a/{id}/{rest...}",
    (c) => c.json(200, [c.param("id"), c.param("rest"), c.env, c.pattern]),
  );
  const { body } = await testRoute(route, "GET", "/a/7/b/c").wantStatus(200);
  assertEquals(JSON.parse(body), ["7", "b/c", "dev", "/a/{id}/{rest...}"]);
  await testRoute(route, "GET", "/b").wantStatus(404);
  await testRoute(route, "POST", "/a/7/b").wantStatus(405).wantHeader("allow", "GET, HEAD");
});

Deno.test("withApp uses settings and provided values of an application without changing it", async () => {
  const Name = key<string>("name");
  const app = new App({ basePath: "/shop", logRequest: Off });
  provide(app, Name, "ada");
  const route: Route = routeOf("GET", "/who", (c) => c.text(200, use(c, Name) + c.base + c.env));
  await testRoute(route, "GET", "/shop/who", withApp(app)).wantContains("ada/shopdev");
  assertEquals(app.routes.length, 0);
  app.config.basePath = "";
  assertEquals((await testRoute(route, "GET", "/who")).status, 500);
});

Deno.test("testPage returns the whole document and the page's result", async () => {
  const Page = (c: Ctx): Result => {
    c.title = "T";
    return h.p(c.pattern);
  };
  const Layout = (c: Ctx, children: h.Node): h.Node => h.html(h.body(h.h1(c.title), children));
  const response = await testPage({ page: Page, layouts: [Layout] }, "/a/b?x=1").wantStatus(200);
  assertEquals(response.node && h.render(response.node), "<p>/a/b</p>");
  assertStringIncludes(response.body, "<h1>T</h1><p>/a/b</p>");
  const param = await testPage({ pattern: "/{x}", page: (c) => h.b(c.param("x")) }, "/y");
  assertEquals(param.node && h.render(param.node), "<b>y</b>");
  const other = await testPage({ page: (c) => c.redirect("/x") }, "/");
  assertEquals([other.status, other.node], [303, undefined]);
});

const cases = [
  ["/caf%C3%A9", "/café"],
  ["/café?q=%20", "/café"],
  ["/a%20b/100%25", "/a b/100%"],
  ["/a%2Fb", undefined],
  ["/%7Bx%7D", undefined],
  ["/%zz", undefined],
] as const;
for (const [path, pattern] of cases) {
  Deno.test(`testPage requests ${path}`, async () => {
    const ask = () => testPage({ page: (c) => h.p(c.pattern) }, path);
    if (pattern === undefined) assertThrows(ask, TypeError, `Cannot test a page at "${path}"`);
    else assertEquals(h.render((await ask().wantStatus(200)).node ?? h.p()), `<p>${pattern}</p>`);
  });
}

Deno.test("newTestClient keeps cookies as a browser does", async () => {
  const cookieOf = (c: Ctx): Response => c.text(200, c.request.headers.get("cookie") ?? "");
  const app = newApp([
    routeOf("GET", "/set", (c) => {
      c.setCookie({ name: "a", value: "1" });
      c.setCookie({ name: "b", value: "2", path: "/deep" });
      c.setCookie({ name: "d", value: "4" });
      return c.noContent();
    }),
    routeOf("GET", "/unset", (c) => c.setCookie({ name: "a", value: "", maxAgeSeconds: 0 })),
    { pattern: "/see", methods: { GET: cookieOf } },
    { pattern: "/deep/see", methods: { GET: cookieOf } },
  ]);
  const client = newTestClient(app);
  const rows: readonly [path: string, body: string][] = [
    ["/see", ""],
    ["/set", ""],
    ["/see", "a=1; d=4"],
    ["/deep/see", "b=2; a=1; d=4"],
    ["/unset", ""],
    ["/see", "d=4"],
  ];
  for (const [path, body] of rows) {
    assertEquals((await client.get(path, withoutCsrf())).body, body, path);
  }
  assertEquals([client.cookie("d"), client.cookie("b")], ["4", undefined]);
  assertEquals((await client.get("/see", withoutCsrf(), withCookie("d", "9"))).body, "d=9");
});

Deno.test("newTestClient posts forms and JSON and follows no redirect", async () => {
  const app = newApp([{ pattern: "/go", methods: { POST: (c) => c.redirect("/echo") } }]);
  const client = newTestClient(app);
  await client.postForm("/go", { a: "1" }).wantStatus(303).wantHeader("location", "/echo");
  const form: Seen = JSON.parse((await client.postForm("/echo", { a: "1" })).body);
  assertEquals([form.method, form.body], ["POST", "a=1"]);
  const json: Seen = JSON.parse(
    (await client.postJson("/echo", [1], withHeader("x-test", "h"))).body,
  );
  assertEquals([json.type, json.body, json.header], ["application/json", "[1]", "h"]);
  assertEquals((await client.request("DELETE", "/echo")).status, 200);
});

Deno.test("newTestClient: options apply to every request, and its cookies until a response changes them", async () => {
  const app = newApp([
    routeOf(
      "POST",
      "/out",
      (c) => (c.setCookie({ name: "a", value: "", maxAgeSeconds: 0 }), c.redirect("/echo")),
    ),
    routeOf(
      "POST",
      "/keep",
      () => new Response(null, { status: 307, headers: { location: "/echo" } }),
    ),
  ]);
  const header = withHeader("x-test", "h");
  const client = newTestClient(app, header, withCookie("a", "1"), withSigned("who", "ada"));
  const read = (body: string): Seen => JSON.parse(body);
  for (let turn = 0; turn < 2; turn++) {
    const got = read((await client.get("/echo")).body);
    assertEquals([got.header, got.signed, client.cookie("a")], ["h", "ada", "1"]);
  }
  const own = read((await client.get("/echo", withHeader("x-test", "own"))).body);
  assertEquals([own.header, read((await client.get("/echo")).body).header], ["own", "h"]);
  const again = read((await client.postForm("/keep", { b: "2" }).followRedirects()).body);
  assertEquals([again.header, again.body, again.signed], ["h", "b=2", "ada"]);
  const after = read((await client.postForm("/out", {}).followRedirects()).body);
  assertEquals([after.header, after.signed, client.cookie("a")], ["h", "ada", undefined]);
  const bare = read((await newTestClient(app, withoutCsrf()).postForm("/echo", {})).body);
  assertEquals([bare.csrf, bare.cookie], [null, ""]);
});

Deno.test("newTestClient: refuses a body, which belongs to one request", () => {
  for (const option of [withForm({ a: "1" }), withJson(1), withBody("text/plain", "a")]) {
    assertThrows(
      () => newTestClient(newApp(), option),
      TypeError,
      "Cannot create a test client with a body",
    );
  }
});

Deno.test("a redirect read as HTML is reported with its target and the test's line", async () => {
  const app = newApp([{
    pattern: "/books/new",
    methods: {
      GET: (c) => c.redirect("/login?next=%2Fbooks%2Fnew", 302),
      POST: (c) => (c.header("fw-location", "/login"), c.noContent()),
    },
  }]);
  const get = () => newTestClient(app).get("/books/new");
  const post = () => testRequest(app, "POST", "/books/new");
  const rows: readonly [name: string, run: () => PromiseLike<unknown>, want: string][] = [
    ["query", () => get().query("h1"), '"/login?next=%2Fbooks%2Fnew" (status 302)'],
    ["queryAll", () => get().queryAll("h1"), '"/login?next=%2Fbooks%2Fnew" (status 302)'],
    ["submit", () => get().submit("form"), '"/login?next=%2Fbooks%2Fnew" (status 302)'],
    ["fragment", () => post().query("h1"), '"/login" (status 204)'],
  ];
  for (const [name, run, want] of rows) {
    const error = await assertRejects(async () => await run(), TypeError);
    assertInstanceOf(error, TypeError);
    assertStringIncludes(error.message, "/books/new as HTML: it is a redirect to", name);
    for (const part of [want, "followRedirects()", "newTestClient(app, withUser("]) {
      assertStringIncludes(error.message, part, name);
    }
    const [, first = ""] = (error.stack ?? "").split("\n");
    assertStringIncludes(first, "testing_test.ts", name);
  }
});

Deno.test("testApp finds the nearest fw_gen.ts above the caller, in development", async () => {
  await using folder = await newFolder();
  const dir = folder.path;
  await Deno.mkdir(`${dir}/app/events`, { recursive: true });
  const entry = new URL("../../../mod.ts", import.meta.url).href;
  await Deno.writeTextFile(
    `${dir}/fw_gen.ts`,
    `import { boot } from ${JSON.stringify(entry)};
export const newApp = (config) => boot({ routes: [
{ pattern: "/", methods: { GET: (c) => c.json(200, [c.env, c.base]) } },
] }, config);`,
  );
  const app = await testApp({ dir: `${dir}/app/events`, config: { basePath: "/x" } });
  const found = JSON.parse((await testRequest(app, "GET", "/x/").wantStatus(200)).body);
  assertEquals(found, ["dev", "/x"]);
  const testing = new URL("../../../runtime/testing/mod.ts", import.meta.url).href;
  await Deno.writeTextFile(
    `${dir}/app/events/probe.ts`,
    `import { testApp } from ${JSON.stringify(testing)};
export const probe = () => testApp();`,
  );
  const { probe } = await import(new URL(`file://${dir}/app/events/probe.ts`).href);
  assertEquals((await testRequest(await probe(), "GET", "/")).status, 200);
  await Deno.writeTextFile(`${dir}/app/events/page.tsx`, "");
  await assertRejects(
    () => probe(),
    Error,
    'Cannot test "app/events/page.tsx": fw_gen.ts lacks it',
  );
  await Deno.writeTextFile(`${dir}/fw_gen.ts`, '// "./app/events/page.tsx"', { append: true });
  assertEquals((await testRequest(await probe(), "GET", "/")).status, 200);
  await Deno.mkdir(`${dir}/app/_parts/a`, { recursive: true });
  await Deno.writeTextFile(`${dir}/app/_parts/a/page.ts`, "");
  assertEquals((await testApp({ dir: `${dir}/app/_parts/a` })).env, "dev");
  await Deno.writeTextFile(`${dir}/fw_gen.ts.off`, "");
  await Deno.mkdir(`${dir}/none`);
  await Deno.rename(`${dir}/fw_gen.ts`, `${dir}/none.ts`);
  await assertRejects(() => testApp({ dir: `${dir}/none` }), Error, "Cannot find fw_gen.ts");
});

Deno.test('testApp: leaving the scope of "await using" runs Shutdown once', async () => {
  await using folder = await newFolder();
  const dir = folder.path;
  const entry = new URL("../../../mod.ts", import.meta.url).href;
  await Deno.writeTextFile(
    `${dir}/fw_gen.ts`,
    `import { boot } from ${JSON.stringify(entry)};
export const stopped = [];
export const newApp = (config) => boot({
routes: [{ pattern: "/", methods: { GET: (c) => c.json(200, 1) } }],
setup: { Shutdown: (app) => void stopped.push(app.env) },
}, config);`,
  );
  const { stopped } = await import(new URL(`file://${dir}/fw_gen.ts`).href);
  const failure = await assertRejects(async () => {
    await using app = await testApp({ dir });
    await testRequest(app, "GET", "/").wantStatus(200);
    assertEquals(stopped, []);
    throw new Error("what a test says");
  }, Error);
  assertEquals([failure.message, stopped], ["what a test says", ["dev"]]);
  {
    await using app = await testApp({ dir });
    await app.shutdown();
  }
  assertEquals(stopped, ["dev", "dev"]);
});

Deno.test("the test helpers import no test runner and open no connection", async () => {
  const dir = new URL("../../../runtime/testing/", import.meta.url);
  for await (const { name } of Deno.readDir(dir)) {
    const source = await Deno.readTextFile(new URL(name, dir));
    const code = source.replace(/\/\*\*[\s\S]*?\*\//g, "");
    assert(!/@std\/testing|node:test|Deno\.test|fetch\(.*http|Deno\.connect/.test(code), name);
  }
});

const sizes: readonly [name: string, option: TestOption, length: string | null][] = [
  ["withJson", withJson({ a: "é" }), "10"],
  ["withForm", withForm({ a: "b c" }), "5"],
  ["withBody", withBody("text/plain", "é"), "2"],
  ["a stream", withBody("text/plain", ReadableStream.from([new Uint8Array(2)])), null],
  ["a custom header", (plan) => {
    plan.body = "ab";
    plan.headers.set("content-length", "7");
  }, "7"],
  ["no body", () => {}, null],
];

for (const [name, option, length] of sizes) {
  Deno.test(`testRequest sends the Content-Length of a real client: ${name}`, async () => {
    const app = new App({ env: "dev", logRequest: Off });
    app.route(routeOf("POST", "/", (c) => c.json(200, c.request.headers.get("content-length"))));
    const { body } = await testRequest(app, "POST", "/", option);
    assertEquals(JSON.parse(body), length);
  });
}

Deno.test("wantStatus prints a redirect's target", async () => {
  const app = new App({ env: "dev", logRequest: Off });
  app.route({ pattern: "/", methods: { GET: (c) => c.redirect("/login?next=%2F") } });
  const error = await assertRejects(() => testRequest(app, "GET", "/").wantStatus(200));
  assertStringIncludes(String(error), 'got 303, a redirect to "/login?next=%2F"');
});
