import { assertEquals } from "@std/assert";
import { findJsonFault, scanJson } from "../../../runtime/body/json.ts";

const sizes: readonly [text: string, depth: number, keys: number, containers: number][] = [
  ["1", 0, 0, 0],
  ["[]", 1, 0, 1],
  ['{"a":{"b":[1,{}]}}', 4, 2, 4],
  ['["[[[{{{:::"]', 1, 0, 1],
  ['["\\"[[:"]', 1, 0, 1],
  ['["\\\\",[]]', 2, 0, 2],
  ['{"a:b":1,"c":2}', 1, 2, 1],
  ["[[][][]]", 2, 0, 4],
  ['"', 0, 0, 0],
];

for (const [text, depth, keys, containers] of sizes) {
  Deno.test(`scanJson: ${text} is ${depth} deep with ${keys} members`, () => {
    assertEquals(scanJson(text), { depth, keys, containers });
  });
}

const faults: readonly [text: string, at: number][] = [
  ["", 0],
  ["  ", 2],
  ["x", 0],
  [" x", 1],
  ["[1,]", 3],
  ["[1,,2]", 3],
  ["{a:1}", 1],
  ['{"a" 1}', 5],
  ['{"a":}', 5],
  ['{"a":1,}', 7],
  ['{"a":1', 6],
  ['{"a', 3],
  ["[1 2]", 3],
  ["[1}", 2],
  ["{]", 1],
  ["1 2", 2],
  ["{}{}", 2],
  ["01", 1],
  ["-", 1],
  ["-x", 1],
  ["1.", 2],
  ["1e+", 3],
  ["nul", 3],
  ["nulx", 3],
  ["tru e", 3],
  ['"a\nb"', 2],
  ['"a\\xb"', 3],
  ['"\\u12g4"', 5],
  ['"\\u12', 5],
  [":", 0],
];

for (const [text, at] of faults) {
  Deno.test(`findJsonFault: ${JSON.stringify(text)} at ${at}`, () => {
    assertEquals(findJsonFault(text), at);
  });
}

Deno.test("findJsonFault: handles a long string before the fault", () => {
  const text = `["${"a\\n".repeat(3_000_000)}",]`;
  assertEquals(findJsonFault(text), text.length - 1);
});
