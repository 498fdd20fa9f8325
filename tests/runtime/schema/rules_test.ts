import {
  addRule,
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
import type { RuleField } from "../../../runtime/schema/mod.ts";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { type AnyField, form, formField, json, jsonField } from "./case.ts";

const builders: Readonly<Record<string, (rules: string) => AnyField>> = {
  text,
  texts,
  bool,
  int,
  int64,
  float,
  date,
  list: (rules) => list(int(), rules),
};

function field(kind: string, rules: string): AnyField {
  const builder = builders[kind];
  if (builder === undefined) throw new Error(`no builder ${kind}`);
  return builder(rules);
}

/** A message is in angle brackets. */
function isRefused(got: unknown): boolean {
  return typeof got === "string" && got.startsWith("<");
}

const smile = "\u{1f600}";

/** Each row has passing and failing JSON values. */
const rows: readonly [kind: string, rules: string, passes: unknown[], fails: unknown[]][] = [
  ["text", "required", ["a", " ", "0"], ["", null, undefined]],
  ["text", "min=2", ["ab", "abc", "", smile + smile], ["a", smile]],
  ["text", "max=2", ["", "ab", smile + smile, "\r\n\r\n", "a\r\n"], ["abc", smile + "ab"]],
  ["text", "len=2", ["", "ab", smile + smile], ["a", "abc", smile]],
  ["text", "min=2,max=3", ["ab", "abc"], ["a", "abcd"]],
  ["text", "min=1,min=3", ["abc"], ["ab"]],
  ["text", "max=5,max=3", ["abc"], ["abcd"]],
  ["text", "min=6,min=3", ["abcdef"], ["abcde"]],
  ["int", "min=3,min=2,max=5,max=9", [3, 5], [2, 6]],
  ["text", "email", [
    "",
    ..."a@b.co a+b@c.d.e A.b!#$%&'*/=?^_`{|}~-@b-c.co ü@ü.de ü@Ü.DE josé.ñ@例え.jp".split(" "),
    ..."дар@почта.рф a@xn--bcher-kva.example".split(" "),
  ], [
    ...[...'<>()[],;:"\\ \u00a0\u3000']
      .flatMap((sign) => [`${sign}a@b.co`, `a${sign}a@b.co`, `a@b.co${sign}`, `a@${sign}b.co`]),
    // Invisible characters: soft hyphen, joiners, direction, word joiner, byte order mark, tags,
    // fillers, selectors.
    ...[..."\u00ad\u034f\u200b\u200d\u202e\u2060\u2066\u3164\ufe0f\ufeff\u{e0061}\u0085"]
      .flatMap((sign) => [`m${sign}a@b.co`, `m@b${sign}.co`]),
    ...'<a@b.co> (x)a@b.co "a"@b.co a@b.co&bcc=x a@b_c.co a@b.co%00 a@b.co/ a@-b.co'.split(" "),
    ..."a@b-.co a@b.-co a@b.co- a a@b @b.co a@@b.co a@b@c.co a@.co a@b. a@b..co".split(" "),
    // Other spellings of a domain.
    ..."a@ｂ.co a@b.ｃo a@\u017f.co a@u\u0308.de".split(" "),
    // Addresses to which no mail can be sent.
    ...`a@1.2.3.4 a@b.123 a@b.0x1 a@１.２ a@b。.de a@xn--a.org ${"a".repeat(65)}@b.co`.split(" "),
    ...["a b@c.co", "a@b.co\r\nBcc: x@y.z", "a\u0000@b.co", `${"a".repeat(250)}@b.co`],
  ]],
  ["text", "url", [
    "",
    ..."http://a https://example.com/a?b=c#d HTTPS://EXAMPLE.COM http://localhost:8080".split(" "),
    ..."http://127.0.0.1/ http://[::1]/ https://xn--bcher-kva.example/".split(" "),
    ..."https://bücher.example/ä https://user@example.com/".split(" "),
  ], [
    ..."example.com /a //example.com ftp://example.com javascript:alert(1)".split(" "),
    ..."mailto:a@b.co http:example.com http:/example.com http:// http:///a".split(" "),
    ...["http:\\\\example.com", " http://example.com", "http://exa mple.com"],
    ..."http://a:99999/ http://1.2.3.999/ http://xn--/ https://?a".split(" "),
    ...["http://example.com/a\nb", `https://a.co/${"a".repeat(8_000)}`],
  ]],
  ["text", "oneof=a b c", ["", "a", "c"], ["d", "A", "a b", " a"]],
  ["texts", "required", [["a"], ["", "a"]], [[], [""], null, undefined]],
  ["texts", "min=2", [["a", "b"], []], [["a"]]],
  ["texts", "max=2", [[], ["a", "b"]], [["a", "b", "c"]]],
  ["texts", "len=2", [[], ["a", "b"]], [["a"], ["a", "b", "c"]]],
  ["list", "required,max=2", [[1], [1, 2]], [[], [1, 2, 3]]],
  ["bool", "required", [true], [false, null, undefined]],
  ["int", "required", [1, -1], [0, null, undefined]],
  ["int", "min=1", [1, 2, undefined], [0, -1]],
  ["int", "max=-1", [-1, undefined], [0, 1]],
  ["int", "min=1,max=5", [1, 5], [0, 6]],
  ["int", "oneof=1 3", [1, 3, undefined], [0, 2]],
  ["int64", "required", ["1", 1], ["0", 0, null]],
  ["int64", "min=9223372036854775806", ["9223372036854775806"], ["9223372036854775805", 1]],
  ["int64", "max=5", [5, "5"], [6, "6"]],
  ["int64", "oneof=1 3", [1, "3"], [2]],
  ["float", "required", [0.1], [0]],
  ["float", "min=0.5,max=1.5", [0.5, 1.5], [0.49, 1.51, 0]],
  ["float", "oneof=0.5 1", [0.5, 1], [0.6]],
  ["date", "required", ["2026-01-01"], [null, undefined]],
  ["date", "min=2026-01-02", ["2026-01-02", "2026-01-02T00:01", null], ["2026-01-01T23:59"]],
  ["date", "max=2026-01-02T10:00", ["2026-01-02T10:00", "2026-01-01"], ["2026-01-02T10:01"]],
  ["date", "max=2026-12-31", ["2026-12-31", "2026-12-31T10:00", "2026-12-31T23:59"], [
    "2027-01-01",
    "2027-01-01T00:00",
  ]],
  ["date", "max=2026-01-02T00:00", ["2026-01-02"], ["2026-01-02T00:01"]],
  ["date", "min=2026-01-02,max=2026-01-02", ["2026-01-02", "2026-01-02T23:59"], [
    "2026-01-01T23:59",
    "2026-01-03",
  ]],
];

/** Returns a JSON value as a form submits it; lists of numbers are named by number. */
function sent(value: unknown): readonly string[] {
  return [value ?? []].flat().map(String);
}

for (const [kind, rules, passes, fails] of rows) {
  Deno.test(`rules: ${kind}("${rules}") decides about JSON, with a check too, and about a form`, () => {
    for (const [values, want] of [[passes, false], [fails, true]] as const) {
      for (const value of values) {
        const got = jsonField(field(kind, rules), value);
        assertEquals(isRefused(got), want, `${value} gave ${got}`);
        // A check disables the fast path.
        assertEquals(jsonField(field(kind, rules).check(() => {}), value), got, `${value}`);
        // A single empty text is how a form submits "none chosen".
        if (kind === "list" || Array.isArray(value) && value[0] === "" && !want) continue;
        const inForm = formField(field(kind, rules), sent(value));
        assertEquals(isRefused(inForm), want, `${value} gave ${inForm}`);
      }
    }
  });
}

Deno.test("rules: a max without a time includes the whole day in UTC", () => {
  const rows: readonly [value: string, passes: boolean][] = [
    ["2026-12-31T23:59:59.999Z", true],
    ["2027-01-01T00:30:00+01:00", true],
    ["2027-01-01T00:00:00Z", false],
    ["2026-12-31T23:30:00-01:00", false],
  ];
  for (const [value, passes] of rows) {
    const want = passes ? new Date(value) : "<must not be after 2026-12-31>";
    assertEquals(jsonField(date("max=2026-12-31"), value), want, value);
  }
});

const orderRows: readonly [rules: string, value: string, message: string][] = [
  ["required,min=3,email", "", "<is required>"],
  ["required,min=3,email", "a", "<must have at least 3 characters>"],
  ["required,min=3,email", "abc", "<must be an email address>"],
  ["email,min=3", "a", "<must be an email address>"],
  ["max=2,email", "abc", "<must have at most 2 characters>"],
  ["email,max=2", "abc", "<must be an email address>"],
  ["max=3,min=2", "a", "<must have at least 2 characters>"],
  ["email,url", "a", "<must be an email address>"],
  ["min=5,required", "", "<is required>"],
];

for (const [rules, value, message] of orderRows) {
  Deno.test(`rules: the first failure of "${rules}" sets the message for ${JSON.stringify(value)}`, () => {
    assertEquals(jsonField(field("text", rules), value), message);
    assertEquals(formField(field("text", rules), [value]), message);
  });
}

Deno.test("rules: every field is checked, and a failed conversion adds no rule message", () => {
  const schema = struct({ a: int("min=5"), b: text("required"), c: date("required") });
  assertEquals(form(schema, "a=x&c=2026-02-30"), {
    errors: { a: "must be a whole number", b: "is required", c: "must be a date" },
  });
});

Deno.test("required with optional: must be sent, and zero and false are then values", () => {
  const rows: readonly [AnyField, unknown, unknown][] = [
    [int("required").optional(), 0, 0],
    [int64("required").optional(), 0, 0n],
    [float("required").optional(), 0, 0],
    [bool("required").optional(), false, false],
    [text("required").optional(), "", "<is required>"],
    [texts("required").optional(), [], "<must have at least one>"],
  ];
  for (const [field, zero, want] of rows) {
    assertEquals(jsonField(field, zero), want);
    assert(isRefused(jsonField(field, undefined)));
  }
});

const eqRows: readonly ["text" | "int" | "int64" | "float" | "date", string, string, boolean][] = [
  ["text", "a", "a", true],
  ["text", "a", "b", false],
  ["text", "", "b", true],
  ["text", "a", "", false],
  ["int", "1", "01", true],
  ["int", "1", "2", false],
  ["int", "1", "x", false],
  ["int64", "1", "+1", true],
  ["float", "1,0", "1.0", true],
  ["date", "2026-01-01", "2026-01-01T00:00", true],
  ["date", "2026-01-01", "2026-01-02", false],
  ["date", "2026-01-01", "", false],
];

for (const [kind, first, other, want] of eqRows) {
  Deno.test(`eqfield: ${kind} ${first} against ${other}`, () => {
    const schema = struct({ a: field(kind, "eqfield=b"), b: field(kind, "") });
    const result = form(schema, new URLSearchParams({ a: first, b: other }).toString());
    const { errors } = result as { errors?: Record<string, string> };
    assertEquals(errors?.["a"], want ? undefined : "must equal b");
  });
}

Deno.test("eqfield: finds a sibling first, then the dotted name, and in JSON the JSON name", () => {
  const schema = struct({
    mail: text("", { json: "e_mail" }),
    inner: struct({ mail: text(), own: text("eqfield=mail"), root: text("eqfield=outer.deep") }),
    outer: struct({ deep: text() }),
  });
  const own = { e_mail: "root", inner: { mail: "m", own: "m", root: "d" }, outer: { deep: "d" } };
  assertEquals((json(schema, JSON.stringify(own)) as { mail: string }).mail, "root");
  assertEquals(form(schema, "inner.mail=m&inner.own=root&inner.root=x&outer.deep=d&mail=root"), {
    errors: { "inner.own": "must equal mail", "inner.root": "must equal outer.deep" },
  });
  const other = { inner: { mail: "m", own: "root", root: "x" }, outer: { deep: "d" } };
  assertEquals(json(schema, JSON.stringify(other)), {
    errors: { "inner.own": "must equal mail", "inner.root": "must equal outer.deep" },
  });
});

Deno.test("eqfield: finds the fields of the same list element", () => {
  const schema = struct({ items: list(struct({ a: text(), b: text("eqfield=a") })) });
  assertEquals(json(schema, '{"items":[{"a":"1","b":"1"},{"a":"1","b":"2"}]}'), {
    errors: { "items.1.b": "must equal a" },
  });
});

const mistakes: readonly [kind: string, rules: string, fix: string][] = [
  ["text", "reqired", "the rule is unknown"],
  ["text", "required, max=5", "without spaces"],
  ["text", "required,", "the rule is unknown"],
  ["text", "constructor", "the rule is unknown"],
  ["text", "min", 'write "min=…"'],
  ["text", "min=", 'write "min=…"'],
  ["text", "min=x", "a whole number"],
  ["text", "max=-1", "a whole number"],
  ["text", "required=1", 'write "required"'],
  ["text", "oneof= ", "its options"],
  ["text", "eqfield=nowhere", "no such field"],
  ["text", "eqfield=number", "must be of the type text"],
  ["int", "len=3", "it applies to text, list fields only"],
  ["int", "email", "it applies to text fields only"],
  ["int", "min=1.5", "a number that the type int holds"],
  ["int", "oneof=1 x", "its options"],
  ["bool", "min=1", "fields only"],
  ["texts", "oneof=a b", "fields only"],
  ["date", "min=soon", "a date such as"],
  ["date", "min=2026-02-30", "a date such as"],
  ["float", "min=NaN", "a number"],
];

for (const [kind, rules, fix] of mistakes) {
  Deno.test(`rules: refuses ${kind}("${rules}") at first use and names rule, field and fix`, () => {
    const schema = struct({ place: struct({ a: field(kind, rules) }), number: int() });
    const error = assertThrows(() => form(schema, ""), TypeError);
    assertStringIncludes(error.message, `on the ${kind} field "place.a"`);
    assertStringIncludes(error.message, fix);
    assertStringIncludes(error.message, `"${rules.split(",").at(-1)}"`);
  });
}

declare module "../../../runtime/schema/builders.ts" {
  interface ValidationRules {
    tried: true;
  }
}

const asked: (RuleField & { readonly others: readonly unknown[] })[] = [];
addRule("tried", (field) => {
  const others = ["bee", "in.bee", "b", "nowhere"].map((name) => field.other(name));
  asked.push({ ...field, others });
  return field.param !== "no";
});

Deno.test("addRule: the function receives name, param, text, value and other fields", () => {
  asked.length = 0;
  const schema = struct({
    in: struct({ a: int("tried=yes"), b: text("", { form: "bee", json: "b_" }) }),
  });
  form(schema, "in.a=%2B7&in.bee=x");
  json(schema, '{"in":{"a":7,"b_":"x"}}');
  const [sent, body] = asked;
  assertEquals([sent?.name, sent?.param, sent?.text, sent?.value], ["in.a", "yes", "+7", 7]);
  assertEquals([body?.name, body?.text, body?.value], ["in.a", "7", 7]);
  for (const field of asked) assertEquals(field.others, ["x", "x", "x", undefined]);
});

Deno.test("addRule: the function receives a list once, with its elements converted", () => {
  const schema = struct({ a: list(int64(), "tried,max=2") });
  for (const read of [() => form(schema, "a.0=7"), () => json(schema, '{"a":["7"]}')]) {
    asked.length = 0;
    assertEquals([read(), asked.map(({ value }) => value)], [{ a: [7n] }, [[7n]]]);
  }
});

Deno.test("addRule: skips an empty value, and a failure without a message has a default", () => {
  asked.length = 0;
  assertEquals([jsonField(text("tried=no"), ""), jsonField(texts("tried=no"), [])], ["", []]);
  assertEquals([jsonField(int("tried=no"), undefined), asked.length], [0, 0]);
  assertEquals(jsonField(int("required,tried=no").optional(), 0), "<is not valid>");
  assertEquals(jsonField(texts("tried=no"), ["a"]), "<is not valid>");
});

for (const name of ["required", "tried", "", "a-b", "1a", "a=b"]) {
  Deno.test(`addRule: refuses the name "${name}"`, () => {
    assertThrows(() => addRule(name, () => true), TypeError, `Cannot add the rule "${name}"`);
  });
}
