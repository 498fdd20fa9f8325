import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { cpuMs } from "../cpu_time.ts";

const render = (document: unknown, options: ui.ApiReferenceOptions = {}): string =>
  h.render(ui.apiReference(document, options));

const documentOf = (path: string, operations: unknown, more: Record<string, unknown> = {}) => ({
  openapi: "3.1.0",
  info: { title: "x", version: "1" },
  paths: { [path]: operations },
  ...more,
});

const forms = (html: string): string[] => html.match(/<form[\s\S]*?<\/form>/g) ?? [];

Deno.test("an operation that a form can send has one, and no other", () => {
  const body = (type: string) => ({
    requestBody: {
      content: { [type]: { schema: { type: "object", properties: { a: { type: "string" } } } } },
    },
  });
  const inPath = (more = {}) => ({
    parameters: [{ name: "id", in: "path", required: true, schema: {}, ...more }],
  });
  const header = { parameters: [{ name: "x", in: "header", required: true, schema: {} }] };
  const optional = { parameters: [{ name: "x", in: "header", schema: {} }] };
  const schemes = {
    components: {
      securitySchemes: {
        cookie: { type: "apiKey", in: "cookie", name: "s" },
        bearer: { type: "http", scheme: "bearer" },
      },
    },
  };
  const rows: readonly [string, string, unknown, boolean, Record<string, unknown>?][] = [
    ["get", "/a", { get: {} }, true],
    ["get with a value in the path", "/a/{id}", { get: inPath() }, true],
    ["get with the rest of the path", "/a/{id}", { get: inPath({ "x-catch-all": true }) }, false],
    ["get with a value that is not described", "/a/{id}", { get: {} }, false],
    ["delete with a value in the path", "/a/{id}", { delete: inPath() }, false],
    ["get with a required header", "/a", { get: header }, false],
    ["get with an optional header", "/a", { get: optional }, true],
    ["post without a body", "/a", { post: {} }, true],
    ["post of fields", "/a", { post: body("application/x-www-form-urlencoded") }, true],
    ["post of files", "/a", { post: body("multipart/form-data") }, true],
    ["post of JSON", "/a", { post: body("application/json") }, false],
    ["put", "/a", { put: body("multipart/form-data") }, false],
    ["delete", "/a", { delete: {} }, false],
    ["with a cookie", "/a", { get: { security: [{ cookie: [] }] } }, true, schemes],
    ["with a token", "/a", { get: { security: [{ bearer: [] }] } }, false, schemes],
    ["with either", "/a", { get: { security: [{ bearer: [] }, { cookie: [] }] } }, true, schemes],
    ["with or without", "/a", { get: { security: [{ bearer: [] }, {}] } }, true, schemes],
  ];
  for (const [name, path, operations, has, more] of rows) {
    assertEquals(forms(render(documentOf(path, operations, more))).length, has ? 1 : 0, name);
  }
  assertEquals(forms(render(documentOf("/a", { get: {} }), { forms: false })), []);
});

Deno.test("the fields of a form fit their schemas", () => {
  const parameters = [
    { name: "q", in: "query", required: true, schema: { type: "string", maxLength: 80 } },
    { name: "page", in: "query", schema: { type: "integer", minimum: 1, maximum: 9 } },
    { name: "ratio", in: "query", schema: { type: "number" } },
    { name: "on", in: "query", schema: { type: "string", format: "date" } },
    { name: "free", in: "query", schema: { type: "boolean" } },
    { name: "kind", in: "query", schema: { $ref: "#/components/schemas/Kind" } },
    { name: "f", in: "query", style: "deepObject", schema: { properties: { from: {} } } },
  ];
  const [form = ""] = forms(
    render(documentOf("/a", { get: { parameters } }, {
      components: { schemas: { Kind: { enum: ["a", "b"] } } },
    })),
  );
  for (
    const part of [
      'action="/a"',
      'name="q" required maxlength="80"',
      'type="number" name="page" min="1" max="9"',
      'step="any"',
      'type="date" name="on"',
      '<select class="ui-input ui-select" name="free"',
      '<option value="b">b</option>',
      'name="f[from]"',
      '<label class="ui-label" for="api-1-field-1">q</label>',
    ]
  ) {
    assertStringIncludes(
      form.replaceAll(/ id="[^"]*"/g, "").replaceAll(/type="text" /g, ""),
      part.replaceAll(/ id="[^"]*"/g, ""),
    );
  }
});

