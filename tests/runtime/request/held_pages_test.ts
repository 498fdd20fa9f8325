import { assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { App, csrfInput, type Ctx, type Node, Off } from "../../../mod.ts";
import * as h from "../../../html/mod.ts";
import { newTestClient, withHeader, withoutCsrf } from "../../../runtime/testing/mod.ts";
import type { TestClient } from "../../../runtime/testing/mod.ts";
import { renewCsrfToken } from "../../../runtime/addon.ts";

const date = new Date("2026-03-04T05:06:07Z");

function newApp(): App {
  const app = new App({ env: "prod", logRequest: Off, secret: "x".repeat(40) });
  const form = (c: Ctx): Node => h.form(h.method("post"), csrfInput(c), h.button("Send"));
  const messages = (c: Ctx): Node => h.ul(h.map(c.flashes(), ({ text }) => h.li(text)));
  const pages: Readonly<Record<string, (c: Ctx) => Node | undefined>> = {
    "/plain": (c) => c.etag("v1") ? undefined : h.p("plain"),
    "/form": (c) => c.etag("v1") ? undefined : form(c),
    "/dated-form": (c) => c.lastModified(date) ? undefined : form(c),
    "/both-form": (c) => c.etag("v1") || c.lastModified(date) ? undefined : form(c),
    "/late-form": (c) => {
      const later = new Promise<void>((resolve) => setTimeout(resolve, 5));
      return c.etag("v1") ? undefined : h.p(c.defer(later.then(() => form(c)), h.p("…")));
    },
    "/list": (c) => c.etag("v1") ? undefined : messages(c),
    "/dated-list": (c) => {
      c.cacheControl("private, max-age=60");
      return c.lastModified(date) ? undefined : messages(c);
    },
  };
  for (const [pattern, page] of Object.entries(pages)) app.route({ pattern, page });
  app.route({
    pattern: "/save",
    kind: "page",
    methods: {
      POST: (c) => {
        c.flash("success", "It is saved");
        return c.redirect("/list");
      },
    },
  });
  app.route({
    pattern: "/login",
    kind: "page",
    methods: {
      POST: (c) => {
        renewCsrfToken(c);
        return c.redirect("/form");
      },
    },
  });
  return app;
}

function revisit(
  client: TestClient,
  path: string,
  held: Headers,
): ReturnType<TestClient["request"]> {
  const tag = held.get("etag");
  const modified = held.get("last-modified");
  return client.request(
    "GET",
    path,
    ...(tag === null ? [] : [withHeader("if-none-match", tag)]),
    ...(modified === null ? [] : [withHeader("if-modified-since", modified)]),
  );
}

for (const path of ["/form", "/dated-form", "/both-form", "/late-form"]) {
  Deno.test(`a 304 never restores the token of an earlier sign-in: ${path}`, async () => {
    await using app = newApp();
    const client = newTestClient(app);
    await client.get("/form", withoutCsrf());
    const first = await client.get(path);
    await client.postForm("/login", {});
    const second = await revisit(client, path, first.headers);
    assertEquals(second.status, 200);
    assertStringIncludes(second.body, "_csrf");
  });
}

Deno.test("a page with a form gets 304 for the browser that holds its token", async () => {
  await using app = newApp();
  const client = newTestClient(app);
  const first = await client.get("/form", withoutCsrf());
  const tag = first.headers.get("etag") ?? "";
  assertNotEquals(tag, '"v1"');
  const second = await revisit(client, "/form", first.headers);
  assertEquals([second.status, second.headers.get("etag")], [304, tag]);
  assertStringIncludes(second.headers.get("vary") ?? "", "Cookie");
  const weak = await client.request("GET", "/form", withHeader("if-none-match", `W/${tag}`));
  assertEquals([weak.status, weak.headers.get("etag")], [304, `W/${tag}`]);
  const other = newTestClient(app);
  assertEquals((await revisit(other, "/form", first.headers)).status, 200);
  await other.get("/form", withoutCsrf());
  assertEquals((await revisit(other, "/form", first.headers)).status, 200);
});

Deno.test("a page without a form keeps its tag even if the browser has a token", async () => {
  await using app = newApp();
  const client = newTestClient(app);
  await client.get("/form", withoutCsrf());
  const first = await client.get("/plain");
  assertEquals(first.headers.get("etag"), '"v1"');
  assertEquals((await revisit(client, "/plain", first.headers)).status, 304);
});

for (const path of ["/list", "/dated-list"]) {
  Deno.test(`a page with messages is neither cached nor replaced by a 304: ${path}`, async () => {
    await using app = newApp();
    const client = newTestClient(app);
    const before = await client.get(path);
    assertEquals((await revisit(client, path, before.headers)).status, 304);
    await client.postForm("/save", {});
    const shown = await revisit(client, path, before.headers);
    assertEquals(shown.status, 200);
    assertStringIncludes(shown.body, "It is saved");
    assertEquals([shown.headers.get("etag"), shown.headers.get("last-modified")], [null, null]);
    assertEquals(shown.headers.get("cache-control"), "no-store");
    const after = await revisit(client, path, before.headers);
    assertEquals(after.status, 304);
  });
}

Deno.test("HEAD keeps the messages for the next GET", async () => {
  await using app = newApp();
  const client = newTestClient(app);
  await client.postForm("/save", {});
  const head = await client.request("HEAD", "/list");
  assertEquals([head.status, head.headers.get("set-cookie")], [200, null]);
  assertStringIncludes((await client.get("/list")).body, "It is saved");
});
