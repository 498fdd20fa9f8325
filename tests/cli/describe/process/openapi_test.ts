import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { basename, join, toFileUrl } from "@std/path";
import { checkDocument } from "../../../../cli/check/steps.ts";
import { describeApi } from "../../../../cli/describe/openapi/describe.ts";
import { createProject } from "../../../../cli/project/project.ts";
import { inScratch, runCli, writeFiles } from "../../support.ts";
import {
  checkout,
  describeDocument,
  describeFiles,
  inApp,
  manifest,
  tortureRoot,
} from "../openapi_app.ts";

Deno.test("openapi: the document for all types and schemas equals the reviewed one", async () => {
  const { document, problems } = await describeApi(createProject(tortureRoot));
  assertEquals(problems, []);
  const written = await Deno.readTextFile(join(tortureRoot, "openapi.json"));
  assertEquals(`${JSON.stringify(document, null, 2)}\n`, written);
});

const head = 'import type { Ctx } from "@fw/fw";\n';

Deno.test("openapi: a type without a declaration is an error with file, handler and place", async () => {
  const { document, problems } = await describeFiles({
    "app/api/a/route.ts": `${head}export function GET(c: Ctx): Response {
  const value: any = JSON.parse("1");
  return c.json(200, value);
}
`,
    "app/api/b/route.ts": `${head}export function GET(c: Ctx): Response {
  const row: { items: { owner: unknown }[] } = { items: [] };
  return c.json(200, row);
}
`,
    "app/api/c/route.ts": `${head}/**
 * Names nothing.
 *
 * openapi:response 200 Nowhere
 * openapi:respnse 200
 * openapi:query page
 * openapi:query sort "name" | "age"
 * openapi:body
 * openapi:body "${"(".repeat(300_000)}
 */
export function GET(c: Ctx): Response {
  return c.json(Number(c.query("s")), {});
}
`,
  });
  assertEquals(document, undefined);
  assertEquals(
    problems.map(({ code, place }) => `${place?.file}:${place?.line} ${code}`),
    [
      "app/api/a/route.ts:4 E_OPENAPI_TYPE",
      "app/api/b/route.ts:4 E_OPENAPI_TYPE",
      "app/api/c/route.ts:5 E_OPENAPI_TYPE",
      "app/api/c/route.ts:6 E_OPENAPI_DIRECTIVE",
      "app/api/c/route.ts:7 E_OPENAPI_DIRECTIVE",
      "app/api/c/route.ts:8 E_OPENAPI_DIRECTIVE",
      "app/api/c/route.ts:9 E_OPENAPI_DIRECTIVE",
      "app/api/c/route.ts:10 E_OPENAPI_DIRECTIVE",
      "app/api/c/route.ts:13 E_OPENAPI_STATUS",
    ],
  );
  assertStringIncludes(problems[0]?.message ?? "", "GET /api/a in app/api/a/route.ts");
  assertStringIncludes(
    problems[1]?.message ?? "",
    'of the type unknown in the response 200, at "items[].owner"',
  );
  assert(problems.every(({ fix }) => fix !== undefined));
});

Deno.test("openapi: the fields of a list in a form are named by number", async () => {
  const document = await describeDocument({
    "lib/order.ts": `import { int, list, struct, text } from "@fw/fw";
const Item = struct({ sku: text("required"), sizes: list(int()) });
export const Order = struct({ note: text("required"), "a.b": list(Item), tags: list(text()) });
`,
    "app/api/a/route.ts": `import type { Ctx } from "@fw/fw";
import { Order } from "@/lib/order.ts";
export async function POST(c: Ctx): Promise<Response> {
  await c.bind(Order);
  return c.json(200, {});
}
`,
  });
  const content = document.paths["/api/a"]?.post?.requestBody?.content;
  const { schema } = content?.["application/x-www-form-urlencoded"] ?? {};
  const { properties, patternProperties, required } = schema ?? {};
  assertEquals([Object.keys(properties ?? {}), required], [["note"], ["note"]]);
  assertEquals(Object.entries(patternProperties ?? {}).map(([name, { type }]) => [name, type]), [
    [String.raw`^a\.b\.\d+\.sku$`, "string"],
    [String.raw`^a\.b\.\d+\.sizes\.\d+$`, "integer"],
    [String.raw`^tags\.\d+$`, "string"],
  ]);
});

