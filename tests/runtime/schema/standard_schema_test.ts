import { type Infer, int, struct, text } from "../../../runtime/schema/mod.ts";
import { type AnySchema, fieldError } from "../../../mod.ts";
import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { type as arktype } from "npm:arktype@2.2.9";
import * as v from "npm:valibot@1.5.0";
import * as z from "npm:zod@4.6.7";
import { parseFormInput, parseJsonInput } from "../../../runtime/schema/input.ts";
import { groupTexts, plain } from "./case.ts";

interface Entry {
  title: string;
  tags: string[];
  venue: { city: string };
}

const libraries: Readonly<Record<string, AnySchema<Entry>>> = {
  zod: z.object({
    title: z.string().min(1),
    tags: z.array(z.string()),
    venue: z.object({ city: z.string().min(1) }),
  }),
  valibot: v.object({
    title: v.pipe(v.string(), v.minLength(1)),
    tags: v.array(v.string()),
    venue: v.object({ city: v.pipe(v.string(), v.minLength(1)) }),
  }),
  arktype: arktype({ title: "string >= 1", tags: "string[]", venue: { city: "string >= 1" } }),
};

async function sent(schema: AnySchema, query: string, lists: string[] = []): Promise<unknown> {
  return plain(await parseFormInput(schema, groupTexts(query), { lists }));
}

for (const [name, schema] of Object.entries(libraries)) {
  Deno.test(`${name}: a form is nested by dotted names, and lists are always arrays`, async () => {
    const wanted = { title: "Jazz", tags: ["a"], venue: { city: "Rio" } };
    const one = "title=Jazz&tags=a&venue.city=Rio";
    assertEquals({ ...(await sent(schema, one, ["tags"]) as Entry) }, wanted);
    const two = "title=Jazz&tags=a&tags=b&venue.city=Rio";
    assertEquals((await sent(schema, two) as Entry).tags, ["a", "b"]);
    const none = "title=Jazz&venue.city=Rio";
    assertEquals((await sent(schema, none, ["tags"]) as Entry).tags, []);
  });

  Deno.test(`${name}: issues become errors keyed by the dotted name`, async () => {
    const source = "title=&tags=a&venue.city=";
    const { errors } = await sent(schema, source, ["tags"]) as { errors: Record<string, string> };
    assertEquals(Object.keys(errors).sort(), ["title", "venue.city"]);
  });

  Deno.test(`${name}: without lists a single value is a string`, async () => {
    const source = "title=Jazz&tags=a&venue.city=Rio";
    const { errors } = await sent(schema, source) as { errors: Record<string, string> };
    assertEquals(Object.keys(errors), ["tags"]);
  });

  Deno.test(`${name}: validates a JSON body`, async () => {
    const body = { title: "Jazz", tags: [], venue: { city: "Rio" } };
    assertEquals(plain(await parseJsonInput(schema, body)), body);
    const result = await parseJsonInput(schema, { ...body, venue: {} });
    assert(result.kind === "invalid" && result.errors.has("venue.city"));
  });

  Deno.test(`${name}: hostile names change no prototype and cause no hang`, async () => {
    const deep = `${"a.".repeat(100_000)}b`;
    const source = `__proto__.polluted=1&a.__proto__.polluted=1&constructor.prototype.polluted=1&` +
      `__proto__=1&${deep}=1&title=Jazz&title.x=1&tags.0=1&tags=a&tags=b&venue.city=Rio`;
    await sent(schema, source);
    assertEquals(({} as Record<string, unknown>)["polluted"], undefined);
  });
}

Deno.test("Infer: is the output type of another library's schema", () => {
  const schema = z.object({ count: z.string().transform(Number) });
  const value: Infer<typeof schema> = { count: 5 };
  assertEquals(value.count, 5);
});

Deno.test("a schema that returns a promise is awaited", async () => {
  const schema = z.object({ a: z.string().refine((a) => Promise.resolve(a !== "taken"), "taken") });
  assertEquals(await sent(schema, "a=taken"), { errors: { a: "taken" } });
  assertEquals(await sent(schema, "a=free"), { a: "free" });
});

Deno.test("an issue without a path has an empty name, and the first issue of a field is kept", async () => {
  const schema: AnySchema = {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: () => ({
        issues: [
          { message: "whole" },
          { message: "first", path: ["a", { key: 0 }] },
          { message: "second", path: ["a", 0] },
        ],
      }),
    },
  };
  assertEquals(plain(await parseJsonInput(schema, {})), {
    errors: { "": "whole", "a.0": "first" },
  });
});

const nesting: readonly [query: string, nested: unknown][] = [
  ["a=1", { a: "1" }],
  ["a=1&a=2", { a: ["1", "2"] }],
  ["a.b=1&a.c=2", { a: { b: "1", c: "2" } }],
  ["a=1&a.b=2", { a: "1" }],
  ["a.b=1&a=2", { a: { b: "1" } }],
  ["a.b=1&a.b.c=2", { a: { b: "1" } }],
  ["__proto__=1&a.__proto__.b=2&c=3", { c: "3" }],
  ["constructor=1", { constructor: "1" }],
  [`${"a.".repeat(64)}b=1&c=2`, { c: "2" }],
];

for (const [query, nested] of nesting) {
  Deno.test(`parseFormInput: passes ${query.slice(0, 40)} to another library as nested data`, async () => {
    let seen: unknown;
    const validate = (value: unknown): { value: unknown } => ({ value: seen = value });
    const schema: AnySchema = { "~standard": { version: 1, vendor: "test", validate } };
    await parseFormInput(schema, groupTexts(query));
    assertEquals(JSON.stringify(seen), JSON.stringify(nested));
    assertEquals(Object.getPrototypeOf(seen), null);
  });
}

Deno.test("struct: is itself a Standard Schema", async () => {
  const schema = struct({ a: text("required"), b: struct({ c: int("min=1") }) });
  const { validate, vendor, version } = schema["~standard"];
  assertEquals([vendor, version], ["fw", 1]);
  assertEquals(await validate({ a: "x", b: { c: 2 } }), { value: { a: "x", b: { c: 2 } } });
  assertEquals(await validate({ b: { c: 0 } }), {
    issues: [
      { message: "is required", path: ["a"] },
      { message: "must be at least 1", path: ["b", "c"] },
    ],
  });
  assertEquals(await validate({ a: "x", z: 1 }), {
    issues: [{ message: "Unknown field", path: ["z"] }],
  });
  assertEquals(await validate([]), { issues: [{ message: "Expected an object" }] });
});

Deno.test("an error thrown by another library's schema is passed on unchanged", async () => {
  const thrown = fieldError("a", "own");
  const schema: AnySchema = {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: () => {
        throw thrown;
      },
    },
  };
  assertStrictEquals(await assertRejects(async () => await parseJsonInput(schema, {})), thrown);
});
