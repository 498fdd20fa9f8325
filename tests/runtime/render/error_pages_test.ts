import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as h from "../../../html/mod.ts";
import {
  App,
  FieldErrors,
  HttpError,
  httpError,
  notFound,
  Off,
  Problem,
  redirect,
  statusOf,
} from "../../../mod.ts";
import type { AppParts, Env } from "../../../mod.ts";
import { testRequest, withHeader } from "../../../runtime/testing/mod.ts";
import { newSite, routeOf, type Site, throwing } from "../app/support.ts";
import { thenable } from "../thenable.ts";

const layout: AppParts["layout"] = (c, children) =>
  h.html(h.head(h.title(c.title)), h.body(h.id("root"), children));

function failing(error: unknown, parts: AppParts, env: Env = "prod"): Site {
  return newSite([{
    pattern: "/",
    page: throwing(error),
    layouts: [(_c, children) => h.div(h.id("page layout"), children)],
  }], { config: { env, devReload: Off }, parts });
}

Deno.test("NotFound is the 404 page inside the root layout, whatever caused the 404", async () => {
  const parts: AppParts = {
    layout,
    notFound: (c) => {
      c.title = "Gone";
      return h.p("nothing here");
    },
  };
  const cases = [["/", notFound()], ["/none", null], ["/", httpError(404, "x")]] as const;
  for (const [path, error] of cases) {
    const { app } = failing(error, parts);
    const { body } = await testRequest(app, "GET", path).wantStatus(404);
    assertEquals(
      body,
      '<!doctype html><html><head><title>Gone</title></head><body id="root"><p>nothing here</p></body></html>',
    );
  }
});

const failed: readonly (readonly [accept: string, type: string, parts: AppParts])[] = [
  ["text/html", "text/html; charset=utf-8", {}],
  ["application/json", "application/problem+json", {}],
  ["text/html", "text/html; charset=utf-8", { notFound: () => h.p() }],
  ["text/html", "text/plain; charset=utf-8", {
    notFound: (c) => {
      c.header("content-language", "de");
      return c.text(404, "");
    },
  }],
];

for (const [accept, type, parts] of failed) {
  Deno.test(`headers of a body that failed do not describe the error: ${accept}, ${type}`, async () => {
    const { app } = newSite([routeOf("GET", "/", (c) => {
      c.header("content-type", "text/csv");
      c.header("content-disposition", "attachment");
      c.header("content-language", "fr");
      c.header("content-encoding", "gzip");
      c.header("content-length", "1");
      c.header("x-own", "stays");
      return notFound();
    })], { parts });
    const { headers } = await testRequest(app, "GET", "/", withHeader("accept", accept));
    const names = ["content-type", "x-own", "content-disposition", "content-encoding"];
    assertEquals(names.map((name) => headers.get(name)), [type, "stays", null, null]);
    assert(headers.get("content-length") !== "1" && headers.get("content-language") !== "fr");
  });
}

const errors: readonly unknown[] = [
  httpError(409, "x"),
  httpError(503, "x"),
  new FieldErrors().add("a", "b"),
  new Problem({ status: 402 }),
  new Error("x"),
  null,
];

for (const error of errors) {
  Deno.test(`Error renders every status except 404 and receives the error: ${statusOf(error)}`, async () => {
    let seen: unknown = "nothing";
    const { app } = failing(error, {
      layout,
      notFound: () => h.p("404"),
      error: (_c, given) => {
        seen = given;
        return h.p(`view ${statusOf(given)}`);
      },
    });
    const { body } = await testRequest(app, "GET", "/").wantStatus(statusOf(error));
    assertStringIncludes(body, `<body id="root"><p>view ${statusOf(error)}</p></body>`);
    assert(!body.includes("page layout"));
    assertEquals(seen, error);
  });
}