Deno.test("openapi: c.etag adds a 304 to reads only, and c.ifMatch a 412", async () => {
  const handler = (method: string): string =>
    `export function ${method}(c: Ctx): Response {\n` +
    '  c.ifMatch("a");\n  c.etag("a");\n  return c.json(200, {});\n}\n';
  const document = await describeDocument({
    "app/api/a/route.ts": head + ["GET", "PUT", "DELETE"].map(handler).join(""),
  });
  const operations = Object.entries(document.paths["/api/a"] ?? {});
  assertEquals(operations.map(([method, { responses }]) => [method, ...Object.keys(responses)]), [
    ["get", "200", "304", "412", "default"],
    ["put", "200", "412", "413", "default"],
    ["delete", "200", "412", "default"],
  ]);
});

Deno.test("openapi: c.download has the media type of its options", async () => {
  const document = await describeDocument({
    "app/a/route.ts": `${head}
export const GET = (c: Ctx) => c.download("a.csv", { type: "text/csv; charset=utf-8" });
export const POST = (c: Ctx) => c.download("a.bin");
`,
  });
  const { get, post } = document.paths["/a"] ?? {};
  const types = [get, post].map((each) => Object.keys(each?.responses["200"]?.content ?? {}));
  assertEquals(types, [["text/csv"], ["*/*"]]);
});

Deno.test("openapi: token guards require a token in their scheme", async () => {
  const document = await describeDocument({
    "lib/tokens.ts": `import { createTokens } from "@fw/fw/auth";
export const tokens = createTokens();
export const keys = createTokens({ stored: true, scheme: "Api-Key" });
`,
    "app/api/a/middleware.ts": `import { tokens } from "@/lib/tokens.ts";
export const Middleware = tokens.requireScope("loans:read");
`,
    "app/api/a/route.ts": `${head}export function GET(c: Ctx): Response {
  return c.json(200, { in: true });
}
`,
    "app/api/b/route.ts": `${head}import { tokens } from "@/lib/tokens.ts";
export async function GET(c: Ctx): Promise<Response> {
  return c.json(200, { subject: (await tokens.require(c)).subject });
}
`,
    "app/api/c/middleware.ts": `import { keys } from "@/lib/tokens.ts";
export const Middleware = keys.require;
`,
    "app/api/c/route.ts": `${head}export function GET(c: Ctx): Response {
  return c.json(200, { in: true });
}
`,
  });
  const read = (path: string): readonly unknown[] => {
    const operation = document.paths[path]?.get;
    return [operation?.security, Object.keys(operation?.responses ?? {})];
  };
  const security = [{ bearer: [] }];
  assertEquals(read("/api/a"), [security, ["200", "401", "403", "default"]]);
  assertEquals(read("/api/b"), [security, ["200", "401", "default"]]);
  assertEquals(read("/api/c"), [[{ "api-key": [] }], ["200", "401", "default"]]);
  assertEquals(document.components?.securitySchemes, {
    "api-key": { type: "http", scheme: "api-key" },
    bearer: { type: "http", scheme: "bearer" },
  });
});

const computed = `import { struct, text } from "@fw/fw";
const fields = ["a"];
export const Body = struct(Object.fromEntries(fields.map((name) => [name, text("required")])));
`;
const post = `import type { Ctx } from "@fw/fw";
import { Body } from "../../lib/body.ts";
export async function POST(c: Ctx): Promise<Response> {
  await c.bindJson(Body);
  return c.noContent();
}
`;

Deno.test("openapi: a schema that the application refuses is described by its type, with a warning", async () => {
  const route = `import { type Ctx, struct, text } from "@fw/fw";
const Body = struct({ ["__proto__"]: text() });
export async function POST(c: Ctx) {
  await c.bindJson(Body);
  return c.noContent();
}
`;
  const { document, problems } = await describeFiles({ "app/api/route.ts": route });
  assertEquals(problems.map(({ code }) => code), ["E_OPENAPI_SCHEMA"]);
  assertEquals(Object.keys(document?.paths ?? {}), ["/api"]);
});

// Each would leave a trace outside the process, or wait forever.
const hostile: readonly [name: string, code: string][] = [
  ["writes a file", 'Deno.writeTextFileSync("written.txt", "x");\n'],
  ["runs a program", 'await new Deno.Command("true").output();\n'],
  ["uses the network", 'await fetch("http://127.0.0.1:9");\n'],
  ["reads outside the project", 'Deno.readTextFileSync("/etc/hostname");\n'],
];

