import {
  bool,
  date,
  float,
  type Infer,
  int,
  int64,
  list,
  struct,
  text,
  texts,
} from "../../../runtime/schema/mod.ts";
import { fieldError, FieldErrors } from "../../../mod.ts";
import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { boundInput, formReader } from "../../../runtime/schema/input.ts";
import { sentBodyTexts } from "../../../runtime/schema/result.ts";
import { form, groupTexts, json, parseFormInput, parseJsonInput } from "./case.ts";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true
  : false;

const Event = struct({
  title: text("required,max=80"),
  seats: int("min=1,max=500"),
  id: int64(),
  price: float(),
  starts: date("required,min=2026-01-01"),
  ends: date(),
  tags: texts("max=5"),
  open: bool(),
  venue: struct({ city: text("required") }),
  note: text("max=500", { form: "remark", json: "note_text" }).optional(),
  count: int("required").optional(),
  items: list(struct({ sku: text("required"), since: date() })),
  group: struct({ name: text("required") }).optional(),
});

type Wanted = {
  title: string;
  seats: number;
  id: bigint;
  price: number;
  starts: Date;
  ends: Date | null;
  tags: string[];
  open: boolean;
  venue: { city: string };
  note: string | null;
  count: number;
  items: { sku: string; since: Date | null }[];
  group: { name: string } | null;
};

Deno.test("Infer: is the type of the value", () => {
  const isSame: Same<Infer<typeof Event>, Wanted> = true;
  const ofField: Same<Infer<typeof Event> extends { starts: infer D } ? D : never, Date> = true;
  assertEquals([isSame, ofField], [true, true]);
});

Deno.test("builders: the compiler and the runtime refuse the same input", () => {
  const refused = [
    // @ts-expect-error -- unknown rule
    text("reqired"),
    // @ts-expect-error -- the last rule is unknown
    text("required,max=80,emial"),
    // @ts-expect-error -- the parameter is not a number
    text("max=eighty"),
    // @ts-expect-error -- the parameter is missing
    text("min"),
    // @ts-expect-error -- not a rule of numbers
    int("email"),
    // @ts-expect-error -- not a rule of rows
    texts("oneof=a b"),
    // @ts-expect-error -- not a rule of yes or no
    bool("min=1"),
    // @ts-expect-error -- the parameter is not a date
    date("min=1"),
    // @ts-expect-error -- no spaces
    text("required, max=80"),
  ];
  for (const field of refused) assertThrows(() => form(struct({ a: field }), ""), TypeError);
});

const filled = "title=Jazz&seats=20&id=9&price=1,5&starts=2026-05-01T20:00&tags=a&tags=b&open=on" +
  "&venue.city=Rio&remark=hi&count=0&group.name=g";

Deno.test("parseFormInput: fills every field, and ignores others", () => {
  assertEquals(form(Event, `${filled}&extra=1&__proto__=x`), {
    title: "Jazz",
    seats: 20,
    id: 9n,
    price: 1.5,
    starts: new Date("2026-05-01T20:00Z"),
    ends: null,
    tags: ["a", "b"],
    open: true,
    venue: { city: "Rio" },
    note: "hi",
    count: 0,
    items: [],
    group: { name: "g" },
  });
});

Deno.test("parseFormInput: keys errors by form name, with a prefix for nested fields", () => {
  assertEquals(form(Event, `remark=${"x".repeat(501)}&group.name=&seats=0&count=1`), {
    errors: {
      "title": "is required",
      "seats": "must be at least 1",
      "starts": "is required",
      "venue.city": "is required",
      "remark": "must have at most 500 characters",
    },
  });
});

Deno.test("parseJson: keys errors by JSON name, and elements by index", () => {
  const body = { note_text: 5, count: 0, items: [{ sku: "a" }, { sku: "" }, 7, null], venue: 1 };
  assertEquals(json(Event, JSON.stringify(body)), {
    errors: {
      "title": "is required",
      "starts": "is required",
      "venue": "is not valid",
      "note_text": "is not valid",
      "items.1.sku": "is required",
      "items.2": "is not valid",
      "items.3": "is not valid",
    },
  });
});

const unknownRows: readonly [body: string, field: string][] = [
  ['{"title":"a","admin":true}', "admin"],
  ['{"admin":true,"title":"a"}', "admin"],
  ['{"venue":{"city":"x","lat":1}}', "venue.lat"],
  ['{"items":[{"sku":"a"},{"sku":"b","x":1}]}', "items.1.x"],
  ['{"note":"a"}', "note"],
  ['{"__proto__":{"a":1}}', "__proto__"],
  ['{"constructor":1}', "constructor"],
  ['{"venue":{"__proto__":{"city":"x"}}}', "venue.__proto__"],
  ['{"Title":"a"}', "Title"],
];