Deno.test("a value of the path has a field without a name, for the kit's script", () => {
  const parameters = [
    { name: "id", in: "path", required: true, schema: { type: "integer" } },
    { name: "slug", in: "path", required: true, schema: { type: "string" } },
  ];
  const [form = ""] = forms(
    render(documentOf("/a/{id}/{slug}", { get: { parameters } }), { baseUrl: "/app" }),
  );
  assertStringIncludes(form, 'data-ui-path="/app/a/{id}/{slug}"');
  assertStringIncludes(form, 'data-ui-name="{id}" required');
  assertStringIncludes(form, 'data-ui-name="{slug}" required');
  assert(!/ name=/.test(form));
});

Deno.test("the token stays on the site", () => {
  const document = documentOf("/a", { post: {} }, { servers: [{ url: "https://other.example" }] });
  const csrf = h.input(h.type("hidden"), h.name("_csrf"), h.value("token"));
  const rows: readonly [string | undefined, boolean][] = [
    [undefined, true],
    ["", true],
    ["/app", true],
    ["https://other.example", false],
    ["//other.example", false],
    ["/\\other.example", false],
    ["\\\\other.example", false],
    // Browsers remove tabs and line breaks from a URL.
    ["/\t/other.example", false],
    ["/\n\\other.example", false],
  ];
  for (const [baseUrl, has] of rows) {
    const html = render(document, { csrf, ...(baseUrl === undefined ? {} : { baseUrl }) });
    assertEquals(html.includes("token"), has, String(baseUrl));
  }
  assert(!render(documentOf("/a", { get: {} }), { csrf }).includes("token"));
});

for (const path of ["//other.example/", "/\\other.example", "/\t/other.example", "/\r\n/other"]) {
  Deno.test(`a path that leads to another site has no form: ${JSON.stringify(path)}`, () => {
    assertEquals(forms(render(documentOf(path, { get: {}, post: {} }))), []);
    const servers = [{ url: path }];
    assertStringIncludes(render(documentOf("/a", { post: {} }, { servers })), 'action="/a"');
  });
}

const self = { $ref: "#/components/schemas/Self" };

const exploding: readonly (readonly [string, unknown])[] = [
  [
    "members that are itself",
    {
      type: "object",
      properties: Object.fromEntries(Array(16).fill(self).map((each, at) => [at, each])),
    },
  ],
  ["parts that are itself", { allOf: Array(60).fill(self) }],
];

for (const [name, schema] of exploding) {
  Deno.test(`a schema of ${name} makes a small page in under 200 ms`, () => {
    const content = { "application/x-www-form-urlencoded": { schema: self } };
    const body = { post: { requestBody: { content } } };
    const document = documentOf("/a", body, { components: { schemas: { Self: schema } } });
    const startMs = cpuMs();
    const html = render(document);
    assert(cpuMs() - startMs < 200);
    assert(html.length < 500_000, String(html.length));
  });
}

Deno.test("a form that many operations refer to is shown until the page is full", () => {
  const properties = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`p${at}`, {}]));
  const post = { requestBody: { $ref: "#/components/requestBodies/All" } };
  const content = { "multipart/form-data": { schema: { type: "object", properties } } };
  const html = render({
    openapi: "3.1.0",
    paths: Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`/p${at}`, { post }])),
    components: { requestBodies: { All: { content } } },
  }, { id: "a" });
  const count = forms(html).length;
  assert(count > 10 && count < 100, String(count));
});