Deno.test("openapi: a computed schema is evaluated without permissions and custom rules", async () => {
  // A module that reads a variable while loading gets none.
  const reads = 'if (Deno.env.get("HOME") !== undefined) throw new Error("a variable");\n';
  const rule = 'import { addRule } from "@fw/fw";\naddRule("iban" as never, () => true);\n';
  const body = rule + computed.replace("required", "required,iban") + reads;
  const document = await describeDocument({ "lib/body.ts": body, "app/api/route.ts": post });
  assertEquals(document.components.schemas["Body"]?.["required"], ["a"]);
});

const unread: readonly [code: string, why: RegExp][] = [
  ['throw new Error("boom");', /: boom$/],
  ["Deno.exit(3);", /: a module ends the process with exit code 3$/],
  ["await new Promise(() => {});", /: its module never finishes loading$/],
];
for (const [code, why] of unread) {
  Deno.test(`openapi: the warning names why a schema cannot be read: ${code}`, async () => {
    const files = { "lib/body.ts": `${computed}${code}\n`, "app/api/route.ts": post };
    const { problems: [warning], document } = await describeFiles(files);
    assertMatch(warning?.message ?? "", why);
    assert(document !== undefined);
  });
}

Deno.test("openapi: a denied permission drops the rules of a module's schemas, with a warning", async () => {
  const files = Object.fromEntries(hostile.flatMap(([, code], index) => [
    [`lib/body${index}.ts`, computed + code],
    [
      `app/api/r${index}/route.ts`,
      post.replaceAll("../../lib/body.ts", `../../../lib/body${index}.ts`),
    ],
  ]));
  await inApp(files, async (root) => {
    const { document, problems } = await describeApi(createProject(root));
    assert(document !== undefined);
    assertEquals(
      problems.map(({ code, place }) => `${place?.file}:${place?.line} ${code}`),
      hostile.map((_, index) => `lib/body${index}.ts:3 E_OPENAPI_SCHEMA`),
    );
    const left = (await Array.fromAsync(Deno.readDir(root))).map(({ name }) => name);
    assert(!left.includes("written.txt"), "a module wrote a file");
  });
});

Deno.test("openapi: a project reads no file outside of its folder", () =>
  inScratch(async (folder) => {
    const secret = join(folder, "secret");
    const key = join(secret, "key.json");
    const netrc = join(secret, "netrc");
    await writeFiles(secret, {
      "key.json": '"s3cret"',
      "npm/key.json": '"s3cret"',
      netrc: "machine a password s3cret",
      "shared.ts": "export {};\n",
    });
    const workspace = join(folder, "workspace");
    await writeFiles(workspace, { "deno.json": '{ "workspace": [] }', ".env": "KEY=s3cret" });
    await writeFiles(join(folder, "linked"), {
      ".env": "KEY=s3cret",
      "key.json": '"s3cret"',
      "deno.json": '{ "name": "@own/linked", "version": "1.0.0", "exports": "./mod.ts" }',
      "mod.ts": "export {};\n",
    });
    // A clone may link any folder.
    await writeFiles(secret, { "deno.json": "{}" });
    const read = `Deno.readTextFileSync(${JSON.stringify(key)});\n`;
    const imported = (path: string, type = "json"): string =>
      `import key from ${JSON.stringify(path)} with { type: "${type}" };\nvoid key;\n`;
    // The error of an import quotes a file other than code.
    const quoted = (path: string): string =>
      `const quoted = await import(${JSON.stringify(path)}).catch(String);
if (!String(quoted).includes("s3cret")) throw new Error("unread");\n`;
    const readings: readonly (readonly [name: string, code: string, isRead: boolean])[] = [
      // Deno has no escape for the comma.
      [`a,${secret}`, read, false],
      ["app", read, false],
      ["app", imported(toFileUrl(key).href), false],
      ["app", imported("./link.json"), false],
      ["app", imported(`${toFileUrl(key).href}?/npm/`), false],
      ["app", imported(toFileUrl(join(secret, "npm/key.json")).href), false],
      ["app", `import "${toFileUrl(join(secret, "shared.ts")).href}#/node_modules/";\n`, false],
      ["app", imported("./own.json"), true],
      ["app", quoted(toFileUrl(netrc).href), false],
      ["app", quoted("./link"), false],
      ["app", `import ${JSON.stringify(toFileUrl(join(secret, "shared.ts")).href)};\n`, false],
      ["app", 'import "./link.ts";\n', false],
      ["app", imported("../../../linked/.env", "text"), false],
      ["app", imported("../../../linked/key.json"), false],
      ["app", quoted("../../../linked/.env"), false],
      ["app", imported("../../.env", "text"), false],
      ["app", 'import "jsr:@own/linked@1.0.0";\n', true],
    ];
    const links = [checkout, "../../linked", "../../secret"];
    for (const [name, code, isRead] of readings) {
      const root = `${workspace}/${name}`;
      await writeFiles(root, {
        "deno.json": JSON.stringify({ ...JSON.parse(manifest), links }),
        "lib/body.ts": computed + code,
        "lib/own.json": "1",
        "app/api/route.ts": post,
      });
      const shared = join(secret, "shared.ts");
      const targets = [["link.json", key], ["link", netrc], ["link.ts", shared]] as const;
      for (const [name, target] of targets) {
        await Deno.remove(join(root, "lib", name)).catch(() => {});
        await Deno.symlink(target, join(root, "lib", name));
      }
      const { problems } = await describeApi(createProject(root));
      assertEquals(problems.map(({ code }) => code), isRead ? [] : ["E_OPENAPI_SCHEMA"], code);
    }
  }));

