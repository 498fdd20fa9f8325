import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import * as h from "../../../html/mod.ts";
import {
  type AppParts,
  type Ctx,
  type FileSource,
  islandLoader,
  type Result,
  type Settings,
  whenIdle,
  whenVisible,
} from "../../../mod.ts";
import { fingerprintBytes } from "../../../runtime/serve/fingerprint.ts";
import type { Route } from "../../../runtime/base/types.ts";
import { newSite, type Site } from "../app/support.ts";

const code = "export default function () {}\n";
const version = fingerprintBytes(new TextEncoder().encode(code));

/** A public folder in memory with some modules. */
const modules: FileSource = {
  get: (path) => {
    if (!/^(?:islands\/(?:counter|chart|ação)\.js|js\/x\.mjs)$/.test(path)) return undefined;
    const bytes = new TextEncoder().encode(code);
    return {
      size: bytes.length,
      modifiedMs: 1,
      fingerprint: version,
      read: ({ start, end }) => bytes.subarray(start, end),
    };
  },
};

type Page = (c: Ctx) => Result | Promise<Result>;

function siteOf(
  page: Page,
  options: {
    readonly config?: Settings;
    readonly parts?: AppParts;
    readonly route?: Partial<Route>;
  } = {},
): Site {
  const config = { public: modules, ...options.config };
  const parts = options.parts === undefined ? {} : { parts: options.parts };
  return newSite([{ pattern: "/", page, ...options.route }], { config, ...parts });
}

async function htmlOf(site: Site, init: RequestInit = {}, path = "/"): Promise<string> {
  const response = await site.app.fetch(new Request(`http://localhost${path}`, init));
  return await response.text();
}

const counterUrl = `/islands/counter.js?v=${version}`;
const later = async <T>(value: T, ms = 2): Promise<T> => {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return value;
};

const loaders = (html: string): number => html.split("w.fwIslands").length - 1 >> 1;
const preloads = (html: string): string[] =>
  [...html.matchAll(/<link rel="modulepreload" href="([^"]*)"/g)].map(([, url = ""]) => url);

const unescape = (text: string): string =>
  text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">").replaceAll("&amp;", "&");

Deno.test("c.island: a div with the module's URL and the props, the children as its fallback", async () => {
  const html = await htmlOf(
    siteOf((c) => c.island("/islands/counter.js", { start: 1 }, h.p("1"), " & more")),
  );
  assertStringIncludes(
    html,
    `<div data-fw-island="${counterUrl}" data-fw-props="{&quot;start&quot;:1}"><p>1</p> &amp; more</div>`,
  );
});

Deno.test("c.island: attributes among the children belong to the div", async () => {
  const html = await htmlOf(
    siteOf((c) =>
      c.island("/islands/counter.js", {}, h.class("a"), [h.id("b")], h.class("c"), "1")
    ),
  );
  assertMatch(html, /<div data-fw-island="[^"]+" data-fw-props="\{\}" class="a c" id="b">1<\/div>/);
});

Deno.test("c.island: the URL carries the base path", async () => {
  const site = siteOf((c) => c.island("/islands/counter.js", {}), {
    config: { basePath: "/shop" },
  });
  const html = await htmlOf(site, {}, "/shop");
  assertStringIncludes(html, ` data-fw-island="/shop${counterUrl}"`);
  assertEquals(preloads(html), [`/shop${counterUrl}`]);
});

Deno.test("c.island: one loader with the nonce of the policy at the end of the body", async () => {
  const site = siteOf((c) =>
    h.main(c.island("/islands/counter.js", {}), c.island("/islands/chart.js", {}))
  );
  const response = await site.app.fetch(new Request("http://localhost/"));
  const policy = response.headers.get("content-security-policy") ?? "";
  const [, nonce = ""] = /'nonce-([^']+)'/.exec(policy) ?? [];
  const html = await response.text();
  assertEquals(loaders(html), 1);
  assertMatch(html, /<script nonce="[^"]+">\(function\(w,d\)[^<]*<\/script><\/body><\/html>$/);
  assertEquals(html.split(`nonce="${nonce}"`).length - 1, 3);
});

Deno.test("c.island: each module is preloaded once in the head, with the nonce", async () => {
  const html = await htmlOf(
    siteOf((c) =>
      h.main(
        c.island("/islands/counter.js", { a: 1 }),
        c.island("/islands/counter.js", { a: 2 }),
        c.island("/islands/chart.js", {}),
      )
    ),
  );
  assertEquals(preloads(html), [counterUrl, `/islands/chart.js?v=${version}`]);
  assertMatch(html, /<link rel="modulepreload" href="[^"]+" nonce="[^"]{24}"><link [^>]+><\/head>/);
});

