import { assert, assertEquals, assertFalse } from "@std/assert";
import { allowsRange, checkConditions, parseRange } from "../../../../runtime/serve/static/send.ts";

const file = { tag: '"a"', modifiedSeconds: Date.UTC(2026, 1, 1) / 1_000 };

type Row = [name: string, value: string, want: 304 | 412 | undefined];

const rows: readonly Row[] = [
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
  ["if-modified-since", "Xyz, 05 Feb 2026 00:00:00 GMT", undefined],
  ["if-unmodified-since", "Sat, 31 Jan 2026 00:00:00 GMT", 412],
  ["if-unmodified-since", "Xyz, 31 Jan 2026 00:00:00 GMT", undefined],
  ...["a", '"xa"', '"ax"', '"a-br"', "'a'", '"other", '.repeat(5_000) + '"a"']
    .map((value): Row => ["if-none-match", value, undefined]),
  ["if-match", "*", undefined],
  ["if-unmodified-since", "Sun, 01 Feb 2026 00:00:00 GMT", undefined],
  ["if-modified-since", "Sat, 31 Jan 2026 23:59:59 GMT", undefined],
  ["if-match", '"other"', 412],
  ["if-match", "garbage", 412],
];

for (const [name, value, want] of rows) {
  Deno.test(`a file with ${name}: ${value.slice(0, 80)} is ${want ?? "sent"}`, () => {
    assertEquals(checkConditions(new Headers({ [name]: value }), file), want);
  });
}

Deno.test("a tag takes precedence over a date, and If-Match over both", () => {
  const future = "Tue, 01 Jan 2999 00:00:00 GMT";
  for (const tag of ['"other"', "garbage"]) {
    const headers = new Headers({ "if-none-match": tag, "if-modified-since": future });
    assertEquals(checkConditions(headers, file), undefined);
  }
  const headers = new Headers({ "if-match": '"other"', "if-none-match": '"a"' });
  assertEquals(checkConditions(headers, file), 412);
});

const cases = [['"a"', true], ['"b"', false], ['W/"a"', false], ["*", false]] as const;
for (const [header, isAllowed] of cases) {
  Deno.test(`an If-Range of ${header} ${isAllowed ? "allows" : "refuses"} a range of the file "a"`, () => {
    assertEquals(allowsRange(header, file), isAllowed);
  });
}

const whole = undefined;
const refused = "unsatisfiable";
const zeros = "0".repeat(5_000);
const ranges: readonly [want: ReturnType<typeof parseRange>, headers: readonly string[]][] = [
  [whole, ["bytes=0-1,2-3", "bytes=0-,0-,0-", "bytes=0-0,-1", "bytes=0-1,", "bytes=0-1,zz"]],
  [whole, [`bytes=${"0-,".repeat(5_000)}0-`]],
  [whole, ["items=0-1", "0-1", "bytes 0-1", "bytes", "=0-1"]],
  [refused, [`bytes=${zeros}-1`, `bytes=-${zeros}1`, `bytes=${"9".repeat(100)}-`]],
  [refused, ["bytes=", "bytes=abc", "bytes=1-2-3", "bytes=-1-5", "bytes=--5", "bytes=0x10-20"]],
  [refused, ["bytes=+1-5", "bytes=1e3-", "bytes=1.5-2", "bytes=0 -1", "bytes=*/3000"]],
  [refused, ["bytes=5-2", "bytes=3000-", "bytes=3000-3001", "bytes=99999999999999999999-"]],
  [refused, ["bytes=-", "bytes=-0", "bytes=-000"]],
  [{ start: 2_990, end: 3_000 }, ["bytes=2990-99999999999999999999", "bytes=2990-3000"]],
  [{ start: 2_990, end: 3_000 }, ["bytes=2990-", "bytes=-10", "BYTES=2990-2999"]],
  [{ start: 0, end: 3_000 }, ["bytes=-3001", "bytes=-99999999999999999999"]],
];

for (const [want, headers] of ranges) {
  for (const header of headers) {
    Deno.test(`parseRange of 3,000 bytes: ${header.slice(0, 50)}`, () => {
      assertEquals(parseRange(header, 3_000), want);
    });
  }
}

for (const header of ["bytes=0-", "bytes=0-99", "bytes=-5"]) {
  Deno.test(`parseRange of an empty file sends the whole file: ${header}`, () => {
    assertEquals(parseRange(header, 0), whole);
  });
}

Deno.test("If-Range with a date of the last second allows no range, because the file may change again", () => {
  const modifiedSeconds = Math.floor(Date.now() / 1_000) + 60;
  const date = new Date(modifiedSeconds * 1_000).toUTCString();
  assertFalse(allowsRange(date, { tag: undefined, modifiedSeconds }));
});

Deno.test("If-Range with a date allows a range only for an exact match", () => {
  const day = { tag: undefined, modifiedSeconds: Date.UTC(2026, 2, 3) / 1_000 };
  assert(allowsRange("Tue, 03 Mar 2026 00:00:00 GMT", day));
  for (const date of ["Mon, 02 Mar 2026", "Wed, 04 Mar 2026", "Tue, 31 Feb 2026"]) {
    assertFalse(allowsRange(`${date} 00:00:00 GMT`, day));
  }
});
