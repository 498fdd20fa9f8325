import { parseCookies } from "../../../runtime/addon.ts";
import { App, type Cookie, Off } from "../../../mod.ts";
import { assert, assertEquals } from "@std/assert";
import { findCookie, isRepeated, prefixedName } from "../../../runtime/request/cookies.ts";
import { testRequest } from "../../../runtime/testing/mod.ts";
import { wholeFrom } from "../../random.ts";
import { routeOf } from "../app/support.ts";

Deno.test("findCookie finds the same cookies as parseCookies in 20,000 hostile headers", () => {
  const pieces = [...'a;b=c ,"\\\t', "ab", "a=1", "; ", " ;", "\u00a0", "\u007f", "\u0001", "=;"];
  pieces.push("a a", '"x"', "__proto__=");
  const names = ["a", "b", "ab", "c", "", "a a", "a=1", "__proto__", ";", "a;"];
  const pick = wholeFrom(42);
  for (let round = 0; round < 20_000; round++) {
    const header = Array.from({ length: pick(14) }, () => pieces[pick(pieces.length)]).join("");
    const parsed = parseCookies(header);
    for (const name of names) assertEquals(findCookie(header, name), parsed.get(name), header);
  }
  const many = Array.from({ length: 300 }, (_, at) => `c${at}=1`).join(";");
  assertEquals([findCookie(many, "c199"), findCookie(many, "c200")], ["1", undefined]);
});

for (const byte of ["\u00a0", "\u000b", "\u000c", "\u0085"]) {
  const code = byte.charCodeAt(0).toString(16);
  Deno.test(`a name with an adjacent byte 0x${code} is another name, as in browsers`, () => {
    const name = "__Host-fw_session";
    for (const planted of [byte + name, name + byte, ` ${byte}${name}`, `${name}${byte} `]) {
      const header = `${planted}=theirs`;
      assertEquals([...parseCookies(header)], [], JSON.stringify(planted));
      assertEquals(findCookie(header, name), undefined, JSON.stringify(planted));
      for (const both of [`${header}; ${name}=own`, `${name}=own; ${header}`]) {
        assertEquals(findCookie(both, name), "own", JSON.stringify(both));
        assertEquals(parseCookies(both).get(name), "own", JSON.stringify(both));
        assert(!isRepeated(both, name), JSON.stringify(both));
      }
    }
  });
}

Deno.test("setCookie replaces the same cookie and no other", async () => {
  const rows: readonly [name: string, cookies: Cookie[], want: string[]][] = [
    ["two names", [{ name: "a", value: "1" }, { name: "b", value: "2" }], ["a=1; /", "b=2; /"]],
    ["one name", [
      { name: "a", value: "1" },
      { name: "b", value: "2" },
      { name: "a", value: "3" },
    ], ["b=2; /", "a=3; /"]],
    ["other path", [{ name: "a", value: "1" }, { name: "a", value: "2", path: "/x" }], [
      "a=1; /",
      "a=2; /x",
    ]],
    ["other domain", [{ name: "a", value: "1" }, { name: "a", value: "2", domain: "x" }], [
      "a=1; /",
      "a=2; /; Domain=x",
    ]],
    ["a name with the same prefix", [{ name: "a", value: "1" }, { name: "ab", value: "2" }], [
      "a=1; /",
      "ab=2; /",
    ]],
  ];
  for (const [name, cookies, want] of rows) {
    const app = new App({ env: "dev", logRequest: Off });
    app.route(routeOf("GET", "/", (c) => {
      for (const cookie of cookies) c.setCookie(cookie);
      return c.noContent();
    }));
    const { headers } = await testRequest(app, "GET", "/");
    const sent = headers.getSetCookie()
      .map((text) => text.replace("Path=", "").replace("; HttpOnly; SameSite=Lax", ""));
    assertEquals(sent, want, name);
  }
});

/** Returns a client's value in the bytes of UTF-8, which the platform reads as Latin-1. */
const bytes = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text));

const cases = [
  [bytes("São Paulo"), "São Paulo"],
  [bytes("東京"), "東京"],
  ["S\u00e3o", "S\u00e3o"],
  ["a\u00c3", "a\u00c3"],
  ["plain", "plain"],
] as const;
for (const [sent, want] of cases) {
  Deno.test(`c.cookie reads ${JSON.stringify(sent)} as ${want}`, async () => {
    const app = new App({ logRequest: Off });
    app.route({ pattern: "/", methods: { GET: (c) => c.json(200, c.cookie("city")) } });
    const headers = { cookie: `city=${sent}` };
    const response = await app.fetch(new Request("http://localhost/", { headers }));
    assertEquals(await response.json(), want);
  });
}

Deno.test("prefixedName adds a prefix over HTTPS only and ends with the path", () => {
  const rows: readonly [path: string, isSecure: boolean, want: string][] = [
    ["/", true, "__Host-fw_flash"],
    ["/shop", true, "__Secure-fw_flash.shop"],
    ["/", false, "fw_flash"],
    ["/shop", false, "fw_flash.shop"],
    ["/shop/a.b", false, "fw_flash.shop.a%2Eb"],
    ["/(x)", false, "fw_flash.%28x%29"],
  ];
  for (const [path, isSecure, want] of rows) {
    assertEquals(prefixedName("fw_flash", { path, isSecure }), want);
  }
});
