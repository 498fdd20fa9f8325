import { assert, assertEquals } from "@std/assert";
import { bool, date, int, list, struct, text, texts } from "../../../runtime/schema/mod.ts";
import { cpuMs } from "../../cpu_time.ts";
import { form, parseFormInput } from "./case.ts";

const Basket = struct({
  items: list(
    struct({
      sku: text("required,max=3"),
      count: int("min=1"),
      again: text("eqfield=sku"),
      home: struct({ city: text("required") }).optional(),
      marks: list(struct({ at: int(), by: text("eqfield=who") }).optional()),
      labels: texts(),
      isGift: bool(),
    }),
    "max=3",
  ),
  numbers: list(int("max=9")),
  who: text(),
});

const none = { count: 0, again: "", home: null, marks: [], labels: [], isGift: false };

const rows: readonly [name: string, query: string, want: unknown][] = [
  ["no element", "who=a", { items: [], numbers: [], who: "a" }],
  ["ordered by number, not by position", "items.10.sku=b&items.2.sku=a", {
    items: [{ ...none, sku: "a" }, { ...none, sku: "b" }],
    numbers: [],
    who: "",
  }],
  [
    "numbered by a clock, as scripts that add rows do",
    "items.1790000000001.sku=b&items.1790000000000.sku=a",
    { items: [{ ...none, sku: "a" }, { ...none, sku: "b" }], numbers: [], who: "" },
  ],
  ["without the empty elements", "items.0.sku=a&items.1.sku=&items.1.count=", {
    items: [{ ...none, sku: "a" }],
    numbers: [],
    who: "",
  }],
  ["of others", "numbers.1=2&numbers.0=1&numbers.2=", { items: [], numbers: [1, 2], who: "" }],
  ["of others with one name, as checkboxes", "numbers=2&numbers=&numbers=1", {
    items: [],
    numbers: [2, 1],
    who: "",
  }],
  ["of structs, without their names", "items=2", { items: [], numbers: [], who: "" }],
  [
    "in a list, with every kind of field",
    "items.0.sku=a&items.0.count=2&items.0.again=a&items.0.home.city=x&items.0.labels=p" +
    "&items.0.labels=q&items.0.isGift=on&items.0.marks.1.at=7&items.0.marks.1.by=me&who=me",
    {
      items: [{
        sku: "a",
        count: 2,
        again: "a",
        home: { city: "x" },
        marks: [{ at: 7, by: "me" }],
        labels: ["p", "q"],
        isGift: true,
      }],
      numbers: [],
      who: "me",
    },
  ],
  ["messages keyed by the submitted names", "items.4.count=1&items.7.sku=long&numbers.3=10", {
    errors: {
      "items.4.sku": "is required",
      "items.7.sku": "must have at most 3 characters",
      "numbers.3": "must be at most 9",
    },
  }],
  ["messages inside a nested list", "items.5.sku=a&items.5.again=b&items.5.marks.2.by=x&who=y", {
    errors: { "items.5.again": "must equal sku", "items.5.marks.2.by": "must equal who" },
  }],
  [
    "the rules of the list",
    "items.0.sku=a&items.1.sku=a&items.2.sku=a&items.3.sku=toolong",
    { errors: { items: "must have at most 3" } },
  ],
  ["no number", "items.x.sku=a&items.01.sku=a&items.-1.sku=a&items.1e3.sku=a&items=a&items.=a", {
    items: [],
    numbers: [],
    who: "",
  }],
  ["no number over the limit", "items.1000000000000000.sku=a", { items: [], numbers: [], who: "" }],
];

for (const [name, query, want] of rows) {
  Deno.test(`a form with a list: ${name}`, () => assertEquals(form(Basket, query), want));
}

Deno.test("a form with a list: required, and local times", () => {
  const schema = struct({ times: list(date(), "required") });
  assertEquals(form(schema, "times.0="), { errors: { times: "must have at least one" } });
  const source = "times.0=2026-01-31T10:00";
  const result = parseFormInput(schema, source, { zone: () => "Europe/Lisbon" });
  assertEquals(result, { kind: "ok", value: { times: [new Date("2026-01-31T10:00Z")] } });
});

Deno.test("a form with a list: emptied rows of an optional one are an empty list, and none are absent", () => {
  const schema = struct({ who: text(), times: list(int()).optional() });
  assertEquals(form(schema, "who=a&times.0="), { who: "a", times: [] });
  assertEquals(form(schema, "who=a&times="), { who: "a", times: null });
});

Deno.test("a form without a list keeps it in a partial struct", () => {
  assertEquals(form(Basket.partial(), "who=a"), { who: "a" });
  assertEquals(form(Basket.partial(), "numbers.0=1"), { numbers: [1] });
});

Deno.test("a form with a list: a thousand nested elements are read in time", () => {
  const schema = struct({ a: list(struct({ b: list(struct({ c: text("required") })) })) });
  const query = Array.from({ length: 1_000 }, (_, i) => `a.${i}.b.${i}.c=x`).join("&");
  const startMs = cpuMs();
  const result = parseFormInput(schema, query);
  assert(cpuMs() - startMs < 1_000);
  assert(result.kind === "ok" && result.value.a.length === 1_000);
});

Deno.test("a form with a list: its messages are bounded", () => {
  const names = Object.fromEntries("abcde".split("").map((name) => [name, text("required")]));
  const schema = struct({ items: list(struct({ x: text(), ...names })) });
  const query = Array.from({ length: 1_000 }, (_, i) => `items.${i}.x=x`).join("&");
  const result = parseFormInput(schema, query);
  assert(result.kind === "invalid" && [...result.errors].length === 100);
});

Deno.test("a form with a list: of lists", () => {
  const schema = struct({ m: list(list(int("max=9"))) });
  assertEquals(form(schema, "m.4.3=3&m.1.0=1&m.1.1=2"), { m: [[1, 2], [3]] });
  assertEquals(form(schema, "m.1=1&m.1=2&m.4=3"), { m: [[1, 2], [3]] });
  assertEquals(form(schema, "m.1=1&m.1=10"), { errors: { "m.1.1": "must be at most 9" } });
  assertEquals(form(schema, "m.4.3=10"), { errors: { "m.4.3": "must be at most 9" } });
});
