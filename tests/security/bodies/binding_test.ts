import { field, latin1, multipart, multipartType, send, type Sent } from "./app.ts";
import { type Guard, type HostileRequest, testHostileRequests } from "../mutant_app.ts";

const json = "runtime/body/json.ts";
const bind = "runtime/body/bind.ts";
const convert = "runtime/schema/convert.ts";

function without(path: string, ...edits: [find: string, replace: string][]): Guard {
  return { path, edits };
}

const guards = {
  "JSON type": without(json, [
    'if (type?.kind !== "json") throw unsupportedType(type?.essence ?? "", "application/json");\n  refuseCodings(body.request.headers, type);',
    "",
  ]),
  "bindable type": without(bind, ['if (kind === "other") throw', "if (false) throw"], [
    'if (kind === "json") return jsonReading(body, schema);',
    'if (kind === "json" || kind === "other") {\n    return Promise.resolve({ result: { kind: "ok" as const, value: {} as T }, text: () => "" });\n  }',
  ]),
  "JSON depth": without(json, ["if (depth > maxJsonDepth) {", "if (false) {"]),
  "JSON members": without(json, ["if (keys > maxJsonKeys) {", "if (false) {"]),
  "JSON containers": without(json, ["if (containers > maxJsonContainers) {", "if (false) {"]),
  "JSON UTF-8": without(json, ["fatal: true", "fatal: false"]),
  "JSON syntax": without(json, [
    "throw invalidJson(describeFault(text));",
    "return { value: {}, isWellFormed: true, members: 0 };",
  ]),
  "JSON object": without(bind, [
    'if (result.kind === "not_object") {',
    'if (result.kind === "not_object") return { kind: "ok", value: {} as T };\n  if (false) {',
  ]),
  "unknown member": without(bind, [
    'if (result.kind === "unknown_field") throw unknownField(result.field);',
    'if (result.kind === "unknown_field") return { kind: "ok", value: {} as T };',
  ]),
  "nested names": without("runtime/schema/nest.ts", [
    'if (last === "__proto__" || parts.includes("__proto__")) return;',
    "",
  ]),
  "prototypes of forms": without("runtime/schema/nest.ts", [
    "const root: NestedForm = Object.create(null);",
    "const root: NestedForm = {};",
  ], [
    'if (last === "__proto__" || parts.includes("__proto__")) return;',
    "",
  ]),
  "text type": without("runtime/schema/leaf.ts", [
    'if (typeof raw !== "string") return slow(raw, run);\n    const units = raw.length;',
    'if (typeof raw !== "string") return String(raw);\n    const units = raw.length;',
  ]),
  "surrogates": without("runtime/schema/leaf.ts", [
    "if (!run.isWellFormed && !raw.isWellFormed()) return refuse(plan, plan.invalid, run);",
    "",
  ]),
  "whole number": without(convert, [
    'return typeof value === "number" && Number.isInteger(value) ? safeInteger(value) : Unconvertible;',
    "return Number(value);",
  ], [
    "return INT.test(text) ? safeInteger(Number(text)) : Unconvertible;",
    "return safeInteger(Number(text));",
  ], [
    "return Number.isSafeInteger(value) ? value + 0 : value > 0 ? TooLarge : TooSmall;",
    "return value;",
  ]),
  "64 bits": without(convert, [
    "if (value > MAX_INT64) return TooLarge;\n  return value < MIN_INT64 ? TooSmall : value;",
    "return value;",
  ]),
  "decimal number": without(
    convert,
    [
      "if (!FLOAT.test(text)) return Unconvertible;",
      "",
    ],
    ["return Number.isFinite(value) ? value + 0 : Unconvertible;", "return value + 0;"],
    [
      'return typeof value === "number" && Number.isFinite(value) ? value + 0 : Unconvertible;',
      "return Number(value);",
    ],
  ),
  "length of a number": without(convert, [
    "if (text.length > MAX_SCALAR_CHARS) return Unconvertible;",
    "",
  ]),
  "real day": without(convert, [
    "if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59) {",
    "if (false) {",
  ]),
  "yes or no": without(convert, [
    "default:\n        return Unconvertible;",
    "default:\n        result = true;",
  ], ['return typeof value === "boolean" ? value : Unconvertible;', "return Boolean(value);"]),
} satisfies Record<string, Guard>;