const strategies: [name: string, wait: () => h.Node, attribute: string][] = [
  ["whenVisible()", whenVisible, ' data-fw-when="visible"'],
  ["whenIdle()", whenIdle, ' data-fw-when="idle"'],
  ["h.data", () => h.data("fw-when", "visible"), ' data-fw-when="visible"'],
];

for (const [name, wait, attribute] of strategies) {
  Deno.test(`c.island: ${name} names the strategy, and nothing is preloaded`, async () => {
    const html = await htmlOf(siteOf((c) => c.island("/islands/chart.js", {}, wait(), "…")));
    assertStringIncludes(html, ` data-fw-props="{}"${attribute}>…</div>`);
    assertEquals([preloads(html), loaders(html)], [[], 1]);
  });
}

Deno.test("c.island: a module that waits here and not there is preloaded", async () => {
  const html = await htmlOf(
    siteOf((c) =>
      h.main(
        c.island("/islands/chart.js", { text: ' data-fw-when="visible"' }, whenVisible()),
        c.island("/islands/chart.js", { text: ' data-fw-when="visible"' }),
      )
    ),
  );
  assertEquals(preloads(html).length, 1);
});

const plain: [name: string, page: Page, init?: RequestInit][] = [
  ["a page without an island", () => h.p("x")],
  ["a fragment", (c) => c.island("/islands/counter.js", {}), { headers: { "fw-fragment": "a" } }],
  [
    "several fragments",
    (c) => c.renderAll(200, h.div(h.id("a"), c.island("/islands/counter.js", {}))),
    {
      headers: { "fw-fragment": "a" },
    },
  ],
  ["the error page of a page with an island", (c) => {
    c.island("/islands/counter.js", {});
    throw new Error("later");
  }],
  ["an island whose props do not fit", (c) => c.island("/islands/counter.js", { x: 1n })],
];

for (const [name, page, init] of plain) {
  Deno.test(`c.island: ${name} has neither loader nor preload`, async () => {
    const html = await htmlOf(siteOf(page), init);
    assertEquals([loaders(html), preloads(html)], [0, []]);
  });
}

const whole: [name: string, page: Page, parts?: AppParts, route?: Partial<Route>][] = [
  ["a document of c.html", (c) => c.html(200, h.html(h.body(c.island("/islands/counter.js", {}))))],
  ["a layout's island", () => h.p("x"), {}, {
    layouts: [
      (c, children) => h.html(h.head(), h.body(c.island("/islands/counter.js", {}), children)),
    ],
  }],
  ["the error view's island", () => {
    throw new Error("now");
  }, { error: (c) => c.island("/islands/counter.js", {}) }],
  ["islandLoader(c)", (c) => h.p(islandLoader(c), "x")],
  [
    "islandLoader(c) beside an island",
    (c) => h.p(islandLoader(c), c.island("/islands/chart.js", {})),
  ],
  [
    "a body that is not closed",
    (c) =>
      c.html(200, h.fragment(h.raw("<!doctype html><body>"), c.island("/islands/counter.js", {}))),
  ],
];

for (const [name, page, parts, route] of whole) {
  Deno.test(`c.island: ${name} brings the loader once`, async () => {
    const options = parts === undefined ? {} : { parts };
    const html = await htmlOf(
      siteOf(page, { ...options, ...(route === undefined ? {} : { route }) }),
    );
    assertEquals(loaders(html), 1);
    const closed = html.replace(/<\/body>(?:<\/html>)?$/, "");
    assert(closed.endsWith("(window,document)</script>"), closed.slice(-60));
  });
}

Deno.test("islandLoader: the text of the script is the same for each request", async () => {
  const site = siteOf((c) => c.island("/islands/counter.js", {}));
  const texts = [await htmlOf(site), await htmlOf(site)]
    .map((html) => /<script nonce="[^"]+">([^]*?)<\/script>/.exec(html)?.[1]);
  assertEquals(texts[0], texts[1]);
  assert(texts[0] !== undefined && !texts[0].includes("\n"));
});

Deno.test("c.defer: the loader comes with the first part that has an island, once", async () => {
  const site = siteOf((c) =>
    h.main(
      c.defer(later(h.p("none"), 1), "a"),
      c.defer(later(0, 10).then(() => c.island("/islands/counter.js", {})), "b"),
      c.defer(later(0, 20).then(() => c.island("/islands/counter.js", {})), "c"),
    )
  );
  const html = await htmlOf(site);
  assertEquals(loaders(html), 1);
  assert(html.indexOf("none") < html.indexOf("w.fwIslands"));
  assertMatch(html, /<\/div><\/template><script nonce="[^"]+">\(function\(w,d\)/);
});

Deno.test("c.defer: a page that has the loader gets no second one", async () => {
  const site = siteOf((c) =>
    h.main(
      c.island("/islands/counter.js", {}),
      c.defer(later(0).then(() => c.island("/islands/chart.js", {})), "b"),
    )
  );
  assertEquals(loaders(await htmlOf(site)), 1);
});

