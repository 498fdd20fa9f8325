/**
 * The parts that client and server share: lines, header values, annotations, templates, messages.
 */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  decodeHeaderValue,
  encodeHeaderValue,
  findHeaderParams,
} from "../../../ai/mcp/protocol/headers.ts";
import { parseMessage, readLines, wireText } from "../../../ai/mcp/protocol/messages.ts";
import { UriTemplate } from "../../../ai/mcp/server/offers/uri_template.ts";
import { cpuMs } from "../../cpu_time.ts";

const encoder = new TextEncoder();

function linesOf(pieces: Iterable<Uint8Array>, maxBytes: number): Promise<string[]> {
  return Array.fromAsync(readLines(ReadableStream.from(pieces), { maxBytes }));
}

Deno.test("readLines joins lines split at any position", async () => {
  const bytes = encoder.encode('{"a":"é🌍"}\r\n\n{"b":2}\nrest');
  for (let size = 1; size <= bytes.length; size++) {
    const length = Math.ceil(bytes.length / size);
    const pieces = Array.from({ length }, (_, at) => bytes.slice(at * size, (at + 1) * size));
    assertEquals(await linesOf(pieces, 1_000), ['{"a":"é🌍"}', "", '{"b":2}']);
  }
});

Deno.test("readLines refuses a line over the limit", async () => {
  const [short, long] = ["12345678\n", "123456789"].map((text) => encoder.encode(text));
  assert(short && long);
  assertEquals(await linesOf([short, short], 8), ["12345678", "12345678"]);
  await assertRejects(() => linesOf([short, long], 8), RangeError, "longer than 8 bytes");
});

// The examples in the section "Value Encoding" of the specification.
const values: [text: string, header: string][] = [
  ["us-west1", "us-west1"],
  ["Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="],
  [" padded ", "=?base64?IHBhZGRlZCA=?="],
  ["line1\nline2", "=?base64?bGluZTEKbGluZTI=?="],
  ["=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="],
  ["", ""],
  ["a b\tc", "a b\tc"],
  ["=?base64?", "=?base64?"],
];

for (const [text, header] of values) {
  Deno.test(`encodeHeaderValue: ${JSON.stringify(text)}`, () => {
    assertEquals([encodeHeaderValue(text), decodeHeaderValue(header)], [header, text]);
  });
}

for (
  const header of [
    " a",
    "a\n",
    "é",
    "=?base64?#?=",
    "=?base64?/w==?=",
    "=?base64?YQ?=",
    "=?base64?Y Q==?=",
    "=?base64?YR==?=",
  ]
) {
  Deno.test(`decodeHeaderValue refuses ${JSON.stringify(header)}`, () => {
    assertEquals(decodeHeaderValue(header), undefined);
  });
}

const mark = (type: string, name: unknown): unknown => ({ type, "x-mcp-header": name });

const schemas: [name: string, schema: unknown, paths: string[][] | undefined][] = [
  ["none", { type: "object" }, []],
  ["two levels", {
    properties: { a: { properties: { b: mark("string", "B") } }, c: mark("integer", "C") },
  }, [["c"], ["a", "b"]]],
  ["a property named like the header", { properties: { "x-mcp-header": { type: "string" } } }, []],
  ["a value", { properties: { a: { type: "object", default: { "x-mcp-header": 1 } } } }, []],
  ["in items", { properties: { a: { items: mark("string", "A") } } }, undefined],
  ["in anyOf", { anyOf: [{ properties: { a: mark("string", "A") } }] }, undefined],
  ["in $defs", { $defs: { a: mark("string", "A") } }, undefined],
  ["in if", { if: { properties: { a: mark("string", "A") } } }, undefined],
  ["at the root", mark("string", "A"), undefined],
  ["on a number", { properties: { a: mark("number", "A") } }, undefined],
  ["on an object", { properties: { a: mark("object", "A") } }, undefined],
  ["an empty name", { properties: { a: mark("string", "") } }, undefined],
  ["a name with a line break", { properties: { a: mark("string", "A\r\nB") } }, undefined],
  ["a name that is not a string", { properties: { a: mark("string", 7) } }, undefined],
  ["two names that differ only in case", {
    properties: { a: mark("string", "A"), b: mark("string", "a") },
  }, undefined],
];

