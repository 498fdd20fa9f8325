import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as h from "../../../html/mod.ts";
import { newSite, throwing } from "../app/support.ts";
import { htmlOf, modules, type Page, siteOf, unescape } from "./island_site.ts";

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
  ["quotes, tags", { x: `"><script>alert(1)</script>`, y: "</div></body>", z: "'a' onload='b'" }],
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

const refused: [name: string, props: unknown, fault: string][] = [
  ["a circle", { a: circle }, "circular structure"],
  ["a bigint", { id: 1n }, 'the prop "id" is BigInt'],
  ["a function", { on: () => {} }, '"on" is Function'],
  ["a symbol", { s: Symbol("x") }, '"s" is Symbol'],
  ["NaN", { "a b": [0, NaN] }, '"1" is NaN'],
  ["an infinity", [-Infinity], '"0" is -Infinity'],
  ["a hole in a list", { list: [1, undefined] }, '"1" is Undefined'],
  ["a Map", { m: new Map() }, '"m" is Map'],
  ["a Set", { m: { s: new Set([1]) } }, '"s" is Set'],
  ["bytes", { b: new Uint8Array(2) }, '"b" is Uint8Array'],
  ["an error", { e: new Error("secret") }, '"e" is Error'],
  ["a promise", { p: Promise.resolve(1) }, '"p" is Promise'],
  ["an invalid date", { at: new Date(NaN) }, '"at" is invalid Date'],
  ["a toJSON that returns a bigint", { x: { toJSON: () => 1n } }, '"x" is BigInt'],
  ["a toJSON that throws", { toJSON: throwing(new Error("no")) }, "no"],
  ["a getter that throws", {
    get x(): never {
      throw new Error("no");
    },
  }, "no"],
  ["endless nesting", { deep }, "Maximum call stack size exceeded"],
  ["nothing at all", undefined, "props is Undefined"],
];

for (const [name, props, fault] of refused) {
  Deno.test(`c.island: props with ${name} keep the fallback and are reported once`, async () => {
    const site = siteOf(
      (c) => c.island("/islands/counter.js", props as object, h.p("still here")),
      { route: { pattern: "/a/{id}" } },
    );
    for (const path of ["/a/1", "/a/2"]) {
      const part = '<div data-fw-island-state="failed"><p>still here</p></div>';
      assertStringIncludes(await htmlOf(site, {}, path), part);
    }
    const warnings = site.lines.filter(({ level }) => level === "warn");
    assertEquals(warnings.length, 1);
    const { src, route, fault: told } = warnings[0] ?? {};
    assertEquals([src, route], ["/islands/counter.js", "/a/{id}"]);
    assertStringIncludes(String(told), fault);
  });
}

Deno.test("c.island: reports props that do not serialize once per route and module", async () => {
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
