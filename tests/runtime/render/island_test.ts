import { islandLoader, whenIdle, whenVisible } from "../../../mod.ts";
import type { AppParts, Env, FileSource, Node, Route } from "../../../mod.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { live } from "../../../html/island.ts";
import * as h from "../../../html/mod.ts";
import { htmlOf, modules, type Page, siteOf, unescape, version } from "./island_site.ts";

const counter = "/islands/counter.js";
const chart = "/islands/chart.js";
const counterUrl = `${counter}?v=${version}`;
const later = async <T>(value: T): Promise<T> => {
  await new Promise((resolve) => setTimeout(resolve, 2));
  return value;
};

const loaders = (html: string): number => html.split("fw.islands").length - 1;
const preloads = (html: string): string[] =>
  [...html.matchAll(/<link rel="modulepreload" href="([^"]*)"/g)].map(([, url = ""]) => url);

Deno.test("c.island: writes a div with the module's URL and the props, and the children as fallback", async () => {
  const html = await htmlOf(siteOf((c) => c.island(counter, { start: 1 }, h.p("1"), " & more")));
  assertStringIncludes(
    html,
    `<div data-fw-island="${counterUrl}" data-fw-props="{&quot;start&quot;:1}"><p>1</p> &amp; more</div>`,
  );
});

Deno.test("c.island: renders the view of a living island from the props that the browser gets", async () => {
  const island = live({
    view: ({ at, by }: { at: string; by: string | undefined }) =>
      h.button(h.on("click", "add"), at, " ", by),
    add: () => ({}),
  });
  const props = { at: new Date(0), by: undefined };
  const html = await htmlOf(
    siteOf((c) => c.island(counter, props, h.class("a")), {
      parts: { islands: { [counter]: island } },
    }),
  );
  const part = ' class="a"><button data-fw-on-click="add">1970-01-01T00:00:00.000Z </button></div>';
  assertStringIncludes(html, part);
});

const unknownActions: readonly (readonly [env: Env, action: string, status: number])[] = [
  ["dev", "down", 200],
  ["dev", "dwn", 500],
  ["dev", "view", 500],
  ["dev", "toString", 500],
  ["prod", "dwn", 200],
];
for (const [env, action, status] of unknownActions) {
  Deno.test(`c.island: the action ${action} of a living island is ${status} in ${env}`, async () => {
    const island = live({
      view: ({ at }: { at: string }) => h.p(' data-fw-on-click="text"', h.on("click", action, at)),
      down: () => ({}),
      up: () => ({}),
    });
    const site = siteOf((c) => c.island(counter, { at: "x" }), {
      config: { env },
      parts: { islands: { [counter]: island } },
    });
    const response = await site.app.fetch(new Request("http://localhost/"));
    assertEquals(response.status, status);
    assertEquals((await response.text()).includes("Its actions: down, up."), status === 500);
  });
}

Deno.test("c.island: attributes among the children are set on the div", async () => {
  const html = await htmlOf(
    siteOf((c) => c.island(counter, {}, h.class("a"), [h.id("b")], h.class("c"), "1")),
  );
  assertMatch(html, /<div data-fw-island="[^"]+" data-fw-props="\{\}" class="a c" id="b">1<\/div>/);
});

const places: readonly [name: string, at: (island: Node) => Node, fix: readonly string[]][] = [
  ["a paragraph", (island) => h.p("a", island), ["use a div in place of the p"]],
  ["a span of a paragraph", (at) => h.p(h.span(at)), ["use a div in place of the p"]],
  ["a tbody", (island) => h.table(h.tbody(h.tr(h.td("1")), island)), ["put it into a cell"]],
  ["a row", (island) => h.table(h.tr(h.td("1"), island)), ["put it into a cell"]],
  ["a table", (island) => h.table(island), ["put it into a cell"]],
  ["a cell", (island) => h.table(h.tbody(h.tr(h.td(island)))), []],
  ["a cell after a table", (at) => h.table(h.tr(h.td(h.table(h.tr(h.td())), at))), []],
  ["what follows both", (island) => h.div(h.p("1"), h.table(h.tr(h.td())), island), []],
];
for (const [name, at, fixes] of places) {
  Deno.test(`c.island warns in development only if a browser would move it: ${name}`, async () => {
    for (const [env, want] of [["dev", fixes], ["prod", []]] as const) {
      const page: Page = (c) => at(c.island(counter, {}));
      const site = siteOf(page, { config: { env } });
      await htmlOf(site);
      const message =
        "a browser moves an island that stands in a paragraph or between the rows of a table";
      assertEquals(site.logged(message).map(({ fix }) => fix), [...want]);
    }
  });
}