Deno.test("c.defer: a page that waits for its parts has the loader at its end", async () => {
  const site = siteOf((c) =>
    h.main(c.defer(later(0).then(() => c.island("/islands/counter.js", {})), "b"))
  );
  const html = await htmlOf(site, {}, "/?fw_late=wait");
  assertEquals([loaders(html), preloads(html)], [1, [counterUrl]]);
  assert(html.endsWith("(window,document)</script></body></html>"));
});

Deno.test("c.defer: a fragment's late part brings no loader", async () => {
  const site = siteOf((c) =>
    h.main(c.defer(later(0).then(() => c.island("/islands/counter.js", {})), "b"))
  );
  const html = await htmlOf(site, { headers: { "fw-fragment": "a" } });
  assertStringIncludes(html, "data-fw-island=");
  assertEquals(loaders(html), 0);
});

const missing: [src: string, says: string][] = [
  [
    "/islands/none.js",
    "there is no file public/islands/none.js; create islands/none.ts and run `deno task gen`",
  ],
  ["/js/none.js", "there is no file public/js/none.js; create it, or correct the name"],
  ["/islands/counter.ts", 'name what it is bundled to, "/islands/counter.js"'],
  ["/islands/counter.tsx", 'name what it is bundled to, "/islands/counter.js"'],
  ["islands/counter.js", 'write one such as "/islands/counter.js"'],
  ["https://evil.example/x.js", "it is no path of the public folder"],
  ["//evil.example/x.js", "it is no path of the public folder"],
  ["/\\evil.example/x.js", "it is no path of the public folder"],
  ["/islands/counter.js?v=1", "it is no path of the public folder"],
  ["/islands/counter.js#x", "it is no path of the public folder"],
  ["javascript:alert(1)", "it is no path of the public folder"],
  ["", "it is no path of the public folder"],
  ["/../secret.js", "there is no file"],
  ["/.env.js", "there is no file"],
];

for (const [src, says] of missing) {
  Deno.test(`c.island: ${JSON.stringify(src)} is an error page in development`, async () => {
    const site = siteOf((c) => c.island(src, {}), { config: { env: "dev" } });
    const response = await site.app.fetch(new Request("http://localhost/"));
    assertEquals(response.status, 500);
    const shown = unescape(await response.text());
    assertStringIncludes(shown, `Cannot mount the island "${src}": `);
    assertStringIncludes(shown, says);
  });

  Deno.test(`c.island: ${JSON.stringify(src)} leaves the fallback in production, logged once`, async () => {
    const site = siteOf((c) => c.island(src, {}, h.class("x"), h.p("still here")));
    for (let i = 0; i < 3; i++) {
      const html = await htmlOf(site);
      assertStringIncludes(
        html,
        '<div data-fw-island-state="failed" class="x"><p>still here</p></div>',
      );
      assertEquals(loaders(html), 0);
    }
    const lines = site.lines.filter((line) => line["level"] === "error");
    assertEquals(lines.map((line) => [line["src"], line["route"]]), [[src, "/"]]);
    assertStringIncludes(String(lines[0]?.["msg"]), says);
  });
}

Deno.test("c.island: a name that is not ASCII is written as a URL", async () => {
  const html = await htmlOf(siteOf((c) => c.island("/islands/ação.js", {})));
  assertStringIncludes(html, ` data-fw-island="/islands/a%C3%A7%C3%A3o.js?v=${version}"`);
});

Deno.test("c.island: a source that answers later is trusted to have the module", async () => {
  const source: FileSource = { get: (path) => Promise.resolve(modules.get(path)) };
  const html = await htmlOf(
    siteOf((c) => c.island("/islands/counter.js", {}), { config: { public: source } }),
  );
  assertStringIncludes(html, ' data-fw-island="/islands/counter.js"');
});

