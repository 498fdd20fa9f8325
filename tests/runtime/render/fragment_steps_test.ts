import { type Handler, redirect } from "../../../mod.ts";
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import * as h from "../../../html/mod.ts";
import { testRequest, withHeader, withSigned } from "../../../runtime/testing/mod.ts";
import { newSite, throwing } from "../app/support.ts";
import { asFragment, siteOf, varies } from "./fragment_site.ts";

Deno.test("FW-Fragment: * returns the page with its layouts, and 204 for a redirect", async () => {
  const { app } = siteOf({
    page: () => h.p("page"),
    methods: {
      POST: (c) => c.redirect("/next"),
      PUT: (c) => c.redirect("/next", 308),
      PATCH: throwing(new Error("broken")),
    },
  });
  const whole = withHeader("FW-Fragment", "*");
  await testRequest(app, "GET", "/", whole).wantStatus(200).wantContains(
    "<main><p>page</p></main>",
  );
  await testRequest(app, "POST", "/", whole).wantStatus(204).wantHeader("fw-location", "/next");
  const { body } = await testRequest(app, "PATCH", "/", whole).wantStatus(500);
  assert(!body.includes("<html"));
  await testRequest(app, "PUT", "/", whole).wantStatus(308).wantHeader("location", "/next");
});

/** Results that redirect, and the location that a fragment request gets. */
const steps: readonly [title: string, handler: Handler, location: string][] = [
  ["c.redirect", (c) => c.redirect("/next?a=1#b"), "/next?a=1#b"],
  ["a returned redirect", () => redirect("/next", 302), "/next"],
  ["a thrown redirect", throwing(redirect("/next", 307)), "/next"],
  ["301", (c) => c.redirect("/next", 301), "/next"],
  ["308", (c) => c.redirect("/next", 308), "/next"],
  ["foreign target", () => Response.redirect("https://other.example/a"), "https://other.example/a"],
  [
    "a foreign 300 with a body",
    () =>
      new Response("choose", {
        status: 300,
        headers: { location: "/a", "content-type": "text/plain" },
      }),
    "/a",
  ],
  ["a path that browsers read as a host", () => redirect("//evil.example"), "/evil.example"],
  ["a staged redirect", (c) => c.respond(c.redirect("/next")), "/next"],
];

for (const [title, handler, location] of steps) {
  Deno.test(`a fragment request gets 204 with FW-Location: ${title}`, async () => {
    for (const method of ["GET", "POST", "HEAD"] as const) {
      const { app } = siteOf({ methods: { GET: handler, POST: handler } });
      const response = await testRequest(app, method, "/", asFragment).wantStatus(204);
      response.wantHeader("fw-location", location);
      assertEquals([response.body, varies(response.header("vary"))], ["", ["FW-Fragment"]]);
      for (const name of ["location", "content-type", "content-length"]) {
        assertEquals(response.header(name), undefined, name);
      }
      const plain = await testRequest(app, method, "/");
      assertEquals(plain.header("location"), location);
    }
  });
}

Deno.test("redirects of a middleware and of a trailing slash become 204 too", async () => {
  const { app } = newSite([
    {
      pattern: "/guarded",
      page: () => h.p("secret"),
      middleware: [{ Middleware: (c) => c.redirect("/login", 302) }],
    },
  ]);
  const guarded = await testRequest(app, "GET", "/guarded", asFragment).wantStatus(204);
  guarded.wantHeader("fw-location", "/login");
  const slash = await testRequest(app, "GET", "/guarded/?a=1", asFragment).wantStatus(204);
  slash.wantHeader("fw-location", "/guarded?a=1");
});

Deno.test("a middleware sees the original redirect", async () => {
  const { app } = siteOf({
    page: (c) => c.redirect("/next"),
    middleware: [{
      Middleware: async (c, next) => {
        const response = await next();
        c.header("x-seen", String(response.status));
        return response;
      },
    }],
  });
  const response = await testRequest(app, "GET", "/", asFragment).wantStatus(204);
  response.wantHeader("x-seen", "303");
});

const noSteps: readonly [title: string, handler: Handler, status: number][] = [
  ["201, a Location", () => new Response("x", { status: 201, headers: { location: "/1" } }), 201],
  ["304, a Location", () => new Response(null, { status: 304, headers: { location: "/1" } }), 304],
  ["300 without a Location", () => new Response("choose", { status: 300 }), 300],
];

for (const [title, handler, status] of noSteps) {
  Deno.test(`a fragment request gets the response unchanged: ${title}`, async () => {
    const { app } = siteOf({ methods: { GET: handler } });
    const response = await testRequest(app, "GET", "/", asFragment).wantStatus(status);
    assertEquals(response.header("fw-location"), undefined);
  });
}

