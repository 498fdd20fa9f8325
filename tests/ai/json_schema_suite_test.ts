/**
 * Tests `jsonSchema` with the groups of the JSON Schema test suite (draft 2020-12) for its
 * keywords, in rows written for this test. Ajv decides whether each value is valid.
 */
import { assertEquals } from "@std/assert";
import { Ajv2020 } from "npm:ajv@8.20.0/dist/2020.js";
import { jsonSchema } from "../../ai/mod.ts";
import type { JsonSchema } from "../../mod.ts";

const own = (text: string): unknown => JSON.parse(text);

const values: readonly unknown[] = [
  null,
  true,
  false,
  ...[0, -0, 1, 1.0, -1, 1.5, 2, 3, 4, 35, 0.0075, 0.00751, 4.5, 12391239123],
  ...["", "a", "f", "foo", "fo", "💩", "💩💩", "a\nb", "1", "é", "ß", "abc", " ", "false"],
  ...[[], [null], [0], [false], [1], [true], [1, 1], [1, true], [0, false], [[0], [false]], [
    "foo",
  ]],
  ...[[1, "foo", false], [1, 2, 3], ["a", "b", "a"], [[1], [1]], [{ a: 1 }, { a: 1 }], [1, 2]],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }],
  [{ a: { b: [1, 2] } }, { a: { b: [2, 1] } }],
  ...[{}, { foo: 1 }, { foo: "a" }, { foo: null }, { foo: [1, 2, 3, 4] }, { foo: [] }, { bar: [] }],
  ...[{ foo: 1, bar: 2 }, { bar: 2 }, { quux: 1 }, { fxo: 2 }, { foo: { foo: false } }, { baz: 3 }],
  ...[{ a: 1 }, { a: false }, { a: 0 }, { "foo\nbar": 1 }, { 'foo"bar': "1" }, { $ref: "a" }],
  ...[{ $ref: 2 }, { value: 1, next: { value: "2" } }, { value: 1, next: { value: 2 } }],
  { constructor: { length: 1 } },
];

const rows: Readonly<Record<string, readonly JsonSchema[]>> = {
  "boolean schemas": [
    { properties: { foo: true, bar: false } },
    { items: false },
    { prefixItems: [true, false] },
    { allOf: [true, false] },
    { anyOf: [true, false] },
    { oneOf: [true, true] },
    { oneOf: [true, false, false] },
    { not: true },
    { not: false },
    { not: {} },
    { additionalProperties: true },
  ] as unknown as JsonSchema[],
  type: [
    ...["null", "boolean", "integer", "number", "string", "array", "object"].map((type) => ({
      type,
    })),
    { type: ["integer", "string"] },
    { type: ["array", "object", "null"] },
  ] as JsonSchema[],
  "enum and const": [
    { enum: [6, "foo", [], true, { foo: 12 }] },
    { enum: [false] },
    { enum: [[false]] },
    { enum: [0] },
    { enum: [[0]] },
    { enum: [null] },
    { enum: ["a\nb"] },
    { const: null },
    { const: 0 },
    { const: -0 },
    { const: 1.0 },
    { const: false },
    { const: [false] },
    { const: { a: false } },
    { const: [{ b: 2, a: 1 }, { a: 1, b: 2 }] },
    { const: "" },
  ] as unknown as JsonSchema[],
  numbers: [
    { minimum: 1.1 },
    { minimum: -2 },
    { maximum: 3.0 },
    { exclusiveMinimum: 1 },
    { exclusiveMaximum: 3 },
    { multipleOf: 2 },
    { multipleOf: 1.5 },
    { multipleOf: 0.0001 },
    { type: "integer", multipleOf: 0.123456789 },
    { minimum: 0, exclusiveMaximum: 0 },
  ],
  texts: [
    { minLength: 2 },
    { maxLength: 2 },
    { minLength: 2.0, maxLength: 2.0 },
    { maxLength: 0 },
    { pattern: "^a*$" },
    { pattern: "a+" },
    { pattern: "^\\p{Letter}+$" },
    { pattern: "^.$" },
    { pattern: "\\S" },
    { pattern: "^\\d+$" },
  ],
  arrays: [
    { items: { type: "integer" } },
    { items: {} },
    { prefixItems: [{ type: "integer" }, { type: "string" }] },
    { prefixItems: [{}], items: { type: "integer" } },
    { prefixItems: [{}, {}], items: false },
    { items: { items: { type: "integer" } } },
    { minItems: 1 },
    { maxItems: 2 },
    { minItems: 2.0, maxItems: 2.0 },
    { uniqueItems: true },
    { uniqueItems: false },
    { prefixItems: [{ type: "boolean" }], uniqueItems: true },
  ] as unknown as JsonSchema[],
  objects: [
    { properties: { foo: { type: "integer" }, bar: { type: "string" } } },
    { properties: { foo: { type: "null" } } },
    { properties: { $ref: { type: "string" } } },
    { properties: { "foo\nbar": { type: "string" }, 'foo"bar': { type: "number" } } },
    { required: ["foo"] },
    { properties: { foo: {} } },
    { required: [] },
    { required: ["constructor"] },
    { required: ["foo\nbar"] },
    { patternProperties: { "f.*o": { type: "integer" } } },
    { patternProperties: { "a*": { type: "integer" }, "aaa*": { maximum: 20 } } },
    { patternProperties: { "^f": true, "b.*": false } },
    { properties: { foo: {} }, patternProperties: { "^v": {} }, additionalProperties: false },
    {
      properties: { foo: { maxItems: 3 }, bar: {} },
      patternProperties: { "f.o": { minItems: 2 } },
      additionalProperties: { type: "integer" },
    },
    { additionalProperties: { type: "boolean" } },
    { allOf: [{ properties: { foo: {} } }], additionalProperties: { type: "boolean" } },
  ] as unknown as JsonSchema[],
  combinations: [
    { allOf: [{ properties: { bar: {} }, required: ["bar"] }, { required: ["foo"] }] },
    { allOf: [{ multipleOf: 2 }], anyOf: [{ multipleOf: 3 }], oneOf: [{ multipleOf: 5 }] },
    { anyOf: [{ type: "integer" }, { minimum: 2 }] },
    { type: "string", anyOf: [{ maxLength: 2 }, { minLength: 4 }] },
    { oneOf: [{ type: "integer" }, { minimum: 2 }] },
    { oneOf: [{ required: ["foo"] }, { required: ["bar"] }] },
    { oneOf: [{ oneOf: [{ type: "null" }] }] },
    { not: { type: "integer" } },
    { not: { type: ["integer", "boolean"] } },
    { not: { properties: { foo: { type: "string" } }, type: "object" } },
    { not: { not: { type: "array" } } },
    { properties: { foo: { not: {} } } },
  ] as unknown as JsonSchema[],
  references: [
    { properties: { foo: { $ref: "#" } }, additionalProperties: false },
    { properties: { foo: { type: "integer" }, bar: { $ref: "#/properties/foo" } } },
    { prefixItems: [{ type: "integer" }, { $ref: "#/prefixItems/0" }] },
    {
      $defs: {
        "tilde~field": { type: "integer" },
        "slash/field": { minimum: 1 },
        "per%": { maximum: 2 },
      },
      properties: {
        foo: { $ref: "#/$defs/tilde~0field" },
        bar: { $ref: "#/$defs/slash~1field" },
        baz: { $ref: "#/$defs/per%25" },
      },
    },
    { $defs: { a: { type: "array" } }, properties: { foo: { $ref: "#/$defs/a", maxItems: 2 } } },
    { $defs: { a: { $ref: "#/$defs/b" }, b: { type: "integer" } }, $ref: "#/$defs/a" },
    { properties: { $ref: { $ref: "#/$defs/text" } }, $defs: { text: { type: "string" } } },
    { $ref: "#/$defs/bool", $defs: { bool: false } },
    {
      $defs: {
        node: {
          type: "object",
          properties: { value: { type: "number" }, next: { $ref: "#/$defs/node" } },
          required: ["value"],
        },
      },
      $ref: "#/$defs/node",
    },
    { const: { $ref: "a" } },
    { enum: [{ $ref: "a" }] },
    { "$defs": { '"q': { type: "number" } }, properties: { foo: { $ref: "#/$defs/%22q" } } },
  ] as unknown as JsonSchema[],
};

