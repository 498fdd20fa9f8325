import { assert, assertEquals, assertFalse } from "@std/assert";
import { allowsRange, checkConditions } from "../../../../runtime/serve/static/send.ts";
import { parseHttpDate } from "../../../../runtime/addon.ts";

const file = { tag: '"a"', modifiedSeconds: Date.UTC(2026, 1, 1) / 1_000 };

const rows: readonly [name: string, value: string, want: 304 | 412 | undefined][] = [
  ["if-none-match", '"a"', 304],
  ["if-none-match", '"b", W/"a"', 304],
  ["if-none-match", "*", 304],
  ["if-none-match", '"x",, "a",', 304],
  ["if-none-match", 'junk, "a"', undefined],
  ["if-none-match", '"x"junk, "a"', undefined],
  ["if-none-match", '"a" junk', undefined],
  ["if-match", '"b", "a"', undefined],
  ["if-match", 'W/"a", "a"', undefined],
  ["if-match", 'W/"a"', 412],
  ["if-match", 'junk, "a"', 412],
  ["if-modified-since", "Thu, 05 Feb 2026 00:00:00 GMT", 304],
  ["if-modified-since", "Thu, 05 Feb 2026 23:59:60 GMT", 304],
  ["if-modified-since", "Thursday, 05-Feb-26 00:00:00 GMT", 304],
  ["if-modified-since", "Thu Feb  5 00:00:00 2026", 304],
  ["if-modified-since", "Xyz, 05 Feb 2026 00:00:00 GMT", undefined],
  ["if-modified-since", "Tue, 31 Feb 2026 00:00:00 GMT", undefined],
  ["if-unmodified-since", "Sat, 31 Jan 2026 00:00:00 GMT", 412],
  ["if-unmodified-since", "Xyz, 31 Jan 2026 00:00:00 GMT", undefined],
];

for (const [name, value, want] of rows) {
  Deno.test(`a file with ${name}: ${value} is ${want ?? "sent"}`, () => {
    assertEquals(checkConditions(new Headers({ [name]: value }), file), want);
  });
}

Deno.test("a date of If-Range within the last second allows no range: the file may change again", () => {
  const modifiedSeconds = Math.floor(Date.now() / 1_000) + 60;
  const date = new Date(modifiedSeconds * 1_000).toUTCString();
  assertFalse(allowsRange(date, { tag: undefined, modifiedSeconds }));
});

Deno.test("a date of If-Range that does not exist allows no range", () => {
  const day = { tag: undefined, modifiedSeconds: Date.UTC(2026, 2, 3) / 1_000 };
  assert(allowsRange("Tue, 03 Mar 2026 00:00:00 GMT", day));
  assertFalse(allowsRange("Tue, 31 Feb 2026 00:00:00 GMT", day));
});

Deno.test("parseHttpDate reads a leap second and no day that the month lacks", () => {
  assertEquals(parseHttpDate("Thu, 31 Dec 2026 23:59:60 GMT"), Date.UTC(2027, 0, 1));
  assertEquals(parseHttpDate("Tue, 31 Feb 2026 00:00:00 GMT"), undefined);
  assertEquals(parseHttpDate("Thu, 05 Feb 2026 00:60:00 GMT"), undefined);
  for (const time of ["08:49:61", "08:49:99", "08:60:00", "24:00:00", "25:00:00", "23:59:61"]) {
    const cases = [
      `Sun, 06 Nov 1994 ${time} GMT`,
      `Sunday, 06-Nov-94 ${time} GMT`,
      `Sun Nov  6 ${time} 1994`,
    ];
    for (const date of cases) assertEquals(parseHttpDate(date), undefined, date);
  }
});
