/** Two schemas, and what their difference means in a request and in a response. */

/** `b` breaks, `c` is compatible, `n` is a notice; then the text of the change. */
export type Expected = readonly string[];

export interface SchemaRow {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly request: Expected;
  readonly response: Expected;
}

const object = (
  properties: Record<string, unknown>,
  required: readonly string[] = [],
  more = {},
) => ({
  type: "object",
  properties,
  ...(required.length === 0 ? {} : { required }),
  ...more,
});
const text = { type: "string" };

/** The schema that accepts everything, and the one that accepts nothing (JSON Schema, section 4.3.2). */
const everything = true;
const nothing = false;
const whole = { type: "integer" };
const body = (rest: string): string => `request body ${rest}`;
const answer = (rest: string): string => `response 200 ${rest}`;
const both = (level: string, other: string, rest: string) => ({
  request: [`${level} ${body(rest)}`],
  response: [`${other} ${answer(rest)}`],
});
const fields = (level: string, other: string, field: string, rest: string) => ({
  request: [`${level} request field "${field}" ${rest}`],
  response: [`${other} response 200 field "${field}" ${rest}`],
});

const row = (
  name: string,
  before: unknown,
  after: unknown,
  expected: { readonly request: Expected; readonly response: Expected },
): SchemaRow => ({ name, before, after, ...expected });

/** Longer than what a line shows of a value. */
const long = "x".repeat(150);
const longNot = `{"const":"${long.slice(0, 110)}…`;

const none = { request: [], response: [] };