Deno.test("c.island: the URL includes the base path", async () => {
  const site = siteOf((c) => c.island(counter, {}), { config: { basePath: "/shop" } });
  const html = await htmlOf(site, {}, "/shop/");
  assertStringIncludes(html, ` data-fw-island="/shop${counterUrl}"`);
  assertEquals(preloads(html), [`/shop${counterUrl}`]);
});

Deno.test("c.island: adds one loader with the nonce at the end of the body", async () => {
  const site = siteOf((c) => h.main(c.island(counter, {}), c.island(chart, {})));
  const response = await site.app.fetch(new Request("http://localhost/"));
  const policy = response.headers.get("content-security-policy") ?? "";
  const [, nonce = ""] = /'nonce-([^']+)'/.exec(policy) ?? [];
  const html = await response.text();
  assertEquals(loaders(html), 1);
  assertMatch(html, /<script nonce="[^"]+">\(function\(w,d\)[^<]*<\/script><\/body><\/html>$/);
  assertEquals(html.split(`nonce="${nonce}"`).length - 1, 3);
});

Deno.test("c.island: preloads each module once in the head, with the nonce", async () => {
  const html = await htmlOf(
    siteOf((c) =>
      h.main(
        c.island(counter, { a: 1 }),
        c.island(counter, { a: 2 }),
        c.island(chart, {}),
      )
    ),
  );
  assertEquals(preloads(html), [counterUrl, `${chart}?v=${version}`]);
  assertMatch(html, /<link rel="modulepreload" href="[^"]+" nonce="[^"]{24}"><link [^>]+><\/head>/);
});

const strategies: [name: string, wait: () => h.Node, attribute: string][] = [
  ["whenVisible()", whenVisible, ' data-fw-when="visible"'],
  ["whenIdle()", whenIdle, ' data-fw-when="idle"'],
  ["h.data", () => h.data("fw-when", "visible"), ' data-fw-when="visible"'],
];

for (const [name, wait, attribute] of strategies) {
  Deno.test(`c.island: ${name} names the strategy and preloads nothing`, async () => {
    const html = await htmlOf(siteOf((c) => c.island(chart, {}, wait(), "…")));
    assertStringIncludes(html, ` data-fw-props="{}"${attribute}>…</div>`);
    assertEquals([preloads(html), loaders(html)], [[], 1]);
  });
}

Deno.test("c.island: preloads a module if one of its islands does not wait", async () => {
  const html = await htmlOf(
    siteOf((c) =>
      h.main(
        c.island(chart, { text: ' data-fw-when="visible"' }, whenVisible()),
        c.island(chart, { text: ' data-fw-when="visible"' }),
      )
    ),
  );
  assertEquals(preloads(html).length, 1);
});

const plain: [name: string, page: Page, init?: RequestInit][] = [
  ["a page without an island", () => h.p("x")],
  ["a fragment", (c) => c.island(counter, {}), { headers: { "fw-fragment": "a" } }],
  [
    "several fragments",
    (c) => c.renderAll(200, h.div(h.id("a"), c.island(counter, {}))),
    { headers: { "fw-fragment": "a" } },
  ],
  ["the error page of a page with an island", (c) => {
    c.island(counter, {});
    throw new Error("later");
  }],
  ["an island whose props do not serialize", (c) => c.island(counter, { x: 1n })],
];

for (const [name, page, init] of plain) {
  Deno.test(`c.island: ${name} adds neither loader nor preload`, async () => {
    const html = await htmlOf(siteOf(page), init);
    assertEquals([loaders(html), preloads(html)], [0, []]);
  });
}

const whole: [name: string, page: Page, parts?: AppParts, route?: Partial<Route>][] = [
  ["a document of c.html", (c) => c.html(200, h.html(h.body(c.island(counter, {}))))],
  ["a layout's island", () => h.p("x"), {}, {
    layouts: [
      (c, children) => h.html(h.head(), h.body(c.island(counter, {}), children)),
    ],
  }],
  ["the error view's island", () => {
    throw new Error("now");
  }, { error: (c) => c.island(counter, {}) }],
  ["islandLoader(c)", (c) => h.p(islandLoader(c), "x")],
  ["islandLoader(c) and an island", (c) => h.p(islandLoader(c), c.island(chart, {}))],
  [
    "an unclosed body",
    (c) => c.html(200, h.fragment(h.raw("<!doctype html><body>"), c.island(counter, {}))),
  ],
];

for (const [name, page, parts, route] of whole) {
  Deno.test(`c.island: ${name} adds the loader once`, async () => {
    const options = parts === undefined ? {} : { parts };
    const html = await htmlOf(
      siteOf(page, { ...options, ...(route === undefined ? {} : { route }) }),
    );
    assertEquals(loaders(html), 1);
    const closed = html.replace(/<\/body>(?:<\/html>)?$/, "");
    assert(closed.endsWith("(window,document)</script>"), closed.slice(-60));
  });
}

