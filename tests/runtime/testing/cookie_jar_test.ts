import { assertEquals } from "@std/assert";
import { CookieJar } from "../../../runtime/testing/cookie_jar.ts";

const rows: readonly [attributes: string, isKept: boolean][] = [
  ["", true],
  ["; Max-Age=60", true],
  ["; Max-Age=0", false],
  ["; Max-Age=-1", false],
  ["; Max-Age=soon", true],
  ["; Max-Age=", true],
  ["; Max-Age=1.5", true],
  ["; Max-Age=6e1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", false],
  ["; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", true],
  ["; Max-Age=60; Max-Age=soon", true],
  ["; Max-Age=0; Max-Age=soon", false],
  ["; Expires=never", true],
];

for (const [attributes, isKept] of rows) {
  Deno.test(`CookieJar ${isKept ? "keeps" : "drops"} "a=1${attributes}"`, () => {
    const jar = new CookieJar();
    jar.store([`a=1${attributes}`], "/");
    assertEquals(jar.find("/").has("a"), isKept);
  });
}