Deno.test("a schema that is nested 20,000 deep is a page", () => {
  const deep: unknown = JSON.parse('{"items":'.repeat(20_000) + "{}" + "}".repeat(20_000));
  const html = render(documentOf("/a", {}, { components: { schemas: { Deep: deep } } }));
  assertStringIncludes(html, "Deep");
});

Deno.test("nothing of a hostile document is markup, and none of it throws", () => {
  const evil = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
  const names = [evil, "__proto__", "constructor", "javascript:alert(1)", "\u202e", ""];
  const schema = (depth: number): unknown => ({
    type: [evil, "object"],
    description: evil,
    enum: depth > 3 ? [evil, { a: evil }] : undefined,
    format: evil,
    pattern: evil,
    default: evil,
    properties: depth === 0
      ? {}
      : Object.fromEntries(names.map((name) => [name, schema(depth - 1)])),
    oneOf: [{ $ref: `#/components/schemas/${evil}` }, { $ref: evil }, { $ref: "#/a/%E0%A4%A" }, 7],
  });
  const operation = {
    tags: [evil],
    summary: evil,
    description: `${evil}\n\n[a](javascript:alert(1))`,
    deprecated: true,
    security: [{ [evil]: [evil] }, {}],
    parameters: names.map((name) => ({
      name,
      in: "query",
      description: evil,
      schema: schema(1),
      example: evil,
    })),
    requestBody: {
      content: { "multipart/form-data": { schema: schema(3), example: evil }, [evil]: {} },
    },
    responses: {
      [evil]: {
        description: evil,
        headers: { [evil]: { schema: schema(1) } },
        content: { [evil]: { schema: true } },
      },
    },
  };
  const html = render({
    openapi: evil,
    servers: [{ url: "javascript:alert(1)//" }],
    tags: [{ name: evil, description: evil }],
    paths: { [`/${evil}`]: { get: operation, post: operation, put: 3 }, "no slash": { get: {} } },
    components: {
      schemas: Object.fromEntries([
        ...names.map((name) => [name, schema(3)] as const),
        ["Self", { $ref: "#/components/schemas/Self" }],
        ["Tree", { properties: { tree: { $ref: "#/components/schemas/Tree" } } }],
      ]),
    },
  });
  for (const part of ["<script", "<img", 'href="javascript:', 'action="javascript:']) {
    assert(!html.includes(part), part);
  }
  const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  assertEquals(new Set(ids).size, ids.length);
  for (const [, target] of html.matchAll(/ href="#([^"]*)"/g)) assert(ids.includes(target), target);
  for (const value of [undefined, null, 7, "x", [], {}, { paths: [] }, { paths: { "/a": null } }]) {
    assertStringIncludes(render(value), '<div class="ui-api"');
  }
});

Deno.test("named schemas are shown once and linked, deep ones are closed", () => {
  const ref = { $ref: "#/components/schemas/Tree" };
  const html = render(
    documentOf("/a", {
      get: { responses: { 200: { content: { "application/json": { schema: ref } } } } },
    }, {
      components: {
        schemas: {
          Tree: {
            type: "object",
            required: ["left"],
            properties: {
              left: ref,
              all: { type: "array", items: ref },
              a: {
                type: "object",
                properties: {
                  b: {
                    type: "object",
                    properties: { c: { type: "object", properties: { d: {} } } },
                  },
                },
              },
            },
          },
        },
      },
    }),
  );
  assertEquals(html.match(/href="#api-schema-1"/g)?.length, 3);
  assertEquals(html.match(/id="api-schema-1"/g)?.length, 1);
  assertStringIncludes(html, "array&lt;<a");
  assertStringIncludes(html, "<details><summary>object</summary>");
});

const errorOf = (description: string) => ({
  description,
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
});
const problemSchema = { Problem: { type: "object" } };

