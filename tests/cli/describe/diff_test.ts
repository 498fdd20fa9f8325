/** The effect of a changed document on clients: `b` breaks, `c` is compatible, `n` is a notice. */
import { assertEquals } from "@std/assert";
import { changeProblems, changeText } from "../../../cli/describe/diff/against.ts";
import { compareDocuments } from "../../../cli/describe/diff/compare.ts";
import { messagesIn } from "../../../cli/messages/catalog.ts";

const diff = (before: unknown, after: unknown): string[] =>
  compareDocuments(before, after)
    .map((change) => `${change.level.slice(0, 1)} ${changeText(change, messagesIn("en"))}`);

const info = { openapi: "3.1.0", info: { title: "x", version: "1" } };
const documentOf = (operation: unknown, schemas: Record<string, unknown> = {}): unknown => ({
  ...info,
  paths: { "/api/events": { post: operation } },
  components: { schemas },
});
const content = (schema: unknown): unknown => ({ "application/json": { schema } });
const asRequest = (schema: unknown): unknown =>
  documentOf({ requestBody: { content: content(schema) }, responses: {} });
const asResponse = (schema: unknown): unknown =>
  documentOf({ responses: { 200: { content: content(schema) } } });

const object = (properties: Record<string, unknown>, required: readonly string[] = []) => ({
  type: "object",
  properties,
  required,
});
const text = { type: "string" };
const whole = { type: "integer" };
const list = (items: unknown) => ({ type: "array", items });

/** The old schema, the new one, the levels in a request and in a response, and the text. */
const schemaRows: readonly (readonly [unknown, unknown, string, string?])[] = [
  [object({ a: text, b: whole }), object({ b: whole, a: text }), ""],
  [text, { ...text, description: "x", title: "y", examples: ["z"] }, ""],
  [object({}), object({ a: whole }, ["a"]), "bc", ".a is new and required"],
  [object({}), object({ a: whole }), "cc", ".a is new"],
  [object({}), object({ a: { ...whole, readOnly: true } }, ["a"]), "cc", ".a is new and required"],
  [object({ a: text }), object({}), "nn", ".a was removed"],
  [object({ a: text }, ["a"]), object({}), "nb", ".a was removed"],
  [
    { ...object({ a: text }), additionalProperties: false },
    { ...object({}), additionalProperties: false },
    "bn",
    ".a was removed",
  ],
  [object({ a: whole }), object({ a: whole }, ["a"]), "bc", ".a became required"],
  [object({ a: whole }, ["a"]), object({ a: whole }), "cb", ".a became optional"],
  [text, whole, "bb", ": type changed from string to integer"],
  [whole, { type: "number" }, "cb", ": type changed from integer to number"],
  [{ type: "number" }, whole, "bc", ": type changed from number to integer"],
  [text, { type: ["string", "null"] }, "cb", ': type changed from string to ["string","null"]'],
  [{ type: ["string", "null"] }, { type: ["null", "string"] }, ""],
  [text, {}, "cb", ": type changed from string to –"],
  [true, text, "bc", ": type changed from – to string"],
  [true, false, "bc", ": not changed from – to {}"],
  [{ enum: ["a", "b"] }, { enum: ["a"] }, "bc", ': enum changed from ["a","b"] to ["a"]'],
  [{ enum: ["a"] }, { enum: ["b"] }, "bb", ': enum changed from ["a"] to ["b"]'],
  [{ enum: ["a", "b"] }, { enum: ["b", "a"] }, ""],
  [{ const: 1 }, { enum: [1] }, ""],
  [text, { ...text, enum: ["a"] }, "bc", ': enum changed from – to ["a"]'],
  [{ ...text, enum: ["a"] }, text, "cb", ': enum changed from ["a"] to –'],
  [{ minimum: 1 }, { minimum: 2 }, "bc", ": minimum changed from 1 to 2"],
  [{ minimum: 2 }, { minimum: 1 }, "cb", ": minimum changed from 2 to 1"],
  [whole, { ...whole, minimum: 0 }, "bc", ": minimum changed from – to 0"],
  [{ ...whole, minimum: 0 }, whole, "cb", ": minimum changed from 0 to –"],
  [{ maximum: 9 }, { maximum: 5 }, "bc", ": maximum changed from 9 to 5"],
  [{ maxItems: 5 }, { maxItems: 9 }, "cb", ": maxItems changed from 5 to 9"],
  [text, { ...text, maxLength: 80 }, "bc", ": maxLength changed from – to 80"],
  [text, { ...text, minLength: 0 }, ""],
  [text, { ...text, minLength: 1 }, "bc", ": minLength changed from – to 1"],
  [text, { ...text, pattern: "^a" }, "bc", ": pattern changed from – to ^a"],
  [{ pattern: "^a" }, { pattern: "^b" }, "bb", ": pattern changed from ^a to ^b"],
  [{ format: "email" }, { ...text, format: "email" }, "bc", ": type changed from – to string"],
  [{ format: "date" }, { format: "time" }, "bb", ": format changed from date to time"],
  [{ multipleOf: 2 }, { multipleOf: 3 }, "bb", ": multipleOf changed from 2 to 3"],
  // An unknown keyword breaks both.
  [{ ...text, new: 1 }, { ...text, new: 2 }, "bb", ": new changed from 1 to 2"],
  [
    object({}),
    { ...object({}), additionalProperties: false },
    "bc",
    ": additionalProperties changed from true to false",
  ],
  [
    { type: "object", additionalProperties: whole },
    { type: "object", additionalProperties: text },
    "bb",
    ".*: type changed from integer to string",
  ],
  [
    { type: "array", prefixItems: [text, whole] },
    { type: "array", prefixItems: [text, text] },
    "bb",
    "[1]: type changed from integer to string",
  ],
  [{ anyOf: [text, whole] }, { anyOf: [whole, text] }, ""],
  [
    { oneOf: [text] },
    { oneOf: [text, whole] },
    "cb",
    ': oneOf changed from [{"type":"string"}] to [{"type":"string"},{"type":"integer"}]',
  ],
  [text, { ...text, deprecated: true }, "nn", ": deprecated changed from – to true"],
  [{ default: "a" }, { default: "b" }, "nn", ": default changed from a to b"],
  [
    { enum: [`${"x".repeat(150)}a`] },
    { enum: [`${"x".repeat(150)}a`, "b"] },
    "cb",
    `: enum changed from ["${"x".repeat(118)}… to ["${"x".repeat(118)}…`,
  ],
  [
    JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'),
    {},
    "nn",
    ".__proto__ was removed",
  ],
];

