import { assertEquals } from "@std/assert";
import { defaultBodyLimits } from "../../../../runtime/base/ctx/input.ts";
import { parseUrlencoded } from "../../../../runtime/body/form/form.ts";
import { parseParameters } from "../../../../runtime/body/type.ts";

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

const parameters: readonly (readonly [text: string, parsed: unknown])[] = [
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

for (const [text, parsed] of parameters) {
  Deno.test(`parseParameters: ${text}`, () => assertEquals<unknown>(parseParameters(text), parsed));
}

Deno.test("parseParameters: a long text of escapes", () => {
  const [[, value] = []] = parseParameters(`; a="${'\\"'.repeat(100_000)}"`) ?? [];
  assertEquals(value, '"'.repeat(100_000));
});
