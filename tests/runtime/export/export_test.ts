import {
  assert,
  assertEquals,
  assertNotMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import * as h from "../../../html/mod.ts";
import { csrfInput, limit, notFound, redirect } from "../../../mod.ts";
import type { Ctx, ExportOptions, Route } from "../../../mod.ts";
import { devReadyVariable } from "../../../runtime/base/conventions.ts";
import { testRequest } from "../../../runtime/testing/mod.ts";
import { type ExportedApp, exportOnce, fileRoute, inScratch, page } from "./support.ts";
import { newSite, routeOf, throwing } from "../app/support.ts";

const places: readonly [name: string, pattern: string, file: string][] = [
  ["the root", "/", "index.html"],
  ["a page", "/about", "about/index.html"],
  ["a page below", "/a/b", "a/b/index.html"],
  ["a name with a dot", "/v1.2", "v1.2/index.html"],
  ["a name with an HTML extension", "/old.html", "old.html"],
  ["a name beyond ASCII", "/café au lait", "café au lait/index.html"],
  ["a percent sign", "/100%", "100%/index.html"],
  ["a well-known page", "/.well-known/x", ".well-known/x/index.html"],
];

for (const [name, pattern, file] of places) {
  Deno.test(`export: writes ${name} to ${file}`, () =>
    exportOnce({ routes: [page(pattern, "hello")] }, ({ report, read }, s) => {
      assertEquals(s.list(), [file]);
      assertStringIncludes(read(file), "<main>hello</main>");
      assertEquals(report.warnings, []);
      assertEquals(report.files.find((one) => one.file === file)?.kind, "page");
    }));
}

Deno.test("export: renders pages through middleware, layouts and provided values", () =>
  exportOnce({
    routes: [{
      pattern: "/a",
      page: (c) => h.p(String(c.get("who")), c.isExport ? ", exported" : ""),
      layouts: [(_, children) => h.html(h.head(), h.body(children))],
      middleware: [{
        Middleware: (c, next) => {
          c.set("who", "ada");
          return next();
        },
      }],
    }],
  }, ({ read }) => assertStringIncludes(read("a/index.html"), "<p>ada, exported</p>")));

Deno.test("export: c.isExport is false for every request of a server", async () => {
  const { app } = newSite([
    routeOf("GET", "/", (c) => c.json(200, [c.isExport, c.request.headers.get("x-request-id")])),
  ]);
  await testRequest(app, "GET", "/").wantContains("[false,null]");
});

Deno.test("export: a page's URL comes from the base URL only", () =>
  exportOnce({
    routes: [{ pattern: "/a", page: (c) => h.p(c.url.href, " ", c.clientIp ?? "nobody") }],
    options: { baseUrl: "https://example.com" },
  }, ({ read, report }) => {
    assertStringIncludes(read("a/index.html"), "<p>https://example.com/a nobody</p>");
    assertEquals(report.warnings, []);
  }));

Deno.test("export: reports an absolute URL without a base URL", () =>
  exportOnce({
    routes: [
      { pattern: "/a", page: (c) => h.p(c.url.href) },
      routeOf("GET", "/a.ics", (c) =>
        new Response(c.url.href, { headers: { "content-type": "text/calendar" } })),
      page("/b"),
    ],
  }, ({ report }) =>
    assertEquals(report.warnings.map(({ code, subject }) => [code, subject]), [
      ["no_base_url", "/a"],
      ["no_base_url", "/a.ics"],
    ])));

Deno.test("export: includes deferred parts in the file, without a script", () =>
  exportOnce({
    routes: [{ pattern: "/", page: (c) => h.main(c.defer(Promise.resolve(h.p("late")), "wait")) }],
  }, ({ read }) => {
    assertStringIncludes(read("index.html"), "<main><p>late</p></main>");
    assert(!read("index.html").includes("<script"));
  }));

Deno.test("export: bypasses rate limits, which still count other clients", async () => {
  const pages = Array.from({ length: 40 }, (_, i) => page(`/${i}`));
  const middleware = [{ Middleware: limit(0.001, 1) }];
  const routes = pages.map((route): Route => ({ ...route, middleware }));
  await inScratch(async (scratch) => {
    const config = { rateLimit: { rate: 0.001, burst: 1 } };
    const { report, site } = await scratch.export({ routes, config });
    assertEquals(report.files.filter(({ kind }) => kind === "page").length, 40);
    await testRequest(site.app, "GET", "/1").wantStatus(200);
    await testRequest(site.app, "GET", "/1").wantStatus(429);
    // Requests by which a client may imitate an export.
    const forged = new Request("http://export.invalid/1", {
      headers: { "x-request-id": "export" },
    });
    assertEquals((await site.app.fetch(forged)).status, 200);
    assertEquals((await site.app.fetch(forged.clone())).status, 429);
  });
});

function thrown(error: Error): Route {
  return { pattern: "/a", page: throwing(error) };
}

const answered = (page: NonNullable<Route["page"]>): Route => ({ pattern: "/a", page });
const bare = (status: number, headers: HeadersInit = {}): Route =>
  answered(() => new Response(null, { status, headers }));
const coded = { "content-encoding": "br", "content-type": "text/html" };

const failures: readonly [name: string, route: Route, message: string][] = [
  ["a throw", thrown(new Error("no database")), "/a answers 500: no database"],
  ["a TypeError", thrown(new TypeError("x is null")), "/a answers 500: TypeError: x is null"],
  ["a 404", answered(() => notFound("no")), "/a answers 404: NotFoundError: no"],
  ["a custom response", bare(410), "/a answers 410"],
  ["nothing", answered(() => {}), "/a answers 204 without a body"],
  ["a 304", bare(304), "/a answers 304 without a body"],
  ["JSON", answered((c) => c.json(200, 1)), "/a answers application/json, which a host"],
  [
    "a feed",
    { ...answered((c) => c.json(200, 1)), pattern: "/a.rss" },
    "use a route.ts whose path",
  ],
  ["a stream", fileRoute("/a.txt", "", "text/event-stream"), "/a.txt is a stream; end it"],
  ["coding", answered(() => new Response("x", { headers: coded })), "/a responds in the coding br"],
  ["a redirect to itself", answered(() => redirect("/a?x=1")), "/a redirects to itself"],
  ["a redirect to itself with a slash", answered(() => redirect("/a/")), "/a redirects to itself"],
  ["a script", bare(302, { location: "javascript:alert(1)" }), '/a redirects to "javascript:alert'],
];

for (const [name, route, message] of failures) {
  Deno.test(`export: reports a failing page with its error: ${name}`, () =>
    exportOnce({ routes: [page("/ok"), route] }, (outcome, scratch) => {
      assertStringIncludes(outcome.message ?? "", message);
      assertNotMatch(outcome.message ?? "undefined", /undefined/);
      assertStringIncludes(outcome.message ?? "", "1 problem\n");
      assertEquals([outcome.report.errors.length, scratch.list()], [1, []]);
    }));
}

Deno.test("export: logs a failure with its stack and shows nothing of it in the page", () =>
  exportOnce({ routes: [thrown(new Error("no database"))] }, ({ site, read }) => {
    assertEquals([site.logged("handler failed").length, site.logged("request").length], [1, 1]);
    assertThrows(() => read("a/index.html"), Deno.errors.NotFound);
  }));

Deno.test("export: reports handlers and bodies that take more than a minute", async () => {
  const { setTimeout: start } = globalThis;
  const skip = (run: () => void, ms?: number): unknown => start(run, ms === 60_000 ? 0 : ms);
  globalThis.setTimeout = skip as typeof setTimeout;
  const open = (): Response =>
    new Response(new ReadableStream(), { headers: { "content-type": "text/html" } });
  try {
    await exportOnce({
      routes: [
        { pattern: "/a", page: async () => await new Promise<void>(() => {}) },
        { pattern: "/b", page: open },
      ],
      config: { timeouts: { writeMs: Infinity } },
    }, ({ report }) =>
      assertEquals(report.errors.map(({ message }) => message), [
        "/a takes more than 60000 ms; end it, or exclude it.",
        "/b takes more than 60000 ms; end it, or exclude it.",
      ]));
  } finally {
    globalThis.setTimeout = start;
  }
});

Deno.test("export: does not read a body without end", () => {
  const part = new Uint8Array(16 * 1_024 * 1_024);
  let read = 0;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    read++;
    if (read > 20) controller.close();
    else controller.enqueue(part);
  };
  const GET = (): Response => new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
  return exportOnce({ routes: [{ pattern: "/a.bin", methods: { GET } }] }, ({ message }) => {
    assertStringIncludes(message ?? "", "/a.bin returns more than 268435456 bytes; exclude it.");
    assertEquals(read, 17);
  });
});

