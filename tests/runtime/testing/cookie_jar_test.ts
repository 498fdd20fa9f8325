import { assertEquals } from "@std/assert";
import { CookieJar } from "../../../runtime/testing/cookie_jar.ts";

const refusals: readonly [cookie: string, url: string, isKept: boolean][] = [
  ["=1", "http://localhost/", false],
  ["1", "http://localhost/", false],
  ["a=1; Domain=example.com", "http://localhost/", false],
  ["a=1; Domain=", "http://localhost/", true],
  ["a=1; Domain=.Example.com", "https://shop.example.com/", true],
  ["a=1; Domain=shop.example.com", "https://example.com/", false],
  ["a=1; Domain=ample.com", "https://example.com/", false],
  ["a=1; Domain=com", "https://example.com/", false],
  ["a=1; Domain=localhost", "http://localhost/", true],
  ["a=1; Domain=0.0.1", "http://127.0.0.1/", false],
  ["a=1; Secure", "http://example.com/", false],
  ["a=1; Secure", "https://example.com/", true],
  ["a=1; Secure", "http://app.localhost/", true],
  ["a=1; Secure", "http://127.0.0.1/", true],
  ["a=1; Secure", "http://notlocalhost/", false],
  ["__Secure-a=1; Secure", "http://localhost/", true],
  ["__Secure-a=1", "https://example.com/", false],
  ["__Host-a=1; Secure; Path=/", "http://localhost/", true],
  ["__Host-a=1; Path=/", "https://example.com/", false],
  ["__Host-a=1; Secure", "https://example.com/", false],
  ["__Host-a=1; Secure; Path=/; Domain=example.com", "https://example.com/", false],
  ["__host-a=1; Path=/", "https://example.com/", false],
  ["__Http-a=1; Secure", "https://example.com/", false],
  ["__Host-Http-a=1; Secure; Path=/", "https://example.com/", false],
  ["__Host-Http-a=1; Secure; Path=/; HttpOnly", "https://example.com/", true],
  ["a=1; SameSite=None", "https://example.com/", false],
  ["a=1; samesite=NONE ; Secure", "https://example.com/", true],
  ["a=1; Partitioned", "https://example.com/", false],
  [`a=${"é".repeat(2_047)}`, "http://localhost/", true],
  [`a=${"é".repeat(2_048)}`, "http://localhost/", false],
];

for (const [cookie, url, isKept] of refusals) {
  Deno.test(`CookieJar ${isKept ? "keeps" : "refuses"} "${cookie.slice(0, 60)}" of ${url}`, () => {
    const jar = new CookieJar();
    jar.store([cookie], url);
    assertEquals(jar.find("/").size, isKept ? 1 : 0);
  });
}

const origin = "http://home.example.org:8888";