for (const [body, field] of unknownRows) {
  Deno.test(`parseJson: names the unknown field of ${body}`, () => {
    assertEquals(json(Event, body), { unknown: field });
  });
}

for (const body of ["[]", '"a"', "1", "null", "true"]) {
  Deno.test(`parseJson: ${body} is not an object`, () => {
    assertEquals(json(Event, body), "not an object");
  });
}

Deno.test("parseJson: the order of members does not matter", () => {
  const schema = struct({ a: text("required"), b: int("min=1"), c: texts(), d: text().optional() });
  const members = ['"a":"x"', '"b":2', '"c":["y"]', '"d":"z"'];
  const wanted = { a: "x", b: 2, c: ["y"], d: "z" };
  for (const [i, first] of members.entries()) {
    const others = members.filter((_, j) => j !== i);
    const value = json(schema, `{${[first, ...others].join(",")}}`);
    assertEquals([value, Object.keys(value as object)], [wanted, Object.keys(wanted)]);
    assertEquals(json(schema, `{${others.join(",")}}`), {
      ...(i === 0
        ? { errors: { a: "is required" } }
        : { ...wanted, ...[{}, { b: 0 }, { c: [] }, { d: null }][i] }),
    });
  }
});

Deno.test("parseJson: returns a copy", () => {
  const body = { venue: { city: "x" } };
  const schema = struct({ venue: struct({ city: text() }) });
  const result = parseJsonInput(schema, body);
  if (result.kind === "ok") result.value.venue.city = "changed";
  assertEquals([result.kind, body.venue.city], ["ok", "x"]);
});

Deno.test("optional struct: null if none of its fields has text", () => {
  const schema = struct({ group: struct({ name: text("required"), size: int() }).optional() });
  assertEquals(form(schema, ""), { group: null });
  assertEquals(form(schema, "group.name=&group.size="), { group: null });
  assertEquals(form(schema, "group.size=3"), { errors: { "group.name": "is required" } });
  assertEquals(json(schema, '{"group":null}'), { group: null });
  assertEquals(json(schema, '{"group":{}}'), { errors: { "group.name": "is required" } });
});

Deno.test("a failed parse lists the accepted top-level fields", () => {
  const c = struct({ d: text("required"), e: text() });
  const schema = struct({ a: text("required"), b: int(), c, f: text("", { form: "eff" }) });
  const sent = parseFormInput(schema, "b=2&c.e=x&eff=y");
  const found = sent.kind === "invalid" && [sent.value, [...sent.errors].length];
  assertEquals(found, [{ b: 2, f: "y" }, 2]);
  const body = parseJsonInput(schema, { a: 1, b: 2, c: { d: "d" }, f: "y" });
  assertEquals(body.kind === "invalid" && body.value, { b: 2, c: { d: "d", e: "" }, f: "y" });
});

Deno.test("check: runs on a field after its rules, in order, and may return a message", () => {
  const calls: string[] = [];
  const schema = struct({
    a: text("max=3").check((value) => {
      calls.push(`first ${value}`);
      return value === "no" ? "is refused" : undefined;
    }).check((value) => void calls.push(`second ${value}`)),
    b: text().optional().check(() => "never asked about null"),
  });
  assertEquals(form(schema, "a=no"), { errors: { a: "is refused" } });
  assertEquals(form(schema, "a=long"), { errors: { a: "must have at most 3 characters" } });
  assertEquals([form(schema, ""), calls], [{ a: "", b: null }, ["first no", "first ", "second "]]);
});

Deno.test("check: names belong to the enclosing struct, by form name or property", () => {
  const Home = struct({ city: text("", { form: "town", json: "c" }), zip: text() })
    .check((home) => home.zip === "1" ? fieldError("city", "too far") : undefined);
  const schema = struct({
    home: Home,
    near: text().check((near) => near === "x" ? fieldError("home.city", "not near") : undefined),
  });
  assertEquals(form(schema, "home.zip=1"), { errors: { "home.town": "too far" } });
  assertEquals(json(schema, '{"home":{"zip":"1"}}'), { errors: { "home.c": "too far" } });
  assertEquals(form(schema, "near=x"), { errors: { "home.town": "not near" } });
});

