import { cpuMs } from "../../cpu_time.ts";
import { wholeFrom } from "../../random.ts";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { decodeParam, decodePath, parsePattern } from "../../../runtime/base/url/path.ts";
import { Router } from "../../../runtime/request/router.ts";

function routerOf(patterns: readonly string[]): Router<string> {
  const router = new Router<string>();
  for (const pattern of patterns) router.add(pattern, pattern);
  return router;
}

function describe(router: Router<string>, path: string): string {
  const match = router.find(path);
  return match === undefined ? "-" : [match.value, ...match.params ?? []].join("|");
}

const SITE = [
  ..."/ /about /about/team /blog /blog/new /blog/next /blog/{slug}".split(" "),
  ..."/blog/{slug}/edit /blog/{slug}/comments/{id} /a/{x}/c /a/b/d".split(" "),
  ..."/files/{path...} /files/{name} /files/{name}/info /files/static/info/raw".split(" "),
  ..."/api/{version}/users/{user} /api/v1/{resource...} /café /café/{name}".split(" "),
  ..."/100% /日本/{city} /日曜 /.well-known/{file...}".split(" "),
];

const FINDS: readonly [path: string, found: string][] = [
  ["/", "/"],
  ["", "-"],
  ["about", "-"],
  ["/about", "/about"],
  ["/abou", "-"],
  ["/aboutt", "-"],
  ["/about/", "-"],
  ["/about/team", "/about/team"],
  ["//about", "-"],
  ["/blog", "/blog"],
  ["/blog/", "-"],
  ["/blog//", "-"],
  ["/blog/new", "/blog/new"],
  ["/blog/ne", "/blog/{slug}|ne"],
  ["/blog/news", "/blog/{slug}|news"],
  ["/blog/nex", "/blog/{slug}|nex"],
  ["/blog/new/edit", "/blog/{slug}/edit|new"],
  ["/blog/next/comments/7", "/blog/{slug}/comments/{id}|next|7"],
  ["/blog/next/comments/", "-"],
  ["/blog//comments/7", "-"],
  ["/blog/x/comments/7/more", "-"],
  ["/a/b/d", "/a/b/d"],
  ["/a/b/c", "/a/{x}/c|b"],
  ["/a/b/e", "-"],
  ["/a//c", "-"],
  ["/files", "-"],
  ["/files/", "-"],
  ["/files/x", "/files/{name}|x"],
  ["/files/x/info", "/files/{name}/info|x"],
  ["/files/x/other", "/files/{path...}|x/other"],
  ["/files/x/", "/files/{path...}|x/"],
  // A catch-all matches a relative path, which cannot climb out of a folder.
  ["/files//", "-"],
  ["/files//etc/passwd", "-"],
  ["/files//x", "-"],
  ["/files/%2F", "/files/{name}|%2F"],
  ["/files/%2Fetc/passwd", "-"],
  ["/files/\\server/share", "-"],
  ["/files/x//y", "-"],
  ["/files/x/%2Fy", "-"],
  ["/files/x%2F/y", "-"],
  ["/files/x/y%2F%2Fz", "-"],
  ["/files/x/y//", "-"],
  ["/files/x/y/", "/files/{path...}|x/y/"],
  ["/files/x/y%2Fz%2F", "/files/{path...}|x/y%2Fz%2F"],
  ["/files/x/a\\\\b", "/files/{path...}|x/a\\\\b"],
  ["/files/x/%252F/y", "/files/{path...}|x/%252F/y"],
  ["/files/static/info", "/files/{name}/info|static"],
  ["/files/static/info/raw", "/files/static/info/raw"],
  ["/files/static/info/ra", "/files/{path...}|static/info/ra"],
  ["/api/v1/users/7", "/api/v1/{resource...}|users/7"],
  ["/api/v2/users/7", "/api/{version}/users/{user}|v2|7"],
  ["/api/v1/", "-"],
  ["/café", "/café"],
  ["/café/x", "/café/{name}|x"],
  ["/100%25", "/100%"],
  ["/100%", "-"],
  ["/日本/京都", "/日本/{city}|京都"],
  ["/日曜", "/日曜"],
  ["/日", "-"],
  ["/.well-known/acme/x", "/.well-known/{file...}|acme/x"],
];