for (const [name, schema, paths] of schemas) {
  Deno.test(`findHeaderParams: ${name}`, () => {
    const found = findHeaderParams(schema);
    assertEquals(typeof found === "string" ? undefined : found.map(({ path }) => path), paths);
  });
}

Deno.test("findHeaderParams stops at the limit of an endless schema", () => {
  const properties = Object.fromEntries(
    Array.from({ length: 30_000 }, (_, index) => [`p${index}`, {}]),
  );
  assertEquals(typeof findHeaderParams({ properties }), "string");
});

const matches: [template: string, uri: string, values: Record<string, string> | undefined][] = [
  ["event://{id}", "event://7", { id: "7" }],
  ["event://{id}", "event://a%20b", { id: "a b" }],
  ["event://{id}", "event://", undefined],
  ["event://{id}", "event://a/b", undefined],
  ["event://{id}", "event://%zz", undefined],
  ["file:///{+path}", "file:///a/b.txt", { path: "a/b.txt" }],
  ["db://{table}/rows/{id}", "db://users/rows/9", { table: "users", id: "9" }],
  ["db://{table}/rows/{id}", "db://users/rows/", undefined],
  ["db://{table}/rows/{id}/x", "db://users/rows/9/y", undefined],
  ["note://{id}", "note://..", undefined],
  ["note://{id}", "note://.", undefined],
  ["note://{id}", "note://...", { id: "..." }],
  ["note://{id}", "note://..%2fsecret", undefined],
  ["note://{id}", "note://..%5Csecret", undefined],
  ["note://{id}", "note://%2e%2e", undefined],
  ["note://{id}", "note://a%00", undefined],
  ["note://{id}", "note://a%2Fb", undefined],
  ["file:///{+path}", "file:///../../etc/passwd", undefined],
  ["file:///{+path}", "file:///a/%2e%2e/b", undefined],
  ["file:///{+path}", "file:///%252e%252e/x", undefined],
  ["file:///{+path}", "file:///a%255cb", undefined],
  ["file:///{+path}", "file:///%252fetc/x", undefined],
  ["file:///{+path}", "file:///%25252e%25252e/x", undefined],
  ["file:///{+path}", "file:///%252e%252e/etc/passwd%25", undefined],
  ["file:///{+path}", "file:///%252fetc/passwd%25", undefined],
  ["file:///{+path}", "file:///a%255cb%25", undefined],
  ["note://{id}", "note://a%252fb%25", undefined],
  ["file:///{+path}", "file:///100%25.txt", { path: "100%.txt" }],
  ["file:///{+path}", "file:///a%2520b", { path: "a%20b" }],
  ["note://{id}", "note://a%252fb", undefined],
  ["file:///{+path}", "file:///a%2f..%2f..%2fb", undefined],
  ["file:///{+path}", "file:////etc/passwd", undefined],
  ["file:///{+path}", "file:///%2fetc/passwd", undefined],
  ["file:///{+path}", "file:///a..b/c.", { path: "a..b/c." }],
  ["a://{__proto__}", "a://x", { ["__proto__"]: "x" }],
  ["a://{x,y}", "a://1,2", { x: "1", y: "2" }],
  ["a://{x,y}", "a://1", undefined],
  ["a://{+x,y}", "a://1/2,3", { x: "1/2", y: "3" }],
  ["a://b{#part}", "a://b#c/d", { part: "c/d" }],
  ["a://www{.domain,top}", "a://www.example.com", { domain: "example", top: "com" }],
  ["a://b{/x,y}/c", "a://b/1/2/c", { x: "1", y: "2" }],
  ["a://b{/x}/c", "a://b/1/c", { x: "1" }],
  ["a://b{/x}{/y}", "a://b/1/2", { x: "1", y: "2" }],
  ["a://b{/x}", "a://b/..", undefined],
  ["a://b{;x,y}", "a://b;x=1;y", { x: "1", y: "" }],
  ["a://b{?page,size}", "a://b?page=2&size=5", { page: "2", size: "5" }],
  ["a://b{?page,size}", "a://b?size=5", { size: "5" }],
  ["a://b{?page}", "a://b", {}],
  ["a://b{?page}", "a://b?other=1", undefined],
  ["a://b{?page}", "a://b?page=1&page=2", undefined],
  ["a://{id}{?page}", "a://7?page=2", { id: "7", page: "2" }],
  ["a://{id}{?page}", "a://7", { id: "7" }],
  ["a://b?fixed=1{&x}", "a://b?fixed=1&x=2", { x: "2" }],
  ["a://{user.name}", "a://ada", { "user.name": "ada" }],
  ["a://ä/{x}", "a://%C3%A4/1", { x: "1" }],
  ["a://ä/{x}", "a://ä/1", { x: "1" }],
  ["a://%20/{x}", "a://%20/1", { x: "1" }],
];

