import { httpError, notFound, redirect } from "../../../mod.ts";
import type { Ctx, Handler, LayoutHandler, Method, Settings } from "../../../mod.ts";
import { assert, assertEquals } from "@std/assert";
import * as h from "../../../html/mod.ts";
import { devReadyVariable, reloadElement } from "../../../runtime/base/conventions.ts";
import { testRequest, withForm, withHeader, withoutCsrf } from "../../../runtime/testing/mod.ts";
import { throwing } from "../app/support.ts";
import { asFragment, layout, siteOf, varies } from "./fragment_site.ts";

/** The request, and the message on the response to a body over the limit. */
const refusals: readonly [name: string, error: Handler | undefined, said: readonly string[]][] = [
  ["by itself", undefined, ["Content Too Large: the body is over the limit of 10 bytes"]],
  ["above a page", () => h.p("no"), ["Content Too Large: the body is over the limit of 10 bytes"]],
  ["as the application does", (c) => (c.flash("error", "Too big."), h.p("no")), ["Too big."]],
];

for (const [name, error, said] of refusals) {
  Deno.test(`a fragment's body over the limit is reported in FW-Flash ${name}`, async () => {
    const { app } = siteOf({
      page: () => h.p("x"),
      methods: { POST: async (c) => h.p(await c.form("text")) },
    }, { config: { maxBodyBytes: 10 }, ...(error === undefined ? {} : { parts: { error } }) });
    const big = withForm({ text: "more than ten bytes" });
    const answer = await testRequest(app, "POST", "/", big, asFragment);
    answer.wantStatus(413);
    const flashes: { text: string }[] = JSON.parse(
      decodeURIComponent(answer.headers.get("fw-flash") ?? ""),
    );
    assertEquals(flashes.map(({ text }) => text), said);
    const page = await testRequest(app, "POST", "/", big);
    assertEquals([page.status, page.headers.get("fw-flash")], [413, null]);
  });
}

/** Header values and the result of `c.fragment`. */
const ids: readonly (readonly [header: string | undefined, id: string | undefined])[] = [
  [undefined, undefined],
  ["list", "list"],
  ["row-1", "row-1"],
  ["a.b:c_d", "a.b:c_d"],
  ["7", "7"],
  ["x".repeat(100), "x".repeat(100)],
  ["x".repeat(101), undefined],
  ["", undefined],
  ["two ids", undefined],
  ["list, other", undefined],
  ...['"><script>', "x,body", "[href]", "#x", "${7*7}", "../x", "%0d%0a", "\u00e9"]
    .map((id) => [id, undefined] as const),
];

for (const [header, id] of ids) {
  Deno.test(`c.fragment: ${header?.slice(0, 20)} returns ${id?.slice(0, 20)}`, async () => {
    const { app } = siteOf({ methods: { GET: (c) => c.json(200, c.fragment ?? null) } });
    const options = header === undefined ? [] : [withHeader("fw-fragment", header)];
    assertEquals(JSON.parse((await testRequest(app, "GET", "/", ...options)).body), id ?? null);
  });
}

Deno.test("a fragment contains only the page's nodes, without layout, document or dev script", async () => {
  let layouts = 0;
  const counted: LayoutHandler = (c, children) => {
    layouts++;
    return layout(c, children);
  };
  for (const env of ["dev", "prod"] as const) {
    const site = siteOf({ page: () => h.ul(h.id("list")), layouts: [counted] }, {
      config: { env },
    });
    const response = await testRequest(site.app, "GET", "/", asFragment);
    assertEquals(response.body, '<ul id="list"></ul>');
    response.wantStatus(200).wantHeader("content-type", "text/html; charset=utf-8");
    const bare = siteOf({ page: () => h.p("x"), layouts: [] }, { config: { env } });
    assertEquals((await testRequest(bare.app, "GET", "/", asFragment)).body, "<p>x</p>");
    await testRequest(site.app, "GET", "/").wantContains('<main><ul id="list"></ul></main>');
  }
  assertEquals(layouts, 2);
});

const titles: readonly [title: string, header: string | undefined][] = [
  ["", undefined],
  [" Café\n  menu ", "Caf%C3%A9%20menu"],
  ["\ud800", "%EF%BF%BD"],
  ["x".repeat(301), "x".repeat(300)],
];
for (const [title, header] of titles) {
  Deno.test(`a fragment sends the title ${JSON.stringify(title.slice(0, 9))} of its page`, async () => {
    const { app } = siteOf({ page: (c) => (c.title = title, h.p(h.id("list"))) });
    const response = await testRequest(app, "GET", "/", asFragment);
    assertEquals(response.header("fw-title"), header);
  });
}

Deno.test("a fragment has the headers of its page, including its policy", async () => {
  const { app } = siteOf({ page: () => h.p("x") });
  const names = async (...options: Parameters<typeof testRequest>[3][]): Promise<string[]> =>
    [...(await testRequest(app, "GET", "/", ...options)).headers.keys()].sort();
  assertEquals(await names(asFragment), await names());
});

