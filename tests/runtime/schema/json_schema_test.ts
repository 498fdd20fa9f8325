import {
  bool,
  date,
  type FieldSchema,
  float,
  int,
  int64,
  list,
  struct,
  text,
  texts,
  toJsonSchema,
} from "../../../runtime/schema/mod.ts";
import { assertEquals, assertThrows } from "@std/assert";
import { Ajv2020 } from "npm:ajv@8.20.0/dist/2020.js";
import { type as arktype } from "npm:arktype@2.2.9";
import * as v from "npm:valibot@1.5.0";
import * as z from "npm:zod@4.6.7";
import { parseJsonInput } from "../../../runtime/schema/input.ts";

// deno-lint-ignore no-explicit-any -- fields of all types stand in one table
type AnyField = FieldSchema<any, boolean>;

const int64Pattern = "^[+-]?\\d+$";

const rows: readonly [name: string, field: AnyField, want: unknown][] = [
  ["text", text(), { type: "string" }],
  ["required text", text("required"), { type: "string", minLength: 1 }],
  ["bounded text", text("required,min=2,max=5"), { type: "string", minLength: 2, maxLength: 5 }],
  ["text of a length", text("len=8"), { type: "string", minLength: 8, maxLength: 8 }],
  ["email", text("email"), { type: "string", format: "email" }],
  ["url", text("url"), { type: "string", format: "uri" }],
  ["options", text("oneof=a b"), { type: "string", enum: ["a", "b"] }],
  ["optional options", text("oneof=a b").optional(), {
    type: ["string", "null"],
    enum: ["a", "b", null],
  }],
  ["optional", text("max=5").optional(), { type: ["string", "null"], maxLength: 5 }],
  ["required and optional", int("required").optional(), { type: "integer" }],
  ["int", int("min=1,max=5"), { type: "integer", minimum: 1, maximum: 5 }],
  ["int options", int("oneof=1 2"), { type: "integer", enum: [1, 2] }],
  ["float", float("min=0.5"), { type: "number", minimum: 0.5 }],
  ["int64", int64("min=1"), {
    type: ["integer", "string"],
    format: "int64",
    pattern: int64Pattern,
    minimum: 1,
  }],
  ["bool", bool(), { type: "boolean" }],
  ["required bool", bool("required"), { type: "boolean", const: true }],
  // Absent, it is `null`, which a client that sends a row back sends as well.
  ["date", date("min=2026-01-01"), {
    type: ["string", "null"],
    anyOf: [{ format: "date" }, { format: "date-time" }, { type: "null" }],
  }],
  ["required date", date("required"), {
    type: "string",
    anyOf: [{ format: "date" }, { format: "date-time" }],
  }],
  ["optional date", date().optional(), {
    type: ["string", "null"],
    anyOf: [{ format: "date" }, { format: "date-time" }, { type: "null" }],
  }],
  ["texts", texts("required,max=5"), {
    type: "array",
    items: { type: "string" },
    minItems: 1,
    maxItems: 5,
  }],
  ["list", list(int("min=1"), "len=2"), {
    type: "array",
    items: { type: "integer", minimum: 1 },
    minItems: 2,
    maxItems: 2,
  }],
];

for (const [name, field, want] of rows) {
  Deno.test(`toJsonSchema: ${name}`, () => assertEquals(toJsonSchema(field), want));
}

Deno.test("toJsonSchema: a struct, by JSON names, nested ones required by their fields", () => {
  const schema = struct({
    title: text("required", { form: "t", json: "name" }),
    venue: struct({ city: text("required") }),
    place: struct({ city: text("required") }).optional(),
    loose: struct({ a: text() }),
  });
  const city = { city: { type: "string", minLength: 1 } };
  assertEquals(toJsonSchema(schema), {
    type: "object",
    properties: {
      name: { type: "string", minLength: 1 },
      venue: { type: "object", properties: city, required: ["city"], additionalProperties: false },
      place: {
        type: ["object", "null"],
        properties: city,
        required: ["city"],
        additionalProperties: false,
      },
      loose: { type: "object", properties: { a: { type: "string" } }, additionalProperties: false },
    },
    required: ["name", "venue"],
    additionalProperties: false,
  });
});

Deno.test("toJsonSchema: a wrong rule is refused as in validation", () => {
  const rule: string = "reqired";
  assertThrows(() => toJsonSchema(struct({ a: text(rule) })), TypeError, '"reqired"');
});

Deno.test("toJsonSchema: zod and arktype describe themselves, valibot does not", () => {
  const fromZod = toJsonSchema(z.object({ a: z.string().max(5), when: z.date() }));
  assertEquals(fromZod.properties?.["a"], { type: "string", maxLength: 5 });
  const fromArktype = toJsonSchema(arktype({ a: "string <= 5" }));
  assertEquals(fromArktype.properties?.["a"], { type: "string", maxLength: 5 });
  assertEquals(toJsonSchema(v.object({ a: v.string() })), {});
});

/** Values on which the schema and its description must agree. */
const Agreed = struct({
  name: text("required,min=2,max=5"),
  size: int("min=1,max=9").optional(),
  tags: texts("max=2"),
  role: text("required,oneof=a b"),
  inner: struct({ on: bool(), id: int64() }),
});

const bodies: readonly [body: unknown, accepted: boolean][] = [
  [{ name: "ab", role: "a" }, true],
  [{ name: "\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}", role: "a" }, true],
  [{ name: "ab", role: "b", size: null, tags: ["x"], inner: { on: true, id: "5" } }, true],
  [{ name: "ab", role: "a", size: 9, inner: {} }, true],
  [{ name: "a", role: "a" }, false],
  [{ name: "abcdef", role: "a" }, false],
  [{ role: "a" }, false],
  [{ name: "ab", role: "c" }, false],
  [{ name: "ab", role: "a", size: 0 }, false],
  [{ name: "ab", role: "a", size: 1.5 }, false],
  [{ name: "ab", role: "a", tags: ["1", "2", "3"] }, false],
  [{ name: "ab", role: "a", tags: "1" }, false],
  [{ name: "ab", role: "a", inner: { on: 1 } }, false],
  [{ name: "ab", role: "a", inner: { id: "x" } }, false],
  [{ name: "ab", role: "a", inner: { x: 1 } }, false],
  [{ name: "ab", role: "a", x: 1 }, false],
  [[], false],
];

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const described = ajv.compile(toJsonSchema(Agreed));

for (const [body, accepted] of bodies) {
  Deno.test(`toJsonSchema: ajv and the schema agree on ${JSON.stringify(body)}`, () => {
    assertEquals(described(body), accepted);
    assertEquals(parseJsonInput(Agreed, body).kind === "ok", accepted);
  });
}
