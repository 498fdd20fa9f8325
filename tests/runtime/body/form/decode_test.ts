import { assertEquals } from "@std/assert";
import { defaultConfig } from "../../../../runtime/base/config/config.ts";
import { parseQuery, parseUrlencoded } from "../../../../runtime/body/form/form.ts";
import { parseParameters } from "../../../../runtime/body/type.ts";

const byteOrderMark = "\ufeff";

const values: readonly (readonly [sent: string, read: string])[] = [
  ["+", " "],
  ["a+b", "a b"],
  ["+é+€+😀+", " é € 😀 "],
  [`${byteOrderMark}+`, `${byteOrderMark} `],
  ["%2B+%41", "+ A"],
];

for (const [sent, read] of values) {
  // Long values use another decoder.
  for (const times of [1, 2_000]) {
    Deno.test(`parseUrlencoded: "${sent}", ${times} times`, () => {
      const fields = parseUrlencoded(`a=${sent.repeat(times)}`, defaultConfig().bodyLimits);
      assertEquals(fields.get("a"), [read.repeat(times)]);
    });
  }
}

/**
 * The inputs of WPT's `url/urlencoded-parser.any.js`, with their values in the order in which each
 * name first occurs.
 */
const parsed: readonly (readonly [query: string, fields: Record<string, readonly string[]>])[] = [
  ["test", { test: [""] }],
  ["\ufefftest=\ufeff", { "\ufefftest": ["\ufeff"] }],
  ["%EF%BB%BFtest=%EF%BB%BF", { "\ufefftest": ["\ufeff"] }],
  ["%EF%BF%BF=%EF%BF%BF", { "\uffff": ["\uffff"] }],
  ["%FE%FF", { "\ufffd\ufffd": [""] }],
  ["%FF%FE", { "\ufffd\ufffd": [""] }],
  ["†&†=x", { "†": ["", "x"] }],
  ["%C2", { "\ufffd": [""] }],
  ["%C2x", { "\ufffdx": [""] }],
  ["_charset_=windows-1252&test=%C2x", { _charset_: ["windows-1252"], test: ["\ufffdx"] }],
  ["", {}],
  ["a", { a: [""] }],
  ["a=b", { a: ["b"] }],
  ["a=", { a: [""] }],
  ["=b", { "": ["b"] }],
  ["&", {}],
  ["&a", { a: [""] }],
  ["a&", { a: [""] }],
  ["a&a", { a: ["", ""] }],
  ["a&b&c", { a: [""], b: [""], c: [""] }],
  ["a=b&c=d", { a: ["b"], c: ["d"] }],
  ["a=b&c=d&", { a: ["b"], c: ["d"] }],
  ["&&&a=b&&&&c=d&", { a: ["b"], c: ["d"] }],
  ["a=a&a=b&a=c", { a: ["a", "b", "c"] }],
  ["a==a", { a: ["=a"] }],
  ["a=a+b+c+d", { a: ["a b c d"] }],
  ["%=a", { "%": ["a"] }],
  ["%a=a", { "%a": ["a"] }],
  ["%a_=a", { "%a_": ["a"] }],
  ["%61=a", { a: ["a"] }],
  ["%61+%4d%4D=", { "a MM": [""] }],
  ["id=0&value=%", { id: ["0"], value: ["%"] }],
  ["b=%2sf%2a", { b: ["%2sf*"] }],
  ["b=%2%2af%2a", { b: ["%2*f*"] }],
  ["b=%%2a", { b: ["%*"] }],
];

Deno.test("parseQuery follows the URL Standard", () => {
  for (const [query, fields] of parsed) {
    assertEquals([...parseQuery(query, defaultConfig().bodyLimits)], Object.entries(fields), query);
  }
});

const parameters: readonly (readonly [text: string, want: unknown])[] = [
  ["; a=b;C = d", undefined],
  ["; a=b; C=d", [["a", "b"], ["c", "d"]]],
  [';a="b;c" ; d="";', [["a", "b;c"], ["d", ""]]],
  ["; utf-8", [["utf-8", undefined]]],
  [String.raw`; a="b\"c"`, [["a", 'b"c']]],
  [String.raw`; a="b\\c\d\"`, [["a", String.raw`b\\c\d` + "\\"]]],
  [String.raw`; a="b\"; c=d`, [["a", "b\\"], ["c", "d"]]],
  ['; a="b', undefined],
  ['; a=b"', undefined],
  ['; a="b"c', undefined],
];

for (const [text, want] of parameters) {
  Deno.test(`parseParameters: ${text}`, () => assertEquals<unknown>(parseParameters(text), want));
}

Deno.test("parseParameters: a long text of escapes", () => {
  const [[, value] = []] = parseParameters(`; a="${'\\"'.repeat(100_000)}"`) ?? [];
  assertEquals(value, '"'.repeat(100_000));
});
