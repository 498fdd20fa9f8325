import { assert, assertEquals } from "@std/assert";
import type { Change } from "../../../../cli/describe/diff/change.ts";
import { compareDocuments } from "../../../../cli/describe/diff/compare.ts";
import { changeProblems, changeText } from "../../../../cli/describe/diff/text.ts";
import { messagesIn } from "../../../../cli/messages/catalog.ts";
import { cpuMs } from "../../../cpu_time.ts";
import { schemaRows } from "./schema_rows.ts";

const en = messagesIn("en");

const linesOf = (changes: readonly Change[]): string[] =>
  changes.map((change) => `${change.level.slice(0, 1)} ${changeText(change, en)}`);

const diff = (before: unknown, after: unknown): string[] =>
  linesOf(compareDocuments(before, after));

const documentOf = (operation: unknown, more: Record<string, unknown> = {}): unknown => ({
  openapi: "3.1.0",
  info: { title: "x", version: "1" },
  paths: { "/api/events": { post: operation } },
  ...more,
});

const asRequest = (schema: unknown): unknown =>
  documentOf({ requestBody: { content: { "application/json": { schema } } }, responses: {} });

const asResponse = (schema: unknown): unknown =>
  documentOf({ responses: { 200: { content: { "application/json": { schema } } } } });

const prefix = "POST /api/events: ";
const labelled = (lines: readonly string[]): string[] =>
  lines.map((line) => `${line.slice(0, 2)}${prefix}${line.slice(2)}`);

Deno.test("schemas: what breaks a request, and what breaks a response", () => {
  for (const { name, before, after, request, response } of schemaRows) {
    assertEquals(diff(asRequest(before), asRequest(after)), labelled(request), `request: ${name}`);
    assertEquals(
      diff(asResponse(before), asResponse(after)),
      labelled(response),
      `response: ${name}`,
    );
  }
});

const ok = { 200: { description: "x" } };
const json = { "application/json": { schema: { type: "string" } } };
const header = (more = {}) => ({
  200: { headers: { "X-Total": { schema: { type: "integer" }, ...more } } },
});
const query = (more = {}) => ({
  parameters: [{ name: "q", in: "query", schema: { type: "string" }, ...more }],
  responses: ok,
});
const bearer = [{ bearer: [] }];
const stream = (events: Record<string, unknown>) => ({
  responses: { 200: { content: { "text/event-stream": { "x-events": events } } } },
});