Deno.test("Error renders a 405 of a page, and an API gets its problem document", async () => {
  const { app } = newSite([
    { pattern: "/", page: () => h.p() },
    { pattern: "/api", methods: { GET: () => httpError(409, "x") } },
  ], { parts: { error: (_c, error) => h.p(`view ${statusOf(error)}`) } });
  await testRequest(app, "PUT", "/").wantStatus(405).wantContains("view 405")
    .wantHeader("allow", "GET, HEAD");
  await testRequest(app, "GET", "/api").wantStatus(409)
    .wantHeader("content-type", "application/problem+json");
});

Deno.test("without NotFound the framework's page renders a 404, not Error", async () => {
  const { app } = newSite([], { parts: { error: () => h.p("view") } });
  const { body } = await testRequest(app, "GET", "/x").wantStatus(404);
  assertStringIncludes(body, "<h1>Not Found</h1>");
});

Deno.test("an error page may set its status and headers", async () => {
  const { app } = failing(new Error("x"), {
    error: (c) => {
      c.status(503);
      c.header("retry-after", "5");
      return h.p("later");
    },
  });
  await testRequest(app, "GET", "/").wantStatus(503).wantHeader("retry-after", "5");
});

/** Ways in which NotFound and Error respond themselves. */
const whole: readonly [title: string, view: NonNullable<AppParts["error"]>, body: string][] = [
  ["returns a Response", () => new Response("own", { status: 410 }), "own"],
  ["returns c.json", (c) => c.json(410, { own: true }), '{"own":true}'],
  ["stages one and returns undefined", (c) => c.respond(c.text(410, "own")), "own"],
  ["resolves to one", async (c) => await Promise.resolve(c.text(410, "own")), "own"],
  ["returns a promise of another library", (c) => thenable(c.text(410, "own")), "own"],
];

for (const [title, view, body] of whole) {
  Deno.test(`an error page that ${title} is the complete response, without a layout`, async () => {
    for (const path of ["/", "/none"]) {
      const { app } = failing(new Error("x"), {
        layout,
        notFound: (c) => view(c, undefined),
        error: view,
      });
      assertEquals((await testRequest(app, "GET", path).wantStatus(410)).body, body);
    }
  });
}

for (const [title, nothing] of [["nothing", () => {}], ["null", () => null]] as const) {
  Deno.test(`an error page that returns ${title} is replaced by the framework's page`, async () => {
    const { app } = failing(new Error("x"), { layout, notFound: nothing, error: nothing });
    for (const [path, status] of [["/", 500], ["/none", 404]] as const) {
      await testRequest(app, "GET", path).wantStatus(status).wantContains(`>${status}</p><h1>`);
    }
  });
}

Deno.test("an error page may redirect", async () => {
  const cases = [() => redirect("/login"), throwing(redirect("/login"))];
  for (const error of cases) {
    const { app } = failing(httpError(401, "x"), { error });
    await testRequest(app, "GET", "/").wantStatus(303).wantHeader("location", "/login");
  }
});

const boom = throwing(new Error("boom secret"));

/**
 * Ways in which an error page fails, after which the framework's own page is sent with the first
 * status.
 */
const broken: readonly [title: string, parts: AppParts][] = [
  ["throws", { notFound: boom, error: boom }],
  ["rejects", {
    notFound: () => Promise.reject(new Error("boom secret")),
    error: () => Promise.reject(null),
  }],
  ["returns an error", { notFound: () => httpError(500, "x"), error: () => httpError(418, "x") }],
  ["returns a string", { notFound: () => "x" as never, error: () => "x" as never }],
  ["renders in a layout that throws", { layout: boom, notFound: () => h.p(), error: () => h.p() }],
  ["renders in a layout that rejects", {
    layout: () => Promise.reject(new Error("boom secret")),
    notFound: () => h.p(),
    error: () => h.p(),
  }],
  ["returns a used Response", {
    notFound: async () => {
      const response = new Response("x");
      await response.text();
      return response;
    },
    error: () => Response.error(),
  }],
];