Deno.test("Router.find returns the most literal pattern and its captures", () => {
  for (const patterns of [SITE, SITE.toReversed()]) {
    const router = routerOf(patterns);
    for (const [path, found] of FINDS) assertEquals(describe(router, path), found, path);
  }
});

Deno.test("Router.find distinguishes literal from dynamic patterns", () => {
  const router = routerOf(SITE);
  assertEquals(router.find("/about"), { value: "/about", params: undefined, isLiteral: true });
  assertEquals(router.find("/blog/x"), { value: "/blog/{slug}", params: ["x"], isLiteral: false });
});

Deno.test("Router.find finds patterns added after a lookup", () => {
  const router = routerOf(["/a/{x}"]);
  assertEquals(describe(router, "/a/b"), "/a/{x}|b");
  router.add("/a/b", "/a/b");
  assertEquals([describe(router, "/a/b"), describe(router, "/a/bc")], ["/a/b", "/a/{x}|bc"]);
});

Deno.test("Router.find on an empty router returns undefined", () => {
  assertEquals(new Router<string>().find("/"), undefined);
});

const DECODED: readonly [raw: string, pattern: string, values: string[]][] = [
  ["/caf%C3%A9", "/café", []],
  ["/caf%c3%a9/caf%C3%A9", "/café/{name}", ["café"]],
  ["/100%25", "/100%", []],
  ["/blog/a%2Fb", "/blog/{slug}", ["a/b"]],
  ["/blog/a%2fb/edit", "/blog/{slug}/edit", ["a/b"]],
  ["/blog/%252e%252e", "/blog/{slug}", ["%2e%2e"]],
  ["/blog/a%5Cb", "/blog/{slug}", ["a\\b"]],
  ["/files/a%2Fb/c%25d", "/files/{path...}", ["a/b/c%d"]],
  ["/%62log/%6eew", "/blog/new", []],
];

Deno.test("Router.find with decodePath returns decoded parameters", () => {
  const router = routerOf(SITE);
  for (const [raw, pattern, values] of DECODED) {
    const match = router.find(decodePath(raw) ?? "refused");
    assertEquals([match?.value, (match?.params ?? []).map(decodeParam)], [pattern, values], raw);
  }
});

const DUPLICATES: readonly [first: string, second: string][] = [
  ["/", "/"],
  ["/a", "/a"],
  ["/a/{x}", "/a/{y}"],
  ["/a/{x}/b/{y}", "/a/{y}/b/{x}"],
  ["/a/{x...}", "/a/{rest...}"],
];

Deno.test("Router.add refuses a second pattern of the same shape and names both", () => {
  for (const [first, second] of DUPLICATES) {
    const router = routerOf([first]);
    const message = `Cannot add the route "${second}": "${first}" already matches the same paths`;
    assertThrows(() => router.add(second, "x"), TypeError, message);
  }
  assertThrows(() => routerOf(["/a/"]), TypeError, 'Cannot parse the pattern "/a/"');
});