/** Clauses of RFC 6265bis. */
const rows: readonly [clause: string, setCookies: string[], sent: string, at?: string][] = [
  ["5.6: name and value", ["foo=bar"], "foo=bar"],
  ["5.6: blanks around both", ["  foo\t =\tbar  "], "foo=bar"],
  ["5.6: a value with equals signs", ["foo=a=b==c"], "foo=a=b==c"],
  ["5.6: a value in quotes keeps them", ['foo="  bar  "'], 'foo="  bar  "'],
  ["5.6: a comma is part of the value", ["foo=a,b; c=d"], "foo=a,b"],
  ["5.6: an empty value", ["foo="], "foo="],
  ["5.6: names are case-sensitive", ["foo=1", "Foo=2", "FOO=3"], "foo=1; Foo=2; FOO=3"],
  ["5.6: an unknown attribute", ["foo=bar; qux=1; HttpOnly"], "foo=bar"],
  ["5.6: empty attributes", ["foo=bar; ;; ;"], "foo=bar"],
  ["5.6: a tab in the value", ["foo=a\tb"], "foo=a\tb"],
  ["5.6.2: Max-Age 0", ["foo=bar", "foo=; max-age=0"], ""],
  ["5.6.2: Max-Age below 0", ["foo=bar", "foo=x; MAX-AGE=-1"], ""],
  ["5.6.2: Max-Age is not a number", ["foo=bar; max-age=0x1", "a=b; max-age="], "foo=bar; a=b"],
  ["5.6.2: the last Max-Age wins", ["foo=bar; max-age=0; max-age=9"], "foo=bar"],
  ["5.6.2: Max-Age wins", ["foo=bar; max-age=9; expires=Thu, 01 Jan 1970 00:00:00 GMT"], "foo=bar"],
  ["5.6.2: Max-Age of many digits", ["foo=bar; max-age=99999999999999999999"], "foo=bar"],
  ["5.6.4: the default path", ["foo=bar"], "foo=bar", "/a/b"],
  ["5.6.4: the default path ends before the last part", ["foo=bar"], "", "/b"],
  ["5.6.4: a path that does not start with a slash", ["foo=bar; path=a/b"], "foo=bar", "/a/c"],
  ["5.6.4: an empty path", ["foo=bar; path="], "foo=bar", "/a/c"],
  ["5.6.4: the last path wins", ["foo=bar; path=/x; path=/"], "foo=bar", "/"],
  ["5.6.4: a path is case-sensitive", ["foo=bar; path=/A"], ""],
  ["5.1.4: a path does not match part of a segment", ["foo=bar; path=/a"], "", "/ab"],
  ["5.1.4: a path with a trailing slash", ["foo=bar; path=/a/"], "", "/a"],
  ["5.1.4: the query is not part of a path", ["foo=bar; path=/a/b"], "foo=bar", "/a/b?x=/c"],
  ["5.7: another path is separate", ["foo=1; path=/", "foo=2; path=/a"], "foo=2", "/a/x"],
  ["5.8.3: longer paths first", ["a=1; path=/", "b=2; path=/a/b", "c=3; path=/a"], "b=2; c=3; a=1"],
  ["5.8.3: for equal lengths the older first", ["a=1", "b=2", "c=3"], "a=1; b=2; c=3"],
  ["5.7: a new value keeps the creation time", ["a=1", "b=2", "a=3"], "a=3; b=2"],
  ["5.7: a deleted cookie is created anew", ["a=1", "b=2", "a=; max-age=0", "a=3"], "b=2; a=3"],
];

for (const [clause, setCookies, sent, path = "/a/b/c"] of rows) {
  Deno.test(`CookieJar: ${clause}`, () => {
    const jar = new CookieJar();
    for (const each of setCookies) jar.store([each], `${origin}/a/b`);
    const { pathname } = new URL(path, origin);
    assertEquals([...jar.find(pathname)].map((pair) => pair.join("=")).join("; "), sent);
  });
}

/** Values of `Expires`: the time, or `undefined` if the attribute is ignored. */
const dates: readonly [text: string, time: string | undefined][] = [
  ["Mon, 10 Dec 2007 17:02:24 GMT", "2007-12-10T17:02:24Z"],
  ["Mon, 10-Dec-2007 17:02:24 GMT", "2007-12-10T17:02:24Z"],
  ["Monday, 10-Dec-07 17:02:24 GMT", "2007-12-10T17:02:24Z"],
  ["mon, 10 dEc 2107 17:02:24 gmt", "2107-12-10T17:02:24Z"],
  ["32 Dec 2007 00:00:00 GMT", undefined],
  ["10 Foo 2007 17:02:24 GMT", undefined],
  ["tomorrow", undefined],
  ["", undefined],
];

for (const [text, time] of dates) {
  Deno.test(`CookieJar: Expires of "${text}"`, () => {
    const isAlive = time === undefined || Date.parse(time) > Date.now();
    const jar = new CookieJar();
    const seen: number[] = [];
    jar.keep = ({ expiresMs }) => void seen.push(expiresMs);
    jar.store([`a=b; expires=${text}`], origin);
    assertEquals(seen, [time === undefined ? Infinity : Date.parse(time)]);
    const other = new CookieJar();
    other.store([`a=b; expires=${text}`], origin);
    assertEquals(other.find("/").size, isAlive ? 1 : 0);
  });
}