Deno.test("openapi: the types of data outside of the project are unknown", async () => {
  const route = (path: string): string =>
    `import type { Ctx } from "@fw/fw";
import key from "${path}" with { type: "json" };
export const GET = (c: Ctx) => c.json(200, { key });
`;
  const { document } = await describeFiles({
    "../secret/key.json": '{ "s3cret": 1 }',
    "app/link.json": "-> ../../secret/key.json",
    "app/a/route.ts": route("../link.json"),
    "app/b/route.ts": route("../../../secret/key.json"),
  });
  assert(!JSON.stringify(document ?? {}).includes("s3cret"));
});

/** A definition in a few characters whose schema doubles with each level. */
const doubling = Array.from({ length: 60 }).reduce<string>(
  (inner, _, at) => `{"id":${at + 1},"kind":"struct","fields":[["a",${inner}],["b",{"id":${at}}]]}`,
  '{"id":0,"kind":"text","rules":""}',
);

const sayings = `null|5|"x"|[]|[null]|[5]|[{"fault":5}]|[{"schema":null}]|[{"def":null}]
[{"def":{"kind":"oops"}}]|[{"def":{"kind":"list"}}]
[{"def":${'{"kind":"list","item":'.repeat(20_000)}5${"}".repeat(20_000)}}]`;

Deno.test("openapi: any output of a module's process is a schema or a warning", async () => {
  const schema = `[{"def":${doubling}}]`;
  for (const said of [schema, ...sayings.split(/[|\n]/)]) {
    const body = `${computed}JSON.stringify = () => ${JSON.stringify(said)};\n`;
    const { document, problems } = await describeFiles({
      "lib/body.ts": body,
      "app/api/route.ts": post,
    });
    const wanted = said === schema ? [] : ["E_OPENAPI_SCHEMA"];
    assertEquals(problems.map(({ code }) => code), wanted, said.slice(0, 80));
    assert(document !== undefined);
  }
});

Deno.test("openapi: writes the file and checks it", async () => {
  const route = (extra: string): string =>
    `${head}/** Lists. */\nexport function GET(c: Ctx): Response {\n  return c.json(200, { n: 1${extra} });\n}\n`;
  await inApp({ "app/api/things/route.ts": route("") }, async (root) => {
    const missing = await runCli(["openapi", "--check"], { cwd: root });
    assertEquals(missing.code, 1);
    assertStringIncludes(missing.stderr, "E_OPENAPI_STALE: openapi.json is missing or out of date");
    const first = await runCli(["openapi"], { cwd: root });
    assertEquals(first.stdout, "Wrote openapi.json (operations: 1).\n");
    const document = JSON.parse(await Deno.readTextFile(join(root, "openapi.json")));
    assertEquals(document.info, { title: "shop", version: "1.2.3" });
    assertEquals((await runCli(["openapi", "--check"], { cwd: root })).code, 0);
    // The size differs, so the change is noticed within one tick of the clock.
    await Deno.writeTextFile(join(root, "app/api/things/route.ts"), route(", more: true"));
    const stale = await runCli(["openapi", "--check", "--json"], { cwd: root });
    const report = JSON.parse(stale.stdout);
    assertEquals([stale.code, report.ok, report.changed], [1, false, true]);
    assertEquals(report.problems[0].message, "openapi.json is missing or out of date");
    const step = async ({ fix = false } = {}): Promise<string[]> => {
      const signal = AbortSignal.timeout(60_000);
      const options = { fix, signal, isOwn: false, pages: root };
      const { problems } = await checkDocument(createProject(root), options);
      return problems.map(({ code }) => code);
    };
    assertEquals(await step(), ["E_OPENAPI_STALE"]);
    assertEquals([await step({ fix: true }), await step()], [[], []]);
    const printed = await runCli(["openapi", "-o", "-"], { cwd: root });
    assertEquals(JSON.parse(printed.stdout).openapi, "3.1.0");
    const elsewhere = await runCli(["openapi", "-o", "docs/api/v1.json"], { cwd: root });
    assertEquals(elsewhere.stdout, "Wrote docs/api/v1.json (operations: 1).\n");
  });
});