for (const [group, schemas] of Object.entries(rows)) {
  Deno.test(`jsonSchema and Ajv agree: ${group}`, () => {
    const ajv = new Ajv2020({ strict: false, ownProperties: true });
    for (const schema of schemas) {
      const expected = ajv.compile(structuredClone(schema));
      const { validate } = jsonSchema(schema)["~standard"];
      for (const value of values) {
        const result = validate(value);
        if (result instanceof Promise) throw new TypeError("jsonSchema checks at once");
        const shown = `${JSON.stringify(schema)} of ${JSON.stringify(value)}`;
        assertEquals([shown, result.issues === undefined], [shown, expected(value)]);
      }
    }
  });
}

/**
 * Rows in which Ajv differs from the suite: names of `Object.prototype`, and numbers above 2^53.
 */
const named = own(
  '{"properties":{"__proto__":{"type":"number"},"toString":{"properties":{"length":{"type":"string"}}}}}',
);
const ownRows: readonly [schema: unknown, value: unknown, isValid: boolean][] = [
  [named, {}, true],
  [named, own('{"__proto__":"foo"}'), false],
  [named, own('{"__proto__":1}'), true],
  [named, { toString: { length: 37 } }, false],
  [named, { toString: { length: "37" } }, true],
  [{ required: ["__proto__", "toString"] }, {}, false],
  [{ required: ["__proto__", "toString"] }, own('{"__proto__":1,"toString":2}'), true],
  [{ additionalProperties: false }, { toString: 1 }, false],
  [{ const: { toString: 1 } }, { toString: 1 }, true],
  [{ enum: [{ valueOf: 1 }] }, { valueOf: 2 }, false],
  [{ type: "integer", multipleOf: 0.123456789 }, 1e308, false],
  [{ type: "integer", multipleOf: 0.5 }, 1e308, true],
  [{ multipleOf: 0.00000001 }, 12391239123, true],
  [{ multipleOf: 2 }, 1e308, true],
];

for (const [schema, value, isValid] of ownRows) {
  const shown = `${JSON.stringify(schema)} of ${JSON.stringify(value)}`;
  Deno.test(`jsonSchema: ${shown} is ${isValid ? "" : "in"}valid`, async () => {
    const { issues } = await jsonSchema(schema as JsonSchema)["~standard"].validate(value);
    assertEquals(issues === undefined, isValid);
  });
}
