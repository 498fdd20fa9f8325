import { assert, assertEquals, assertFalse, assertRejects } from "@std/assert";
import { FieldErrors, HttpError, int, struct, text } from "../../../mod.ts";
import type { AnySchema, Ctx, Settings } from "../../../mod.ts";
import { type Case, inHandler } from "./case.ts";

const venue = struct({ city: text() });
const Event = struct({ title: text("required,max=10"), seats: int("min=1"), venue });

const json = (body: string, type = "application/json"): Case => ({ body, type });

const good: readonly [name: string, given: Case][] = [
  ["JSON", json('{"title":"a","seats":2,"venue":{"city":"b"}}')],
  ["JSON with a byte order mark", json('\ufeff{"title":"a","seats":2,"venue":{"city":"b"}}')],
  ["+json", json('{"title":"a","seats":2,"venue":{"city":"b"}}', "application/vnd.api+json")],
  [
    "JSON with a character set",
    json('{"title":"a","seats":2,"venue":{"city":"b"}}', "application/json; charset=utf-8"),
  ],
  [
    "a duplicate name, whose last value counts",
    json('{"title":"x","seats":1,"title":"a","seats":2,"venue":{"city":"b"}}'),
  ],
  [
    "brackets, colons and quotes inside strings",
    json(`{"title":"${"[{:".repeat(20_000)}\\"[","title":"a","seats":2,"venue":{"city":"b"}}`),
  ],
  ["a form", json("title=a&seats=2&venue.city=b", "application/x-www-form-urlencoded")],
  ["a query", { method: "GET", path: "/?title=a&seats=2&venue.city=b", body: null }],
];

for (const [name, given] of good) {
  Deno.test(`c.bind reads ${name}`, async () => {
    const want = { title: "a", seats: 2, venue: { city: "b" } };
    assertEquals(await inHandler(given, (c) => c.bind(Event)), want);
  });
}

const bad: readonly [name: string, body: string, status: number, message: string][] = [
  ["an unknown member", '{"x":1}', 400, 'the JSON has the unknown field "x"'],
  ["a nested one", '{"venue":{"x":1}}', 400, 'the JSON has the unknown field "venue.x"'],
  [
    "malformed JSON",
    '{\n  "title": "a",\n  seats: 1\n}',
    400,
    "the JSON is invalid: expected double-quoted property name in JSON at position 20 (line 3 column 3)",
  ],
  ["JSON that ends early", '{"title":', 400, "the JSON is invalid: unexpected end of JSON input"],
  ["no body", "", 400, "the JSON is invalid: unexpected end of JSON input"],
  ["a stray character, unquoted", '{"a":secret}', 400, "the JSON is invalid: unexpected token 's'"],
  ["a list", "[]", 400, "the JSON must be an object"],
];

for (const [name, body, status, message] of bad) {
  Deno.test(`c.bind and c.bindJson refuse ${name}`, async () => {
    const readers: readonly ((c: Ctx) => Promise<unknown>)[] = [
      (c) => c.bind(Event),
      (c) => c.bindJson(Event),
      (c) => c.tryBind(Event),
    ];
    for (const read of readers) {
      await inHandler(json(body), async (c) => {
        const error = await assertRejects(() => read(c), HttpError);
        assertEquals([error.status, error.message], [status, message]);
      });
    }
  });
}

const limits: readonly [NonNullable<Settings["bodyLimits"]>, body: string, code?: string][] = [
  [{ maxJsonDepth: 2 }, '{"a":[1]}', "validation_failed"],
  [{ maxJsonDepth: 2 }, '{"a":[[1]]}', "json_too_deep"],
  [{ maxJsonKeys: 2 }, '{"a":1,"b":{}}', "validation_failed"],
  [{ maxJsonKeys: 2 }, '{"a":1,"b":{"c":1}}', "json_too_many_keys"],
];
for (const [bodyLimits, body, code] of limits) {
  Deno.test(`c.bindJson, ${JSON.stringify(bodyLimits)}: ${body}: ${code}`, async () => {
    const Open = struct({ a: text(), b: text() });
    await inHandler({ ...json(body), settings: { bodyLimits } }, async (c) => {
      const found = await c.bindJson(Open).catch((error) => error);
      assertEquals(found.code, code);
    });
  });
}

Deno.test("c.bindJson throws messages keyed by JSON name", async () => {
  await inHandler(json('{"title":"12345678901","seats":0}'), async (c) => {
    const error = await assertRejects(() => c.bindJson(Event), FieldErrors);
    assertEquals([...error].map(([field]) => field), ["title", "seats"]);
  });
});

Deno.test("c.bindJson reads no form", async () => {
  await inHandler(json("title=a", "application/x-www-form-urlencoded"), async (c) => {
    const error = await assertRejects(() => c.bindJson(Event), HttpError);
    assertEquals([error.status, error.headers["accept"]], [415, "application/json"]);
  });
});

Deno.test("c.bind lists its accepted types if a body has no type", async () => {
  await inHandler({ body: new TextEncoder().encode("{}") }, async (c) => {
    const error = await assertRejects(() => c.bind(Event), HttpError);
    const want = [415, "application/json, application/x-www-form-urlencoded, multipart/form-data"];
    assertEquals([error.status, error.headers["accept"]], want);
  });
});

Deno.test("c.tryBind of JSON returns the submitted values", async () => {
  await inHandler(json('{"title":"","seats":0,"venue":{"city":"b"}}'), async (c) => {
    const bound = await c.tryBind(Event);
    assertFalse(bound.ok);
    assertEquals([bound.text("seats"), bound.text("venue.city")], ["0", "b"]);
  });
});

Deno.test("bind, tryBind and bindJson share one parse of JSON", async () => {
  await inHandler(json('{"title":"a","seats":1,"venue":{}}'), async (c) => {
    assertEquals(await c.bind(Event), await c.bindJson(Event));
    assert((await c.tryBind(Event)).ok);
  });
});

const upperCase: AnySchema<{ name: string }> = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: async (value) => {
      await Promise.resolve();
      const name = (value as { name?: unknown }).name;
      return typeof name === "string"
        ? { value: { name: name.toUpperCase() } }
        : { issues: [{ message: "no name", path: ["name"] }] };
    },
  },
};

Deno.test("c.bind awaits a Standard Schema for JSON and forms", async () => {
  const type = "application/x-www-form-urlencoded";
  const read = (given: Case): Promise<unknown> => inHandler(given, (c) => c.bind(upperCase));
  assertEquals(await read(json('{"name":"ada"}')), { name: "ADA" });
  assertEquals(await read(json("name=ada", type)), { name: "ADA" });
  const error = await assertRejects(() => read(json("x=1", type)), FieldErrors);
  assertEquals(error.get("name"), "no name");
});

const anything: AnySchema<unknown> = {
  "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) },
};

Deno.test("c.bind passes a Standard Schema the fields named as lists", async () => {
  const given = json("tags=a&home.tags=b", "application/x-www-form-urlencoded");
  const value = await inHandler(given, (c) => c.bind(anything, { lists: ["tags", "home.tags"] }));
  assertEquals(JSON.stringify(value), '{"tags":["a"],"home":{"tags":["b"]}}');
});

Deno.test("c.bind of an own member __proto__ changes no prototype", async () => {
  const given = json('{"__proto__":{"admin":true}}');
  const value = await inHandler(given, (c) => c.bindJson(anything)) as Record<string, unknown>;
  assertEquals([value["admin"], Object.hasOwn(value, "__proto__")], [undefined, true]);
  assertEquals(Object.getPrototypeOf(value), Object.prototype);
});
