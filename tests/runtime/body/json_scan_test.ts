import { assertEquals } from "@std/assert";
import { scanJson } from "../../../runtime/body/json.ts";

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
