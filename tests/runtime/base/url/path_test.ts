import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { cpuMs } from "../../../cpu_time.ts";
import { decodePath, joinBase, localPath } from "../../../../runtime/base/url/path.ts";

const UNCHANGED = [
  ..."/ // /about /a/b/c/ /a//b /... /..../x /a..b /a.. /..a /a./b".split(" "),
  ..."/.well-known/x /.a/.b /a/b.css /~user/@me;v=1/a+b,c'd(e)!$&*=:".split(" "),
  "/a b",
  '/[a]^_`{|}<>"',
  "/a?b#c",
  "/café/日本/🎈",
];

Deno.test("decodePath returns a canonical path unchanged", () => {
  for (const path of UNCHANGED) assertStrictEquals(decodePath(path), path);
});

const DECODED: readonly [raw: string, canonical: string][] = [
  ["/caf%C3%A9", "/café"],
  ["/caf%c3%a9", "/café"],
  ["/%E6%97%A5/%F0%9F%8E%88", "/日/🎈"],
  ["/%61bout", "/about"],
  ["/a%20b%3Fc%23d", "/a b?c#d"],
  ["/a%2Fb", "/a%2Fb"],
  ["/a%2fb", "/a%2Fb"],
  ["/%2F", "/%2F"],
  ["/a%5Cb", "/a\\b"],
  ["/100%25", "/100%25"],
  ["/%252e%252e/x", "/%252e%252e/x"],
  ["/%252F", "/%252F"],
  ["/%25%32%46", "/%252F"],
  ["/%2e%2e%2e", "/..."],
  ["/a%2e%2eb", "/a..b"],
  ["/%2ewell-known", "/.well-known"],
  ["/a%2F...%2Fb", "/a%2F...%2Fb"],
];

Deno.test("decodePath decodes once, and keeps %2F and %25", () => {
  for (const [raw, canonical] of DECODED) assertEquals(decodePath(raw), canonical, raw);
});

const REFUSED: readonly [why: string, ...paths: string[]][] = [
  ["not a path", "", "a", "*", "?x", "http://a/b", "%2Fa", "\\a"],
  ["malformed escape", "/%", "/%2", "/%zz", "/%2G", "/a%", "/%%25", "/%2%25", "/% 41", "/%u0041"],
  ["invalid UTF-8", ..."/%ff /%C3 /%C3x /%A9 /%ED%A0%80 /%F4%90%80%80 /%F8%88%80%80".split(" ")],
  ["overlong", "/%C0%AE%C0%AE/x", "/%C0%AF", "/%E0%80%AF", "/%C0%80", "/%F0%80%80%AE"],
  ["lone surrogate", "/\ud800", "/a\udc00b"],
  ["NUL", "/\0", "/a%00", "/%00/..", "/a%00.css"],
  ["control", "/\t", "/a\r\nb", "/\x1f", "/\x7f", "/\x80", "/\x9f", "/%09", "/%0d%0A", "/%1F"],
  ["escaped control", "/%7f", "/%C2%80", "/%c2%9f"],
  ["raw backslash", "/\\", "/a\\b", "/..\\x", "/a%20\\"],
  ["dot segment", ..."/. /.. /./ /../ /a/. /a/.. /a/./b /a/../b /a/b/../../..".split(" ")],
  ["escaped dots", "/%2e", "/%2E%2e", "/.%2e", "/%2e.", "/a/%2e%2e/b", "/a/%2E", "/é/%2e%2e"],
  ["escaped slash", "/a%2F..", "/..%2Fa", "/a%2f..%2fb", "/a%2F.%2Fb", "/%2F..", "/..%2F", "/.%2f"],
  ["both escaped", "/%2e%2e%2f%2e%2e%2fetc", "/a%2f%2e%2e", "/%2e%2F"],
  ["escaped backslash", "/..%5C", "/a%5C..%5Cb", "/a%5c..", "/%5C..", "/.%5cx", "/%2e%2e%5cx"],
  ["mixed separators", "/a%5C..%2Fb", "/a%2F..%5Cb", "/a/..%5Cb", "/a%5C../b"],
];

Deno.test("decodePath refuses encodings that could mean another path", () => {
  for (const [why, ...paths] of REFUSED) {
    for (const path of paths) assertEquals(decodePath(path), undefined, `${why}: ${path}`);
  }
});

Deno.test("decodePath takes linear time for long hostile paths", () => {
  const rows = [
    "/a".repeat(30_000),
    "%2F".repeat(20_000),
    "/.a".repeat(20_000),
    "%25".repeat(20_000),
  ];
  const cases = [...rows, "/" + "..".repeat(30_000), "%5C".repeat(20_000), "/".repeat(60_000)];
  for (const row of cases) {
    const start = cpuMs();
    assertEquals(decodePath("/x" + row)?.slice(0, 2), "/x");
    assertEquals(decodePath("/x" + row + "/.."), undefined);
    const ms = cpuMs() - start;
    assert(ms < 250, `${row.slice(0, 9)}: ${ms} ms`);
  }
});

Deno.test("joinBase and localPath never return a path that starts with two slashes", () => {
  const joined: readonly [base: string, path: string, result: string][] = [
    ["", "/", "/"],
    ["", "/a", "/a"],
    ["", "//evil.example", "/evil.example"],
    ["", "/\\/evil.example", "/evil.example"],
    ["/app", "/", "/app/"],
    ["/app", "/a/b", "/app/a/b"],
    ["/app", "//a", "/app//a"],
  ];
  for (const [base, path, result] of joined) assertEquals(joinBase(base, path), result, path);
  assertEquals([localPath("///a//b"), localPath("/\\evil.example/")], ["/a//b", "/evil.example/"]);
});