Deno.test("islandLoader: returns the same script for each request", async () => {
  const site = siteOf((c) => c.island(counter, {}));
  const texts = [await htmlOf(site), await htmlOf(site)]
    .map((html) => /<script nonce="[^"]+">([^]*?)<\/script>/.exec(html)?.[1]);
  assertEquals(texts[0], texts[1]);
  assert(texts[0] !== undefined && !texts[0].includes("\n"));
});

Deno.test("c.defer: the loader is sent once, with the first part that has an island", async () => {
  const site = siteOf((c) => {
    const none = later(h.p("none"));
    const second = none.then(() => later(0)).then(() => c.island(counter, {}));
    const third = second.then(() => later(0)).then(() => c.island(counter, {}));
    return h.main([none, second, third].map((part) => c.defer(part, "wait")));
  });
  const html = await htmlOf(site);
  assertEquals(loaders(html), 1);
  assert(html.indexOf("none") < html.indexOf("fw.islands"));
  assertMatch(html, /<\/div><\/template><script nonce="[^"]+">\(function\(w,d\)/);
});

Deno.test("c.defer: a page with the loader gets no second one", async () => {
  const site = siteOf((c) =>
    h.main(
      c.island(counter, {}),
      c.defer(later(0).then(() => c.island(chart, {})), "b"),
    )
  );
  assertEquals(loaders(await htmlOf(site)), 1);
});

Deno.test("c.defer: a page that waits for its parts has the loader at its end", async () => {
  const site = siteOf((c) => h.main(c.defer(later(0).then(() => c.island(counter, {})), "b")));
  const html = await htmlOf(site, {}, "/?fw_late=wait");
  assertEquals([loaders(html), preloads(html)], [1, [counterUrl]]);
  assert(html.endsWith("(window,document)</script></body></html>"));
});

Deno.test("c.defer: a late part of a fragment adds no loader", async () => {
  const site = siteOf((c) => h.main(c.defer(later(0).then(() => c.island(counter, {})), "b")));
  const html = await htmlOf(site, { headers: { "fw-fragment": "a" } });
  assertStringIncludes(html, "data-fw-island=");
  assertEquals(loaders(html), 0);
});

const outside = "it is not a path of the public folder";
const none = "there is no JavaScript module";
const missing: [src: string, says: string][] = [
  ["/islands/none.js", `${none} public/islands/none.js; create it, correct the name, or run`],
  ["/islands/counter.ts", none],
  ["/data/x.bin", none],
  ["/../secret.js", none],
  ["/.env.js", none],
  ["islands/counter.js", 'write one such as "/islands/counter.js"'],
  ["https://evil.example/x.js", outside],
  ["//evil.example/x.js", outside],
  ["/\\evil.example/x.js", outside],
  ["/islands/counter.js?v=1", outside],
  ["javascript:alert(1)", outside],
  ["", outside],
];

for (const [src, says] of missing) {
  Deno.test(`c.island: ${JSON.stringify(src)} shows an error page in development`, async () => {
    const site = siteOf((c) => c.island(src, {}), { config: { env: "dev" } });
    const response = await site.app.fetch(new Request("http://localhost/"));
    assertEquals(response.status, 500);
    const shown = unescape(await response.text());
    assertStringIncludes(shown, `Cannot mount the island "${src}": `);
    assertStringIncludes(shown, says);
  });

  Deno.test(`c.island: ${JSON.stringify(src)} keeps the fallback in production and is logged once`, async () => {
    const site = siteOf((c) => c.island(src, {}, h.class("x"), h.p("still here")));
    for (let i = 0; i < 3; i++) {
      const html = await htmlOf(site);
      const part = '<div data-fw-island-state="failed" class="x"><p>still here</p></div>';
      assertStringIncludes(html, part);
      assertEquals(loaders(html), 0);
    }
    const lines = site.lines.filter((line) => line["level"] === "error");
    assertEquals(lines.map((line) => [line["src"], line["route"]]), [[src, "/"]]);
    assertStringIncludes(String(lines[0]?.["msg"]), says);
  });
}

Deno.test("c.island: a non-ASCII name is written as a URL", async () => {
  const html = await htmlOf(siteOf((c) => c.island("/islands/ação.js", {})));
  assertStringIncludes(html, ` data-fw-island="/islands/a%C3%A7%C3%A3o.js?v=${version}"`);
});

Deno.test("c.island: assumes that an asynchronous source has the module", async () => {
  const source: FileSource = { get: (path) => Promise.resolve(modules.get(path)) };
  const html = await htmlOf(siteOf((c) => c.island(counter, {}), { config: { public: source } }));
  assertStringIncludes(html, ' data-fw-island="/islands/counter.js"');
});