Deno.test("openapi: a directive names an export of its own file", async () => {
  const document = await describeDocument({
    "app/api/totals/route.ts": `${head}import { int, struct } from "@fw/fw";
export interface Totals {
  readonly count: number;
}
export type Names = { readonly names: readonly string[] };
export const Filter = struct({ most: int("max=9") });
/**
 * Counts.
 *
 * openapi:body Filter
 * openapi:response 200 Totals
 * openapi:response 201 Names
 */
export async function POST(c: Ctx): Promise<Response> {
  return await fetch(c.url);
}
`,
  });
  const { post } = document.paths["/api/totals"] ?? {};
  const schemaOf = (status: string) =>
    post?.responses[status]?.content?.["application/json"]?.schema;
  assertEquals(schemaOf("200"), { $ref: "#/components/schemas/Totals" });
  assertEquals(schemaOf("201"), { $ref: "#/components/schemas/Names" });
  assertStringIncludes(JSON.stringify(document.components.schemas["Filter"]), `"maximum":9`);
});

Deno.test("openapi: without a name in deno.json the title is that of the folder", async () => {
  const { name: _, ...unnamed } = JSON.parse(manifest);
  const route = `${head}/** Lists. */\nexport const GET = (c: Ctx): Response => c.text(200, "");\n`;
  const files = { "deno.json": JSON.stringify(unnamed), "app/api/things/route.ts": route };
  await inApp(files, async (root) => {
    const { document } = await describeApi(createProject(root));
    assertEquals(document?.info.title, basename(root));
  });
});

Deno.test("openapi: openapi:omit omits one operation only", async () => {
  const document = await describeDocument({
    "app/language/route.ts": `${head}export const Kind = "page";
/**
 * Switches the language.
 *
 * openapi:omit
 */
export const POST = (c: Ctx): Response => c.text(Number(c.query("s")), "");
/** Names the language. */
export function GET(c: Ctx): Response {
  return c.text(200, "en");
}
`,
    "app/cover/route.ts": `${head}/** openapi:omit It is a picture. */
export function GET(c: Ctx): Response {
  return c.text(200, "");
}
`,
  });
  assertEquals(Object.keys(document.paths ?? {}), ["/language"]);
  assertEquals(Object.keys(document.paths["/language"] ?? {}), ["get"]);
});

Deno.test("openapi: a response that is inferred from a schema keeps its integers and limits", async () => {
  const document = await describeDocument({
    "lib/books.ts": `import { date, float, type Infer, int, list, struct, text } from "@fw/fw";
const year = int("required,min=1450,max=2100");
export const BookInput = struct({
  title: text("required,max=80"),
  mail: text("email,min=5,max=40"),
  year,
  pages: int("min=1,max=9000"),
  level: int("min=0"),
  price: float("required,min=0.5"),
  sizes: list(int("required,min=2,max=9"), "max=3"),
  released: date(),
});
export type Book = Infer<typeof BookInput> & { readonly id: number; readonly rate: number };
export type Short = Omit<Book, "mail" | "sizes">;
export type Words = { readonly [Key in keyof Book]: string };
`,
    "app/api/books/route.ts":
      `${head}import type { Book, Short, Words } from "../../../lib/books.ts";
declare const book: Book;
declare const short: Short;
declare const words: Words;
export function GET(c: Ctx): Response {
  if (c.query("a") === "1") return c.json(202, words);
  if (c.query("a") === "2") return c.json(203, short);
  return c.json(200, book);
}
`,
  });
  const schemas: Record<string, Record<string, unknown>> = document.components.schemas ?? {};
  const year = { type: "integer", minimum: 1450, maximum: 2100 };
  const title = { type: "string", maxLength: 80, minLength: 1 };
  const shared = {
    title,
    year,
    // Without "required", 0 is a value.
    pages: { type: "integer", maximum: 9000 },
    level: { type: "integer", minimum: 0 },
    price: { type: "number", minimum: 0.5 },
    released: { type: ["string", "null"], format: "date-time" },
    id: { type: "number" },
    rate: { type: "number" },
  };
  assertEquals(schemas["Book"]?.["properties"], {
    ...shared,
    mail: { type: "string", maxLength: 40 },
    sizes: { type: "array", items: { type: "integer", maximum: 9 }, maxItems: 3 },
  });
  assertEquals(schemas["Short"]?.["properties"], shared);
  const words = schemas["Words"]?.["properties"] as Record<string, unknown> | undefined;
  assertEquals(words?.["year"], { type: "string" });
  assertEquals(words?.["title"], { type: "string" });
});

