import {
  bool,
  date,
  float,
  int,
  int64,
  list,
  struct,
  text,
  texts,
} from "../../../runtime/schema/mod.ts";
import { assertEquals } from "@std/assert";
import { type AnyField, formField, jsonField } from "./case.ts";

const invalid = "<is not valid>";
const noInt = "<must be a whole number>";
const tooLarge = "<is too large>";
const tooSmall = "<is too small>";
const noNumber = "<must be a number>";
const noDate = "<must be a date>";

const fields: Readonly<Record<string, AnyField>> = {
  text: text(),
  texts: texts(),
  bool: bool(),
  int: int(),
  int64: int64(),
  float: float(),
  date: date(),
  list: list(int()),
  struct: struct({ b: text() }),
};

function utc(text: string): Date {
  return new Date(text);
}

const formRows: readonly [kind: string, values: readonly string[], want: unknown][] = [
  ["text", [], ""],
  ["text", [""], ""],
  ["text", [" a "], " a "],
  ["text", ["first", "second"], "first"],
  ["text", ["line\r\nline"], "line\r\nline"],
  ["texts", [], []],
  ["texts", [""], []],
  ["texts", ["a"], ["a"]],
  ["texts", ["a", "", "a"], ["a", "", "a"]],
  ["bool", [], false],
  ["bool", [""], false],
  ["bool", ["on"], true],
  ["bool", ["true"], true],
  ["bool", ["1"], true],
  ["bool", ["0"], false],
  ["bool", ["off"], false],
  ["bool", ["false"], false],
  ["bool", ["0", "1"], true],
  ["bool", ["1", "0"], true],
  ["bool", ["yes"], invalid],
  ["bool", ["TRUE"], invalid],
  ["int", [], 0],
  ["int", [""], 0],
  ["int", ["  "], 0],
  ["int", [" 7 "], 7],
  ["int", ["+7"], 7],
  ["int", ["-7"], -7],
  ["int", ["007"], 7],
  ["int", ["-0"], 0],
  ["int", ["9007199254740991"], 9007199254740991],
  ["int", ["9007199254740992"], tooLarge],
  ["int", ["1.0"], noInt],
  ["int", ["1e3"], noInt],
  ["int", ["0x10"], noInt],
  ["int", ["1_000"], noInt],
  ["int", ["NaN"], noInt],
  ["int", ["Infinity"], noInt],
  ["int", ["\u0661\u0669"], 19],
  ["int", ["-\uff11\uff10"], -10],
  ["int", ["\u00b2"], noInt],
  ["int", ["\u{1d7ce}"], noInt],
  ["int", ["1\u00002"], noInt],
  ["int64", [], 0n],
  ["int64", [""], 0n],
  ["int64", ["+9223372036854775807"], 9223372036854775807n],
  ["int64", ["-9223372036854775808"], -9223372036854775808n],
  ["int64", ["9223372036854775808"], tooLarge],
  ["int64", ["-9223372036854775809"], tooSmall],
  ["int64", ["1n"], noInt],
  ["int64", ["0x1"], noInt],
  ["float", [], 0],
  ["float", ["1.5"], 1.5],
  ["float", ["1,5"], 1.5],
  ["float", ["-,5"], -0.5],
  ["float", [".5"], 0.5],
  ["float", ["5."], 5],
  ["float", ["1e3"], 1000],
  ["float", ["-0"], 0],
  ["float", ["\u06f1\u066b\u06f9"], 1.9],
  ["float", ["\u0967.\u0966\u096f"], 1.09],
  ["float", ["1.234,5"], noNumber],
  ["float", ["1,234.5"], noNumber],
  ["float", ["."], noNumber],
  ["float", ["1e999"], noNumber],
  ["float", ["0x10"], noNumber],
  ["float", ["Infinity"], noNumber],
  ["float", ["NaN"], noNumber],
  ["float", ["1e"], noNumber],
  ["date", [], null],
  ["date", [""], null],
  ["date", ["2026-02-28"], utc("2026-02-28T00:00:00Z")],
  ["date", ["2026-02-28T09:05"], utc("2026-02-28T09:05:00Z")],
  ["date", ["0050-01-01"], utc("0050-01-01T00:00:00Z")],
  ["date", ["01/02/2026"], noDate],
  ["list", ["1", "2"], [1, 2]],
  ["struct", ["x"], { b: "" }],
];