Deno.test("schemas: a change breaks a request or a response", () => {
  for (const [before, after, levels, rest = ""] of schemaRows) {
    const line = (level: string | undefined, place: string): string[] =>
      level === undefined ? [] : [`${level} POST /api/events: ${place}${rest}`];
    const name = `${JSON.stringify(before)} ${JSON.stringify(after)}`;
    const [request, response] = levels;
    assertEquals(diff(asRequest(before), asRequest(after)), line(request, "request"), name);
    assertEquals(diff(asResponse(before), asResponse(after)), line(response, "response 200"), name);
  }
});

const query = (more = {}) => ({ parameters: [{ name: "q", in: "query", schema: text, ...more }] });
const body = (more = {}) => ({ requestBody: { content: content(text), ...more } });
const answers = (...statuses: readonly (number | string)[]) => ({
  responses: Object.fromEntries(statuses.map((status) => [status, {}])),
});
const media = (...types: readonly string[]) => ({
  responses: { 200: { content: Object.fromEntries(types.map((type) => [type, {}])) } },
});
const header = (type?: string) => ({
  responses: { 200: type === undefined ? {} : { headers: { "X-Total": { schema: { type } } } } },
});
const secured = (...security: readonly unknown[]) => ({ security });

const operationRows: readonly (readonly [unknown, unknown, string])[] = [
  [{ summary: "a" }, { summary: "b", tags: ["x"] }, ""],
  [{ operationId: "a" }, { operationId: "b" }, "n operation: operationId changed from a to b"],
  [{}, { deprecated: true }, "n operation: deprecated changed from – to true"],
  [{}, { "x-csrf": true }, "b operation: x-csrf changed from – to true"],
  [{ "x-csrf": true }, {}, "c operation: x-csrf changed from true to –"],
  [{ callbacks: {} }, {}, "b operation: callbacks changed from {} to –"],
  [{}, query(), "c query.q is new"],
  [{}, query({ required: true }), "b query.q is new and required"],
  [query(), {}, "n query.q was removed"],
  [query(), query({ required: true }), "b query.q became required"],
  [query(), query({ schema: whole }), "b query.q: type changed from string to integer"],
  [query(), query({ "x-catch-all": true }), "b query.q: x-catch-all changed from – to true"],
  [{}, body(), "c request is new"],
  [{}, body({ required: true }), "b request is new and required"],
  [body(), {}, "b request was removed"],
  [body(), body({ required: true }), "b request became required"],
  [body(), { requestBody: { content: {} } }, "b request application/json was removed"],
  [media("a/b"), media("a/b", "text/csv"), "c response 200 text/csv is new"],
  [media("a/b", "text/csv"), media("a/b"), "b response 200 text/csv was removed"],
  [answers(200, 201), answers(200), "b response 201 was removed"],
  [answers(200, 404), answers(200), "n response 404 was removed"],
  [answers(200), answers(200, 429), "c response 429 is new"],
  [header(), header("integer"), "c response 200 header X-Total is new"],
  [header("integer"), header(), "n response 200 header X-Total was removed"],
  [
    header("integer"),
    header("string"),
    "b response 200 header X-Total: type changed from integer to string",
  ],
  [secured(), secured({ key: [] }), 'b operation: security changed from [] to [{"key":[]}]'],
  [secured({ key: [] }), secured(), 'c operation: security changed from [{"key":[]}] to []'],
  [
    secured({ key: [] }),
    secured({ key: [] }, { bearer: [] }),
    'c operation: security changed from [{"key":[]}] to [{"key":[]},{"bearer":[]}]',
  ],
  [
    secured({ oauth: ["a"] }),
    secured({ oauth: ["a", "b"] }),
    'b operation: security changed from [{"oauth":["a"]}] to [{"oauth":["a","b"]}]',
  ],
];

