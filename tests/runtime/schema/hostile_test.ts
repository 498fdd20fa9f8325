import { cpuMs } from "../../cpu_time.ts";
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
import { assert, assertEquals } from "@std/assert";
import { type AnyField, parseFormInput, parseJsonInput, plain } from "./case.ts";
import type { ParseResult } from "../../../runtime/schema/result.ts";

const MEGABYTE = 1 << 20;
/** Each takes a few milliseconds; a quadratic step over a megabyte would take minutes. */
const MAX_MS = 2_000;

function timed<T>(run: () => T): T {
  const start = cpuMs();
  const result = run();
  const took = cpuMs() - start;
  assert(took < MAX_MS, `took ${took.toFixed(0)} ms`);
  return result;
}

const fields: Readonly<Record<string, AnyField>> = {
  "text": text("required,max=80"),
  "text min": text(`min=${MEGABYTE}`),
  "email": text("email"),
  "url": text("url"),
  "oneof": text("oneof=a b"),
  "int": int("min=1"),
  "int64": int64("min=1"),
  "float": float("min=1"),
  "date": date("min=2026-01-01"),
  "bool": bool(),
};

const texts1M: Readonly<Record<string, string>> = {
  "letters": "a".repeat(MEGABYTE),
  "digits": "9".repeat(MEGABYTE),
  "spaces": " ".repeat(MEGABYTE),
  "line breaks": "\r\n".repeat(MEGABYTE / 2),
  "smileys": "\u{1f600}".repeat(MEGABYTE / 2),
  "dots": `a@${".".repeat(MEGABYTE)}`,
  "labels": `a@${"a.".repeat(MEGABYTE / 2)}`,
  "address hyphens": `a@${"-".repeat(MEGABYTE)}`,
  "ats": "@".repeat(MEGABYTE),
  "url labels": `http://${"a.".repeat(MEGABYTE / 2)}-`,
  "url hyphens": `http://${"a-".repeat(MEGABYTE / 2)}`,
  "url path": `http://a/${"a".repeat(MEGABYTE)} `,
  "number dots": "1.".repeat(MEGABYTE / 2),
  "zeros": "0".repeat(MEGABYTE),
  "surrogates": "\ud800".repeat(MEGABYTE),
};

for (const [kind, field] of Object.entries(fields)) {
  for (const [name, value] of Object.entries(texts1M)) {
    Deno.test(`hostile: a megabyte of ${name} as ${kind} is parsed quickly`, () => {
      const schema = struct({ a: field });
      const sent = timed(() => parseFormInput(schema, new Map([["a", [value]]])));
      const body = timed(() => parseJsonInput(schema, { a: value }));
      // Most fail at the rule min with a megabyte.
      if (kind === "text min") return;
      assertEquals([sent.kind, body.kind], ["invalid", "invalid"]);
    });
  }
}

Deno.test("hostile: 100,000 form fields are parsed quickly, distinct or equal", () => {
  const schema = struct({ a: text(), b: texts("max=5"), c: struct({ d: int() }).optional() });
  const distinct = Array.from({ length: 100_000 }, (_, i) => `field${i}=1`).join("&");
  assertEquals(timed(() => parseFormInput(schema, distinct)).kind, "ok");
  const alike = "b=1&".repeat(100_000);
  assertEquals(errorsOf(timed(() => parseFormInput(schema, alike))), { b: "must have at most 5" });
});

function errorsOf(result: ParseResult<unknown>): unknown {
  return result.kind === "invalid" ? { ...result.errors.fields } : result.kind;
}

Deno.test("hostile: names the first of 100,000 unknown members", () => {
  const body = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`x${i}`, i]));
  const result = timed(() => parseJsonInput(struct({ a: text() }), body));
  assertEquals(result, { kind: "unknown_field", field: "x0" });
});

