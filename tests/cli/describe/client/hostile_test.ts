// test: child, formats, lints and type-checks what was written
import { assert, assertEquals } from "@std/assert";
import { writeClient } from "../../../../cli/describe/client/write_client.ts";
import { makeKeptFolder } from "../../../kept_folder.ts";

const deno = async (dir: string, ...args: string[]): Promise<string> => {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: dir,
    env: { NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  return success ? "" : (decoder.decode(stdout) + decoder.decode(stderr)).slice(0, 3000);
};

const names = [
  "constructor",
  "__proto__",
  "delete",
  "then",
  "toString",
  "hasOwnProperty",
  "a b",
  "a-b",
  "a_b",
  "aB",
  "1st",
  "",
  "*/ alert(1) //",
  '"; throw 1; "',
  "`${1}`",
  "</script>",
  "\\",
  "line\nbreak\u2028\u2029\r",
  "\ud800",
  "\u202eevil",
  "ção",
  "日本",
  "😀",
  "Response",
  "Promise",
  "Record",
  "Client",
  "ApiError",
  "CreateAInput",
  "class",
  "string",
  "undefined",
  "x".repeat(60),
];

const problem = { description: "x", content: { "application/json": { schema: true } } };

function hostileDocument(): unknown {
  const schemas: [string, unknown][] = names.map((name, at) => [name, {
    type: "object",
    title: name,
    description: `${name}\n@module\n*/ export const evil = 1; /*`,
    required: names,
    properties: Object.fromEntries(
      names.map((each, index) => [each, shapes[(at + index) % shapes.length]]),
    ),
  }]);
  const operations = names.map((name, at) => [
    `/${encodeURIComponent(`p${at}`)}/{${name.replaceAll(/[{}]/g, "") || "e"}}`,
    {
      get: {
        operationId: name,
        summary: name,
        description: `*/ ${name}`,
        parameters: names.slice(at % 9).map((each) => ({
          name: each,
          in: "query",
          schema: { type: "string" },
        })),
        responses: { 200: problem, [`${name}`]: problem },
      },
      post: {
        operationId: name,
        requestBody: { content: { [name]: { schema: shapes[at % shapes.length] } } },
        responses: { 200: { description: name, content: { [name]: {} } } },
      },
      trace: { operationId: "trace", responses: {} },
    },
  ]);
  return {
    openapi: "3.1.0",
    info: { title: "*/ evil\n\u2028", version: "`" },
    servers: [{ url: 'https://x.example/"; evil; "' }],
    paths: Object.fromEntries(operations),
    components: {
      schemas: Object.fromEntries([
        ...schemas,
        ["Self", { $ref: "#/components/schemas/Self" }],
        ["Ring1", { anyOf: [{ $ref: "#/components/schemas/Ring2" }, { type: "null" }] }],
        ["Ring2", { allOf: [{ $ref: "#/components/schemas/Ring1" }] }],
        ["Tree", { type: "array", items: { $ref: "#/components/schemas/Tree" } }],
        ["Map", { additionalProperties: { $ref: "#/components/schemas/Map" } }],
        ["Deep", deep(2000)],
        ["Part", { $ref: "#/components/schemas/Tree/items" }],
        ["create_a", { type: "null" }],
      ]),
    },
  };
}

const shapes: readonly unknown[] = [
  true,
  false,
  {},
  null,
  7,
  [],
  "text",
  { type: "string", enum: ["*/", '"', "\\", "\u2028", null, 1, -1, 1e21, true, {}, []] },
  { enum: [] },
  { const: { a: 1 } },
  { type: ["string", "null", "integer", "nothing"], format: "int64" },
  { type: "array", prefixItems: [{ type: "string" }, { enum: [1, 2] }], items: false, minItems: 1 },
  { type: "array", items: { oneOf: [{ type: "object", properties: { a: {} } }, { const: "b" }] } },
  { type: "array", items: { type: "array", items: { enum: names } } },
  { allOf: [{ type: "object", properties: { a: { const: 1 } } }, { oneOf: [{ const: 2 }, {}] }] },
  {
    oneOf: [{ const: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" }, {
      const: "bbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
    }],
  },
  { anyOf: [{ allOf: [{ $ref: "#/components/schemas/a b" }, { properties: { a: {} } }] }, {}] },
  {
    anyOf: [{ allOf: [{ $ref: "#/components/schemas/a b" }, { properties: { a: {} } }] }, {
      const: 1,
    }],
  },
  { type: "object", additionalProperties: { enum: names } },
  { type: "object", additionalProperties: false },
  { $ref: "#/components/schemas/__proto__" },
  { $ref: "#/components/schemas/Ring1" },
];

function deep(levels: number): unknown {
  let schema: unknown = { type: "string" };
  for (let level = 0; level < levels; level++) schema = { type: "array", items: schema };
  return schema;
}

Deno.test("what hostile names give formats, lints, type-checks and holds no code of theirs", async () => {
  const outcome = writeClient(hostileDocument());
  assert(outcome.ok, JSON.stringify(outcome));
  const { path: dir, release } = await makeKeptFolder("hostile_client");
  try {
    await Deno.writeTextFile(
      `${dir}/deno.json`,
      JSON.stringify({
        compilerOptions: {
          strict: true,
          erasableSyntaxOnly: true,
          exactOptionalPropertyTypes: true,
          noFallthroughCasesInSwitch: true,
          noImplicitOverride: true,
          noImplicitReturns: true,
          noUncheckedIndexedAccess: true,
          noUnusedLocals: true,
          noUnusedParameters: true,
          verbatimModuleSyntax: true,
        },
        lint: { rules: { include: ["no-non-null-assertion", "explicit-function-return-type"] } },
      }),
    );
    // Without the lines that tell the tools to pass the file over.
    const text = outcome.text.split("\n").filter((line) => !line.startsWith("// deno-")).join("\n");
    await Deno.writeTextFile(`${dir}/client.ts`, text);
    assertEquals(await deno(dir, "fmt", "--check", "client.ts"), "");
    assertEquals(await deno(dir, "lint", "client.ts"), "");
    const empty = writeClient({
      openapi: "3.1.0",
      info: { title: "x" },
      paths: { x: 1, "/y": 2 },
    });
    assert(empty.ok);
    await Deno.writeTextFile(`${dir}/empty.ts`, empty.text);
    assertEquals(await deno(dir, "check", "client.ts", "empty.ts"), "");
    const module = await import(`file://${dir}/client.ts`);
    assertEquals(Object.keys(module).sort(), [
      "ApiError",
      "createClient",
      "createStatusClient",
      "isApiError",
    ]);
    const client = module.createClient({ baseUrl: "http://localhost" });
    assertEquals(Object.getPrototypeOf(client), Object.prototype);
    assertEquals(Object.keys(client).length, names.length * 2);
  } finally {
    await release();
  }
});

Deno.test("a value that is no document, or asks for too much, gives faults", () => {
  const info = { openapi: "3.1.0", info: {} };
  const big = { type: "object", properties: Object.fromEntries(names.map((name) => [name, {}])) };
  const rows: readonly [unknown, RegExp][] = [
    [undefined, /no JSON object/],
    [null, /no JSON object/],
    [[], /no JSON object/],
    ["text", /no JSON object/],
    [{}, /no "openapi"/],
    [Object.create({ openapi: "3.1.0" }), /no "openapi"/],
    [{ swagger: "2.0" }, /no "openapi"/],
    [{ openapi: "2.0.0" }, /version/],
    [{ openapi: "3.10.0" }, /version/],
    [{ ...info, components: { schemas: { A: { $ref: "other.json#/A" } } } }, /other\.json/],
    [
      { ...info, components: { schemas: { A: { $ref: "#/components/schemas/B" } } } },
      /nothing is at/,
    ],
    [{ ...info, components: { schemas: { A: { $ref: "#/%E0%A4%A" } } } }, /nothing is at/],
    [
      {
        ...info,
        components: { parameters: { Big: { name: "q", in: "query", schema: big } } },
        paths: Object.fromEntries(
          Array.from({ length: 9000 }, (_, at) => [
            `/p${at}`,
            { get: { parameters: [{ $ref: "#/components/parameters/Big" }], responses: {} } },
          ]),
        ),
      },
      /more schemas/,
    ],
    [
      {
        ...info,
        paths: Object.fromEntries(
          Array.from({ length: 10_001 }, (_, at) => [`/p${at}`, { get: { responses: {} } }]),
        ),
      },
      /operations/,
    ],
  ];
  for (const [document, fault] of rows) {
    const outcome = writeClient(document);
    assert(!outcome.ok && fault.test(outcome.faults.join("\n")), JSON.stringify(outcome));
  }
});