for (const [title, parts] of broken) {
  Deno.test(`an error page that ${title} is replaced by the framework's and logged`, async () => {
    for (const [path, status] of [["/", 409], ["/none", 404]] as const) {
      const site = failing(httpError(409, "x"), parts);
      const { body } = await testRequest(site.app, "GET", path).wantStatus(status);
      assertStringIncludes(body, `>${status}</p><h1>`);
      assert(!body.includes("boom"));
      assertEquals(site.logged("handler failed").length, 1);
    }
  });
}

Deno.test("the framework's page shows the messages of FieldErrors, escaped", async () => {
  const { app } = failing(new FieldErrors().add("a<b", "is <required>"), {});
  await testRequest(app, "GET", "/").wantStatus(422)
    .wantContains("<li><b>A&lt;b: </b>is &lt;required&gt;</li>");
});

const spoken: readonly [name: string, error: Error, want: string][] = [
  [
    "a field by its label",
    new FieldErrors().add("venue.zipCode", "is required"),
    "<li><b>Venue zip code: </b>is required</li>",
  ],
  ["a message without a field", new FieldErrors().add("", "too many"), "<li>Too many</li>"],
  ["a 4xx as a sentence", httpError(413, "the body is large"), "<p>The body is large</p>"],
  ["an error message", new Error("fooBar is not a function"), "<h1>fooBar is not a function</h1>"],
];

for (const [name, error, want] of spoken) {
  Deno.test(`the framework's page uses plain language: ${name}`, async () => {
    const { app } = failing(error, {}, "dev");
    await testRequest(app, "GET", "/").wantContains(want);
  });
}

Deno.test("headers of an HttpError are sent in every format", async () => {
  const error = new HttpError(429, "slow down", { headers: { "retry-after": "7" } });
  const methods = { GET: () => error };
  const { app } = newSite([{ pattern: "/page", page: () => error }, { pattern: "/api", methods }]);
  for (const path of ["/page", "/api"]) {
    await testRequest(app, "GET", path).wantStatus(429).wantHeader("retry-after", "7");
  }
});

const start = '<p><a href="/shop/">Back to the start</a></p>';
const deadEnds: readonly (readonly [status: number, path: string, link: string | undefined])[] = [
  [401, "/books", start],
  [403, "/books", start],
  [403, "/pt-PT/books", '<p><a href="/shop/pt-PT/">Voltar ao início</a></p>'],
  [404, "/books", start],
  [405, "/books", start],
  [410, "/books", start],
  [400, "/books", undefined],
  [422, "/books", undefined],
  [429, "/books", undefined],
  [503, "/books", undefined],
  [403, "/", undefined],
];
for (const [status, path, link] of deadEnds) {
  Deno.test(`the framework's page of a ${status} at ${path} ${link === undefined ? "has no link" : "links to the start page"}`, async () => {
    const page = throwing(httpError(status, "for members"));
    const prefixed = { languages: ["en", "pt-PT"], languagePrefix: true };
    const app = new App({ env: "prod", basePath: "/shop", ...prefixed, logRequest: Off });
    app.route({ pattern: "/books", page });
    app.route({ pattern: "/", page });
    const response = await testRequest(app, "GET", `/shop${path}`).wantStatus(status);
    if (link === undefined) response.wantNotContains("<a ");
    else response.wantContains(link);
  });
}

Deno.test("the framework's page has no link without a start page or in a fragment", async () => {
  const page = throwing(httpError(403, "for members"));
  const [alone, whole] = [new App({ logRequest: Off }), new App({ logRequest: Off })];
  for (const app of [alone, whole]) app.route({ pattern: "/books", page });
  whole.route({ pattern: "/", page: () => h.p("start") });
  await testRequest(alone, "GET", "/books").wantStatus(403).wantNotContains("<a ");
  await testRequest(whole, "GET", "/books").wantStatus(403).wantContains('<a href="/">');
  await testRequest(whole, "GET", "/books", withHeader("FW-Fragment", "list")).wantStatus(403)
    .wantNotContains("<a ");
});
