/** Values that `day`, `money`, `partial`, `unknown`, the path rules and plain texts accept. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  day,
  float,
  type Infer,
  int,
  list,
  money,
  struct,
  text,
  texts,
  toJsonSchema,
} from "../../../runtime/schema/mod.ts";
import { readFormFields } from "../../../runtime/schema/input.ts";
import { formatMoney } from "../../../runtime/schema/convert.ts";
import { type AppTexts, runInScope } from "../../../runtime/base/texts.ts";
import { form, formField, json, jsonField } from "./case.ts";

const controls: readonly [text: string, isTaken: boolean][] = [
  ["\0hidden", false],
  ["a\x07", false],
  ["a\x1b[31m", false],
  ["a\x0b", false],
  ["a\x7f", false],
  ["\ud800", false],
  ["a\tb\r\nc\n", true],
  ["\x80\u2028\ufeff", true],
];

for (const [value, isTaken] of controls) {
  const want = isTaken ? value : "<is not valid>";
  Deno.test(`text ${isTaken ? "accepts" : "refuses"} ${JSON.stringify(value)}`, () => {
    assertEquals(formField(text("required"), [value]), want);
    assertEquals(jsonField(text("required"), value), want);
    assertEquals(jsonField(texts(), [value]), isTaken ? [value] : want);
    if (value.isWellFormed()) assertEquals(jsonField(text("password"), value), value);
  });
}

const days: readonly [text: string, want: unknown][] = [
  ["2026-03-01", "2026-03-01"],
  ["2026-02-30", "<must be a date>"],
  ["2026-03-01T00:00", "<must be a date>"],
  ["2025-12-31", "<must not be before 2026-01-01>"],
  ["2027-01-01", "<must not be after 2026-12-31>"],
];

for (const [sent, want] of days) {
  Deno.test(`day reads ${sent}`, () => {
    const field = day("min=2026-01-01,max=2026-12-31");
    assertEquals([formField(field, [sent]), jsonField(field, sent)], [want, want]);
  });
}

Deno.test("day: absent is null, and a required one must be sent", () => {
  assertEquals([formField(day(), [""]), jsonField(day(), null)], [null, null]);
  assertEquals(jsonField(day("required"), undefined), "<is required>");
  assertEquals(toJsonSchema(day("required")).format, "date");
});

function speaking<T>(language: string, run: () => T): T {
  const none = { labels: undefined, errorPages: undefined };
  const texts: AppTexts = { language, validationMessages: [], ...none };
  return runInScope({ facts: { texts, languagePrefix: "" } }, run);
}

const amounts: readonly [language: string, currency: string, text: string, want: unknown][] = [
  ["en", "EUR", "1,234.50", 123_450],
  ["en", "EUR", "€12", 1_200],
  ["en", "USD", "-$0.05", -5],
  ["en", "EUR", "12,5", 1_250],
  ["en", "EUR", "1,234", 123_400],
  ["en-IN", "INR", "12,34,567.00", 123_456_700],
  ["pt", "EUR", "1.234,50 €", 123_450],
  ["pt", "EUR", "12.50", 1_250],
  ["pt", "EUR", "1.234", 123_400],
  ["pt-BR", "BRL", "R$ 1.000,00", 100_000],
  ["fr", "EUR", "1 234,5 EUR", 123_450],
  ["de-CH", "CHF", "1'234.50", 123_450],
  ["ar-EG", "EUR", "\u0661\u066c\u0662\u0663\u0664\u066b\u0665", 123_450],
  ["en", "JPY", "1,500", 1_500],
  ["en", "BHD", "1.234", 1_234],
  ["en", "EUR", "0", 0],
  ["en", "EUR", "", 0],
  ["en", "EUR", "1.234,50", "<must be a number>"],
  ["en", "EUR", "1.234", "<must be a number>"],
  ["en", "JPY", "1.5", "<must be a number>"],
  ["en", "EUR", "1e3", "<must be a number>"],
  ["en", "EUR", "12 dollars", "<must be a number>"],
  ["en", "EUR", "99999999999999999", "<is too large>"],
];

for (const [language, currency, sent, want] of amounts) {
  Deno.test(`money in ${currency} reads ${JSON.stringify(sent)} in ${language}`, () => {
    speaking(language, () => assertEquals(formField(money(currency), [sent]), want));
  });
}

Deno.test("money: reads formatted amounts back in every language", () => {
  const written = "en pt pt-BR de de-CH fr es pl sv ja ar-EG fa bn mr ur-IN".split(" ");
  for (const language of written) {
    for (const currency of ["EUR", "JPY", "BHD"]) {
      for (const amount of [0, 5, -5, 99, 123_456, -1_234_567, Number.MAX_SAFE_INTEGER]) {
        speaking(language, () => {
          const shown = formatMoney(amount, { currency });
          assertEquals(formField(money(currency), [shown]), amount, `${language} ${shown}`);
        });
      }
    }
  }
});

Deno.test("money: limits have a decimal point in every language, and JSON uses minor units", () => {
  speaking("pt", () => {
    assertEquals(formField(money("EUR", "min=0.50"), ["0,49"]), "<must be at least 0.50>");
    assertEquals(formField(money("EUR", "min=0.50"), ["0,50"]), 50);
    assertEquals(jsonField(money("EUR", "max=10"), 1_001), "<must be at most 10>");
    assertEquals(jsonField(money("EUR"), 10.5), "<must be a number>");
  });
  const described = { type: "integer", minimum: 50, maximum: 1_000 };
  assertEquals(toJsonSchema(money("EUR", "required,min=0.50,max=10")), described);
  assertThrows(() => money("euro"), TypeError, 'Cannot create a field for the currency "euro"');
});

const paths: readonly [rule: "slug" | "segment", text: string, isTaken: boolean][] = [
  ["slug", "jazz-night-2", true],
  ["slug", "Jazz", false],
  ["slug", "a--b", false],
  ["slug", "-a", false],
  ["slug", "café", false],
  ["segment", "café & bar.html", true],
  ["segment", "...", true],
  ["segment", "..", false],
  ["segment", ".", false],
  ["segment", "a/b", false],
  ["segment", "a\\b", false],
  ["segment", "a\nb", false],
];

for (const [rule, value, isTaken] of paths) {
  Deno.test(`${rule} ${isTaken ? "accepts" : "refuses"} ${JSON.stringify(value)}`, () => {
    assertEquals(jsonField(text(rule), value) === value, isTaken);
    const pattern = new RegExp(toJsonSchema(text(rule)).pattern ?? "", "u");
    assertEquals(pattern.test(value), isTaken);
  });
}

const Event = struct({
  title: text("required,max=5"),
  seats: int("min=1"),
  price: float(),
  due: day(),
  tags: texts(),
  venue: struct({ city: text("required") }),
  items: list(int()),
}).check(() => {
  throw new Error("a change is not the whole");
});

const changes: readonly [body: string, want: unknown][] = [
  ["{}", {}],
  ['{"title":"a"}', { title: "a" }],
  ['{"title":""}', { errors: { title: "is required" } }],
  ['{"title":null}', { errors: { title: "is required" } }],
  ['{"title":"toolong"}', { errors: { title: "must have at most 5 characters" } }],
  ['{"seats":null,"price":0,"due":null,"tags":null,"items":null}', {
    seats: null,
    price: 0,
    due: null,
    tags: null,
    items: null,
  }],
  ['{"seats":0}', { errors: { seats: "must be at least 1" } }],
  ['{"venue":{"city":"Porto"}}', { venue: { city: "Porto" } }],
  ['{"venue":{}}', { errors: { "venue.city": "is required" } }],
  ['{"tags":["x"],"title":"b"}', { tags: ["x"], title: "b" }],
  ['{"other":1}', { unknown: "other" }],
];

for (const [body, want] of changes) {
  Deno.test(`partial reads ${body}`, () => assertEquals(json(Event.partial(), body), want));
}

Deno.test("partial: converts a form, the type and the document", () => {
  assertEquals(form(Event.partial(), "title=a&seats="), { title: "a", seats: null });
  const change: Infer<ReturnType<typeof Event.partial>> = { title: "a", seats: null };
  assertEquals({ title: "b", price: 2, ...change }, { title: "a", price: 2, seats: null });
  const { required, properties } = toJsonSchema(Event.partial());
  assertEquals(required, undefined);
  assertEquals(properties?.["title"], { type: "string", minLength: 1, maxLength: 5 });
  assertEquals(properties?.["seats"], { type: ["integer", "null"], minimum: 1 });
});

Deno.test('unknown: "ignore" leaves out members that no field reads', () => {
  const Inner = struct({ b: int() }, { unknown: "ignore" });
  const Loose = struct({ a: int(), inner: Inner }, { unknown: "ignore" });
  const body = '{"x":1,"a":2,"__proto__":{"a":3},"inner":{"y":[],"b":4}}';
  assertEquals(json(Loose, body), { a: 2, inner: { b: 4 } });
  assertEquals(json(struct({ inner: Inner }), '{"inner":{"b":1,"c":2},"z":1}'), { unknown: "z" });
  assertEquals(toJsonSchema(Loose).additionalProperties, undefined);
});

Deno.test("oneof narrows the type of the text and its document", () => {
  const Ticket = struct({
    status: text("required,oneof=open pending closed"),
    sort: text("oneof=new old"),
    kind: text("oneof=a b").optional(),
  });
  const ticket: Infer<typeof Ticket> = { status: "open", sort: "", kind: null };
  // @ts-expect-error: no option
  ticket.status = "other";
  // @ts-expect-error: a required one is not empty
  ticket.status = "";
  assert(ticket);
  assertEquals(toJsonSchema(Ticket).properties?.["status"]?.enum, ["open", "pending", "closed"]);
});

Deno.test("readFormFields returns the currency and marks a password", () => {
  const [price, secret] = readFormFields(
    struct({ price: money("EUR", "max=2"), secret: text("password") }),
  );
  assertEquals([price?.kind, price?.currency, price?.max], ["money", "EUR", 200]);
  assertEquals(secret?.format, "password");
});
