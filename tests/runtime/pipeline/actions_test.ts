import { assertEquals, assertThrows } from "@std/assert";
import { App, csrfInput, type Ctx, type MiddlewareModule, type Route } from "../../../mod.ts";
import * as h from "../../../html/mod.ts";
import {
  newTestClient,
  testRequest,
  withForm,
  withHeader,
  withoutCsrf,
} from "../../../runtime/testing/mod.ts";
import { anyAction, anyHref, newSite, type Site } from "../app/support.ts";

const view = (c: Ctx, note = "") =>
  h.div(
    h.p(note),
    h.form(
      h.id("lend"),
      h.method("post"),
      h.action(anyAction(c, "borrow")),
      csrfInput(c),
      h.input(h.name("who")),
      h.button("Borrow"),
      h.button(h.id("back"), h.formaction(anyAction(c, "giveBack")), "Give back"),
    ),
  );

function book(more: Partial<Route> = {}): Route {
  return {
    pattern: "/books/{id}",
    page: (c) => view(c),
    actions: {
      borrow: async (c) => {
        const who = await c.form("who");
        if (who === "") {
          c.status(422);
          return view(c, "name who borrows");
        }
        return c.redirect(anyHref(c, "/books/{id}", { id: c.param("id") }));
      },
      giveBack: (c) => c.text(200, `${c.pattern} ${c.param("id")} is back`),
    },
    ...more,
  };
}

function site(more: Partial<Route> = {}, config: Parameters<typeof newSite>[1] = {}): Site {
  return newSite([book(more)], config);
}

Deno.test("a form names an action by the page's own URL, a button by formaction", async () => {
  const { app } = site();
  const client = newTestClient(app);
  await client.get("/books/7").submit("#lend", { who: "Ada" }).wantRedirect("/books/7");
  await client.get("/books/7").submit("#back").wantContains("/books/{id} 7 is back");
  const again = await client.get("/books/7").submit("#lend").wantStatus(422)
    .wantContains("name who borrows");
  // The page rendered by the action can be posted again.
  await again.submit("#lend", { who: "Ada" }).wantRedirect("/books/7");
});

const urls: readonly [path: string, want: string][] = [
  ["/books/7", "/books/7?/borrow"],
  ["/books/7?page=2&q=a%20b", "/books/7?/borrow&page=2&q=a%20b"],
  ["/books/7?/giveBack", "/books/7?/borrow"],
  ["/books/7?/giveBack=&page=2", "/books/7?/borrow&page=2"],
  ["/books/7?/giveBack&/borrow", "/books/7?/borrow&/borrow"],
  ["/books/a%2Fb?", "/books/a%2Fb?/borrow"],
  ["/books/%22%3E%3Cscript%3E", "/books/%22%3E%3Cscript%3E?/borrow"],
];

for (const [path, want] of urls) {
  Deno.test(`c.action on ${path} keeps the page's path and query`, async () => {
    const page = await testRequest(site().app, "GET", path).wantStatus(200);
    assertEquals(page.query("#lend")?.attribute("action"), want);
  });
}

Deno.test("c.action includes the base path", async () => {
  const based = site({}, { config: { basePath: "/lib" } });
  const page = await testRequest(based.app, "GET", "/lib/books/7");
  assertEquals(page.query("#lend")?.attribute("action"), "/lib/books/7?/borrow");
});

Deno.test("c.action throws for an unknown name and lists the known ones", async () => {
  const { app } = newSite([
    book({ page: (c) => c.text(200, c.action("constructor" as never)) }),
    { pattern: "/plain", page: (c) => h.p(c.action("borrow" as never)) },
  ], { config: { env: "dev" } });
  await testRequest(app, "GET", "/books/7").wantStatus(500)
    .wantContains("Cannot name the action &quot;constructor&quot;")
    .wantContains("has only borrow, giveBack");
  await testRequest(app, "GET", "/plain").wantStatus(500).wantContains("has no Actions");
});

const answers: readonly [name: string, query: string, hasPost: boolean, status: number][] = [
  ["an action", "?/giveBack", false, 200],
  ["an action with a query", "?/giveBack&a=1", false, 200],
  ["an action with an equals sign", "?/giveBack=", false, 200],
  ["an unknown action", "?/lose", false, 404],
  ["an unknown action beside POST", "?/lose", true, 404],
  ["no name", "?/", true, 404],
  ["an inherited name", "?/constructor", true, 404],
  ["a name in different case", "?/giveback", true, 404],
  ["an escaped name", "?/give%42ack", true, 404],
  ["a name after the query", "?a=1&/giveBack", false, 405],
  ["a name after the query, beside POST", "?a=1&/giveBack", true, 201],
  ["none", "", false, 405],
  ["none beside POST", "", true, 201],
];