Deno.test("export: aborts the request of a page once it is read", async () => {
  let signal: AbortSignal | undefined;
  const look = (c: Ctx): h.Node => h.p(String((signal = c.request.signal).aborted));
  await exportOnce(
    { routes: [{ pattern: "/a", page: look }] },
    ({ read }) => assertStringIncludes(read("a/index.html"), "<p>false</p>"),
  );
  assert(signal?.aborted);
});

Deno.test("export: does not log each request", () =>
  exportOnce({ routes: [page("/a"), page("/b")] }, ({ site }) => assertEquals(site.lines, [])));

Deno.test("export: progress counts pages and files", async () => {
  const told: string[] = [];
  const onProgress: ExportOptions["onProgress"] = ({ done, total, path }) =>
    void told.push(`${done}/${total} ${path}`);
  const files = { "style.css": "a" };
  await exportOnce({ routes: [page("/a")], files, options: { onProgress } }, () => {
    assertEquals(told, ["1/2 /a", "2/2 /style.css"]);
  });
});

const example = { baseUrl: "https://example.com" };
const addresses: readonly [name: string, app: ExportedApp, url: string][] = [
  ["no address", {}, "http://export.invalid/"],
  ["a base URL", { options: example }, "https://example.com/"],
  ["an allowed host", { config: { allowedHosts: ["*.Example.org"] } }, "http://www.example.org/"],
  ["a base path", { config: { basePath: "/x" }, options: example }, "https://example.com/x/"],
  ["a port", { options: { baseUrl: "http://localhost:8000" } }, "http://localhost:8000/"],
];