const operationRows: readonly (readonly [string, unknown, unknown, readonly string[]])[] = [
  ["operationId", { operationId: "a" }, { operationId: "b" }, [
    'n the operationId changed from "a" to "b", which renames the method of the client',
  ]],
  ["operationId given", {}, { operationId: "b" }, []],
  ["deprecated", {}, { deprecated: true }, [`n POST /api/events is deprecated now`]],
  ["optional parameter added", { responses: ok }, query(), ['c query parameter "q" is new']],
  ["required parameter added", { responses: ok }, query({ required: true }), [
    'b query parameter "q" is new and required',
  ]],
  ["parameter removed", query(), { responses: ok }, ['n query parameter "q" was removed']],
  ["parameter made required", query(), query({ required: true }), [
    'b query parameter "q" became required',
  ]],
  ["parameter made optional", query({ required: true }), query(), [
    'c query parameter "q" became optional',
  ]],
  ["parameter deprecated", query(), query({ deprecated: true }), [
    'n query parameter "q" is deprecated now',
  ]],
  ["parameter of another type", query(), query({ schema: { type: "integer" } }), [
    'b query parameter "q" changed its type from string to integer',
  ]],
  [
    "parameter of another member",
    query({ schema: { type: "array", items: { enum: ["a", "b"] } } }),
    query({ schema: { type: "array", items: { enum: ["a"] } } }),
    ['b field "[]" of the query parameter "q" lost the value "b"'],
  ],
  ["parameter written otherwise", query(), query({ explode: false }), [
    'b query parameter "q" is written in another way: form, exploded became form',
  ]],
  ["parameter as JSON", query(), query({ content: json, schema: undefined }), [
    'b query parameter "q" is written in another way: form, exploded became application/json',
  ]],
  ["place of a parameter", query(), query({ in: "header" }), [
    'n query parameter "q" was removed',
    'c header parameter "q" is new',
  ]],
  [
    "header parameter in another case",
    query({ in: "header", name: "X-A" }),
    query({ in: "header", name: "x-a" }),
    ['n header parameter "x-a" was called "X-A", which renames it in the client'],
  ],
  ["body added", { responses: ok }, { requestBody: { content: json }, responses: ok }, [
    "c request body is new",
  ]],
  [
    "required body added",
    { responses: ok },
    { requestBody: { required: true, content: json }, responses: ok },
    ["b request body is new and required"],
  ],
  ["body removed", { requestBody: { content: json }, responses: ok }, { responses: ok }, [
    "b request body was removed",
  ]],
  [
    "body made required",
    { requestBody: { content: json } },
    { requestBody: { content: json, required: true } },
    ["b request body became required"],
  ],
  [
    "media type added",
    { requestBody: { content: json } },
    { requestBody: { content: { ...json, "text/plain": {} } } },
    ["c request body: media type text/plain is new"],
  ],
  [
    "media type removed",
    { requestBody: { content: { ...json, "text/plain": {} } } },
    { requestBody: { content: json } },
    ["b request body: media type text/plain was removed"],
  ],
  [
    "media type of a response removed",
    { responses: { 200: { content: { ...json, "text/csv": {} } } } },
    { responses: { 200: { content: json } } },
    ["b response 200: media type text/csv was removed"],
  ],
  [
    "media type of a response added",
    { responses: { 200: { content: json } } },
    { responses: { 200: { content: { ...json, "text/csv": {} } } } },
    ["c response 200: media type text/csv is new"],
  ],
  ["body of a response added", { responses: ok }, { responses: { 200: { content: json } } }, [
    "c response 200 is new",
  ]],
  ["success removed", { responses: { 200: {}, 201: {} } }, { responses: { 200: {} } }, [
    "b response 201 was removed",
  ]],
  ["error removed", { responses: { 200: {}, 404: {} } }, { responses: { 200: {} } }, [
    "n response 404 was removed",
  ]],
  ["success added", { responses: { 200: {} } }, { responses: { 200: {}, 202: {} } }, [
    "n response 202 is new",
  ]],
  ["error added", { responses: { 200: {} } }, { responses: { 200: {}, 429: {} } }, [
    "c response 429 is new",
  ]],
  [
    "success added beside default",
    { responses: { default: {} } },
    { responses: { default: {}, 202: {} } },
    ["c response 202 is new"],
  ],
  ["range in another case", { responses: { "2xx": {} } }, { responses: { "2XX": {} } }, []],
  ["header added", { responses: ok }, { responses: header() }, [
    'c response 200 header "x-total" is new',
  ]],
  ["header removed", { responses: header() }, { responses: ok }, [
    'n response 200 header "x-total" was removed',
  ]],
  ["required header removed", { responses: header({ required: true }) }, { responses: ok }, [
    'b response 200 header "x-total" was removed',
  ]],
  [
    "header made optional",
    { responses: header({ required: true }) },
    { responses: header() },
    ['b response 200 header "x-total" became optional'],
  ],
  [
    "header of another type",
    { responses: header() },
    { responses: header({ schema: { type: "string" } }) },
    ['b response 200 header "x-total" changed its type from integer to string'],
  ],
  ["security added", {}, { security: bearer }, ["b security became stricter: none became bearer"]],
  ["security removed", { security: bearer }, {}, [
    "c security became looser: bearer became none",
  ]],
  ["security alternative added", { security: bearer }, { security: [...bearer, { key: [] }] }, [
    "c security became looser: bearer became bearer or key",
  ]],
  ["security alternative removed", { security: [...bearer, { key: [] }] }, { security: bearer }, [
    "b security became stricter: bearer or key became bearer",
  ]],
  ["security of two", { security: bearer }, { security: [{ bearer: [], key: [] }] }, [
    "b security became stricter: bearer became bearer + key",
  ]],
  ["scope added", { security: [{ oauth: ["a"] }] }, { security: [{ oauth: ["a", "b"] }] }, [
    "b security became stricter: oauth(a) became oauth(a, b)",
  ]],
  ["scope removed", { security: [{ oauth: ["a", "b"] }] }, { security: [{ oauth: ["a"] }] }, [
    "c security became looser: oauth(a, b) became oauth(a)",
  ]],
  ["security made optional", { security: bearer }, { security: [...bearer, {}] }, [
    "c security became looser: bearer became bearer or none",
  ]],
  ["event added", stream({ a: {} }), stream({ a: {}, b: {} }), ['c event "b" is new']],
  ["event removed", stream({ a: {}, b: {} }), stream({ a: {} }), ['b event "b" was removed']],
  ["data of an event", stream({ a: { type: "integer" } }), stream({ a: { type: "number" } }), [
    'b event "a" changed its type from integer to number',
  ]],
];

