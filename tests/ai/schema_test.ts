import { assert, assertEquals, assertThrows } from "@std/assert";
import * as z from "npm:zod@4.6.7";
import { bool, type JsonSchema, list, struct, text, texts } from "../../mod.ts";
import { jsonSchema, tool, user } from "../../ai/mod.ts";
import { scriptedModel } from "../../ai/testing.ts";
import { failureOf } from "./support.ts";
import { cpuMs } from "../cpu_time.ts";

async function check(schema: JsonSchema, value: unknown): Promise<string> {
  const result = await jsonSchema(schema)["~standard"].validate(value);
  return (result.issues ?? []).map(({ message, path = [] }) => `${path.join(".")}: ${message}`)
    .join("; ");
}

const tree: JsonSchema = {
  $ref: "#/$defs/node",
  $defs: {
    node: {
      type: "object",
      properties: { value: { type: "number" }, next: { $ref: "#/$defs/node" } },
      required: ["value"],
      additionalProperties: false,
    },
  },
};

// json_schema_suite_test.ts covers validity with Ajv; these rows cover the messages for the model.
const wordings: [schema: unknown, value: unknown, wanted: string][] = [
  [{ type: "string" }, 1, ": Expected string"],
  [{ type: ["integer", "null"] }, 1.5, ": Expected integer or null"],
  [{ type: "object" }, [], ": Expected object"],
  [{ enum: ["a", 1, null, { b: [1] }] }, "b", ': Expected one of "a", 1, null, {"b":[1]}'],
  [{ const: true }, false, ": Expected true"],
  [{ minLength: 2 }, "🌍", ": Expected at least 2 characters"],
  [{ maxLength: 2 }, "abc", ": Expected at most 2 characters"],
  [{ pattern: "^a+$" }, "ab", ": Expected a text that matches ^a+$"],
  [{ minimum: 1 }, 0, ": Expected at least 1"],
  [{ exclusiveMaximum: 3 }, 3, ": Expected less than 3"],
  [{ multipleOf: 0.1 }, 0.35, ": Expected a multiple of 0.1"],
  [{ minItems: 1 }, [], ": Expected at least 1 items"],
  [{ items: { type: "number" } }, [1, "a"], "1: Expected number"],
  [{ prefixItems: [{ type: "string" }] }, [1], "0: Expected string"],
  [{ uniqueItems: true }, [[1], [1]], ": Expected items that differ from each other"],
  [{ required: ["a", "__proto__"] }, {}, "a: Is required; __proto__: Is required"],
  [{ additionalProperties: false }, JSON.parse('{"toString":1}'), "toString: Unknown field"],
  [{ additionalProperties: { type: "number" } }, { a: "b" }, "a: Expected number"],
  [{ anyOf: [{ type: "string" }] }, true, ": Matches none of the allowed forms"],
  [
    { oneOf: [{ type: "number" }, { minimum: 5 }] },
    6,
    ": Expected exactly one of the allowed forms",
  ],
  [{ not: { const: 0 } }, 0, ": Has a form that is not allowed"],
  [{ properties: { b: false } }, { b: 1 }, "b: Not allowed"],
  [tree, { value: 1, next: { value: "2" } }, "next.value: Expected number"],
  [{ $ref: "#" }, 1, ": Too complex to check against its schema"],
];

for (const [schema, value, wanted] of wordings) {
  Deno.test(`jsonSchema reports ${wanted} for ${JSON.stringify(schema)}`, async () => {
    assertEquals(await check(schema as JsonSchema, value), wanted);
  });
}