/** Responses of a page route; the page and the fragment must both vary. */
const answers: readonly [title: string, handler: Handler][] = [
  ["a node", () => h.p("x")],
  ["c.render", (c) => c.render(422, h.p("x"))],
  ["c.renderAll", (c) => c.renderAll(200, h.p(h.id("x")))],
  ["c.html", (c) => c.html(200, h.html(h.body()))],
  ["c.json", (c) => c.json(200, {})],
  ["c.text", (c) => c.text(200, "x")],
  ["nothing", () => {}],
  ["a redirect", (c) => c.redirect("/other")],
  ["a thrown redirect", throwing(redirect("/other"))],
  ["a foreign Response", () => new Response("x")],
  ["a foreign redirect", () => Response.redirect("http://localhost/other")],
  ["a foreign Response with headers", () => new Response("x", { headers: { "x-a": "1" } })],
  ["a late page", (c) => h.p(c.defer(Promise.resolve("x"), "y"))],
  ["a 304", (c) => void c.etag("v1")],
  ["not found", () => notFound()],
  ["an error", () => httpError(409, "taken")],
  ["a failure", throwing(new Error("on purpose"))],
];

for (const [title, handler] of answers) {
  Deno.test(`a page route sends Vary: FW-Fragment once for pages and fragments: ${title}`, async () => {
    const { app } = siteOf({ page: handler });
    for (const form of [[], [asFragment]]) {
      const tags = withHeader("if-none-match", '"v1", "v1;list"');
      const response = await testRequest(app, "GET", "/", tags, ...form);
      const named = varies(response.header("vary")).filter((name) => name === "FW-Fragment");
      assertEquals(named, ["FW-Fragment"], `${response.status} ${response.header("vary")}`);
    }
  });
}

Deno.test("Vary: FW-Fragment is added to the handler's own", async () => {
  const rows: readonly [given: string, want: string[]][] = [
    ["Accept", ["FW-Fragment", "Accept"]],
    ["fw-fragment", ["fw-fragment"]],
    ["*", ["*"]],
  ];
  for (const [given, want] of rows) {
    const { app } = siteOf({ page: () => new Response("x", { headers: { vary: given } }) });
    assertEquals(varies((await testRequest(app, "GET", "/")).header("vary")).sort(), want.sort());
  }
});

Deno.test("an API without HTML has no fragment headers", async () => {
  const { app } = siteOf({ methods: { GET: (c) => c.json(200, {}) } });
  assertEquals((await testRequest(app, "GET", "/", asFragment)).header("vary"), undefined);
});

Deno.test("middleware, status and staged headers equal the page's", async () => {
  const ran: string[] = [];
  const { app } = siteOf({
    middleware: [{
      Middleware: (c, next) => {
        ran.push(`all ${c.fragment}`);
        return next();
      },
      MiddlewareGET: (_c, next) => {
        ran.push("GET");
        return next();
      },
    }],
    page: (c) => {
      c.status(203);
      c.header("x-a", "1");
      c.setCookie({ name: "a", value: "1" });
      return h.p("x");
    },
  });
  const response = await testRequest(app, "GET", "/", asFragment).wantStatus(203);
  response.wantHeader("x-a", "1");
  assertEquals([response.headers.getSetCookie().length, ran], [1, ["all list", "GET"]]);
});

Deno.test("CSRF is checked as on the page", async () => {
  const { app } = siteOf({
    page: () => h.p(),
    methods: { POST: (c) => c.render(200, h.p("taken")) },
  });
  const form = withForm({ a: "1" });
  await testRequest(app, "POST", "/", asFragment, form, withoutCsrf()).wantStatus(403);
  const response = await testRequest(app, "POST", "/", asFragment, form).wantStatus(200);
  assertEquals(response.body, "<p>taken</p>");
});

Deno.test("HEAD of a fragment sends the length of the fragment", async () => {
  const { app } = siteOf({ page: () => h.p("x") });
  const response = await testRequest(app, "HEAD", "/", asFragment).wantStatus(200);
  assertEquals(response.header("content-length"), String("<p>x</p>".length));
});

Deno.test("c.html writes a complete document for any request", async () => {
  const { app } = siteOf({ page: (c) => c.html(200, h.html(h.body("x"))) });
  await testRequest(app, "GET", "/", asFragment).wantContains("<!doctype html>");
});

/** Errors of a page, and the response to a fragment request. */
const errors: readonly [title: string, handler: Handler, status: number, want: string][] = [
  ["the application's 404", () => notFound(), 404, '<p id="list">none</p>'],
  ["the application's error page", () => httpError(409, "taken"), 409, '<p id="list">taken</p>'],
];

