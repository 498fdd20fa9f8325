import { assert, assertEquals } from "@std/assert";
import * as h from "../../../html/mod.ts";
import type {
  Ctx,
  LayoutHandler,
  Method,
  MiddlewareHandler,
  MiddlewareModule,
  Next,
  Result,
} from "../../../mod.ts";
import { testRequest } from "../../../runtime/testing/mod.ts";
import { newSite } from "../app/support.ts";

const methods: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Creates a chain of three folders in which every handler records its call. */
function trace(): { steps: string[]; middleware: MiddlewareModule[]; layouts: LayoutHandler[] } {
  const steps: string[] = [];
  const around = (name: string): MiddlewareHandler => async (_c: Ctx, next: Next) => {
    steps.push(`${name}>`);
    const response = await next();
    steps.push(`<${name}`);
    return response;
  };
  const folders = ["app", "a", "b"];
  return {
    steps,
    middleware: folders.map((folder) => ({
      Middleware: around(folder),
      ...Object.fromEntries(
        methods.map((method) => [`Middleware${method}`, around(`${folder}.${method}`)]),
      ),
    })),
    layouts: folders.map((folder) => (_c, children) => {
      steps.push(`layout ${folder}`);
      return h.div(h.id(folder), children);
    }),
  };
}

const outerIn = ["app>", "a>", "b>"];
const outerOut = ["<b", "<a", "<app"];

Deno.test("a GET runs Middleware outside in, MiddlewareGET outside in, the page, and layouts inside out", async () => {
  const { steps, middleware, layouts } = trace();
  const page = (): Result => {
    steps.push("page");
    return h.p("hi");
  };
  const { app } = newSite([{ pattern: "/a/b", page, middleware, layouts }]);
  const response = await testRequest(app, "GET", "/a/b");
  assertEquals(steps, [
    ...outerIn,
    ...["app.GET>", "a.GET>", "b.GET>"],
    ...["page", "layout b", "layout a", "layout app"],
    ...["<b.GET", "<a.GET", "<app.GET"],
    ...outerOut,
  ]);
  assertEquals(response.body, '<div id="app"><div id="a"><div id="b"><p>hi</p></div></div></div>');
});

for (const method of methods) {
  Deno.test(`the method middleware of ${method} runs only for that method`, async () => {
    const { steps, middleware } = trace();
    const handler = (c: Ctx): Response => {
      steps.push("handler");
      return c.noContent();
    };
    const handlers = Object.fromEntries(methods.map((name) => [name, handler]));
    const { app } = newSite([{ pattern: "/a", methods: handlers, middleware }]);
    await testRequest(app, method, "/a").wantStatus(204);
    assertEquals(steps, [
      ...outerIn,
      ...[`app.${method}>`, `a.${method}>`, `b.${method}>`, "handler"],
      ...[`<b.${method}`, `<a.${method}`, `<app.${method}`],
      ...outerOut,
    ]);
  });
}

Deno.test("HEAD runs the chain of GET, MiddlewareGET included", async () => {
  const { steps, middleware } = trace();
  const { app } = newSite([{ pattern: "/", methods: { GET: (c) => c.text(200, "") }, middleware }]);
  await testRequest(app, "HEAD", "/").wantStatus(200);
  assertEquals(steps.slice(0, 6), [...outerIn, "app.GET>", "a.GET>", "b.GET>"]);
});

Deno.test("a middleware that does not call next stops the inner ones, and the outer ones finish", async () => {
  const { steps, middleware } = trace();
  const stop: MiddlewareModule = { Middleware: (c) => c.text(403, "stopped") };
  const { app } = newSite([{
    pattern: "/",
    methods: { GET: (c) => c.text(200, "x") },
    middleware: [...middleware.slice(0, 2), stop, ...middleware.slice(2)],
  }]);
  await testRequest(app, "GET", "/").wantStatus(403).wantContains("stopped");
  assertEquals(steps, ["app>", "a>", "<a", "<app"]);
});

Deno.test("a middleware may stage a response and return undefined, and no handler runs", async () => {
  let ran = false;
  const { app } = newSite([{
    pattern: "/",
    methods: { GET: () => void (ran = true) },
    middleware: [{ Middleware: (c) => c.respond(c.text(202, "staged")) }],
  }]);
  await testRequest(app, "GET", "/").wantStatus(202).wantContains("staged");
  assert(!ran);
});

Deno.test("the page runs before the layouts, which see its title and values", async () => {
  const { app } = newSite([{
    pattern: "/",
    page: (c) => {
      c.title = "From the page";
      c.set("nav", "events");
      return h.p();
    },
    layouts: [(c, children) => h.main(h.h1(c.title), h.b(String(c.get("nav"))), children)],
  }]);
  const { body } = await testRequest(app, "GET", "/");
  assertEquals(body, "<main><h1>From the page</h1><b>events</b><p></p></main>");
});

Deno.test("asynchronous layouts are awaited in order at any position", async () => {
  const slow = (name: string): LayoutHandler => async (_c, children) => {
    await Promise.resolve();
    return h.div(h.id(name), children);
  };
  const quick = (name: string): LayoutHandler => (_c, children) => h.div(h.id(name), children);
  const cases = [
    [slow("1"), quick("2"), quick("3")],
    [quick("1"), slow("2"), quick("3")],
    [quick("1"), quick("2"), slow("3")],
    [slow("1"), slow("2"), slow("3")],
  ];
  for (const layouts of cases) {
    const { app } = newSite([{ pattern: "/", page: () => h.p(), layouts }]);
    const { body } = await testRequest(app, "GET", "/");
    assertEquals(body, '<div id="1"><div id="2"><div id="3"><p></p></div></div></div>');
  }
});
