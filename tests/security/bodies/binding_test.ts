import { field, latin1, multipart, multipartType, send } from "./app.ts";
import type { Sent } from "./app.ts";
import { type HostileRow, testHostile } from "../hostile.ts";

/** Returns a row about a JSON body; without a path, one that accepts any JSON. */
function row(name: string, sent: Partial<Sent>, want: unknown): HostileRow {
  const whole: Sent = { path: "/json", type: "application/json", body: null, ...sent };
  return [name, want, () => send(whole)];
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

const rows: HostileRow[] = [
  row("JSON as text/plain, of a foreign form", { type: "text/plain", body: "{}" }, unsupported),
  row("JSON as a form", { type: urlencoded, body: "{}" }, unsupported),
  row("JSON without a type", { type: undefined, body: "{}" }, unsupported),
  row("JSON as something like it", { type: "application/jsonp", body: "{}" }, unsupported),
  row("a type with a comma", { type: "text/plain, application/json", body: "{}" }, unsupported),
  row("XML", { path: "/bind", type: "application/xml", body: "<a/>" }, unsupported),
  row("a type of no form", { path: "/bind", type: "x", body: "title=a" }, unsupported),
  row("bytes", { path: "/try", type: "application/octet-stream", body: "title=a" }, unsupported),
  row("65 arrays", { body: "[".repeat(65) + "]".repeat(65) }, deep),
  row("65 objects", { body: '{"a":'.repeat(65) + "1" + "}".repeat(65) }, deep),
  row("half a million arrays that do not close", { body: "[".repeat(500_000) }, deep),
  row("arrays behind a string that ends in escaped backslashes", {
    body: `["\\\\\\"\\\\",${"[".repeat(64)}${"]".repeat(64)}]`,
  }, deep),
  row("ten thousand members and one", {
    body: `{${Array.from({ length: 10_001 }, (_, i) => `"${i}":0`).join()}}`,
  }, many),
  row("many small arrays and objects", { body: `[${"[],{},".repeat(50_000)}0]` }, manySmall),
  row("members of many objects", { body: `[${Array(10_001).fill('{"a":0}').join()}]` }, many),
  row("one name 10,001 times", { body: `{${Array(10_001).fill('"a":0').join()}}` }, many),
  row("a byte that is not UTF-8", { body: latin1('"\xff"') }, invalid),
  row("an overlong slash", { body: latin1('"\xc0\xaf"') }, invalid),
  row("a surrogate in UTF-8", { body: latin1('"\xed\xa0\x80"') }, invalid),
  row("a character that is cut off", { body: latin1('"\xe2\x82"') }, invalid),
  ...["[]", "null", "1", '"x"', "true"].map((body) =>
    row(`${body} for an object`, order(body), invalid)
  ),
  ...[
    '{"admin":true}',
    '{"__proto__":{"admin":true}}',
    '{"title":"x","__proto__":null}',
    '{"constructor":{"prototype":{"admin":true}}}',
    '{"\\u005f_proto__":{}}',
    '{"toString":"x"}',
    '{"venue":{"__proto__":{}}}',
    '{"items":[{"__proto__":{"price":0}}]}',
    '{"items":[{"sku":"a","price":0}]}',
    '{"Title":"x"}',
    `{"${"x".repeat(10_000)}":1}`,
  ].map((body) => row(body.slice(0, 50), order(body), unknown)),
  ...["__proto__=1", "__proto__.admin=1", "a.__proto__.admin=1"].map((body) =>
    row(body, { path: "/any", type: urlencoded, body }, { status: 200, value: {} })
  ),
  row("a part named __proto__", {
    path: "/any",
    type: multipartType,
    body: multipart(field("__proto__.admin", "1")),
  }, { status: 200, value: {} }),
  row("constructor.prototype.admin, after __proto__", {
    path: "/any",
    type: urlencoded,
    body: "constructor.prototype.admin=1&__proto__.polluted=1",
  }, { status: 200, value: { constructor: { prototype: { admin: "1" } } } }),
  row("a number for a text", order('{"tags":[],"venue":{"city":5}}'), refused),
  row("an object for a text", order('{"title":{"length":1}}'), refused),
  row("a list for a text", order('{"title":["a"]}'), refused),
  row("a lone surrogate", order('{"title":"\\ud800"}'), refused),
  row("a lone surrogate in upper case", order('{"title":"\\uDFFF"}'), refused),
  row("a bigint of half a megabyte", form(`id=${"0".repeat(500_000)}`), refused),
];

testHostile("binding", rows);