export const schemaRows: readonly SchemaRow[] = [
  row("equal", object({ a: text }), object({ a: text }), none),
  row("order of members", object({ a: text, b: whole }), object({ b: whole, a: text }), none),
  row("description", text, { ...text, description: "x", title: "y", examples: ["z"] }, none),
  row("new required field", object({}), object({ seats: whole }, ["seats"]), {
    request: ['b request field "seats" is new and required'],
    response: ['c response 200 field "seats" is new and required'],
  }),
  row(
    "new optional field",
    object({}),
    object({ seats: whole }),
    fields("c", "c", "seats", "is new"),
  ),
  row(
    "new required field that only responses have",
    object({}),
    object({ id: { ...whole, readOnly: true } }, ["id"]),
    fields("c", "c", "id", "is new and required"),
  ),
  row(
    "removed optional field",
    object({ a: text }),
    object({}),
    fields("n", "n", "a", "was removed"),
  ),
  row("removed required field", object({ a: text }, ["a"]), object({}), {
    request: ['n request field "a" was removed'],
    response: ['b response 200 field "a" was removed'],
  }),
  row(
    "removed field of a closed object",
    object({ a: text }, [], { additionalProperties: false }),
    object({}, [], { additionalProperties: false }),
    fields("b", "n", "a", "was removed"),
  ),
  row(
    "became required",
    object({ seats: whole }),
    object({ seats: whole }, ["seats"]),
    fields("b", "c", "seats", "became required"),
  ),
  row(
    "became optional",
    object({ seats: whole }, ["seats"]),
    object({ seats: whole }),
    fields("c", "b", "seats", "became optional"),
  ),
  row("type changed", text, whole, both("b", "b", "changed its type from string to integer")),
  row(
    "type widened",
    whole,
    { type: "number" },
    both("c", "b", "changed its type from integer to number"),
  ),
  row(
    "type narrowed",
    { type: "number" },
    whole,
    both("b", "c", "changed its type from number to integer"),
  ),
  row(
    "type added",
    text,
    { type: ["string", "integer"] },
    both("c", "b", "changed its type from string to string | integer"),
  ),
  row("type dropped", text, {}, both("c", "b", "changed its type from string to any")),
  row("type introduced", everything, text, both("b", "c", "changed its type from any to string")),
  row("order of types", { type: ["string", "null"] }, { type: ["null", "string"] }, none),
  row("nullable", text, { type: ["string", "null"] }, both("c", "b", "may be null now")),
  row("not nullable", { type: ["string", "null"] }, text, both("b", "c", "may no longer be null")),
  row(
    "null as a choice",
    { type: ["string", "null"] },
    { anyOf: [text, { type: "null" }] },
    none,
  ),
  row("nullable of 3.0", text, { ...text, nullable: true }, both("c", "b", "may be null now")),
  row(
    "enum value removed",
    { enum: ["a", "b"] },
    { enum: ["a"] },
    both("b", "c", 'lost the value "b"'),
  ),
  row(
    "enum value added",
    { enum: ["a"] },
    { enum: ["a", "b"] },
    both("c", "b", 'has the new value "b"'),
  ),
  row(
    "a long value lost its end",
    { enum: [`${long}a`, `${long}b`] },
    { enum: [`${long}a`] },
    both("b", "c", `lost the value "${long.slice(0, 119)}…`),
  ),
  row(
    "a long constraint changed at its end",
    { not: { const: `${long}a` } },
    { not: { const: `${long}b` } },
    both("b", "b", `changed not from ${longNot} to ${longNot}`),
  ),
  row("enum order", { enum: ["a", "b"] }, { enum: ["b", "a"] }, none),
  row(
    "enum introduced",
    text,
    { ...text, enum: ["a"] },
    both("b", "c", 'is limited to the values "a"'),
  ),
  row(
    "enum dropped",
    { ...text, enum: ["a"] },
    text,
    both("c", "b", 'is no longer limited to the values "a"'),
  ),
  row("const as enum", { const: 1 }, { enum: [1] }, none),
  row("const changed", { const: 1 }, { const: 2 }, {
    request: ["b request body lost the value 1", "c request body has the new value 2"],
    response: ["b response 200 has the new value 2", "c response 200 lost the value 1"],
  }),
  row(
    "minimum raised",
    { minimum: 1 },
    { minimum: 2 },
    both("b", "c", "changed minimum from 1 to 2"),
  ),
  row(
    "minimum lowered",
    { minimum: 2 },
    { minimum: 1 },
    both("c", "b", "changed minimum from 2 to 1"),
  ),
  row("minimum introduced", whole, { ...whole, minimum: 0 }, both("b", "c", "got minimum 0")),
  row("minimum dropped", { ...whole, minimum: 0 }, whole, both("c", "b", "lost minimum 0")),
  row(
    "maximum lowered",
    { maximum: 9 },
    { maximum: 5 },
    both("b", "c", "changed maximum from 9 to 5"),
  ),
  row(
    "maximum raised",
    { maximum: 5 },
    { maximum: 9 },
    both("c", "b", "changed maximum from 5 to 9"),
  ),
  row("maxLength introduced", text, { ...text, maxLength: 80 }, both("b", "c", "got maxLength 80")),
  row("maxLength dropped", { ...text, maxLength: 80 }, text, both("c", "b", "lost maxLength 80")),
  row("minLength of nothing", text, { ...text, minLength: 0 }, none),
  row("minLength introduced", text, { ...text, minLength: 1 }, both("b", "c", "got minLength 1")),
  row(
    "minItems raised",
    { minItems: 1 },
    { minItems: 2 },
    both("b", "c", "changed minItems from 1 to 2"),
  ),
  row(
    "maxItems lowered",
    { maxItems: 9 },
    { maxItems: 8 },
    both("b", "c", "changed maxItems from 9 to 8"),
  ),
  row(
    "exclusiveMaximum introduced",
    whole,
    { ...whole, exclusiveMaximum: 3 },
    both("b", "c", "got exclusiveMaximum 3"),
  ),
  row("minProperties", {}, { minProperties: 1 }, both("b", "c", "got minProperties 1")),
  row("pattern introduced", text, { ...text, pattern: "^a" }, both("b", "c", "got pattern ^a")),
  row("pattern dropped", { ...text, pattern: "^a" }, text, both("c", "b", "lost pattern ^a")),
  row(
    "pattern changed",
    { ...text, pattern: "^a" },
    { ...text, pattern: "^b" },
    both("b", "b", "changed pattern from ^a to ^b"),
  ),
  row("format introduced", text, { ...text, format: "email" }, both("b", "c", "got format email")),
  row(
    "format changed",
    { ...text, format: "date" },
    { ...text, format: "date-time" },
    both("b", "b", "changed format from date to date-time"),
  ),
  row(
    "integer widened",
    { ...whole, format: "int32" },
    { ...whole, format: "int64" },
    both("c", "b", "changed format from int32 to int64"),
  ),
  row(
    "multipleOf finer",
    { multipleOf: 10 },
    { multipleOf: 5 },
    both("c", "b", "changed multipleOf from 10 to 5"),
  ),
  row(
    "multipleOf coarser",
    { multipleOf: 5 },
    { multipleOf: 10 },
    both("b", "c", "changed multipleOf from 5 to 10"),
  ),
  row(
    "multipleOf other",
    { multipleOf: 2 },
    { multipleOf: 3 },
    both("b", "b", "changed multipleOf from 2 to 3"),
  ),
  row("uniqueItems", {}, { uniqueItems: true }, both("b", "c", "got uniqueItems true")),
  row("uniqueItems false", {}, { uniqueItems: false }, none),
  row("not", {}, { not: { const: 1 } }, both("b", "c", 'got not {"const":1}')),
  row(
    "media type of a text",
    { ...text, contentMediaType: "image/png" },
    { ...text, contentMediaType: "image/webp" },
    both("b", "b", "changed contentMediaType from image/png to image/webp"),
  ),
  row(
    "object closed",
    object({}),
    object({}, [], { additionalProperties: false }),
    both("b", "c", "takes no other members any more"),
  ),
  row(
    "object opened",
    object({}, [], { additionalProperties: false }),
    object({}),
    both("c", "b", "may have other members now"),
  ),
  row(
    "values of a record",
    { type: "object", additionalProperties: whole },
    { type: "object", additionalProperties: text },
    fields("b", "b", "*", "changed its type from integer to string"),
  ),
  row(
    "elements",
    { type: "array", items: text },
    { type: "array", items: { type: ["string", "null"] } },
    fields("c", "b", "[]", "may be null now"),
  ),
  row(
    "elements of a member",
    object({ tags: { type: "array", items: { enum: ["a", "b"] } } }),
    object({ tags: { type: "array", items: { enum: ["a"] } } }),
    fields("b", "c", "tags[]", 'lost the value "b"'),
  ),
  row(
    "element of a tuple",
    { type: "array", prefixItems: [text, whole] },
    { type: "array", prefixItems: [text, text] },
    fields("b", "b", "[1]", "changed its type from integer to string"),
  ),
  row(
    "member of a member",
    object({ a: object({ b: object({ c: text }) }) }),
    object({ a: object({ b: object({ c: whole }) }) }),
    fields("b", "b", "a.b.c", "changed its type from string to integer"),
  ),
  row(
    "alternative added",
    { oneOf: [{ ...text, title: "A" }] },
    { oneOf: [{ ...text, title: "A" }, { ...whole, title: "B" }] },
    both("c", "b", "has the new alternative B"),
  ),
  row(
    "alternative removed",
    { oneOf: [{ ...text, title: "A" }, { ...whole, title: "B" }] },
    { oneOf: [{ ...text, title: "A" }] },
    both("b", "c", "lost the alternative B"),
  ),
  row("alternatives in another order", { anyOf: [text, whole] }, { anyOf: [whole, text] }, none),
  row(
    "member of a tagged alternative",
    { oneOf: [object({ k: { const: "a" }, x: text }), object({ k: { const: "b" } })] },
    { oneOf: [object({ k: { const: "b" } }), object({ k: { const: "a" }, x: whole })] },
    fields("b", "b", "x", "changed its type from string to integer"),
  ),
  row(
    "allOf",
    { allOf: [object({ a: text }), object({ b: text })] },
    object({ a: text, b: text }),
    none,
  ),
  row(
    "allOf with more",
    { allOf: [object({ a: text })] },
    { allOf: [object({ a: text }), object({ b: text }, ["b"])] },
    fields("b", "c", "b", "is new and required"),
  ),
  row("deprecated", text, { ...text, deprecated: true }, both("n", "n", "is deprecated now")),
  row(
    "not deprecated",
    { ...text, deprecated: true },
    text,
    both("n", "n", "is no longer deprecated"),
  ),
  row(
    "default",
    { ...text, default: "a" },
    { ...text, default: "b" },
    both("n", "n", 'changed its default from "a" to "b"'),
  ),
  row(
    "nothing accepted",
    text,
    nothing,
    both("b", "c", "changed its type from something to nothing"),
  ),
  row("prototype names", object({ constructor: text }), object({ toString: text }), {
    request: ['n request field "constructor" was removed', 'c request field "toString" is new'],
    response: [
      'n response 200 field "constructor" was removed',
      'c response 200 field "toString" is new',
    ],
  }),
];
