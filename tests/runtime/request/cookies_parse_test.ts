import { parseCookies } from "../../../runtime/addon.ts";
import { assert, assertEquals, assertThrows } from "@std/assert";
import type { Cookie } from "../../../mod.ts";
import { serializeCookie } from "../../../runtime/request/cookies.ts";

type Parsed = [header: string | null, cookies: Record<string, string>];

const parsed: readonly Parsed[] = [
  [null, {}],
  ["", {}],
  ["a=1", { a: "1" }],
  ["a=1; b=2", { a: "1", b: "2" }],
  ["a=1;b=2", { a: "1", b: "2" }],
  ["  a = 1 ;  b=2  ", { a: "1", b: "2" }],
  ["a=", { a: "" }],
  ["a", {}],
  ["=1", {}],
  ["; ;;a=1;;", { a: "1" }],
  ['a="1 2"', { a: "1 2" }],
  ['a="', { a: '"' }],
  ['a="x', { a: '"x' }],
  ["a=b=c", { a: "b=c" }],
  ["a=1; a=2", { a: "1" }],
  ["a b=1; c=2", { c: "2" }],
  ["a\u0001=1", {}],
  ["a=x\u0000y; b=2", { b: "2" }],
  ["a=x\u007fy", {}],
  ["a=%41", { a: "%41" }],
  ["a=é", { a: "é" }],
  ["A=1; a=2", { A: "1", a: "2" }],
  ["__proto__=1; constructor=2", { ["__proto__"]: "1", constructor: "2" }],
  ["$Version=1; a=1", { $Version: "1", a: "1" }],
  // A name that is not a token, a control character in a value, a planted second value.
  ...["a b=1", "a\tb=1", "é=1", "(x)=1", "a@b=1", "=1", '"a"=1', "a,b=1", "\0=1", "%3D", "ab; cd"]
    .map((pair): Parsed => [`${pair}; ok=1`, { ok: "1" }]),
  ...["\0", "a\u0001b", "a\u001fb", "a\u007fb", "a\tb", "a\r\nb"]
    .map((value): Parsed => [`x=${value}; ok=1`, { ok: "1" }]),
  ...["ok=1; ok=2", "ok=1; ok=2; ok=3", "ok=1; ok="].map((all): Parsed => [all, { ok: "1" }]),
];

for (const [header, cookies] of parsed) {
  Deno.test(`parseCookies ${JSON.stringify(header)}`, () => {
    assertEquals([...parseCookies(header)], Object.entries(cookies));
  });
}

Deno.test("parseCookies reads no more than 200 pairs, in a time that does not explode", () => {
  const header = Array.from({ length: 10_000 }, (_, i) => `c${i}=${i}`).join("; ");
  const cookies = parseCookies(header);
  assertEquals(cookies.size, 200);
  assertEquals(cookies.get("c199"), "199");
  assertEquals(parseCookies("=".repeat(100_000)).size, 0);
});

const http = { path: "/", isSecure: false };
const https = { path: "/", isSecure: true };
const expires = new Date(Date.UTC(2030, 0, 2, 3, 4, 5));

const written: readonly [cookie: Cookie, defaults: typeof http, text: string][] = [
  [{ name: "a", value: "1" }, http, "a=1; Path=/; HttpOnly; SameSite=Lax"],
  [{ name: "a", value: "" }, http, "a=; Path=/; HttpOnly; SameSite=Lax"],
  [{ name: "a", value: "1" }, https, "a=1; Path=/; HttpOnly; Secure; SameSite=Lax"],
  [
    { name: "a", value: "1" },
    { path: "/shop", isSecure: false },
    "a=1; Path=/shop; HttpOnly; SameSite=Lax",
  ],
  [{ name: "a", value: "1", path: "/x" }, http, "a=1; Path=/x; HttpOnly; SameSite=Lax"],
  [{ name: "a", value: "1", httpOnly: false }, http, "a=1; Path=/; SameSite=Lax"],
  [{ name: "a", value: "1", secure: true }, http, "a=1; Path=/; HttpOnly; Secure; SameSite=Lax"],
  [{ name: "a", value: "1", secure: false }, https, "a=1; Path=/; HttpOnly; SameSite=Lax"],
  [{ name: "a", value: "1", sameSite: "Strict" }, http, "a=1; Path=/; HttpOnly; SameSite=Strict"],
  [
    { name: "a", value: "1", sameSite: "None" },
    http,
    "a=1; Path=/; HttpOnly; Secure; SameSite=None",
  ],
  [
    { name: "a", value: "1", maxAgeSeconds: 0 },
    http,
    "a=1; Path=/; Max-Age=0; HttpOnly; SameSite=Lax",
  ],
  [
    { name: "a", value: "1", maxAgeSeconds: 1.9 },
    http,
    "a=1; Path=/; Max-Age=1; HttpOnly; SameSite=Lax",
  ],
  [
    { name: "a", value: "1", expires, domain: "example.com" },
    http,
    "a=1; Path=/; Domain=example.com; Expires=Wed, 02 Jan 2030 03:04:05 GMT; HttpOnly; SameSite=Lax",
  ],
  [{ name: "__Host-a", value: "1" }, http, "__Host-a=1; Path=/; HttpOnly; Secure; SameSite=Lax"],
  [
    { name: "__Secure-a", value: "1" },
    http,
    "__Secure-a=1; Path=/; HttpOnly; Secure; SameSite=Lax",
  ],
];