/** A platform class whose values JSON writes as `{}` or as an object of indexes. */
const unwritten = [
  "Set<string>",
  "Map<string, number>",
  "WeakMap<object, string>",
  ..."Uint8Array ArrayBuffer File Blob RegExp Promise<string> Headers URLSearchParams".split(" "),
  "Iterable<string>",
];

/** The type of a whole response that JSON omits. */
const wholly = ["symbol", "() => void", "typeof Date"];

Deno.test("openapi: a type that JSON cannot serialize is an error with its place", async () => {
  const values = [
    ...unwritten.map((type) => `const value: { a: { b: ${type} }[] } = JSON.parse("{}");`),
    ...wholly.map((type) => `const value = JSON.parse("{}") as ${type};`),
  ];
  const files = Object.fromEntries(values.map((value, index) => [
    `app/api/v${index}/route.ts`,
    `${head}export function GET(c: Ctx): Response {\n  ${value}\n  return c.json(200, value);\n}\n`,
  ]));
  const { problems } = await describeFiles(files);
  assertEquals(
    problems.map(({ code, place }) => `${code} ${place?.file}:${place?.line}`).sort(),
    Object.keys(files).map((file) => `E_OPENAPI_TYPE ${file}:4`).sort(),
  );
  const inner = problems.filter(({ message }) => message.includes('"a[].b"'));
  assertEquals(inner.length, unwritten.length);
});

const absent = { type: "null" };

/** The output of `JSON.stringify` for symbols, functions and `undefined`, by type. */
const leftOut: readonly [type: string, schema: Record<string, unknown>][] = [
  ["{ a: symbol; b: string }", { properties: { b: { type: "string" } }, required: ["b"] }],
  ["{ a: typeof Symbol.iterator; b: string }", {
    properties: { b: { type: "string" } },
    required: ["b"],
  }],
  ["{ a?: () => void; b: undefined; c: new () => Date; d: void }", {}],
  ["{ a: Function; b?: string | Function }", { properties: { b: { type: "string" } } }],
  ["{ a: string | symbol; b: number | (() => void) }", {
    properties: { a: { type: "string" }, b: { type: "number" } },
  }],
  ["{ [Symbol.iterator]: string; [name: string]: () => void }", {}],
  ["{ [name: string]: number | symbol }", { additionalProperties: { type: "number" } }],
];
const elements: readonly [type: string, items: unknown][] = [
  ["symbol[]", absent],
  ["(() => void)[]", absent],
  ["undefined[]", absent],
  ["Rows", { type: "string" }],
  ["RegExpMatchArray", { type: "string" }],
  ["(string | undefined)[]", { type: ["string", "null"] }],
  ["readonly (string | symbol)[]", { type: ["string", "null"] }],
  ["(string | null | (() => void))[]", { type: ["string", "null"] }],
  ["(7 | undefined)[]", { anyOf: [{ const: 7 }, absent] }],
];

Deno.test("openapi: describes symbols, functions and undefined as JSON serializes them", async () => {
  const members = [...leftOut, ...elements].map(([type], index) => `  m${index}: ${type};`);
  const document = await describeDocument({
    "app/api/route.ts": `${head}class Rows extends Array<string> {}
interface All {
${members.join("\n")}
  tuple: [string, symbol];
  tail: [...string[], number];
  none: [];
}
declare const all: All;
export function GET(c: Ctx): Response {
  return c.json(200, all);
}
`,
  });
  assertEquals(document.components.schemas["All"]?.["properties"], {
    ...Object.fromEntries(
      leftOut.map(([, schema], index) => [`m${index}`, { type: "object", ...schema }]),
    ),
    ...Object.fromEntries(elements.map(([, items], index) => [
      `m${leftOut.length + index}`,
      { type: "array", items },
    ])),
    tuple: {
      type: "array",
      prefixItems: [{ type: "string" }, absent],
      items: { not: {} },
      minItems: 2,
      maxItems: 2,
    },
    tail: {
      type: "array",
      items: { anyOf: [{ type: "string" }, { type: "number" }] },
      minItems: 1,
    },
    none: { type: "array", items: { not: {} }, minItems: 0, maxItems: 0 },
  });
});

