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

Deno.test("parseCookies reads at most 200 pairs, in bounded time", () => {
  const header = Array.from({ length: 10_000 }, (_, i) => `c${i}=${i}`).join("; ");
  const cookies = parseCookies(header);
  assertEquals([cookies.size, cookies.get("c199")], [200, "199"]);
  assertEquals(parseCookies("=".repeat(100_000)).size, 0);
});

const http = { path: "/", isSecure: false };
const https = { path: "/", isSecure: true };
const expires = new Date(Date.UTC(2030, 0, 2, 3, 4, 5));

const rest = "HttpOnly; SameSite=Lax";
const written: readonly [cookie: Partial<Cookie>, defaults: typeof http, text: string][] = [
  [{}, http, `a=1; Path=/; ${rest}`],
  [{ value: "" }, http, `a=; Path=/; ${rest}`],
  [{}, https, "a=1; Path=/; HttpOnly; Secure; SameSite=Lax"],
  [{}, { path: "/shop", isSecure: false }, `a=1; Path=/shop; ${rest}`],
  [{ path: "/x" }, http, `a=1; Path=/x; ${rest}`],
  [{ httpOnly: false }, http, "a=1; Path=/; SameSite=Lax"],
  [{ secure: true }, http, "a=1; Path=/; HttpOnly; Secure; SameSite=Lax"],
  [{ secure: false }, https, `a=1; Path=/; ${rest}`],
  [{ sameSite: "Strict" }, http, "a=1; Path=/; HttpOnly; SameSite=Strict"],
  [{ sameSite: "None" }, http, "a=1; Path=/; HttpOnly; Secure; SameSite=None"],
  [{ maxAgeSeconds: 0 }, http, `a=1; Path=/; Max-Age=0; ${rest}`],
  [{ maxAgeSeconds: 1.9 }, http, `a=1; Path=/; Max-Age=1; ${rest}`],
  [
    { expires, domain: "example.com" },
    http,
    `a=1; Path=/; Domain=example.com; Expires=Wed, 02 Jan 2030 03:04:05 GMT; ${rest}`,
  ],
  [{ name: "__Host-a" }, http, "__Host-a=1; Path=/; HttpOnly; Secure; SameSite=Lax"],
  [{ name: "__Secure-a" }, http, "__Secure-a=1; Path=/; HttpOnly; Secure; SameSite=Lax"],
  [{ name: "__http-a" }, http, "__http-a=1; Path=/; HttpOnly; Secure; SameSite=Lax"],
  [{ name: "__Host-Http-a" }, http, "__Host-Http-a=1; Path=/; HttpOnly; Secure; SameSite=Lax"],
];

for (const [cookie, defaults, text] of written) {
  Deno.test(`serializeCookie writes ${text}`, () => {
    assertEquals(serializeCookie({ name: "a", value: "1", ...cookie }, defaults), text);
  });
}

const refused: readonly [reason: string, ...cookies: Partial<Cookie>[]][] = [
  [
    "its name may hold",
    ...["", "a b", "a=b", "a;b", "a\r\nX: y", "é", "a,b", '"a"', "a\0"].map((name) => ({ name })),
  ],
  [
    "encode it",
    ...["1; Path=/", "1,2", "1 2", '"', "\\", "x\r\nSet-Cookie: b=2", "é", "a;b"]
      .concat("a\nb", "a\0b", 'a"b', "\u2028", "\ud800").map((value) => ({ value })),
  ],
  ["encode it, as encodeURIComponent does", { value: "1; Path=/" }],
  ["over 4,096 bytes", { value: "x".repeat(4_097) }],
  [
    "must start with /",
    ...["x", "", "/x; Domain=evil", "/x\n", "/\r\nX: y", "/é", "//\0"].map((path) => ({ path })),
  ],
  [
    "is not a host name",
    ...["a;b", "", "a b", "a\r\nb", "a..b", "*.example", "é.example"].map((domain) => ({ domain })),
  ],
  ["must be a number of seconds", { maxAgeSeconds: NaN }, { maxAgeSeconds: Infinity }],
  ["an invalid date", { expires: new Date(NaN) }],
  [
    "only with secure: true",
    { sameSite: "None", secure: false },
    { name: "__Host-a", secure: false },
    { name: "__Secure-a", secure: false },
    { name: "__Http-a", secure: false },
  ],
  ["wants httpOnly", ...["__Http-a", "__host-http-a"].map((name) => ({ name, httpOnly: false }))],
  [
    "wants the path",
    { name: "__host-a", path: "/x" },
    { name: "__Host-a", domain: "example.com" },
    { name: "__Host-Http-a", path: "/x" },
    { name: "__HOST-a", path: "/x", domain: "a.example" },
  ],
];

for (const [reason, ...cookies] of refused) {
  for (const changes of cookies) {
    Deno.test(`serializeCookie refuses ${JSON.stringify(changes).slice(0, 80)}: ${reason}`, () => {
      const cookie = { name: "a", value: "1", ...changes };
      const error = assertThrows(() => serializeCookie(cookie, https), TypeError, reason);
      assert(error.message.startsWith(`Cannot set the cookie "${cookie.name}": `), error.message);
    });
  }
}
