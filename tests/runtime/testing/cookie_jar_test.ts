import { assertEquals } from "@std/assert";
import { CookieJar } from "../../../runtime/testing/cookie_jar.ts";

const refusals: readonly [cookie: string, url: string, isKept: boolean][] = [
  ["=1", "http://localhost/", false],
  [" =1", "http://localhost/", false],
  ["1", "http://localhost/", false],
  ["a=1\u0001", "http://localhost/", false],
  [`a=${"x".repeat(4_095)}`, "http://localhost/", true],
  [`a=${"x".repeat(4_096)}`, "http://localhost/", false],
  ["a=1; Domain=example.com", "http://localhost/", false],
  ["a=1; Domain=localhost", "http://localhost/", true],
  ["a=1; Domain=", "http://localhost/", true],
  ["a=1; Domain=example.com", "https://example.com/", true],
  ["a=1; Domain=.Example.com", "https://shop.example.com/", true],
  ["a=1; Domain=shop.example.com", "https://example.com/", false],
  ["a=1; Domain=ample.com", "https://example.com/", false],
  ["a=1; Domain=com", "https://example.com/", false],
  ["__Secure-a=1; Secure", "http://localhost/", true],
  ["__Secure-a=1", "https://example.com/", false],
  ["__Host-a=1; Secure; Path=/", "http://localhost/", true],
  ["__Host-a=1; Path=/", "https://example.com/", false],
  ["__Host-a=1; Secure", "https://example.com/", false],
  ["__Host-a=1; Secure; Path=/shop", "https://example.com/", false],
  ["__Host-a=1; Secure; Path=/; Domain=example.com", "https://example.com/", false],
  ["__host-a=1; Path=/", "https://example.com/", false],
  ["a=1; Domain=127.0.0.1", "http://127.0.0.1/", true],
  ["a=1; Domain=0.0.1", "http://127.0.0.1/", false],
  ["a=1; Domain=[::1]", "http://[::1]/", true],
  ["a=1; Domain=co.uk", "https://shop.co.uk/", false],
  ["a=1; Domain=co.uk", "https://co.uk/", true],
  ["a=1; Domain=example.com; Domain=", "https://shop.example.com/", true],
  ["a=1; Secure", "http://example.com/", false],
  ["a=1; Secure", "https://example.com/", true],
  ["a=1; Secure", "http://app.localhost/", true],
  ["a=1; Secure", "http://127.0.0.1/", true],
  ["a=1; Secure", "http://notlocalhost/", false],
  ["a=1; SameSite=None", "https://example.com/", false],
  ["a=1; samesite=NONE ; Secure", "https://example.com/", true],
  ["a=1; SameSite=None; SameSite=Lax", "https://example.com/", true],
  ["a=1; SameSite=Later", "https://example.com/", true],
  ["a=1; Partitioned", "https://example.com/", false],
  ["a=1; Partitioned; Secure; Path=/", "https://example.com/", true],
  ["__Http-a=1; Secure", "https://example.com/", false],
  ["__Http-a=1; Secure; HttpOnly", "https://example.com/", true],
  ["__Host-Http-a=1; Secure; Path=/", "https://example.com/", false],
  ["__Host-Http-a=1; Secure; Path=/; HttpOnly", "https://example.com/", true],
  [`a=${"é".repeat(2_047)}`, "http://localhost/", true],
  [`a=${"é".repeat(2_048)}`, "http://localhost/", false],
  ["a=1; Domain=" + "a".repeat(1_025), "http://localhost/", true],
  ["a=1; Path=/" + "a".repeat(1_024), "http://localhost/", true],
];

for (const [cookie, url, isKept] of refusals) {
  Deno.test(`CookieJar ${isKept ? "keeps" : "refuses"} "${cookie.slice(0, 60)}" of ${url}`, () => {
    const jar = new CookieJar();
    jar.store([cookie], url);
    assertEquals(jar.find("/").size, isKept ? 1 : 0);
  });
}