Deno.test("operations: parameters, bodies, responses and security", () => {
  for (const [name, before, after, expected] of operationRows) {
    const lines = expected.map((line) =>
      line.includes("POST /api/events is") ? `n ${prefix}${line.slice(2)}` : labelled([line])[0]
    );
    assertEquals(diff(documentOf(before), documentOf(after)), lines, name);
  }
  assert(schemaRows.length * 2 + operationRows.length >= 80);
});

const info = { openapi: "3.1.0", info: { title: "x", version: "1" } };

Deno.test("documents: operations, names of parameters, schemes and servers", () => {
  const get = (path: string, name = "id") => ({
    ...info,
    paths: {
      [path]: {
        get: { parameters: [{ name, in: "path", required: true, schema: {} }], responses: {} },
      },
    },
  });
  const schemes = (bearerFormat: unknown) => ({
    ...info,
    components: { securitySchemes: { a: bearerFormat } },
  });
  const rows: readonly (readonly [unknown, unknown, readonly string[]])[] = [
    [get("/a"), { ...info }, ["b GET /a: the operation was removed"]],
    [{ ...info }, get("/a"), ["c GET /a: the operation is new"]],
    [get("/a/{id}"), get("/a/{slug}", "slug"), [
      'n GET /a/{slug}: path parameter "slug" was called "id", which renames it in the client',
    ]],
    [schemes({ type: "http", scheme: "basic" }), schemes({ type: "http", scheme: "bearer" }), [
      'b security scheme "a" changed from http basic to http bearer',
    ]],
    [schemes({ type: "http", scheme: "basic" }), info, ['n security scheme "a" was removed']],
    [{ ...info, servers: [{ url: "/v1" }] }, { ...info, servers: [{ url: "/v2" }] }, [
      "n server /v1 was removed",
    ]],
  ];
  for (const [before, after, expected] of rows) assertEquals(diff(before, after), expected);
});

Deno.test("webhooks and callbacks that differ are named, and that they were not compared", () => {
  const item = (type: string) => ({
    post: { requestBody: { content: { "application/json": { schema: { type } } } } },
  });
  const named = { post: { requestBody: { $ref: "#/components/schemas/Sent" } } };
  const documentOf = (webhooks: unknown, callbacks: unknown, type: string) => ({
    ...info,
    paths: { "/a": { post: { callbacks } } },
    webhooks,
    components: { schemas: { Sent: { type } } },
  });
  const one = documentOf({ a: item("string"), b: named, gone: named }, { c: item("null") }, "null");
  assertEquals(diff(one, structuredClone(one)), []);
  const other = documentOf(
    { a: item("null"), b: named, more: named },
    { c: item("string") },
    "array",
  );
  const text = "changed; webhooks and callbacks are not compared in detail";
  assertEquals(diff(one, other), [
    `b POST /a: callback "c" ${text}`,
    `b webhook "a" ${text}`,
    // Equal in itself, but not what it refers to.
    `b webhook "b" ${text}`,
    'b webhook "gone" was removed',
    'c webhook "more" is new',
  ]);
});

Deno.test("a schema may contain itself, and one difference in it is one line", () => {
  const tree = (leaf: unknown) => ({
    ...(documentOf({
      requestBody: {
        content: { "application/json": { schema: { $ref: "#/components/schemas/Tree" } } },
      },
      responses: {
        200: { content: { "application/json": { schema: { $ref: "#/components/schemas/Tree" } } } },
      },
    }) as Record<string, unknown>),
    components: {
      schemas: {
        Tree: {
          type: "object",
          properties: {
            leaf,
            left: { $ref: "#/components/schemas/Tree" },
            others: { type: "array", items: { $ref: "#/components/schemas/Branch" } },
          },
        },
        Branch: { anyOf: [{ $ref: "#/components/schemas/Tree" }, { type: "null" }] },
        Self: { $ref: "#/components/schemas/Self" },
      },
    },
  });
  assertEquals(diff(tree({ type: "string" }), tree({ type: "string" })), []);
  assertEquals(
    diff(tree({ type: "integer" }), tree({ type: "number" })),
    [
      `b ${prefix}response 200 field "leaf" changed its type from integer to number`,
      `c ${prefix}request field "leaf" changed its type from integer to number`,
    ],
  );
});