Deno.test("jsonSchema stops at a limit on exponential growth", async () => {
  const inner = { anyOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/a" }] };
  const a = { ...inner, type: "object", properties: { a: inner } };
  const schema: JsonSchema = { ...inner, $defs: { a } };
  let value: unknown = "x";
  for (let depth = 0; depth < 60; depth++) value = { a: value };
  const startedMs = cpuMs();
  assert(await check(schema, value) !== "");
  assert(cpuMs() - startedMs < 2000);
});

Deno.test("jsonSchema accepts a value nested deeper than the call stack", async () => {
  const depth = 20_000;
  const value = JSON.parse('{"value":1,"next":'.repeat(depth) + '{"value":1}' + "}".repeat(depth));
  assert((await check(tree, value)).includes("Too complex"));
});

Deno.test("jsonSchema is independent of later changes to its source", async () => {
  const source: JsonSchema = { type: "object", required: ["a"] };
  const schema = jsonSchema(source);
  source.required = [];
  assert((await schema["~standard"].validate({})).issues !== undefined);
  assertThrows(() => (schema.schema.required as string[]).push("b"), TypeError);
});

const { signal } = new AbortController();

Deno.test("tool accepts a zod schema and refuses a schema without JSON Schema", async () => {
  const input = z.object({ city: z.string().min(1), days: z.number().int().default(1) });
  const weather = tool(
    { name: "f", description: "", input },
    ({ city, days }) => `${city} ${days}`,
  );
  assertEquals(weather.inputSchema.required, ["city"]);
  assertEquals(await weather.call({ city: "Lisboa" }, { signal }), "Lisboa 1");
  const bare = {
    "~standard": { version: 1, vendor: "x", validate: (value: unknown) => ({ value }) },
  } as const;
  const make = () => tool({ name: "f", description: "", input: bare }, () => 1);
  assertThrows(make, TypeError, "no JSON Schema");
});

Deno.test("tool without a schema accepts any arguments and passes none to its function", async () => {
  const seen: unknown[] = [];
  const f = tool({ name: "f", description: "" }, (args) => void seen.push(args));
  for (const args of [undefined, {}, { a: 1 }, "x"]) await f.call(args, { signal });
  assertEquals(seen, [{}, {}, {}, {}]);
});

const Answer = struct({
  name: text("required"),
  isFree: bool(),
  tags: texts("max=2"),
  days: list(struct({ day: text("required") })),
});
const good = { name: "a", isFree: true, tags: ["x"], days: [{ day: "Mon" }] };

const json = JSON.stringify(good, null, 2);
const wrapped: [name: string, answer: string][] = [
  ["nothing else", JSON.stringify(good)],
  ["a code fence", "```json\n" + json + "\n```\n"],
  ["a code fence on one line", "```json " + JSON.stringify(good) + "```"],
  ["a longer fence", "````\n" + json + "\n````"],
  ["tildes", "~~~JSON\r\n" + json + "\r\n~~~"],
  ["prose around a fence", "Here it is:\n```json\n" + json + "\n```\nAnything else?"],
  ["a fence that does not end", "```json\n" + json],
  ["reasoning before it", "<think>\n{ or [?\n</think>\n\n" + json],
];

for (const [name, answer] of wrapped) {
  Deno.test(`chat with an output returns a typed value from ${name}`, async () => {
    const { value } = await scriptedModel([answer]).chat({ messages: [user("x")], output: Answer });
    const typed: string | undefined = value?.name;
    assertEquals([typed, value], ["a", good]);
  });
}

const faults: [name: string, reply: Parameters<typeof scriptedModel>[0], code: string][] = [
  ["no JSON", ["Sure, here it is"], "ai_bad_output"],
  ["a value that does not match", ['{"name":""}'], "ai_bad_output"],
  ["an empty fence", ["```json\n```"], "ai_bad_output"],
  ["a fence that does not end", ["```json"], "ai_bad_output"],
  ["a truncated response", [{ text: '{"name":"a', finishReason: "length" }], "ai_bad_output"],
  ["a refusal", [{ refusal: "I may not" }], "ai_refused"],
];

for (const [name, script, code] of faults) {
  Deno.test(`chat with an output fails with ${code} for ${name}, whole and as a stream`, async () => {
    const request = { messages: [user("x")], output: Answer };
    const whole = await failureOf(scriptedModel(script).chat(request));
    const streamed = await failureOf(scriptedModel(script).stream(request).response());
    assertEquals([whole.code, streamed.code], [code, code]);
  });
}

Deno.test("chat with an output returns no value if the model calls a tool first", async () => {
  const f = tool({ name: "f", description: "" }, () => 1);
  const model = scriptedModel([{ toolCalls: [{ name: "f" }] }]);
  const answer = await model.chat({ messages: [user("x")], tools: [f], output: Answer });
  assertEquals([answer.value, answer.toolCalls.length], [undefined, 1]);
});

const city: JsonSchema = { type: "string", minLength: 1, maxLength: 80, pattern: "^[A-Z]" };

/** The member `a` of an otherwise strict schema, and whether a server with strict schemas takes it. */
const strictness: readonly [name: string, a: object, isStrict: boolean][] = [
  ["a string with limits", city, true],
  ["a nullable list of choices", { type: ["array", "null"], items: { enum: ["x"] } }, true],
  ["a union", { anyOf: [city, { type: "null" }] }, true],
  ["a recursive schema", { $ref: "#" }, true],
  ["a date", { type: "string", format: "date" }, true],
  ["an object without properties", { type: "object", additionalProperties: false }, true],
  ["an open object", { type: "object" }, false],
  ["a nullable open object", { type: ["object", "null"] }, false],
  ["an optional member", {
    type: "object",
    properties: { b: city },
    additionalProperties: false,
  }, false],
  ["a union of open objects", { anyOf: [{ type: "object" }] }, false],
  ["a record", { type: "object", additionalProperties: city }, false],
  ["branches of rules without a type", { type: "number", anyOf: [{ exclusiveMinimum: 0 }] }, false],
  ["any value", {}, false],
  ["a URL", { type: "string", format: "uri" }, false],
  ["a pattern that looks ahead", { type: "string", pattern: "^(?!x)" }, false],
  ["a tuple", { type: "array", prefixItems: [city], items: false }, false],
  ["a default", { ...city, default: "x" }, false],
  ...["oneOf", "allOf"].map((
    name,
  ): [string, JsonSchema, boolean] => [name, { [name]: [city] }, false]),
];
for (const [name, a, isStrict] of strictness) {
  Deno.test(`chat requests ${isStrict ? "strict" : "loose"} output for ${name}`, async () => {
    const output = jsonSchema({
      type: "object",
      properties: { a: a as JsonSchema },
      required: ["a"],
      additionalProperties: false,
    });
    const model = scriptedModel(["{}"]);
    await model.chat({ messages: [], output }).catch(() => {});
    assertEquals<unknown>(model.requests[0]?.body.response_format, {
      type: "json_schema",
      json_schema: { name: "output", schema: output.schema, ...(isStrict && { strict: true }) },
    });
  });
}

const loop: JsonSchema = { type: "object", $defs: { loop: { $ref: "#/$defs/loop" } } };

const open: [name: string, schema: JsonSchema][] = [
  ["not", { ...loop, not: { $ref: "#/$defs/loop" } }],
  ["oneOf", { ...loop, oneOf: [{ type: "object" }, { $ref: "#/$defs/loop" }] }],
  ["anyOf", { ...loop, anyOf: [{ $ref: "#/$defs/loop" }, { type: "object" }] }],
  ["not in not", { ...loop, not: { not: { not: { $ref: "#/$defs/loop" } } } }],
];

for (const [name, schema] of open) {
  Deno.test(`jsonSchema refuses a value that is too complex to check under "${name}"`, async () => {
    const result = await jsonSchema(schema)["~standard"].validate({});
    assertEquals(result.issues?.[0]?.message, "Too complex to check against its schema");
  });
}

Deno.test("jsonSchema refuses the same value however many other values it has", async () => {
  const schema = jsonSchema({
    type: "object",
    properties: { tags: { type: "array", items: { type: "string" } } },
    not: { properties: { path: { pattern: "^/etc" } }, required: ["path"] },
  });
  for (const count of [0, 99_995, 99_996, 99_997, 99_998, 200_000]) {
    const value = { path: "/etc/shadow", tags: Array(count).fill("") };
    assert((await schema["~standard"].validate(value)).issues !== undefined, String(count));
  }
});

Deno.test("jsonSchema checks patterns wherever schemas may stand, and accepts needless escapes", async () => {
  const schema = jsonSchema({
    type: "object",
    properties: {
      pattern: { type: "string", default: { pattern: "(" }, examples: [{ pattern: "(" }] },
      default: { type: "string", pattern: "^[a-z\\_]+$" },
    },
  });
  const validate = schema["~standard"].validate;
  assertEquals((await validate({ pattern: "(", default: "a_b" })).issues, undefined);
  assertEquals((await validate({ default: "A" })).issues?.length, 1);
});

for (
  const $ref of [
    "https://example.com/a.json",
    "other.json#/a",
    "#anchor",
    "#/$defs/missing",
    "#/__proto__/x",
  ]
) {
  Deno.test(`jsonSchema refuses the reference ${$ref} on creation`, () => {
    const properties = { a: { items: { $ref } } };
    assertThrows(() => jsonSchema({ type: "object", properties }), TypeError, $ref);
  });
}

Deno.test("jsonSchema accepts data and properties that resemble references", () => {
  const properties = { $ref: { type: "string", const: "x" }, a: { default: { $ref: "b.json" } } };
  const schema: unknown = { type: "object", properties };
  jsonSchema(schema as JsonSchema);
});

const dates: [name: string, field: z.ZodType, isRefused: boolean][] = [
  ["z.date()", z.date(), true],
  ["z.bigint()", z.bigint(), true],
  ["an optional z.date()", z.date().optional(), true],
  ["a list of z.date()", z.array(z.date()), true],
  ["z.coerce.date()", z.coerce.date(), false],
  ["z.iso.datetime()", z.iso.datetime(), false],
  ["a preprocessed date", z.preprocess((each) => new Date(String(each)), z.date()), false],
  ["a date or a text", z.union([z.date(), z.string()]), false],
];

for (const [name, field, isRefused] of dates) {
  Deno.test(`tool ${isRefused ? "refuses" : "accepts"} ${name}`, () => {
    const make = () =>
      tool({ name: "t", description: "", input: z.object({ day: field }) }, () => "");
    if (isRefused) assertThrows(make, TypeError, '"day');
    else make();
  });
}
