import { assert, assertEquals } from "@std/assert";
import { showThrown } from "../../../../runtime/base/diagnose/error_text.ts";

const circle: Record<string, unknown> = {};
circle["self"] = circle;

const thrown: readonly [value: unknown, shown: string][] = [
  ["x", '"x"'],
  [undefined, "undefined"],
  [null, "null"],
  [7n, "7"],
  [Symbol("s"), "Symbol(s)"],
  [{ status: 404, message: "x" }, '{"status":404,"message":"x"}'],
  [{ cause: new TypeError("inner") }, '{"cause":"TypeError: inner"}'],
  [{ big: 1n }, '{"big":"1"}'],
  [[1, { a: 2 }], '[1,{"a":2}]'],
  [{}, "{}"],
  [Object.create(null), "{}"],
  [new Response(), "[object Response]"],
  [{ toString: () => "told" }, "told"],
  [circle, "an object that has no text"],
];

for (const [value, shown] of thrown) {
  Deno.test(`a thrown value is shown as ${shown}`, () => assertEquals(showThrown(value), shown));
}

Deno.test("a large thrown object is shown partially", () => {
  const text = showThrown({ list: Array.from({ length: 100_000 }, () => "x".repeat(50)) });
  assert(text.length < 1_100, `${text.length}`);
});