for (const [name, query, hasPost, status] of answers) {
  Deno.test(`POST of a page with Actions: ${name} is ${status}`, async () => {
    const { app } = site(hasPost ? { methods: { POST: (c) => c.text(201, "posted") } } : {});
    const response = await testRequest(app, "POST", `/books/7${query}`).wantStatus(status);
    assertEquals(response.header("allow"), status === 405 ? "GET, HEAD" : undefined);
  });
}

Deno.test("actions obey the token check, the body limit and MiddlewarePOST; other methods get 405", async () => {
  const seen: string[] = [];
  const middleware: MiddlewareModule = {
    Middleware: (c, next) => {
      seen.push(`all ${c.method}`);
      return next();
    },
    MiddlewarePOST: (c, next) => {
      seen.push("post");
      return c.query("closed") === undefined ? next() : c.redirect("/login");
    },
  };
  const { app } = site({ middleware: [middleware] }, { config: { maxBodyBytes: 100 } });
  const action = "/books/7?/giveBack";
  await testRequest(app, "POST", action, withoutCsrf()).wantStatus(403);
  await testRequest(app, "POST", action, withHeader("sec-fetch-site", "cross-site")).wantStatus(
    403,
  );
  await testRequest(app, "POST", "/books/7?/borrow", withForm({ who: "x".repeat(101) })).wantStatus(
    413,
  );
  seen.length = 0;
  await testRequest(app, "POST", action).wantStatus(200);
  assertEquals(seen, ["all POST", "post"]);
  // A guard responds before the client learns which actions exist.
  await testRequest(app, "POST", "/books/7?/lose&closed=1").wantStatus(303);
  const put = await testRequest(app, "PUT", action).wantStatus(405);
  assertEquals(put.header("allow"), "GET, HEAD, POST");
  await testRequest(app, "GET", action).wantStatus(200);
});

Deno.test("an action skips the CSRF check if its page does", async () => {
  const { app } = site({ csrf: false });
  await testRequest(app, "POST", "/books/7?/giveBack", withoutCsrf()).wantStatus(200);
});

Deno.test("a fragment request gets the node of the action without layouts", async () => {
  const { app } = site({ layouts: [(_c, children) => h.main(children)] });
  const form = [withForm({ who: "" }), withHeader("FW-Fragment", "lend")] as const;
  await testRequest(app, "POST", "/books/7?/borrow", ...form).wantStatus(422)
    .wantNotContains("<main>").wantContains('action="/books/7?/borrow"');
  await testRequest(app, "POST", "/books/7?/borrow", withForm({ who: "" })).wantContains("<main>");
});

Deno.test("the action appears in the log line and the metrics' route, but an unknown one does not", async () => {
  const { app, logged } = site({}, {
    config: { env: "dev", observability: { metrics: "/_fw/metrics", token: "t".repeat(32) } },
  });
  await testRequest(app, "POST", "/books/7?/giveBack&a=1");
  await testRequest(app, "POST", "/books/7?/lose");
  await testRequest(app, "GET", "/books/7?/giveBack");
  assertEquals(logged("request").map(({ route, path }) => [route, path]), [
    ["/books/{id}?/giveBack", "/books/7"],
    ["/books/{id}", "/books/7"],
    ["/books/{id}", "/books/7"],
  ]);
  const option = withHeader("authorization", `Bearer ${"t".repeat(32)}`);
  await testRequest(app, "GET", "/_fw/metrics", option)
    .wantContains('fw_requests_total{method="POST",route="/books/{id}?/giveBack",status="200"} 1')
    .wantContains('fw_requests_total{method="POST",route="/books/{id}",status="404"} 1');
});

const mistakes: readonly [name: string, route: Partial<Route>, message: string][] = [
  [
    "no page",
    { page: undefined as never, methods: { GET: () => null } },
    "only a page has Actions",
  ],
  ["none", { actions: {} }, "its Actions are empty"],
  ["a name with a slash", { actions: { "a/b": () => null } }, 'the action "a/b" must be letters'],
  ["a name with a quote", { actions: { '"': () => null } }, "must be letters"],
  ["no function", { actions: { a: 1 as never } }, 'the action "a" is not a function'],
];

for (const [name, route, message] of mistakes) {
  Deno.test(`boot refuses invalid Actions: ${name}`, () => {
    const app = new App();
    app.route({ ...book(), ...route });
    assertThrows(() => app.handler(), TypeError, message);
  });
}