type Row = HostileRequest<keyof typeof guards>;

/** A row about a JSON body; without a path, one that any schema takes. */
function row(guard: Row["guard"], name: string, sent: Partial<Sent>, want: unknown): Row {
  const whole: Sent = { path: "/json", type: "application/json", body: null, ...sent };
  return { guard, name, want, run: (fw) => send(fw, whole) };
}

const urlencoded = "application/x-www-form-urlencoded";
const form = (body: string): Partial<Sent> => ({ path: "/bind", type: urlencoded, body });
const order = (body: string): Partial<Sent> => ({ path: "/bind", body });

const unsupported = { status: 415, code: "unsupported_media_type" };
const invalid = { status: 400, code: "invalid_json" };
const unknown = { status: 400, code: "unknown_field" };
const refused = { status: 422, code: "validation_failed" };

const deep = { status: 400, code: "json_too_deep" };
const many = { status: 400, code: "json_too_many_keys" };
const manySmall = { status: 400, code: "json_too_many_containers" };

const rows: Row[] = [
  row("JSON type", "JSON as text/plain, which a form of another site can send", {
    type: "text/plain",
    body: "{}",
  }, unsupported),
  row("JSON type", "JSON as a form", { type: urlencoded, body: "{}" }, unsupported),
  row("JSON type", "JSON without a type", { type: undefined, body: "{}" }, unsupported),
  row(
    "JSON type",
    "JSON as something like it",
    { type: "application/jsonp", body: "{}" },
    unsupported,
  ),
  row("JSON type", "JSON after a type with a comma", {
    type: "text/plain, application/json",
    body: "{}",
  }, unsupported),
  row(
    "bindable type",
    "XML",
    { path: "/bind", type: "application/xml", body: "<a/>" },
    unsupported,
  ),
  row(
    "bindable type",
    "a type of no form",
    { path: "/bind", type: "x", body: "title=a" },
    unsupported,
  ),
  row("bindable type", "bytes", {
    path: "/try",
    type: "application/octet-stream",
    body: "title=a",
  }, unsupported),
  row("JSON depth", "65 arrays", { body: "[".repeat(65) + "]".repeat(65) }, deep),
  row("JSON depth", "65 objects", { body: '{"a":'.repeat(65) + "1" + "}".repeat(65) }, deep),
  row("JSON depth", "half a million arrays that do not close", { body: "[".repeat(500_000) }, deep),
  row("JSON depth", "arrays behind a string that ends in escaped backslashes", {
    body: `["\\\\\\"\\\\",${"[".repeat(64)}${"]".repeat(64)}]`,
  }, deep),
  row("JSON members", "ten thousand members and one", {
    body: `{${Array.from({ length: 10_001 }, (_, i) => `"${i}":0`).join()}}`,
  }, many),
  row("JSON containers", "many small arrays and objects", {
    body: `[${"[],{},".repeat(50_000)}0]`,
  }, manySmall),
  row("JSON members", "members of many objects", {
    body: `[${Array(10_001).fill('{"a":0}').join()}]`,
  }, many),
  row("JSON members", "one name ten thousand times and one", {
    body: `{${Array(10_001).fill('"a":0').join()}}`,
  }, many),
  row("JSON UTF-8", "a byte that is no UTF-8", { body: latin1('"\xff"') }, invalid),
  row("JSON UTF-8", "an overlong slash", { body: latin1('"\xc0\xaf"') }, invalid),
  row("JSON UTF-8", "a surrogate in UTF-8", { body: latin1('"\xed\xa0\x80"') }, invalid),
  row("JSON UTF-8", "a character that is cut off", { body: latin1('"\xe2\x82"') }, invalid),
  ...[
    ["an empty body", ""],
    ["white space", " \n"],
    ["a comma at the end", "[1,]"],
    ["a comma too many", "[1,,2]"],
    ["single quotes", "{'a':1}"],
    ["a name without quotes", "{a:1}"],
    ["a comment", "{} // x"],
    ["NaN", "[NaN]"],
    ["hex", "[0x10]"],
    ["a leading zero", "[01]"],
    ["a plus sign", "[+1]"],
    ["two values", "{}{}"],
    ["a string that does not end", '{"a":"b'],
    ["a line break in a string", '"a\nb"'],
    ["a NUL in a string", '"a\0b"'],
    ["an escape that is none", '"\\x41"'],
    ["half an escape", '"\\u00"'],
    ["a byte order mark inside", "[\ufeff]"],
    ["undefined", "undefined"],
    ["a bracket too many", "[]]"],
    ["the wrong bracket", "[}"],
  ].map(([name = "", body = ""]) => row("JSON syntax", name, { body }, invalid)),
  ...["[]", "null", "1", '"x"', "true"].map((body) =>
    row("JSON object", `${body} for an object`, order(body), invalid)
  ),
  ...[
    '{"admin":true}',
    '{"__proto__":{"admin":true}}',
    '{"constructor":{"prototype":{"admin":true}}}',
    '{"\\u005f_proto__":{}}',
    '{"toString":"x"}',
    '{"venue":{"__proto__":{}}}',
    '{"items":[{"sku":"a","price":0}]}',
    '{"Title":"x"}',
    `{"${"x".repeat(10_000)}":1}`,
  ].map((body) => row("unknown member", body.slice(0, 50), order(body), unknown)),
  ...["__proto__=1", "__proto__.admin=1", "a.__proto__.admin=1"].map((body) =>
    row("nested names", body, { path: "/any", type: urlencoded, body }, { status: 200, value: {} })
  ),
  row("nested names", "a part named __proto__", {
    path: "/any",
    type: multipartType,
    body: multipart(field("__proto__.admin", "1")),
  }, { status: 200, value: {} }),
  row("prototypes of forms", "constructor.prototype.admin, after __proto__", {
    path: "/any",
    type: urlencoded,
    body: "constructor.prototype.admin=1&__proto__.polluted=1",
  }, { status: 200, value: { constructor: { prototype: { admin: "1" } } } }),
  row("text type", "a number for a text", order('{"tags":[],"venue":{"city":5}}'), refused),
  row("text type", "an object for a text", order('{"title":{"length":1}}'), refused),
  row("text type", "a list for a text", order('{"title":["a"]}'), refused),
  row("surrogates", "a lone surrogate", order('{"title":"\\ud800"}'), refused),
  row("surrogates", "a lone surrogate in upper case", order('{"title":"\\uDFFF"}'), refused),
  ...["1.5", '"5"', "1e999", "9007199254740993", "[1]", "{}", "true"].map((value) =>
    row("whole number", `${value} in JSON`, order(`{"seats":${value}}`), refused)
  ),
  ...["0x10", "1e3", "1.0", "9007199254740993", "Infinity", "1 000"].map((value) =>
    row("whole number", `${value} in a form`, form(`seats=${value}`), refused)
  ),
  row("64 bits", "a number over 64 bits", order('{"id":"9223372036854775808"}'), refused),
  row("64 bits", "a number over 64 bits in a form", form("id=-9223372036854775809"), refused),
  ...["NaN", "Infinity", "0x10", "1e999"].map((value) =>
    row("decimal number", `${value} in a form`, form(`price=${value}`), refused)
  ),
  ...['"1,5"', '"1.5"', "[1]"].map((value) =>
    row("decimal number", `${value} in JSON`, order(`{"price":${value}}`), refused)
  ),
  row("length of a number", "a number of 65 zeros", form(`seats=${"0".repeat(65)}`), refused),
  row(
    "length of a number",
    "a bigint of half a megabyte",
    form(`id=${"0".repeat(500_000)}`),
    refused,
  ),
  row("real day", "the 30th of February", form("day=2026-02-30"), refused),
  row("real day", "a day of month 13", order('{"day":"2026-13-01"}'), refused),
  row("real day", "25 o'clock", form("day=2026-01-01T25:00"), refused),
  row("yes or no", "maybe", form("open=maybe"), refused),
  row("yes or no", "a number", order('{"open":1}'), refused),
];

testHostileRequests("binding", { guards, rows });