Deno.test("hostile documents are compared or refused, never thrown out of", () => {
  let deep: unknown = { type: "string" };
  for (let level = 0; level < 50_000; level++) deep = { type: "array", items: deep };
  const nested = (leaf: unknown): unknown => {
    let schema = leaf;
    for (let level = 0; level < 200; level++) schema = { type: "array", items: schema };
    return schema;
  };
  const poisoned = JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"string"}}');
  const circle = { $ref: "#/components/schemas/A" };
  const ring = (to: string) => ({
    ...(asRequest(circle) as Record<string, unknown>),
    components: { schemas: { A: { $ref: `#/components/schemas/${to}` }, B: circle } },
  });
  const rows: readonly (readonly [string, unknown, unknown, boolean])[] = [
    ["no documents", undefined, null, false],
    ["other values", "text", [1, 2], false],
    ["wrong members", { paths: [], components: 7 }, { paths: { "/a": { get: 1 } } }, false],
    ["nested too deep", asRequest(deep), asRequest({ type: "string" }), true],
    ["nested deep on both sides", asRequest(nested({ minimum: 2 })), asRequest(nested({})), true],
    ["circles", ring("A"), ring("B"), false],
    [
      "prototype names",
      asRequest({ type: "object", properties: poisoned }),
      asRequest({ type: "object", properties: {} }),
      false,
    ],
  ];
  for (const [name, before, after, isBreaking] of rows) {
    const changes = compareDocuments(before, after);
    assertEquals(changes.some(({ level }) => level === "breaking"), isBreaking, name);
  }
  const removed = compareDocuments(
    asRequest({ type: "object", properties: poisoned }),
    asRequest({ type: "object", properties: {} }),
  );
  assertEquals(removed.map(({ place }) => "field" in place ? place.field : ""), [
    "__proto__",
    "constructor",
  ]);
});

Deno.test("parts that refer to each other again and again are compared in seconds, or refused", () => {
  const ref = (at: number) => ({ $ref: `#/components/schemas/S${at}` });
  const schemas = (last: unknown) =>
    Object.fromEntries([
      // Each is there once for whom it is a part of: 2 ^ 21 ways lead to the last one.
      ...Array.from({ length: 21 }, (_, at) => [`S${at}`, { allOf: [ref(at + 1), ref(at + 1)] }]),
      ["S21", { allOf: Array(30).fill(ref(0)), properties: { a: last } }],
    ]);
  const at = (last: unknown): unknown =>
    documentOf({
      requestBody: { content: { "application/json": { schema: ref(0) } } },
      responses: {},
    }, { components: { schemas: schemas(last) } });
  const startMs = cpuMs();
  assert(diff(at({ type: "string" }), at({ type: "integer" })).length > 0);
  assert(cpuMs() - startMs < 5_000);
});

Deno.test("10 MB with 2,000 operations are compared in seconds", () => {
  const large = (last: unknown) => ({
    ...info,
    paths: Object.fromEntries(
      Array.from({ length: 2000 }, (_, at) => [`/p${at}`, {
        get: {
          responses: {
            200: {
              content: {
                "application/json": { schema: { $ref: `#/components/schemas/S${at % 500}` } },
              },
            },
          },
        },
      }]),
    ),
    components: {
      schemas: Object.fromEntries(
        Array.from({ length: 500 }, (_, at) => [`S${at}`, {
          type: "object",
          description: "x".repeat(18_000),
          properties: Object.fromEntries(
            Array.from({ length: 20 }, (_, each) => [`m${each}`, {
              $ref: `#/components/schemas/S${(at + each + 1) % 500}`,
            }]),
          ),
          ...(at === 0 ? { additionalProperties: last } : {}),
        }]),
      ),
    },
  });
  const [before, after] = [large({ type: "integer" }), large({ type: "string" })];
  assert(JSON.stringify(before).length > 9_000_000);
  const startedMs = cpuMs();
  assertEquals(compareDocuments(before, before), []);
  const changes = compareDocuments(before, after);
  // Every schema reaches the changed one: the budget ends the comparison, which counts as breaking.
  assert(changes.some(({ level }) => level === "breaking"));
  const tookMs = cpuMs() - startedMs;
  assert(tookMs < 60_000, `${tookMs} ms`);
});

Deno.test("changes are problems: breaking ones errors, notices warnings", () => {
  const changes = compareDocuments(
    asRequest({ type: "object", properties: { a: {}, b: { type: "string" } } }),
    asRequest({
      type: "object",
      required: ["c"],
      properties: { b: { type: "string", deprecated: true }, c: {}, d: {} },
    }),
  );
  const place = { file: "openapi.json" };
  for (const language of ["en", "pt"] as const) {
    const problems = changeProblems(changes, { messages: messagesIn(language), place });
    assertEquals(problems.map(({ code, severity, fix }) => [code, severity, fix === undefined]), [
      ["breaking_change", "error", false],
      ["api_change", "warning", false],
      ["api_change", "warning", false],
      ["api_change", "info", true],
    ]);
  }
  assertEquals(
    changeProblems(changes, { messages: messagesIn("pt"), place })[0]?.message,
    'POST /api/events: campo "c" do pedido: novo e obrigatório',
  );
});
