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
  ["1.", 1],
  ["1e+", 1],
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

Deno.test("findJsonFault: matches a string as long as its read-ahead", () => {
  const plain = "x".repeat(65_000);
  const escaped = "\\n".repeat(32_500);
  for (const long of [plain, escaped]) {
    assertEquals(findJsonFault(`"${long}" x`), long.length + 3);
    assertEquals(findJsonFault(`"${long}`), long.length + 1);
    assertEquals(findJsonFault(`"${long}\n"`), long.length + 1);
    assertEquals(findJsonFault(`{"${long}" 1}`), long.length + 4);
  }
  for (const [char, at] of [["1", 65_002], [" ", 65_002], ["a", 2]] as const) {
    assertEquals(findJsonFault(`[1${char.repeat(65_000)}`), at, char);
  }
});

Deno.test("findJsonFault: finds a fault exactly where JSON.parse refuses", () => {
  const seeds = [
    '{"a":[1,-2.5e3,"x\\n\\u0041",true,false,null],"b":{"c":{}}}',
    "[[],[[1]],{}]",
    '"a"',
  ];
  const chars = '{}[]":,\\u0a1-+.eEtfn \n\0';
  let state = 1;
  const random = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  for (let round = 0; round < 20_000; round++) {
    let text = seeds[round % seeds.length] ?? "";
    for (let change = random(3); change >= 0; change--) {
      const at = random(text.length + 1);
      const cut = random(3);
      text = text.slice(0, at) + chars.charAt(random(chars.length)) + text.slice(at + cut);
    }
    assertEquals(findJsonFault(text) === undefined, isJson(text), text);
  }
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

Deno.test("findJsonFault: handles a long string before the fault", () => {
  const text = `["${"a\\n".repeat(3_000_000)}",]`;
  assertEquals(findJsonFault(text), text.length - 1);
});