/** The rules of `Router`, implemented naively segment by segment. */
function findSlowly(patterns: readonly string[], path: string): string {
  if (!path.startsWith("/")) return "-";
  const parts = path === "/" ? [] : path.slice(1).split("/");
  const hits: { rank: string; text: string }[] = [];
  for (const source of patterns) {
    const { segments } = parsePattern(source);
    const last = segments.at(-1)?.kind === "rest";
    if (last ? parts.length < segments.length : parts.length !== segments.length) continue;
    const captures: string[] = [];
    const fits = segments.every((segment, i) => {
      const part = parts[i] ?? "";
      if (segment.kind === "literal") return part === segment.text;
      const value = segment.kind === "rest" ? parts.slice(i).join("/") : part;
      captures.push(value);
      if (segment.kind === "rest" && /^[/\\]|\/\//.test(decodeParam(value))) return false;
      return value !== "";
    });
    const rank = segments.map(({ kind }) =>
      kind === "literal" ? "0" : kind === "param" ? "1" : "2"
    );
    if (fits) hits.push({ rank: rank.join(""), text: [source, ...captures].join("|") });
  }
  return hits.sort((a, b) => a.rank < b.rank ? -1 : 1)[0]?.text ?? "-";
}

const WORDS = ["a", "b", "ab", "abc", "abd", "é", "日", "ð"];

function randomPattern(random: (below: number) => number): string {
  const length = random(6);
  let pattern = "";
  for (let i = 0; i < length; i++) {
    const pick = random(WORDS.length + 5);
    if (pick === WORDS.length && i === length - 1) pattern += `/{rest...}`;
    else pattern += "/" + (WORDS[pick] ?? `{p${i}}`);
  }
  return pattern === "" ? "/" : pattern;
}

function randomPath(random: (below: number) => number): string {
  const length = random(8);
  let path = "";
  for (let i = 0; i < length; i++) path += "/" + (WORDS[random(WORDS.length + 2)] ?? "");
  return path === "" ? "/" : path;
}

Deno.test("Router.find agrees with a naive matcher on random patterns and paths", () => {
  const random = wholeFrom(20_260_101);
  let found = 0;
  for (let round = 0; round < 60; round++) {
    const router = new Router<string>();
    const shapes = new Map<string, string>();
    for (let i = random(40); i >= 0; i--) {
      const pattern = randomPattern(random);
      const shape = pattern.replaceAll(/\{\w+/g, "{");
      if (shapes.has(shape)) continue;
      shapes.set(shape, pattern);
      router.add(pattern, pattern);
    }
    const patterns = [...shapes.values()];
    for (let i = 0; i < 100; i++) {
      const path = randomPath(random);
      const expected = findSlowly(patterns, path);
      assertEquals(describe(router, path), expected, `${path} in ${patterns.join(" ")}`);
      if (expected !== "-") found++;
    }
  }
  assert(found > 1_200, `only ${found} paths matched: the test proves little`);
});

/**
 * Returns the milliseconds of the fastest of three runs, because the garbage collector may run
 * during one.
 */
function fastestMs(run: () => void): number {
  const times = [1, 2, 3].map(() => {
    const start = cpuMs();
    run();
    return cpuMs() - start;
  });
  return Math.min(...times);
}

Deno.test("Router.find takes bounded time on hostile paths", () => {
  const depth = 10;
  // Every combination of literal and parameter over ten levels, each failing only at its end: 2^10
  // branches.
  const mixes = Array.from(
    { length: 2 ** depth },
    (_, bits) =>
      Array.from({ length: depth }, (_, i) => (bits >> i) & 1 ? `/{p${i}}` : "/a").join("") +
      "/end",
  );
  const router = routerOf([...mixes, "/{rest...}"]);
  const rows: readonly [name: string, path: string, found: string | undefined][] = [
    ["10,000 segments", "/a".repeat(10_000), "/{rest...}"],
    ["10,000 empty segments", "/".repeat(10_000), undefined],
    ["10,000 escaped slashes", "/a" + "%2Fa".repeat(10_000), "/{rest...}"],
    ["every branch fails late", "/a".repeat(depth) + "/no", "/{rest...}"],
    ["long segments", ("/a" + "x".repeat(6_000)).repeat(depth) + "/no", "/{rest...}"],
  ];
  for (const [name, path, found] of rows) {
    assertEquals(router.find(path)?.value, found, name);
    // At most 2,047 nodes, each with one scan of its segment: microseconds to a few milliseconds.
    const ms = fastestMs(() => router.find(path));
    assert(ms < 100, `${name}: ${ms} ms`);
  }
});

Deno.test("Router accepts a pattern of 10,000 segments without recursion", () => {
  const names = Array.from({ length: 10_000 }, (_, i) => `p${i}`);
  const shallow = names.slice(0, 5_000).map((name) => `/{${name}}`).join("");
  const router = routerOf([`${shallow}/x`, `${shallow}${shallow.replaceAll("{p", "{q")}`]);
  assertEquals(router.find("/a".repeat(10_000))?.params?.length, 10_000);
  assertEquals(router.find("/a".repeat(10_001)), undefined);
});
