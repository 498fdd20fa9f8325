/**
 * `day` and `date` read the values of HTML controls: rows of the kinds in the web platform tests
 * for `type=date` and `type=datetime-local` (valid date strings, valid local date and time
 * strings). `time`, `month` and `week` have no field type, because their values are texts:
 * `text("pattern=…")`.
 */
import { assertEquals } from "@std/assert";
import { date, day, type FieldSchema, struct } from "../../../runtime/schema/mod.ts";
import { formField, jsonField, parseFormInput, plain } from "./case.ts";

const dates: readonly [text: string, isValid: boolean][] = [
  ["2012-02-29", true],
  ["2000-02-29", true],
  ["0001-01-01", true],
  ["9999-12-31", true],
  ["1900-02-29", false],
  ["2011-02-29", false],
  ["2010-00-01", false],
  ["2010-13-01", false],
  ["2010-04-31", false],
  ["2010-11-31", false],
  ["2010-12-00", false],
  ["2010-12-32", false],
  ["2010-1-1", false],
  ["2010-12", false],
  ["2010-12-1", false],
  ["10-12-01", false],
  ["2010/12/01", false],
  ["20101201", false],
  ["2010-12-01x", false],
  ["x2010-12-01", false],
  ["2010 - 12 - 01", false],
  ["2010-W12", false],
  ["٢٠١٠-12-01", false],
  ["-2010-12-01", false],
  ["+2010-12-01", false],
  // HTML allows years of four or more digits; years above 9999 are not useful, and databases sort
  // them wrongly.
  ["12010-12-01", false],
  // HTML's years start at 1.
  ["0000-12-10", false],
];

const times: readonly [time: string, want: string | undefined][] = [
  ["T00:00", "00:00:00.000"],
  ["T23:59", "23:59:00.000"],
  ["T19:30:05", "19:30:05.000"],
  ["T19:30:05.5", "19:30:05.500"],
  ["T19:30:05.12", "19:30:05.120"],
  ["T19:30:05.123", "19:30:05.123"],
  [" 19:30", "19:30:00.000"],
  ["", "00:00:00.000"],
  ["T19:30:05Z", "19:30:05.000"],
  ["T19:30:05.123456+02:00", "17:30:05.123"],
  ["T19:30:05,5", undefined],
  ["T24:00", undefined],
  ["T23:60", undefined],
  ["T23:59:60", undefined],
  ["T2:30", undefined],
  ["T23:5", undefined],
  ["T23:59:5", undefined],
  ["T23:59:59.", undefined],
  ["T23", undefined],
  ["T", undefined],
  ["T23:59x", undefined],
  ["T23 :59", undefined],
  ["  23:59", undefined],
  ["T٢٣:59", undefined],
];

/** Reads a text from a form and from JSON; `undefined` if both refuse it. */
async function read(field: FieldSchema<unknown, boolean>, text: string): Promise<unknown> {
  const [form, json] = [await formField(field, [text]), await jsonField(field, text)];
  assertEquals(form, json);
  return typeof form === "string" && form.startsWith("<") ? undefined : form;
}

for (const [text, isValid] of dates) {
  Deno.test(`day and date: "${text}" is ${isValid ? "" : "in"}valid`, async () => {
    assertEquals(await read(day(), text), isValid ? text : undefined);
    const midnight = isValid ? new Date(`${text}T00:00Z`) : undefined;
    assertEquals(await read(date(), text), midnight);
  });
}

for (const [time, want] of times) {
  Deno.test(`date: "2010-12-01${time}" is ${want === undefined ? "in" : ""}valid`, async () => {
    const expected = want === undefined ? undefined : new Date(`2010-12-01T${want}Z`);
    assertEquals(await read(date(), `2010-12-01${time}`), expected);
    if (time !== "") assertEquals(await read(day(), `2010-12-01${time}`), undefined);
  });
}

// In UTC these dates are before year 1 or after year 9999, which databases refuse.
const outside: readonly [text: string, zone?: string][] = [
  ["0001-01-01T00:00:00+00:01"],
  ["9999-12-31T23:59:00-00:01"],
  ["0001-01-01T00:00", "Asia/Tokyo"],
  ["9999-12-31T23:59", "America/New_York"],
];

for (const [a, zone = "UTC"] of outside) {
  Deno.test(`date: ${a} in ${zone} is outside the years 1 to 9999 and refused`, () => {
    const options = { zone: () => zone };
    const result = parseFormInput(struct({ a: date() }), new Map([["a", [a]]]), options);
    assertEquals(plain(result), { errors: { a: "must be a date" } });
  });
}
