import { assertEquals } from "@std/assert";
import { defaultBodyLimits } from "../../../../runtime/base/ctx/input.ts";
import { parseUrlencoded } from "../../../../runtime/body/form/form.ts";
import { unquote } from "../../../../runtime/body/type.ts";

const byteOrderMark = "\ufeff";

/** A value as it is sent, and as it is read. */
const values: readonly (readonly [sent: string, read: string])[] = [
  ["+", " "],
  ["a+b", "a b"],
  ["+é+€+😀+", " é € 😀 "],
  [`${byteOrderMark}+`, `${byteOrderMark} `],
  ["%2B+%41", "+ A"],
];

for (const [sent, read] of values) {
  // Long values are decoded in another way.
  for (const times of [1, 2_000]) {
    Deno.test(`parseUrlencoded: "${sent}", ${times} times`, () => {
      const fields = parseUrlencoded(`a=${sent.repeat(times)}`, defaultBodyLimits());
      assertEquals(fields.get("a"), [read.repeat(times)]);
    });
  }
}

const quoted: readonly (readonly [text: string, unquoted: string])[] = [
  ["a", "a"],
  ['"a"', "a"],
  ['""', ""],
  ['"', '"'],
  ['"a', '"a'],
  [String.raw`"a\"b"`, 'a"b'],
  [String.raw`"a\\b"`, String.raw`a\b`],
  [String.raw`"a\b\c"`, String.raw`a\b\c`],
  [String.raw`"\\\""`, String.raw`\"`],
  [String.raw`"é\"😀\\"`, String.raw`é"😀` + "\\"],
  [String.raw`"a\"`, "a\\"],
];

for (const [text, unquoted] of quoted) {
  Deno.test(`unquote: ${text}`, () => assertEquals(unquote(text), unquoted));
}

Deno.test("unquote: a long text of escapes", () => {
  assertEquals(unquote(`"${'\\"'.repeat(100_000)}"`), '"'.repeat(100_000));
});
