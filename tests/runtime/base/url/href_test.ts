import { App, createLogger, href, type HrefOptions } from "../../../../mod.ts";
import { assertEquals, assertThrows } from "@std/assert";

const queries: readonly [name: string, query: HrefOptions["query"], want: string][] = [
  ["none", undefined, "/events"],
  ["an empty one", {}, "/events"],
  ["a text", { q: "jazz & blues" }, "/events?q=jazz+%26+blues"],
  ["an empty text", { q: "" }, "/events?q="],
  ["absent values", { a: undefined, b: null, c: 1 }, "/events?c=1"],
  ["every scalar", { a: 1, b: 2n, c: true, d: false, e: 0 }, "/events?a=1&b=2&c=true&d=false&e=0"],
  ["a list", { tag: ["a", "b"], none: [] }, "/events?tag=a&tag=b"],
  ["hostile names and values", { "a&b=": "#?/\r\n" }, "/events?a%26b%3D=%23%3F%2F%0D%0A"],
  ["search parameters", new URLSearchParams("a=1&a=2"), "/events?a=1&a=2"],
  ["a name of an inherited member", { __proto__: null, constructor: "x" }, "/events?constructor=x"],
];

for (const [name, query, want] of queries) {
  Deno.test(`href writes the query: ${name}`, () => {
    assertEquals(href("/events", {}, { query }), want);
  });
}

Deno.test("href accepts parameters and a query together", () => {
  assertEquals(href("/events/{slug}", { slug: "a/b" }, { query: { p: 2 } }), "/events/a%2Fb?p=2");
  assertEquals(href("/events/{slug}", { slug: 7 }), "/events/7");
});

/** `href` for patterns of no application in the workspace. */
const anyHref = href as (pattern: string, params: Record<string, string>) => string;

/** Values as a database may contain them, and the resulting link of a page. */
const stored: readonly [pattern: string, value: string, want: string][] = [
  ["/events/{slug}", "..", "about:invalid"],
  ["/events/{slug}", "", "about:invalid"],
  ["/events/{slug}", "a\u0000b", "about:invalid"],
  ["/files/{path...}", "a//b", "about:invalid"],
  ["/files/{path...}", "a/b c", "/files/a/b%20c"],
  ["/events/{slug}", "@ada", "/events/@ada"],
];

for (const [pattern, value, want] of stored) {
  Deno.test(`href and c.href never throw for a stored value: ${JSON.stringify(value)}`, async () => {
    const name = pattern.includes("slug") ? "slug" : "path";
    const lines: string[] = [];
    const logger = createLogger({ write: (line) => void lines.push(line) });
    const app = new App({ basePath: "/shop", logger });
    const params = { [name]: value };
    app.route({
      pattern: "/",
      methods: {
        GET: (c) =>
          c.json(200, [anyHref(pattern, params), c.href(pattern as "/", params as never)]),
      },
    });
    const response = await app.fetch(new Request("http://localhost/shop/"));
    const isInvalid = want === "about:invalid";
    assertEquals(await response.json(), [want, isInvalid ? want : `/shop${want}`]);
    assertEquals(
      lines.filter((line) => line.includes("Cannot build a path")).length,
      isInvalid ? 1 : 0,
    );
  });
}

Deno.test("href throws for a missing parameter", () => {
  assertThrows(() => anyHref("/events/{slug}", {}), TypeError, "missing");
});
