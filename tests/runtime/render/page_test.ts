import { type LayoutHandler, Off, type Route, type Settings } from "../../../mod.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as h from "../../../html/mod.ts";
import { devReadyVariable, reloadElement } from "../../../runtime/base/conventions.ts";
import { testRequest, withHeader } from "../../../runtime/testing/mod.ts";
import { newSite, throwing } from "../app/support.ts";
import { thenable } from "../thenable.ts";

async function bodyOf(route: Partial<Route>, config: Settings = {}): Promise<string> {
  const { app } = newSite([{ pattern: "/", ...route }], { config });
  return (await testRequest(app, "GET", "/").wantHeader("content-type", "text/html; charset=utf-8"))
    .body;
}

const document: LayoutHandler = (_c, children) => h.html(h.body(children));

Deno.test("a page without a layout gets a minimal document with its title, escaped", async () => {
  const body = await bodyOf({
    page: (c) => {
      c.title = "A <b> & c";
      return h.p("hi");
    },
  });
  assertEquals(
    body,
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
      '<meta name="viewport" content="width=device-width, initial-scale=1">' +
      "<title>A &lt;b&gt; &amp; c</title></head><body><p>hi</p></body></html>",
  );
});

Deno.test("a page that returns a document is not wrapped", async () => {
  const cases = [h.html(h.body("x")), h.raw("<!DOCTYPE html><html>x</html>"), h.raw("\n<html>")];
  for (const page of cases) {
    const body = await bodyOf({ page: () => page });
    assertEquals(body.match(/<html/g)?.length, 1, body);
  }
});

Deno.test("a layout determines the whole document, whatever it returns", async () => {
  const found = await bodyOf({ page: () => h.p("x"), layouts: [(_c, child) => h.main(child)] });
  assertEquals(found, "<main><p>x</p></main>");
  const seen = await bodyOf({ page: () => h.p("x"), layouts: [document] });
  assertEquals(seen, "<!doctype html><html><body><p>x</p></body></html>");
});

Deno.test("a layout's result is awaited even if it is not a Promise", async () => {
  const site = newSite([{
    pattern: "/",
    page: () => h.p("x"),
    layouts: [(_c, child) => h.main(child), (_c, child) => thenable(h.div(child))],
  }]);
  const { body } = await testRequest(site.app, "GET", "/").wantStatus(200);
  assertStringIncludes(body, "<main><div><p>x</p></div></main>");
});

const values = [
  ["undefined", undefined],
  ["null", null],
  ["a string", "<main></main>"],
  ["a Response", new Response("x")],
] as const;
for (const [title, gives] of values) {
  Deno.test(`a layout that returns ${title} is a 500 that says so, not an empty page`, async () => {
    for (const layout of [() => gives, () => Promise.resolve(gives)]) {
      const site = newSite([{ pattern: "/a", page: () => h.p(), layouts: [layout as never] }]);
      await testRequest(site.app, "GET", "/a").wantStatus(500);
      const part = 'Cannot render the route \\"/a\\": a layout returned';
      assertStringIncludes(JSON.stringify(site.logged("handler failed")), part);
    }
  });
}

Deno.test("a layout that throws is an error of the page", async () => {
  const cases = [throwing(new Error("boom")), () => Promise.reject(new Error("boom"))];
  for (const layout of cases) {
    const { app } = newSite([{ pattern: "/", page: () => h.p(), layouts: [layout] }]);
    await testRequest(app, "GET", "/").wantStatus(500);
  }
});

const dev = { env: "dev", variables: { [devReadyVariable]: "x" } } as const;

const reloads: readonly [title: string, config: Settings, route: Partial<Route>, count: number][] =
  [
    ["a page with a layout in dev", dev, { page: () => h.p(), layouts: [document] }, 1],
    ["a page without a layout, in development", dev, { page: () => h.p() }, 1],
    ["a page without dev", { env: "dev" }, { page: () => h.p(), layouts: [document] }, 0],
    ["a page in production", { ...dev, env: "prod" }, { page: () => h.p() }, 0],
    ["no devReload", { ...dev, devReload: Off }, { page: () => h.p(), layouts: [document] }, 0],
    ["c.html, without layouts", dev, { page: (c) => c.html(200, h.html(h.body())) }, 0],
    ["a </body> as text", dev, { page: () => h.p("</body>"), layouts: [document] }, 1],
  ];

for (const [title, config, route, count] of reloads) {
  Deno.test(`the reload script appears ${count} times: ${title}`, async () => {
    const body = await bodyOf(route, config);
    assertEquals(body.split(reloadElement).length - 1, count, body);
    if (count === 1) assert(body.includes(`${reloadElement}</body>`), body);
  });
}

const passing: LayoutHandler = (_c, children) => children;
const later: LayoutHandler = async (_c, children) => h.main(await Promise.resolve(children));
const nested: readonly [title: string, layouts: readonly LayoutHandler[], count: number][] = [
  ["inside another document", [document, document], 1],
  ["inside an element, later", [later, document], 1],
  ["of the outermost layout", [document, later], 0],
  ["inside a layout that adds nothing", [passing, document], 0],
];

for (const [title, layouts, count] of nested) {
  Deno.test(`development reports a whole document ${title}: ${count}`, async () => {
    const pattern = `/${title.replaceAll(/\W/g, "")}`;
    for (const env of ["prod", "dev"] as const) {
      const { app, lines } = newSite([{ pattern, page: () => h.p(), layouts }], {
        config: { env },
      });
      await testRequest(app, "GET", pattern).wantStatus(200);
      const told = lines.filter(({ fix }) => String(fix).includes("h.html from the outermost"));
      assertEquals(told.length, env === "dev" ? count : 0);
    }
  });
}

Deno.test("the development error page has the reload script, and a problem does not", async () => {
  const { app } = newSite([], { config: dev });
  await testRequest(app, "GET", "/x").wantStatus(404).wantContains(reloadElement);
  const { body } = await testRequest(app, "GET", "/x", withHeader("accept", "application/json"));
  assert(!body.includes(reloadElement));
});