Deno.test("openapi: describes private members and wrapped primitives as JSON serializes them", async () => {
  const document = await describeDocument({
    "app/api/route.ts": `${head}class Account {
  #secret = 1;
  private kept = "a";
  constructor(public name: string) {}
  accessor seen = 1;
  get shown(): string {
    return this.name + this.#secret + this.kept;
  }
}
class Scores extends Map<string, number> {
  total = 0;
}
class Oops extends Error {
  code = "x";
}
export function GET(c: Ctx): Response {
  return c.json(200, { account: new Account("x"), scores: new Scores(), oops: new Oops(), yes: Object(true) as Boolean, at: new Date() });
}
`,
  });
  assertEquals(document.components.schemas["Account"], {
    type: "object",
    properties: { kept: { type: "string" }, name: { type: "string" } },
    required: ["kept", "name"],
  });
  for (const [name, member, type] of [["Scores", "total", "number"], ["Oops", "code", "string"]]) {
    assertEquals(document.components.schemas[name ?? ""], {
      type: "object",
      properties: { [member ?? ""]: { type } },
      required: [member],
    });
  }
});

Deno.test("openapi: a generic type that expands endlessly is an error with its place", async () => {
  const { problems } = await describeFiles({
    "app/api/route.ts": `${head}interface Nested<T> {
  value: T;
  inner?: Nested<Nested<T>>;
}
interface Tree<T> {
  value: T;
  children: Tree<T>[];
}
export function GET(c: Ctx): Response {
  const value: { ok: Tree<string>; bad: Nested<string> } = JSON.parse("{}");
  return c.json(200, value);
}
`,
  });
  const places = new Set(
    problems.map(({ code, place }) => `${code} ${place?.file}:${place?.line}`),
  );
  assertEquals([...places], ["E_OPENAPI_TYPE app/api/route.ts:12"]);
  for (const { message } of problems) assertStringIncludes(message, '"bad.inner');
});

Deno.test("openapi: a guard redirects a browser with 302 for reads and 303 for writes", async () => {
  const document = await describeDocument({
    "lib/sessions.ts":
      'import { createSessions } from "@fw/fw/auth";\nexport const sessions = createSessions();\n',
    "app/admin/kind.ts": 'export const Kind = "page";\n',
    "app/admin/middleware.ts":
      'import { sessions } from "../../lib/sessions.ts";\nexport const Middleware = sessions.require;\n',
    "app/admin/route.ts": `${head}const reply = (c: Ctx) => c.json(200, { ok: true });
export const GET = reply;
export const POST = reply;
`,
  });
  const item = document.paths["/admin"];
  const redirects = (method: string): string[] =>
    Object.keys(item?.[method]?.responses ?? {}).filter((status) => status.startsWith("3"));
  assertEquals([redirects("get"), redirects("post")], [["302"], ["303"]]);
});

Deno.test("openapi: a schema is read from any place in the code, from other libraries too", async () => {
  const document = await describeDocument({
    "lib/other.js":
      `const jsonSchema = { input: () => ({ type: "object", properties: { a: {} } }) };
export const other = { made: () => ({ "~standard": { version: 1, vendor: "own", validate: () => ({ value: {} }), jsonSchema } }) };
`,
    "app/api/route.ts": `${head}import { int, struct, text } from "@fw/fw";
import { other } from "../../lib/other.js";
const Day = struct({ hours: int("max=24") });
export async function POST(c: Ctx) {
  const max = "max=7";
  await c.bindQuery(struct({ q: text(\`max=5\` as const) }));
  return c.json(200, await c.bindJson(struct({ Day, name: text("required") }).partial()) !== max);
}
export const PUT = async (c: Ctx) => c.json(200, await c.bindJson(other.made()) !== 1);
`,
  });
  const { post, put } = document.paths["/api"] ?? {};
  assertEquals(post?.parameters?.map(({ schema }) => schema["maxLength"]), [5]);
  const schemaOf = (operation: typeof post): unknown =>
    operation?.requestBody?.content["application/json"]?.schema;
  const { properties, required } = Object(schemaOf(post));
  assertEquals([Object.keys(properties), required], [["Day", "name"], undefined]);
  assertStringIncludes(JSON.stringify(properties), '"maximum":24');
  assertEquals(schemaOf(put), { $ref: "#/components/schemas/Input" });
});

