import { assertEquals } from "@std/assert";
import type { Ctx, Route } from "../../../mod.ts";
import { testRequest, withHeader } from "../../../runtime/testing/mod.ts";
import { anyHref, newSite, routeOf, textRoute } from "../app/support.ts";
import { newFolder } from "../../new_folder.ts";

const echo = (c: Ctx): Response => c.json(200, [c.pattern, c.base, c.url.pathname]);

const routes: readonly Route[] = [
  { pattern: "/", methods: { GET: echo } },
  { pattern: "/a", methods: { GET: echo } },
  { pattern: "/p/{name}", methods: { GET: (c) => c.text(200, c.param("name")) } },
];

function newShop(): ReturnType<typeof newSite> {
  return newSite(routes, { config: { basePath: "/shop/" } });
}

const paths: readonly [path: string, status: number, body: string][] = [
  ["/shop/", 200, '["/","/shop","/shop/"]'],
  ["/shop/a", 200, '["/a","/shop","/shop/a"]'],
  ["/sh%6Fp/a", 200, '["/a","/shop","/sh%6Fp/a"]'],
  ["/shop/p/x%2Fy", 200, "x/y"],
];

for (const [path, status, body] of paths) {
  Deno.test(`routes match below the base path: ${path}`, async () => {
    const response = await testRequest(newShop().app, "GET", path).wantStatus(status);
    assertEquals(response.body, body);
  });
}

for (const path of ["/", "/a", "/a/", "/shopping", "/shopa", "/p/x/", "/SHOP/a", "/x/shop/a"]) {
  Deno.test(`a path outside the base path gets 404 without a redirect: ${path}`, async () => {
    const { headers } = await testRequest(newShop().app, "GET", path).wantStatus(404);
    assertEquals(headers.get("location"), null);
  });
}

Deno.test("the redirect of a trailing slash keeps the base path and the query", async () => {
  await testRequest(newShop().app, "GET", "/shop/a/?q=1").wantStatus(301)
    .wantHeader("location", "/shop/a?q=1");
});

const bare: readonly (readonly [method: string, path: string, status: number, to: string])[] = [
  ["GET", "/shop", 301, "/shop/"],
  ["HEAD", "/shop?q=1", 301, "/shop/?q=1"],
  ["POST", "/shop", 308, "/shop/"],
  ["GET", "/sh%6Fp", 301, "/sh%6Fp/"],
];

for (const [method, path, status, to] of bare) {
  Deno.test(`the base path without its slash redirects: ${method} ${path}`, async () => {
    const { app } = newShop();
    await testRequest(app, method, path).wantStatus(status).wantHeader("location", to);
  });
}

Deno.test("the base path without a start page belongs to the host", async () => {
  const { app } = newSite([textRoute("/a", "a")], { config: { basePath: "/shop" } });
  await testRequest(app, "GET", "/shop").wantStatus(404);
  const handler = app.handler({ next: (request) => new Response(`host ${request.url}`) });
  const response = await handler(new Request("http://localhost/shop"));
  assertEquals(await response.text(), "host http://localhost/shop");
});

Deno.test("the base path with an index file redirects to its slash", async () => {
  await using folder = await newFolder();
  await Deno.writeTextFile(`${folder.path}/index.html`, "start");
  const mounts = { "/": { from: folder.path, index: true } };
  const { app } = newSite([], { config: { basePath: "/shop", mounts } });
  await testRequest(app, "GET", "/shop").wantStatus(301).wantHeader("location", "/shop/");
  assertEquals((await testRequest(app, "GET", "/shop/").wantStatus(200)).body, "start");
});

Deno.test("outside the base path the host handles requests, even for paths of routes", async () => {
  const handler = newShop().app.handler({ next: (request) => new Response(`host ${request.url}`) });
  for (const path of ["/", "/a", "/a/", "/shopping", "/p/x/"]) {
    const response = await handler(new Request(`http://localhost${path}`));
    assertEquals(await response.text(), `host http://localhost${path}`);
  }
});

Deno.test("c.href, c.asset and cookies include the base path, and c.redirect keeps its target", async () => {
  const { app } = newSite([
    ...routes,
    routeOf("GET", "/links", (c) => {
      c.setCookie({ name: "a", value: "b" });
      return c.json(200, [
        c.href("/"),
        anyHref(c, "/p/{name}", { name: "x y" }),
        c.asset("/x.css"),
      ]);
    }),
    { pattern: "/to", methods: { GET: (c) => c.redirect("/elsewhere") } },
  ], { config: { basePath: "/shop" } });
  const links = await testRequest(app, "GET", "/shop/links");
  assertEquals(links.body, '["/shop/","/shop/p/x%20y","/shop/x.css"]');
  assertEquals(links.headers.getSetCookie(), ["a=b; Path=/shop; HttpOnly; SameSite=Lax"]);
  await testRequest(app, "GET", "/shop/to").wantHeader("location", "/elsewhere");
});

Deno.test("a problem's instance and the log include the base path", async () => {
  const site = newShop();
  const option = withHeader("accept", "application/json");
  const problem = await testRequest(site.app, "GET", "/shop/nothing", option);
  assertEquals(JSON.parse(problem.body)["instance"], "/shop/nothing");
  await testRequest(site.app, "GET", "/shop/a");
  assertEquals(site.logged("request")[0]?.["path"], "/shop/a");
});

Deno.test("the fallback format of /api/ applies inside the base path", async () => {
  const { app } = newShop();
  const cases = [
    ["/shop/api/x", "application/problem+json"],
    ["/shop/x", "text/html; charset=utf-8"],
  ] as const;
  for (const [path, type] of cases) {
    await testRequest(app, "GET", path).wantStatus(404).wantHeader("content-type", type);
  }
});

Deno.test("the fallback format applies inside the base path for a refused host", async () => {
  for (const basePath of ["", "/shop"]) {
    const { app } = newSite([textRoute("/a")], {
      config: { basePath, allowedHosts: ["a.example"] },
    });
    const cases = [
      ["/api/x", "*/*", "application/problem+json"],
      ["/api/x", "text/html", "text/html; charset=utf-8"],
      ["/a", "*/*", "text/html; charset=utf-8"],
      ["/a", "application/json", "application/problem+json"],
    ] as const;
    for (const [path, accept, type] of cases) {
      const request = new Request(`http://evil.example${basePath}${path}`, { headers: { accept } });
      const response = await app.fetch(request);
      assertEquals([response.status, response.headers.get("content-type")], [400, type], path);
    }
  }
});

Deno.test("static files are served below the base path", async () => {
  await using folder = await newFolder();
  const dir = folder.path;
  await Deno.writeTextFile(`${dir}/a.txt`, "file");
  const { app } = newSite([textRoute("/")], { config: { basePath: "/shop", public: dir } });
  await testRequest(app, "GET", "/shop/a.txt").wantStatus(200).wantContains("file");
  await testRequest(app, "GET", "/a.txt").wantStatus(404);
});