Deno.test("a response that operations refer to, and equal errors, are shown once and linked", () => {
  const ok = { description: "Done", content: { "application/json": { schema: {} } } };
  const of = (more: Record<string, unknown>) => ({
    responses: { 200: ok, 401: errorOf("Not signed in"), ...more },
  });
  const html = render({
    openapi: "3.1.0",
    paths: {
      "/a": { get: of({ 404: { $ref: "#/components/responses/Missing" } }) },
      "/b": { get: structuredClone(of({ 404: { $ref: "#/components/responses/Missing" } })) },
      "/c": { get: structuredClone(of({ 404: errorOf("No such page") })) },
    },
    components: { schemas: problemSchema, responses: { Missing: errorOf("No such book") } },
  });
  const count = (text: string) => html.split(text).length - 1;
  // Two shared ones, and the one that a single operation has.
  assertEquals(count("<code>application/problem+json</code>"), 3);
  assertEquals(count("<code>application/json</code>"), 3);
  assertEquals(count('id="api-shared-1"'), 1);
  assertEquals(html.match(/<a href="#api-shared-\d">Not signed in<\/a>/g)?.length, 3);
  assertEquals(html.match(/<a href="#api-shared-\d">No such book<\/a>/g)?.length, 2);
});

Deno.test("what thousands of operations refer to is written once", () => {
  const text = "x".repeat(10_000);
  const post = {
    requestBody: { $ref: "#/components/requestBodies/Long" },
    responses: {
      200: { $ref: "#/components/responses/Long" },
      204: { $ref: "#/components/responses/Text" },
    },
  };
  const long = { description: text, content: { "text/plain": { example: text } } };
  const html = render({
    openapi: "3.1.0",
    paths: Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`/p${at}`, { post }])),
    components: {
      requestBodies: { Long: long },
      responses: { Long: { ...long }, Text: { description: text } },
    },
  }, { forms: false });
  assert(html.length < 4_000_000, String(html.length));
});

Deno.test("a response that holds itself is shown", () => {
  const content: Record<string, unknown> = { "text/plain": { example: "x" } };
  const error: Record<string, unknown> = { description: "Itself", content };
  error["self"] = error;
  const html = render(documentOf("/a", {
    get: { responses: { 404: error } },
    put: { responses: { 404: error } },
  }));
  assertEquals(html.match(/>Itself<\/a>/g)?.length, 2);
});

Deno.test("a document of 500 operations renders in under 100 ms", () => {
  const document = {
    openapi: "3.1.0",
    paths: Object.fromEntries(
      Array.from({ length: 250 }, (_, at) => [`/api/things${at}`, {
        get: {
          tags: [`Tag ${at % 20}`],
          summary: `Lists things ${at}`,
          parameters: Array.from({ length: 5 }, (_, each) => ({
            name: `p${each}`,
            in: "query",
            description: "What it is for.",
            schema: { type: "integer", minimum: 1 },
          })),
          responses: {
            200: {
              description: "Done",
              content: { "application/json": { schema: { $ref: `#/components/schemas/S${at}` } } },
            },
            default: {
              description: "Problem",
              content: {
                "application/problem+json": { schema: { $ref: "#/components/schemas/S0" } },
              },
            },
          },
        },
        post: {
          tags: [`Tag ${at % 20}`],
          summary: `Creates thing ${at}`,
          requestBody: {
            content: { "application/json": { schema: { $ref: `#/components/schemas/S${at}` } } },
          },
          responses: { 201: { description: "Done" } },
        },
      }]),
    ),
    components: {
      schemas: Object.fromEntries(
        Array.from({ length: 250 }, (_, at) => [`S${at}`, {
          type: "object",
          properties: Object.fromEntries(
            Array.from({ length: 8 }, (_, each) => [`m${each}`, { type: "string", maxLength: 80 }]),
          ),
        }]),
      ),
    },
  };
  render(document);
  const times = Array.from({ length: 5 }, () => {
    const startedMs = cpuMs();
    assert(render(document).length > 500_000);
    return cpuMs() - startedMs;
  });
  const best = Math.min(...times);
  assert(best < 100, `${best} ms of CPU`);
});
