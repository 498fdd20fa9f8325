import { assertEquals, assertThrows } from "@std/assert";
import {
  buildPath,
  decodeParam,
  decodePath,
  parsePattern,
  type PatternParams,
} from "../../../../runtime/base/url/path.ts";
import { Router } from "../../../../runtime/request/router.ts";

Deno.test("parsePattern refuses a malformed pattern and names the fix", () => {
  const rows: readonly [pattern: string, fix: string][] = [
    ["", "must start with a slash"],
    ["blog", "must start with a slash"],
    ["{x}/y", "must start with a slash"],
    ["/blog/", "remove the trailing slash"],
    ["//", "remove the trailing slash"],
    ["//a", "remove the empty segment"],
    ["/a//b", "remove the empty segment"],
    ["/{}", 'the parameter name "" must be'],
    ["/{...}", 'the parameter name "" must be'],
    ["/{1a}", 'the parameter name "1a" must be'],
    ["/{a-b}", 'the parameter name "a-b" must be'],
    ["/{_a}", 'the parameter name "_a" must be'],
    ["/{a_}", 'the parameter name "a_" must be'],
    ["/{é}", 'the parameter name "é" must be'],
    ["/{a..}", 'the parameter name "a.." must be'],
    ["/{a }", 'the parameter name "a " must be'],
    ["/{a\n}", 'the parameter name "a\n" must be'],
    ["/{{a}}", 'the parameter name "{a}" must be'],
    ["/{a...}/b", "nothing may follow {a...}"],
    ["/{a...}/{b...}", "nothing may follow {a...}"],
    ["/{a}/{a}", 'the parameter "a" occurs twice'],
    ["/{a}/{a...}", 'the parameter "a" occurs twice'],
    ["/x{a}", "a parameter must be a whole segment"],
    ["/{a}.html", "a parameter must be a whole segment"],
    ["/a}", "a parameter must be a whole segment"],
    ["/{a", "a parameter must be a whole segment"],
    ["/blog/:slug", 'write {name} for a parameter and {name...} for the rest, not ":slug"'],
    ["/files/*", 'not "*"'],
    ["/.", "no request can reach the segment"],
    ["/a/../b", "no request can reach the segment"],
    ["/a\0", "no request can reach the segment"],
  ];
  for (const [pattern, fix] of rows) {
    const error = assertThrows(() => parsePattern(pattern), TypeError, fix);
    const start = `Cannot parse the pattern ${JSON.stringify(pattern)}: `;
    assertEquals(error.message.slice(0, start.length), start);
  }
});

const BUILT: readonly [pattern: string, params: PatternParams, path: string][] = [
  ["/", {}, "/"],
  ["/blog", {}, "/blog"],
  ["/blog/{slug}", { slug: "hello" }, "/blog/hello"],
  ["/blog/{slug}", { slug: "hello", other: "ignored" }, "/blog/hello"],
  ["/blog/{id}/edit", { id: 7 }, "/blog/7/edit"],
  ["/blog/{slug}", { slug: "a/b c?d#e%f" }, "/blog/a%2Fb%20c%3Fd%23e%25f"],
  ["/blog/{slug}", { slug: "é" }, "/blog/%C3%A9"],
  ["/blog/{slug}", { slug: "..." }, "/blog/..."],
  ["/blog/{slug}", { slug: "%2e%2e" }, "/blog/%252e%252e"],
  ["/{a}/{b}", { a: "1", b: "2" }, "/1/2"],
  ["/{a}", { a: "/evil.example" }, "/%2Fevil.example"],
  ["/{a}", { a: "\\evil.example" }, "/%5Cevil.example"],
  ["/files/{path...}", { path: "a/b c/d" }, "/files/a/b%20c/d"],
  ["/files/{path...}", { path: "a/b/" }, "/files/a/b/"],
  ["/files/{path...}", { path: "a\\b" }, "/files/a%5Cb"],
  ["/café/{x}", { x: "1" }, "/caf%C3%A9/1"],
  ["/100%/a?b#c", {}, "/100%25/a%3Fb%23c"],
  ["/@me/a+b", {}, "/@me/a+b"],
  ["/.well-known/...", {}, "/.well-known/..."],
  ["/{x...}", { x: "a%2F..%2Fb" }, "/a%252F..%252Fb"],
  ["/{a}/x/{b_2...}", { a: "1", b_2: "2/3" }, "/1/x/2/3"],
];

Deno.test("buildPath encodes the parameters", () => {
  for (const [pattern, params, path] of BUILT) assertEquals(buildPath(pattern, params), path);
});

Deno.test("buildPath returns the path that the router parses back", () => {
  for (const [pattern, params] of BUILT) {
    const router = new Router<readonly string[]>();
    const { names } = parsePattern(pattern);
    router.add(pattern, names);
    const match = router.find(decodePath(buildPath(pattern, params)) ?? "refused");
    assertEquals(match?.value, names, pattern);
    const wanted = names.map((name) => String(params[name]));
    assertEquals((match?.params ?? []).map(decodeParam), wanted, pattern);
  }
});

Deno.test("buildPath replaces lone surrogates, which no URL can carry", () => {
  assertEquals(buildPath("/{a}", { a: "x\ud800" }), "/x%EF%BF%BD");
});

Deno.test("buildPath refuses missing, empty and dot values, naming pattern and parameter", () => {
  const rows: readonly [pattern: string, params: PatternParams, state: string][] = [
    ["/blog/{slug}", {}, 'the parameter "slug" is missing or empty'],
    ["/blog/{slug}", { slug: "" }, 'the parameter "slug" is missing or empty'],
    ["/{a}/{b}", { a: "1" }, 'the parameter "b" is missing or empty'],
    ["/{toString}", {}, 'the parameter "toString" is missing or empty'],
    ["/files/{path...}", { path: "" }, 'the parameter "path" is missing or empty'],
    ["/{a}", { a: "." }, 'the parameter "a" holds a "." or ".." segment'],
    ["/{a}", { a: "x/../y" }, 'the parameter "a" holds a "." or ".." segment'],
    ["/files/{path...}", { path: "a/../b" }, 'the parameter "path" holds a "." or ".." segment'],
    ["/files/{path...}", { path: "/a" }, 'the parameter "path" is not a relative path'],
    ["/files/{path...}", { path: "//evil.example" }, 'the parameter "path" is not a relative path'],
    ["/files/{path...}", { path: "\\a" }, 'the parameter "path" is not a relative path'],
    ["/files/{path...}", { path: "a//b" }, 'the parameter "path" is not a relative path'],
    [
      "/files/{path...}",
      { path: "https://a.example/" },
      'the parameter "path" is not a relative path',
    ],
    ["/files/{path...}", { path: "/" }, 'the parameter "path" is not a relative path'],
    ["/files/{path...}", { path: "..\\b" }, 'the parameter "path" holds a "." or ".." segment'],
  ];
  for (const [pattern, params, state] of rows) {
    const message = `Cannot build a path for "${pattern}": ${state}`;
    assertThrows(() => buildPath(pattern, params), TypeError, message);
  }
  assertThrows(() => buildPath("/a/", {}), TypeError, "remove the trailing slash");
});