const cases = [
  ["sec-purpose", "prefetch", 0],
  ["sec-purpose", "prefetch;prerender", 0],
  ["purpose", "prefetch", 0],
  ["sec-purpose", "other", 1],
] as const;
for (const [name, value, taken] of cases) {
  Deno.test(`c.flashes returns ${taken} of one message for ${name}: ${value}`, async () => {
    const { app } = siteOf({ methods: { GET: (c) => c.json(200, c.flashes()) } }, {
      config: { secret: "k".repeat(32) },
    });
    const kept = withSigned("fw_flash", '[{"kind":"info","text":"x"}]');
    const response = await testRequest(app, "GET", "/", kept, withHeader(name, value));
    assertEquals(JSON.parse(response.body).length, taken);
    assertEquals(response.headers.getSetCookie().length, taken);
  });
}

Deno.test("c.renderAll: a fragment lists the ids, and a page has the nodes inside its layouts", async () => {
  const { app } = siteOf({
    methods: {
      GET: (c) => c.renderAll(201, h.ul(h.class("x"), h.id("cart")), h.tr(h.id("row:1"))),
    },
  });
  const nodes = '<ul class="x" id="cart"></ul><tr id="row:1"></tr>';
  const fragment = await testRequest(app, "GET", "/", asFragment).wantStatus(201);
  fragment.wantHeader("fw-swap", "cart row:1");
  const mark = fragment.header("fw-next") ?? "";
  assertMatch(mark, /^[0-9a-f-]{36}$/);
  assertEquals(fragment.body.replace(`<!--${mark}-->`, ""), nodes);
  const again = await testRequest(app, "GET", "/", asFragment);
  assertNotEquals(again.header("fw-next"), mark, "nobody can know it");
  const page = await testRequest(app, "GET", "/").wantStatus(201);
  page.wantContains(`<main>${nodes}</main>`);
  assertEquals(page.header("fw-swap"), undefined);
});

/** Nodes whose attributes contain an id in exactly one place. */
const named: readonly [title: string, node: () => h.Node][] = [
  ["after a lookalike in a value", () => h.div(h.attr("title", "x id="), h.id("cart"))],
  ["after a quoted one in a value", () => h.div(h.attr("title", ' id="b"'), h.id("cart"))],
  ["before one", () => h.div(h.id("cart"), h.attr("title", "x id='b' id=b"))],
  ["after a bracket in a value", () => h.div(h.attr("title", "a > b"), h.id("cart"))],
  ["after an attribute without a value", () => h.div(h.bool("hidden"), h.id("cart"))],
  ["after an attribute whose name ends like it", () => h.div(h.data("id", "b"), h.id("cart"))],
  ["in single quotes", () => h.html`<div title='" id="b"' id='cart'></div>`],
  ["without quotes", () => h.html`<div id=cart></div>`],
  ["in capitals, with spaces", () => h.html`\n<DIV ID = "cart"></DIV>`],
  ["of an unclosed element", () => h.input(h.attr("value", "/ id="), h.id("cart"))],
  ["of a template", () => h.el("template", h.id("cart"), h.p(h.id("b")))],
];

for (const [title, node] of named) {
  Deno.test(`c.renderAll: finds an id ${title}`, async () => {
    const { app } = siteOf({ methods: { GET: (c) => c.renderAll(200, node()) } });
    const answer = await testRequest(app, "GET", "/", asFragment).wantStatus(200);
    answer.wantHeader("fw-swap", "cart");
  });
}

/** Nodes without a replacement target. */
const unnamed: readonly [title: string, nodes: () => readonly h.Node[], part: string][] = [
  ["no node", () => [], "nothing"],
  ["no id", () => [h.p("x")], "node 1 of c.renderAll: it is not an element with an id"],
  ["an id further in", () => [h.p(h.b(h.id("x")))], "not an element with an id"],
  ["text", () => [h.text("x")], "not an element with an id"],
  ["many elements", () => [h.fragment(h.text("a"), h.p(h.id("x")))], "not an element with an id"],
  ["an id in a value's text", () => [h.p(h.titleAttr(' id="x"'))], "not an element with an id"],
  ["an id after a comment", () => [h.html`<!-- x --><p id="x"></p>`], "not an element with an id"],
  ["an end tag", () => [h.raw("</p id=x><p id=x>")], "not an element with an id"],
  ["an element cut short", () => [h.raw('<p id="x"')], "not an element with an id"],
  ["an id without a value", () => [h.html`<p id></p>`], 'its id "" is none for a header'],
  ["an id with a space", () => [h.p(h.id("a b"))], 'its id "a b" is none for a header'],
  ["an id with a line break", () => [h.p(h.id("a\r\nx: y"))], "is none for a header"],
  ["the same id twice", () => [h.p(h.id("x")), h.b(h.id("x"))], 'the id "x" comes twice'],
];

for (const [title, nodes, part] of unnamed) {
  Deno.test(`c.renderAll refuses for pages and fragments: ${title}`, async () => {
    const site = siteOf({ methods: { GET: (c) => c.renderAll(200, ...nodes()) } });
    for (const form of [[], [asFragment]]) {
      await testRequest(site.app, "GET", "/", ...form).wantStatus(500);
    }
    const logged = JSON.stringify(site.logged("handler failed"));
    assertStringIncludes(logged, JSON.stringify(part).slice(1, -1));
  });
}
