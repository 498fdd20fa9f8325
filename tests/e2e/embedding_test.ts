/** The application inside other programs, as in the guides. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Hono } from "npm:hono@4.13.19";
import * as h from "../../html/mod.ts";
import { App, createLogger, type Settings } from "../../mod.ts";
import { anyHref } from "../runtime/app/support.ts";
import { routeOf } from "../routes.ts";
import { serveLocal } from "../serve_local.ts";

const quiet: Settings = { logger: createLogger({ write: () => {} }) };

function shop(settings: Settings = {}): App {
  const app = new App({ ...quiet, ...settings });
  app.route({ pattern: "/", page: (c) => h.h1(`Shop at ${c.base || "/"}`) });
  app.route(
    routeOf(
      "GET",
      "/items/{id}",
      (c) => c.text(200, `item ${c.param("id")} ${anyHref(c, "/items/{id}", { id: 1 })}`),
    ),
  );
  app.route({ pattern: "/ip", methods: { GET: (c) => c.text(200, c.clientIp ?? "unknown") } });
  app.route({ pattern: "/live", methods: { GET: (c) => c.stream((s) => s.send("tick", "1")) } });
  app.route({
    pattern: "/late",
    page: (c) => h.main(c.defer(Promise.resolve(h.b("late")), "soon")),
  });
  app.route({ pattern: "/fails", methods: { GET: () => Promise.reject(new Error("x")) } });
  return app;
}

async function serve(
  handler: Deno.ServeHandler,
  test: (get: (path: string) => Promise<string>) => Promise<void>,
): Promise<void> {
  await using server = serveLocal(handler);
  await test(async (path) => {
    const response = await fetch(`${server.origin}${path}`);
    return `${response.status} ${await response.text()}`;
  });
}

/** Checks common to all hosts of the application below `base`. */
async function checkShop(get: (path: string) => Promise<string>, base: string): Promise<void> {
  assertStringIncludes(await get(`${base}/`), `<h1>Shop at ${base || "/"}</h1>`);
  assertEquals(await get(`${base}/items/7`), `200 item 7 ${base}/items/1`);
  assertEquals(await get(`${base}/live`), "200 event: tick\ndata: 1\n\n");
  assertStringIncludes(await get(`${base}/late`), '-1"><b>late</b></template>');
  assert((await get(`${base}/fails`)).startsWith("500 "));
}

Deno.test("embedding: behind a Deno.serve handler that serves some paths itself", async () => {
  const handler = shop().handler();
  await serve(
    (request, info) =>
      new URL(request.url).pathname === "/health" ? new Response("up") : handler(request, info),
    async (get) => {
      assertEquals(await get("/health"), "200 up");
      await checkShop(get, "");
    },
  );
});

Deno.test("embedding: inside Hono, under a base path", async () => {
  const handler = shop({ basePath: "/shop" }).handler();
  const host = new Hono<{ Bindings: Deno.ServeHandlerInfo }>();
  host.get("/", (context) => context.text("hono"));
  host.all("/shop", (context) => handler(context.req.raw, context.env));
  host.all("/shop/*", (context) => handler(context.req.raw, context.env));
  await serve((request, info) => host.fetch(request, info), async (get) => {
    assertEquals(await get("/"), "200 hono");
    await checkShop(get, "/shop");
    assertEquals(await get("/shop/ip"), "200 127.0.0.1");
    assert((await get("/elsewhere")).startsWith("404"));
  });
});

Deno.test("embedding: in front of an old application, one route at a time", async () => {
  const old = new Hono();
  old.get("/items/old", (context) => context.text("old item"));
  old.get("/cart", (context) => context.text("old cart"));
  const app = new App(quiet);
  app.route({ pattern: "/", page: () => h.h1("new") });
  const handler = app.handler({ next: (request) => old.fetch(request) });
  await serve(handler, async (get) => {
    assertStringIncludes(await get("/"), "<h1>new</h1>");
    assertEquals(await get("/cart"), "200 old cart");
    assertEquals(await get("/items/old"), "200 old item");
    assert((await get("/none")).startsWith("404"));
  });
});

Deno.test("embedding: several applications in one process are independent", async () => {
  const apps = ["/a", "/b"].map((basePath) => shop({ basePath }));
  const [first, second] = apps.map((app) => app.handler());
  await serve((request, info) => {
    const handler = new URL(request.url).pathname.startsWith("/a") ? first : second;
    return handler?.(request, info) ?? new Response(null, { status: 404 });
  }, async (get) => {
    await checkShop(get, "/a");
    await checkShop(get, "/b");
    await apps[0]?.shutdown();
    // The streams of one application have ended, and those of the other continue.
    assertEquals(await get("/a/live"), "200 ");
    assertEquals(await get("/b/live"), "200 event: tick\ndata: 1\n\n");
  });
});