Deno.test("operations: parameters, bodies, responses and security", () => {
  for (const [before, after, line] of operationRows) {
    const expected = line === "" ? [] : [`${line.slice(0, 2)}POST /api/events: ${line.slice(2)}`];
    const name = `${JSON.stringify(before)} ${JSON.stringify(after)}`;
    assertEquals(diff(documentOf(before), documentOf(after)), expected, name);
  }
});

Deno.test("documents: operations, names of path parameters, schemes and servers", () => {
  const get = (path: string, name = "id") => ({
    ...info,
    paths: { [path]: { get: { parameters: [{ name, in: "path", required: true }] } } },
  });
  const scheme = (scheme: string) => ({
    ...info,
    components: { securitySchemes: { a: { type: "http", scheme } } },
  });
  const rows: readonly (readonly [unknown, unknown, readonly string[]])[] = [
    [get("/a"), info, ["b GET /a: operation was removed"]],
    [info, get("/a"), ["c GET /a: operation is new"]],
    [get("/a/{id}"), get("/a/{slug}", "slug"), []],
    [scheme("basic"), scheme("bearer"), ["b security a: scheme changed from basic to bearer"]],
    [scheme("basic"), info, ["n security a was removed"]],
    [{ ...info, servers: [1] }, { ...info, servers: [2] }, [
      "n document: servers changed from [1] to [2]",
    ]],
    [info, { ...info, webhooks: {} }, ["b document: webhooks changed from – to {}"]],
  ];
  for (const [before, after, expected] of rows) assertEquals(diff(before, after), expected);
});

Deno.test("a change of a shared schema is reported in one line", () => {
  const ref = { $ref: "#/components/schemas/Tree" };
  const shared = (leaf: unknown, path: string) => ({
    ...info,
    paths: Object.fromEntries(
      ["/a", "/b", "/c", "/d", path].map((path) => [path, {
        get: { responses: { 200: { content: content(list(ref)) } } },
        ...(path === "/a" ? { post: { requestBody: { content: content(ref) } } } : {}),
      }]),
    ),
    components: {
      schemas: {
        // A schema that contains itself.
        Tree: object({ leaf, left: ref, others: { anyOf: [ref, { type: "null" }] } }),
      },
    },
  });
  assertEquals(diff(shared(text, "/e"), shared(text, "/e")), []);
  assertEquals(diff(shared(whole, "/e"), shared({ type: "number" }, "/e")), [
    "b Tree.leaf: type changed from integer to number",
  ]);
  assertEquals(diff(shared({ type: "number" }, "/e"), shared(whole, "/e")), [
    "b Tree.leaf: type changed from number to integer",
  ]);
  // Below a keyword that is not compared, a difference counts in both directions.
  const negated = (type: string) =>
    documentOf({ requestBody: { content: content({ not: ref }) } }, { Tree: { type } });
  assertEquals(diff(negated("integer"), negated("number")), [
    "b Tree: type changed from integer to number",
  ]);
});

Deno.test("malformed documents are compared or refused without a crash", () => {
  const nest = (leaf: unknown, levels: number): unknown => {
    let schema = leaf;
    for (let level = 0; level < levels; level++) schema = list(schema);
    return schema;
  };
  const own = { $ref: "#/components/schemas/A" };
  const ring = (to: string) =>
    documentOf({ requestBody: { content: content(own) } }, {
      A: { $ref: `#/components/schemas/${to}` },
      B: { $ref: "#/components/schemas/A" },
    });
  const rows: readonly (readonly [unknown, unknown, boolean])[] = [
    [undefined, null, false],
    [{ paths: [], components: 7 }, { paths: { "/a": { get: 1 } } }, false],
    [asRequest(nest(text, 50_000)), asRequest(text), true],
    [asRequest(nest(whole, 200)), asRequest(nest(text, 200)), true],
    [ring("A"), ring("B"), false],
    // A schema that contains itself twice, compared with one that is not shared.
    [
      documentOf({ requestBody: { content: content(own) } }, {
        A: { items: own, additionalProperties: own },
      }),
      asRequest({}),
      true,
    ],
  ];
  for (const [before, after, isBreaking] of rows) {
    const changes = compareDocuments(before, after);
    assertEquals(changes.some(({ level }) => level === "breaking"), isBreaking);
  }
});

Deno.test("changes are problems: breaking changes are errors and notices are warnings", () => {
  const changes = compareDocuments(
    asRequest(object({ a: {}, b: text })),
    asRequest(object({ b: { ...text, deprecated: true }, c: {}, d: {} }, ["c"])),
  );
  const place = { file: "openapi.json" };
  for (const language of ["en", "pt"] as const) {
    const problems = changeProblems(changes, messagesIn(language), place);
    assertEquals(problems.map(({ code, severity, fix }) => [code, severity, fix === undefined]), [
      ["breaking_change", "error", false],
      ["api_change", "warning", false],
      ["api_change", "warning", false],
      ["api_change", "info", true],
    ]);
  }
});