Deno.test("openapi: a schema inside a function uses values of local names, or else their types", async () => {
  const { document, problems } = await describeFiles({
    "lib/circle.js": `const schema = { type: "object" };
schema.properties = { schema };
export const circle = { "~standard": { version: 1, vendor: "own", validate: () => ({ value: {} }), jsonSchema: { input: () => schema } } };
`,
    "app/api/route.ts": `${head}import { int, list, struct, text } from "@fw/fw";
import { circle } from "../../lib/circle.js";
const rules = "max=100";
const Body = struct({ name: text(rules) });
export async function POST(c: Ctx) {
  const rules = "max=5";
  const Item = struct({ name: text(rules) });
  return c.json(200, (await c.bindJson(struct({ items: list(Item, "max=2") }))).items.length);
}
const read = async (c: Ctx, Body: ReturnType<typeof made>) => (await c.bindJson(Body)).count;
const made = () => struct({ count: int("max=9") });
export const PUT = async (c: Ctx) => c.json(200, await read(c, made()));
export const PATCH = async (c: Ctx) => c.json(200, await c.bindJson(circle) !== 1);
export const DELETE = async (c: Ctx) => c.json(200, (await c.bindJson(Body)).name);
`,
  });
  const bodyOf = (method: "delete" | "post" | "put"): string =>
    JSON.stringify(document?.paths["/api"]?.[method]?.requestBody?.content);
  assertStringIncludes(bodyOf("post"), '"maxLength":5}');
  assertStringIncludes(bodyOf("post"), '"maxItems":2');
  assertStringIncludes(bodyOf("put"), '"count"');
  assertStringIncludes(bodyOf("delete"), "schemas/Body");
  const [body, circle, ...others] = problems.map(({ message }) => message);
  assertStringIncludes(body ?? "", "the schema Body in app/api/route.ts cannot be read");
  assertStringIncludes(circle ?? "", "circular");
  assertEquals(others, []);
});

Deno.test("openapi: errors below Problems have its type, and others are problem documents", async () => {
  const kind = (text: string): string =>
    `import type { ProblemDocument } from "@fw/fw";\n${text}export const Kind = "api";\n`;
  const route = `${head}/** Reads one. */\nexport function GET(c: Ctx): Response {
  if (c.query("a") === "") throw notFound();
  return c.json(200, { a: 1 });
}\n`.replace("{ Ctx }", "{ type Ctx, notFound }").replace("import type", "import");
  const document = await describeDocument({
    "app/plain/route.ts": route,
    "app/v1/kind.ts": kind(`/** What went wrong. */
export interface Failure { code: string; seats?: number }
export const Problems = ({ code }: ProblemDocument): Failure => ({ code });\n`),
    "app/v1/a/route.ts": route,
    "app/v1/page/route.ts": `${route}export const Kind = "page";\n`,
    "app/v1/v2/kind.ts": kind(
      "export function Problems(problem: ProblemDocument) { return { error: problem }; }\n",
    ),
    "app/v1/v2/route.ts": route,
  });
  const contents = Object.entries(document.paths ?? {}).map(([path, { get }]) => [
    path,
    ...["404", "default"].map((status) => get?.responses[status]?.content),
  ]);
  const problem = { $ref: "#/components/schemas/Problem" };
  const failure = { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } };
  const envelope = {
    "application/json": {
      schema: {
        type: "object",
        properties: { error: { $ref: "#/components/schemas/ProblemDocument" } },
        required: ["error"],
      },
    },
  };
  const page = { "text/html": { schema: { type: "string" } } };
  const plain = { "application/problem+json": { schema: problem } };
  assertEquals(contents, [
    ["/plain", plain, plain],
    ["/v1/a", failure, failure],
    ["/v1/page", page, page],
    ["/v1/v2", envelope, envelope],
  ]);
  const { schemas = {} } = document.components ?? {};
  assertEquals(Object.keys(schemas), ["Failure", "Problem", "ProblemDocument"]);
});

Deno.test("openapi: Problems with an undeclared type are an error with its file", async () => {
  const { document, problems } = await describeFiles({
    "app/a/kind.ts": "export function Problems(): { code: unknown } { return { code: 1 }; }\n",
    "app/a/route.ts": `${head}export function GET(c: Ctx): Response { return c.text(200, "a"); }\n`,
  });
  assertEquals(document, undefined);
  assertEquals(problems.map(({ code, place }) => [place?.file, code]), [
    ["app/a/kind.ts", "E_OPENAPI_TYPE"],
  ]);
});