for (const [kind, values, want] of formRows) {
  Deno.test(`parseForm: ${kind} from ${JSON.stringify(values)}`, () => {
    assertEquals(formField(fields[kind] as AnyField, values), want);
  });
}

const jsonRows: readonly [kind: string, value: unknown, want: unknown][] = [
  ["text", undefined, ""],
  ["text", null, ""],
  ["text", "a", "a"],
  ["text", "\u{1f600}", "\u{1f600}"],
  ["text", "a\udc00b", invalid],
  ["text", 5, invalid],
  ["text", true, invalid],
  ["text", ["a"], invalid],
  ["text", { a: 1 }, invalid],
  ["texts", undefined, []],
  ["texts", null, []],
  ["texts", ["a", ""], ["a", ""]],
  ["texts", "a", invalid],
  ["texts", [1], invalid],
  ["texts", [null], invalid],
  ["texts", { 0: "a", length: 1 }, invalid],
  ["bool", undefined, false],
  ["bool", true, true],
  ["bool", "true", invalid],
  ["bool", 1, invalid],
  ["int", undefined, 0],
  ["int", null, 0],
  ["int", 0, 0],
  ["int", -3, -3],
  ["int", 1.5, noInt],
  ["int", 9007199254740992, tooLarge],
  ["int", "1", noInt],
  ["int", [1], noInt],
  ["int", true, noInt],
  ["int64", undefined, 0n],
  ["int64", 5, 5n],
  ["int64", 9007199254740992, noInt],
  ["int64", "9223372036854775807", 9223372036854775807n],
  ["int64", "9223372036854775808", tooLarge],
  ["int64", "", noInt],
  ["int64", " 1", noInt],
  ["int64", 1.5, noInt],
  ["int64", [5], noInt],
  ["float", undefined, 0],
  ["float", 1.5, 1.5],
  ["float", 1e308, 1e308],
  ["float", "1.5", noNumber],
  ["float", [1.5], noNumber],
  ["date", undefined, null],
  ["date", null, null],
  ["date", "2026-02-28", utc("2026-02-28T00:00:00Z")],
  ["date", "2026-02-28T09:05:06+02:00", utc("2026-02-28T07:05:06Z")],
  ["date", "2026-02-28T23:30:00-01:00", utc("2026-03-01T00:30:00Z")],
  ["date", "2026-02-28T09:05:06+24:00", noDate],
  ["date", "", noDate],
  ["date", 1772269506789, noDate],
  ["date", ["2026-02-28"], noDate],
  ["list", undefined, []],
  ["list", [1, 2], [1, 2]],
  ["list", 1, invalid],
  ["list", { 0: 1 }, invalid],
  ["struct", undefined, { b: "" }],
  ["struct", null, { b: "" }],
  ["struct", { b: "x" }, { b: "x" }],
  ["struct", [], invalid],
  ["struct", "x", invalid],
];

for (const [kind, value, want] of jsonRows) {
  Deno.test(`parseJson: ${kind} from ${JSON.stringify(value)}`, () => {
    assertEquals(jsonField(fields[kind] as AnyField, value), want);
  });
}

Deno.test("date: reads the JSON form of a value back", () => {
  const when = new Date("2026-07-08T09:10:11.012Z");
  assertEquals(jsonField(date(), JSON.parse(JSON.stringify(when))), when);
});

const optionalRows: [kind: string, sentForm: string, formWant: unknown, jsonZero: unknown][] = [
  ["text", "", "", ""],
  ["texts", "", [], []],
  ["bool", "0", false, false],
  ["int", "0", 0, 0],
  ["float", "0", 0, 0],
];

for (const [kind, sent, formWant, jsonZero] of optionalRows) {
  Deno.test(`optional: ${kind} is null if absent and its zero value if sent`, () => {
    const field = (fields[kind] as AnyField).optional();
    assertEquals([formField(field, []), formField(field, [sent])], [null, formWant]);
    assertEquals([jsonField(field, undefined), jsonField(field, null)], [null, null]);
    assertEquals(jsonField(field, jsonZero), jsonZero);
  });
}

for (const kind of ["int64", "date", "list", "struct"]) {
  Deno.test(`optional: ${kind} is null if absent`, () => {
    const field = (fields[kind] as AnyField).optional();
    assertEquals([formField(field, []), jsonField(field, undefined)], [null, null]);
  });
}