for (const [template, uri, values] of matches) {
  Deno.test(`UriTemplate ${template} and ${uri}`, () => {
    const found = new UriTemplate(template).match(uri);
    const seen = found === undefined ? undefined : [...found];
    assertEquals(seen, values === undefined ? undefined : Object.entries(values));
  });
}

for (
  const template of [
    ..."event:// a{b a}b{c} {a}{b} {a}/{a} {a*} {a:3} {a,} {=a}".split(" "),
    "{a b}",
    "{}",
  ]
) {
  Deno.test(`UriTemplate refuses ${template}`, () => {
    assertThrows(() => new UriTemplate(template), TypeError, "Cannot use the URI template");
  });
}

Deno.test("UriTemplate matches a long URI in one pass", () => {
  const template = new UriTemplate("a://{x}-{+y}-{+z}!");
  const startedMs = cpuMs();
  assertEquals(template.match(`a://${"-a".repeat(500_000)}`), undefined);
  assert(cpuMs() - startedMs < 1_000);
});

const messages: [name: string, value: unknown, kind: string | undefined][] = [
  ["a request", { jsonrpc: "2.0", id: "a", method: "m" }, "request"],
  ["a notification", { jsonrpc: "2.0", method: "m", params: {} }, "notification"],
  ["a result", { jsonrpc: "2.0", id: 0, result: {} }, "result"],
  ["an error", { jsonrpc: "2.0", id: 1, error: { code: 1, message: "" } }, "failure"],
  ["error without id", { jsonrpc: "2.0", id: null, error: { code: 1, message: "" } }, "failure"],
  ["params that are null", { jsonrpc: "2.0", id: 1, method: "m", params: null }, "request"],
  ["another version", { jsonrpc: "1.0", id: 1, method: "m" }, undefined],
  [
    "a result and an error",
    { jsonrpc: "2.0", id: 1, result: {}, error: { code: 1, message: "" } },
    undefined,
  ],
  ["a method and a result", { jsonrpc: "2.0", id: 1, method: "m", result: {} }, undefined],
  ["an id beyond the safe integers", { jsonrpc: "2.0", id: 2 ** 60, method: "m" }, undefined],
  ["a method that is not a string", { jsonrpc: "2.0", id: 1, method: 7 }, undefined],
  ["a result that is not an object", { jsonrpc: "2.0", id: 1, result: 7 }, undefined],
  ["an error without a message", { jsonrpc: "2.0", id: 1, error: { code: 1 } }, undefined],
  ["null", null, undefined],
  ["a text", "hello", undefined],
];

for (const [name, value, kind] of messages) {
  Deno.test(`parseMessage: ${name}`, () => assertEquals(parseMessage(value)?.kind, kind));
}

Deno.test("wireText: replaces a lone surrogate, which other parsers refuse", () => {
  const message = { jsonrpc: "2.0", id: 1, result: { text: "a\ud800 \\ud800", big: 1n } };
  const found = wireText(message);
  assertEquals(found, '{"jsonrpc":"2.0","id":1,"result":{"text":"a\ufffd \\\\ud800","big":1}}');
});