Deno.test("check: runs on a struct last, only if none of its fields failed", () => {
  let calls = 0;
  const schema = struct({ a: int("min=1"), b: text() }).check((value) => {
    calls++;
    return value.a === 5 ? new FieldErrors().add("a", "five").add("b", "with five") : undefined;
  });
  assertEquals([form(schema, "a=0"), calls], [{ errors: { a: "must be at least 1" } }, 0]);
  assertEquals(form(schema, "a=5"), { errors: { a: "five", b: "with five" } });
  assertEquals(form(schema, "a=6"), { a: 6, b: "" });
});

Deno.test("check: passes on its errors unchanged", () => {
  const thrown = new RangeError("own");
  const schema = struct({ a: text() }).check(() => {
    throw thrown;
  });
  assertStrictEquals(assertThrows(() => form(schema, "")), thrown);
});

Deno.test("check: the compiler and the runtime refuse a promise", () => {
  // @ts-expect-error -- checks are synchronous
  const schema = struct({ a: text() }).check(() => Promise.resolve());
  assertThrows(() => form(schema, ""), TypeError, "never a promise");
});

Deno.test("schemas are immutable: optional and check return new ones", () => {
  const a = text();
  a.optional();
  a.check(() => "refused");
  assertEquals(form(struct({ a }), ""), { a: "" });
});

Deno.test("struct: refuses members that are not fields and a property named __proto__", () => {
  // @ts-expect-error -- not a field
  assertThrows(() => struct({ a: "text" }), TypeError, 'property "a"');
  assertThrows(() => struct({ ["__proto__"]: text() }), TypeError, 'property "__proto__"');
});

Deno.test("names: refuses two fields with one name at first use", () => {
  const twice = struct({ a: text(), b: text("", { form: "a" }) });
  assertThrows(() => form(twice, ""), TypeError, 'the form name "a"');
  const nested = struct({ "a.b": text(), a: struct({ b: text() }) });
  assertThrows(() => form(nested, ""), TypeError, 'the form name "a.b"');
  const members = struct({ a: text(), b: text("", { json: "a" }) });
  assertThrows(() => json(members, "{}"), TypeError, 'the JSON name "a"');
});

Deno.test("names: a field may be named like an inherited object member", () => {
  const schema = struct({ constructor: text(), toString: int(), a: text("", { json: "valueOf" }) });
  assertEquals(json(schema, "{}"), { constructor: "", toString: 0, a: "" });
  assertEquals(json(schema, '{"toString":1}'), { constructor: "", toString: 1, a: "" });
  const sent = '{"valueOf":"x","toString":1,"constructor":"y"}';
  assertEquals(json(schema, sent), { constructor: "y", toString: 1, a: "x" });
});

Deno.test("boundInput: returns value, errors and input for success and failure", () => {
  const schema = struct({ a: int("min=1"), b: struct({ c: text() }) });
  const good = groupTexts("a=1&b.c=x");
  const bound = boundInput(mustParse(parseFormInput(schema, good)), formReader(good));
  assertEquals([bound.ok, bound.value, bound.errors.any()], [true, { a: 1, b: { c: "x" } }, false]);
  assertEquals([bound.text("b.c"), bound.text("none")], ["x", ""]);
  assertEquals([bound.texts("b.c"), bound.texts("none"), bound.files], [["x"], [], {}]);
  const body = { a: "abc", b: { c: "x" } };
  const bad = boundInput(mustParse(parseJsonInput(schema, body)), sentBodyTexts(body));
  const found = [bad.ok, bad.value, bad.errors.get("a")];
  assertEquals(found, [false, { b: { c: "x" } }, "must be a whole number"]);
  assertEquals(["a", "b.c", "b", "a.b"].map((name) => bad.text(name)), ["abc", "x", "", ""]);
  const row = { a: ["", "x"], b: 3 };
  const rows = boundInput(
    mustParse(parseJsonInput(struct({ a: texts() }), { a: ["", "x"] })),
    sentBodyTexts(row),
  );
  assertEquals([rows.text("a"), rows.texts("a"), rows.texts("b")], ["", ["", "x"], ["3"]]);
});

type Parsed = ReturnType<typeof parseJsonInput<unknown>>;

function mustParse<Result extends Awaited<Parsed>>(
  result: Result,
): Extract<Result, { kind: "ok" | "invalid" }> {
  if (result.kind !== "ok" && result.kind !== "invalid") throw new Error(result.kind);
  return result as Extract<Result, { kind: "ok" | "invalid" }>;
}
