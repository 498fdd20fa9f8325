import { assertEquals, assertThrows } from "@std/assert";
import * as h from "@fw/fw/h";

/** Values that type checks do not see: a body read with `json()` has any type. */
const unchecked: readonly (readonly [name: string, value: unknown])[] = [
  ["an array whose string contains markup", ["x".repeat(300) + "<"]],
  ["an object whose string contains markup", { toString: () => "x".repeat(300) + "<" }],
  ["a number", 7],
  ["null", null],
  ["undefined", undefined],
];

for (const [name, value] of unchecked) {
  Deno.test(`escape refuses ${name} and escapes the next text`, () => {
    assertThrows(() => Reflect.apply(h.escape, undefined, [value]), TypeError, "use a string");
    assertEquals(h.escape("<script>"), "&lt;script&gt;");
  });
}