Deno.test("hostile: a list of 300,000 wrong elements causes about a hundred messages", () => {
  const schema = struct({ items: list(struct({ a: text("required"), b: text("required") })) });
  const items = Array.from({ length: 300_000 }, () => ({}));
  const result = timed(() => parseJsonInput(schema, { items }));
  assert(result.kind === "invalid");
  const { length } = [...result.errors];
  assert(length >= 100 && length <= 102, `${length}`);
});

Deno.test("hostile: refuses a list over its max without reading its elements", () => {
  const schema = struct({ items: list(struct({ a: text("required") }), "max=10") });
  const items = Array.from({ length: 300_000 }, () => ({}));
  assertEquals(errorsOf(timed(() => parseJsonInput(schema, { items }))), {
    items: "must have at most 10",
  });
});

Deno.test("hostile: refuses deep nesting in place of a scalar, a struct or a list", () => {
  let deep: unknown = [];
  for (let i = 0; i < 50_000; i++) deep = i % 2 === 0 ? [deep] : { a: deep };
  const cases = [text(), int(), bool(), date(), texts(), struct({ b: text() }), list(int())];
  for (const field of cases) {
    const result = timed(() => parseJsonInput(struct({ a: field as AnyField }), { a: deep }));
    assert(result.kind === "invalid" || result.kind === "unknown_field");
  }
});

Deno.test("hostile: does not read inherited object members", () => {
  const schema = struct({ toString: text("required"), constructor: text("required") });
  const found = errorsOf(parseJsonInput(schema, {}));
  assertEquals(found, { toString: "is required", constructor: "is required" });
});

Deno.test("hostile: refuses a lone surrogate unless the caller vouches for the body", () => {
  const schema = struct({ a: text("min=1"), b: texts() });
  const body = { a: "x\udc00", b: ["\ud800"] };
  assertEquals(errorsOf(parseJsonInput(schema, body)), { a: "is not valid", b: "is not valid" });
  const isPlainText = true;
  assertEquals(parseJsonInput(schema, body, { isPlainText }).kind, "ok");
});

Deno.test("hostile: names of errors come from the schema, never from the input", () => {
  const schema = struct({ a: text("required") });
  const result = parseFormInput(schema, "%3Cscript%3E=1&__proto__=2&a=");
  assertEquals(errorsOf(result), { a: "is required" });
});

const rest = list(struct({ tag: text() })).optional();
const wide = struct({ name: text("required"), age: int("min=1"), rest });
const wideBodies: readonly (readonly [name: string, body: Record<string, unknown>])[] = [
  ["in order", { name: " a ", age: 1, rest: [{ tag: "b" }, { tag: "c" }] }],
  ["in another order", { age: 2, name: "a" }],
  ["a member is missing", { name: "a" }],
  ["a wrong member", { name: "", age: 0 }],
  ["an unknown member", { name: "a", age: 1, other: 1 }],
  ["an unknown member of an element", { name: "a", age: 1, rest: [{ tag: "b", other: 1 }] }],
  ["a member of every object", JSON.parse('{"name":"a","age":1,"__proto__":{"age":5}}')],
];

for (const [name, body] of wideBodies) {
  Deno.test(`hostile: a body of many members takes time linear in its size: ${name}`, () => {
    const small = parseJsonInput(wide, body, { members: 3 });
    const large = parseJsonInput(wide, body, { members: 9_999 });
    assertEquals(plain(large), plain(small));
  });
}

Deno.test("hostile: thousands of unknown members cost less if the caller counted the members", () => {
  const body: Record<string, unknown> = { name: "a" };
  for (let index = 0; index < 9_999; index++) body[`k${index}`] = index;
  const costOf = (members: number): number => {
    const before = cpuMs();
    for (let round = 0; round < 5; round++) parseJsonInput(wide, body, { members });
    return cpuMs() - before;
  };
  // The least of several runs, because other work of the machine slows single ones down.
  let [counted, uncounted] = [Infinity, Infinity];
  for (let run = 0; run < 3 || (run < 9 && counted >= uncounted * 0.8); run++) {
    counted = Math.min(counted, costOf(10_000));
    uncounted = Math.min(uncounted, costOf(0));
  }
  assert(counted < uncounted * 0.8);
});