for (const [name, app, url] of addresses) {
  Deno.test(`export: the request URL, with ${name}`, () =>
    exportOnce(
      { ...app, routes: [{ pattern: "/", page: (c) => h.p(c.url.href) }] },
      ({ read }) => assertStringIncludes(read("index.html"), `<p>${url}</p>`),
    ));
}

const refusals: readonly [name: string, app: ExportedApp, message: string][] = [
  [
    "a password",
    { options: { baseUrl: "https://u:pw@a.example" } },
    'Cannot export for "https://[hidden]@a.example": write',
  ],
  ["no URL", { options: { baseUrl: "example.com" } }, 'Cannot export for "example.com"'],
  ["another scheme", { options: { baseUrl: "ftp://example.com" } }, "write the site's address"],
  ["a query", { options: { baseUrl: "https://example.com/?a" } }, "write the site's address"],
  ["a user", { options: { baseUrl: "https://a:b@example.com" } }, "write the site's address"],
  ["a path", { options: { baseUrl: "https://example.com/docs" } }, 'set it to "/docs"'],
  ["a host that is not allowed", {
    config: { allowedHosts: ["example.org"] },
    options: example,
  }, 'has no "example.com"'],
  [
    "an invalid name",
    { options: { excluded: ["/admin"] } as ExportOptions },
    'Cannot export with "excluded": there is no such option; there are baseUrl, only, exclude',
  ],
  ["a selection without a slash", { options: { only: ["docs"] } }, 'with only "docs"'],
  ["an exclusion without a slash", { options: { exclude: ["admin"] } }, 'with exclude "admin"'],
  ["an exclusion that ends with a slash", { options: { exclude: ["/a/"] } }, 'with exclude "/a/"'],
];

for (const [name, app, message] of refusals) {
  Deno.test(`export: refuses options: ${name}`, () =>
    inScratch(async (scratch) => {
      const run = () => scratch.export({ ...app, routes: [page("/")] });
      const error = await assertRejects(run, Error, message);
      assert(error instanceof TypeError);
      assertEquals(scratch.list(""), []);
    }));
}

Deno.test("export: reports cookies and posting forms, and writes no token", () =>
  exportOnce({
    routes: [{
      pattern: "/form",
      page: (c: Ctx) => {
        c.setCookie({ name: "seen", value: "1" });
        return h.form(h.method("post"), csrfInput(c), h.button("Send"));
      },
    }],
  }, ({ report, read }) => {
    const found = report.warnings.map(({ code, detail }) => [code, detail]);
    assertEquals(found, [["cookie", '"seen"'], ["form_post", "/form"]]);
    assertStringIncludes(read("form/index.html"), 'name="_csrf" value=""');
  }));

Deno.test("export: omits the reload script of development", () =>
  exportOnce(
    { routes: [page("/")], config: { env: "dev", variables: { [devReadyVariable]: "x" } } },
    ({ read }) => assert(!read("index.html").includes("<script")),
  ));