/** Props that come out of the page as they went in. */
const carried: [name: string, props: object, arrives?: unknown][] = [
  ["nothing", {}],
  ["a list", [1, "two", null, true]],
  ["plain values", { a: 1, b: "x", c: true, d: null, e: [1.5, -0.25], f: { g: [] } }],
  ["an object without a prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ["an absent member", { a: 1, b: undefined }, { a: 1 }],
  ["a date", { at: new Date(0) }, { at: "1970-01-01T00:00:00.000Z" }],
  ["a URL", { to: new URL("https://example.com/") }, { to: "https://example.com/" }],
  ["one object twice", ((same) => ({ a: same, b: same }))({ x: 1 }), { a: { x: 1 }, b: { x: 1 } }],
  [
    "an instance of a class",
    new (class {
      readonly seats = 3;
    })(),
    { seats: 3 },
  ],
  ["quotes and tags", {
    x: `"><script>alert(1)</script>`,
    y: "</div></body>",
    z: "'a' onload='b'",
  }],
  ["comments", { x: "<!-- <script>", y: "-->", z: "]]>" }],
  ["line separators", { x: "\u2028\u2029\n\r\t\0" }],
  ["a lone surrogate", { x: "\ud800" }],
  ["references", { x: "&quot;&amp;quot;&#x22;" }],
  ["__proto__ as a key", JSON.parse('{"__proto__":{"admin":true},"constructor":{"a":1}}')],
  ["keys with quotes", { '"><b>': 1, "'": 2 }],
];

for (const [name, props, arrives = props] of carried) {
  Deno.test(`c.island: props carry ${name}`, async () => {
    const site = siteOf((c) => c.island("/islands/counter.js", props, "fallback"));
    const html = await htmlOf(site);
    const [, text = ""] = / data-fw-props="([^"]*)">fallback<\/div>/.exec(html) ?? [];
    assert(!/[<>']/.test(text), text);
    assertEquals(JSON.parse(unescape(text)), JSON.parse(JSON.stringify(arrives)));
    assertEquals(site.lines.filter(({ level }) => level === "warn"), []);
  });
}

const circle: { self?: unknown } = {};
circle.self = [circle];
let deep: unknown = 1;
for (let i = 0; i < 20_000; i++) deep = [deep];

/** Props that JSON would drop or change. */
const refused: [name: string, props: unknown, fault: string][] = [
  ["a circle", { a: circle }, "props.a.self[0] refers back to itself"],
  ["a bigint", { id: 1n }, "props.id is a bigint"],
  ["a function", { on: () => {} }, "props.on is a function"],
  ["a symbol", { s: Symbol("x") }, "props.s is a symbol"],
  ["NaN", { "a b": [0, NaN] }, 'props["a b"][1] is NaN'],
  ["an infinity", [-Infinity], "props[0] is -Infinity"],
  ["a hole in a list", { list: [1, undefined] }, "props.list[1] is undefined"],
  ["a Map", { m: new Map() }, "props.m is a Map"],
  ["a Set", { m: { s: new Set([1]) } }, "props.m.s is a Set"],
  ["bytes", { b: new Uint8Array(2) }, "props.b is a Uint8Array"],
  ["an error", { e: new Error("secret") }, "props.e is a Error"],
  ["a promise", { p: Promise.resolve(1) }, "props.p is a Promise"],
  ["a date that is none", { at: new Date(NaN) }, "props.at is an invalid Date"],
  ["a toJSON that gives a bigint", { x: { toJSON: () => 1n } }, "props.x is a bigint"],
  ["a toJSON that throws", {
    toJSON: () => {
      throw new Error("no");
    },
  }, "reading the props failed: no"],
  [
    "a toJSON that gives itself",
    (() => {
      const it = { toJSON: (): unknown => it };
      return it;
    })(),
    "props refers back to itself",
  ],
  ["a getter that throws", {
    get x(): never {
      throw new Error("no");
    },
  }, "reading the props failed: no"],
  ["what is nested without end", { deep }, "lies over 100 levels deep"],
  ["nothing at all", undefined, "props is undefined"],
];

for (const [name, props, fault] of refused) {
  Deno.test(`c.island: props with ${name} leave the fallback and are told once`, async () => {
    const site = siteOf(
      (c) => c.island("/islands/counter.js", props as object, h.p("still here")),
      {
        route: { pattern: "/a/{id}" },
      },
    );
    for (const path of ["/a/1", "/a/2"]) {
      assertStringIncludes(
        await htmlOf(site, {}, path),
        '<div data-fw-island-state="failed"><p>still here</p></div>',
      );
    }
    const warnings = site.lines.filter(({ level }) => level === "warn");
    assertEquals(warnings.length, 1);
    const { src, route, fault: told } = warnings[0] ?? {};
    assertEquals([src, route], ["/islands/counter.js", "/a/{id}"]);
    assertStringIncludes(String(told), fault);
  });
}

Deno.test("c.island: props that do not fit are told once for each route and module", async () => {
  const page: Page = (c) =>
    h.main(
      c.island("/islands/counter.js", { x: 1n }),
      c.island("/islands/counter.js", { x: 1n }),
      c.island("/islands/chart.js", { x: 1n }),
    );
  const site = newSite([{ pattern: "/", page }, { pattern: "/b", page }], {
    config: { public: modules },
  });
  for (const path of ["/", "/b", "/"]) await htmlOf(site, {}, path);
  assertEquals(
    site.lines.filter(({ level }) => level === "warn").map(({ route, src }) => `${route} ${src}`),
    [
      "/ /islands/counter.js",
      "/ /islands/chart.js",
      "/b /islands/counter.js",
      "/b /islands/chart.js",
    ],
  );
});
