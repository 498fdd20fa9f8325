import { href, type HrefOptions } from "../../../../mod.ts";
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
  ["a name that objects inherit", { __proto__: null, constructor: "x" }, "/events?constructor=x"],
];

for (const [name, query, want] of queries) {
  Deno.test(`href writes the query: ${name}`, () => {
    assertEquals(href("/events", {}, { query }), want);
  });
}

Deno.test("href takes parameters and a query together, and still refuses what no URL carries", () => {
  assertEquals(href("/events/{slug}", { slug: "a/b" }, { query: { p: 2 } }), "/events/a%2Fb?p=2");
  assertThrows(
    () => href("/events/{slug}", { slug: ".." }, { query: { p: 2 } }),
    TypeError,
    "clients",
  );
});