for (const [title, handler, status, want] of errors) {
  Deno.test(`an error of a fragment has no layout: ${title}`, async () => {
    const { app } = siteOf({ page: handler }, {
      parts: {
        layout,
        notFound: () => h.p(h.id("list"), "none"),
        error: (_c, error) => h.p(h.id("list"), error instanceof Error ? error.message : "?"),
      },
    });
    const response = await testRequest(app, "GET", "/", asFragment).wantStatus(status);
    assertEquals(response.body, want);
    await testRequest(app, "GET", "/").wantContains(`<main>${want}</main>`);
  });
}

for (const env of ["dev", "prod"] as const) {
  Deno.test(`the framework's own error page is only its content, in ${env}`, async () => {
    const config: Settings = { env, variables: { [devReadyVariable]: "x" } };
    const { app } = siteOf({ page: () => httpError(409, "taken") }, { config });
    const { body } = await testRequest(app, "GET", "/", asFragment).wantStatus(409);
    assert(body.startsWith("<main>") && body.endsWith("</main>"), body);
    assert(!body.includes(reloadElement));
    const unmatched = await testRequest(app, "GET", "/nothing", asFragment).wantStatus(404);
    assert(unmatched.body.startsWith("<main>"), unmatched.body);
  });
}

Deno.test("an error of an API stays a problem document", async () => {
  const { app } = siteOf({ methods: { GET: () => httpError(409, "taken") }, kind: "api" });
  const response = await testRequest(app, "GET", "/", asFragment).wantStatus(409);
  response.wantHeader("content-type", "application/problem+json");
});

const later = async (node: h.Node, ms: number): Promise<h.Node> => {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return node;
};

for (const method of ["GET", "POST"] as const satisfies readonly Method[]) {
  Deno.test(`late parts follow a fragment without scripts: ${method}`, async () => {
    const handler = (c: Ctx): h.Node => {
      const second = later(h.li("a"), 1);
      const first = second.then(() => later(h.li("b"), 1));
      return h.ul(h.id("list"), c.defer(first, h.li("1")), c.defer(second, h.li("2")));
    };
    const { app } = siteOf({ methods: { GET: handler, POST: handler } });
    const init = { method, headers: { "fw-fragment": "list" } };
    const response = await app.fetch(new Request("http://localhost/", init));
    const key = response.headers.get("fw-late") ?? "";
    assert(/^[0-9a-f]{8}$/.test(key), key);
    const pieces = (await response.text()).replaceAll(key, "KEY").split("<!--KEY-->");
    const place = (number: number, text: string): string =>
      `<template id="fw-late-KEY-${number}"></template><li>${text}</li><!--/fw-late-KEY-${number}-->`;
    assertEquals(pieces, [
      `<ul id="list">${place(1, "1")}${place(2, "2")}</ul>`,
      '<template id="fw-part-KEY-2"><li>a</li></template>',
      '<template id="fw-part-KEY-1"><li>b</li></template>',
      "",
    ]);
  });
}

Deno.test("two responses with late parts have different keys", async () => {
  const { app } = siteOf({ page: (c) => h.p(c.defer(later(h.b(), 1), "")) });
  const keys = new Set<string | undefined>();
  for (let count = 0; count < 5; count++) {
    const response = await testRequest(app, "GET", "/", asFragment);
    keys.add(response.header("fw-late"));
  }
  assertEquals(keys.size, 5);
});

/** The request's validator, and whether it gets 304. */
const tags: readonly [string, fragment: string | undefined, string, number, etag: string][] = [
  ["a page with its own tag", undefined, '"v1"', 304, '"v1"'],
  ["a fragment with its own tag", "list", '"v1;list"', 304, '"v1;list"'],
  ["a fragment with the page's tag", "list", '"v1"', 200, '"v1;list"'],
  ["a page with a fragment's tag", undefined, '"v1;list"', 200, '"v1"'],
  ["a fragment with another fragment's tag", "list", '"v1;other"', 200, '"v1;list"'],
  ["a fragment with its own weak tag", "list", 'W/"v1;list"', 304, 'W/"v1;list"'],
];

for (const [title, fragment, tag, status, etag] of tags) {
  Deno.test(`c.etag: ${title} is ${status}`, async () => {
    const { app } = siteOf({ page: (c) => c.etag("v1") ? undefined : h.p("x") });
    const form = fragment === undefined ? [] : [withHeader("fw-fragment", fragment)];
    const response = await testRequest(app, "GET", "/", withHeader("if-none-match", tag), ...form);
    response.wantStatus(status).wantHeader("etag", etag);
  });
}

Deno.test("c.lastModified sends no date for a fragment, which would also apply to the page", async () => {
  const date = new Date("2026-03-04T05:06:07Z");
  const { app } = siteOf({ page: (c) => c.lastModified(date) ? undefined : h.p("x") });
  const since = withHeader("if-modified-since", date.toUTCString());
  await testRequest(app, "GET", "/", since).wantStatus(304);
  const response = await testRequest(app, "GET", "/", since, asFragment).wantStatus(200);
  assertEquals(response.header("last-modified"), undefined);
});