for (const [cookie, defaults, text] of written) {
  Deno.test(`serializeCookie writes ${text}`, () => {
    assertEquals(serializeCookie(cookie, defaults), text);
  });
}

type Refused = [cookie: Cookie, reason: string];

const refused: readonly Refused[] = [
  [{ name: "", value: "1" }, "its name may hold"],
  [{ name: "a b", value: "1" }, "its name may hold"],
  [{ name: "a=b", value: "1" }, "its name may hold"],
  [{ name: "a;b", value: "1" }, "its name may hold"],
  [{ name: "a\r\nX: y", value: "1" }, "its name may hold"],
  [{ name: "é", value: "1" }, "its name may hold"],
  [{ name: "a", value: "1; Path=/" }, "encode it, as encodeURIComponent does"],
  [{ name: "a", value: "1,2" }, "encode it"],
  [{ name: "a", value: "1 2" }, "encode it"],
  [{ name: "a", value: '"' }, "encode it"],
  [{ name: "a", value: "\\" }, "encode it"],
  [{ name: "a", value: "x\r\nSet-Cookie: b=2" }, "encode it"],
  [{ name: "a", value: "é" }, "encode it"],
  [{ name: "a", value: "x".repeat(4_097) }, "over 4,096 bytes"],
  [{ name: "a", value: "1", path: "x" }, "must start with /"],
  [{ name: "a", value: "1", path: "" }, "must start with /"],
  [{ name: "a", value: "1", path: "/x; Domain=evil" }, "must start with /"],
  [{ name: "a", value: "1", path: "/x\n" }, "must start with /"],
  [{ name: "a", value: "1", domain: "a;b" }, "is not a host name"],
  [{ name: "a", value: "1", domain: "" }, "is not a host name"],
  [{ name: "a", value: "1", maxAgeSeconds: NaN }, "must be a number of seconds"],
  [{ name: "a", value: "1", maxAgeSeconds: Infinity }, "must be a number of seconds"],
  [{ name: "a", value: "1", expires: new Date(NaN) }, "an invalid date"],
  [{ name: "a", value: "1", sameSite: "None", secure: false }, "only with secure: true"],
  [{ name: "__Host-a", value: "1", secure: false }, "only with secure: true"],
  [{ name: "__host-a", value: "1", path: "/x" }, "wants the path"],
  [{ name: "__Host-a", value: "1", domain: "example.com" }, "wants the path"],
  [{ name: "__HOST-a", value: "1", path: "/x", domain: "a.example" }, "wants the path"],
  [{ name: "__Secure-a", value: "1", secure: false }, "only with secure: true"],
  ...["a,b", '"a"', "a\0"].map((name): Refused => [{ name, value: "1" }, "its name may hold"]),
  ...["a;b", "a\nb", "a\0b", 'a"b', "\u2028", "\ud800"]
    .map((value): Refused => [{ name: "a", value }, "encode it"]),
  ...["/\r\nX: y", "/é", "//\0"]
    .map((path): Refused => [{ name: "a", value: "1", path }, "must start with /"]),
  ...["a b", "a\r\nb", "a..b", "*.example", "é.example"]
    .map((domain): Refused => [{ name: "a", value: "1", domain }, "is not a host name"]),
];

for (const [cookie, reason] of refused) {
  const shown = JSON.stringify(cookie).slice(0, 80);
  Deno.test(`serializeCookie refuses ${shown}: ${reason}`, () => {
    const error = assertThrows(() => serializeCookie(cookie, https), TypeError, reason);
    assert(error.message.startsWith(`Cannot set the cookie "${cookie.name}": `), error.message);
  });
}
