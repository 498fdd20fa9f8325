import { assertEquals, assertThrows } from "@std/assert";
import { STATUS_TEXT } from "@std/http/status";
import * as own from "@std/path";
import { readGraph } from "./layers/package_graph.ts";
import { globToRegExp } from "@std/path/posix/glob-to-regexp";
// @ts-types="./std_path.d.ts"
import * as std from "npm:/deno-std@1.4.0/path/mod.js";
// @ts-types="./std_status.d.ts"
import * as status from "npm:/deno-std@1.4.0/http/status.js";

const paths = [
  "",
  ...". .. / // ///a// a a/ a/b.ts /a/b.ts/ ./a/./b/../c ../../a /../a a/../.. a/..".split(" "),
  ..."a/../ .hidden a.b/c a.tar.gz a. ends.ts/".split(" "),
  "…/é %20?#\\",
  "a\tb\nc ",
];

const single = ["basename", "dirname", "isAbsolute", "join", "resolve"] as const;
for (const name of single) {
  Deno.test(`@std/path stand-in: ${name} equals std's`, () => {
    for (const path of paths) assertEquals(own[name](path), std[name](path), JSON.stringify(path));
  });
}

for (const name of ["join", "relative", "resolve"] as const) {
  Deno.test(`@std/path stand-in: ${name} of two paths equals std's`, () => {
    for (const one of paths) {
      for (const other of paths) {
        assertEquals(own[name](one, other), std[name](one, other), JSON.stringify([one, other]));
      }
    }
  });
}

Deno.test("@std/path stand-in: basename with a suffix equals std's", () => {
  for (const path of paths) {
    for (const suffix of [".ts", "a", "b.ts", "/"]) {
      assertEquals(own.basename(path, suffix), std.basename(path, suffix), `${path} ${suffix}`);
    }
  }
});

Deno.test("@std/path stand-in: file URLs equal std's, there and back", () => {
  for (const path of paths) {
    if (!path.startsWith("/")) {
      assertThrows(() => own.toFileUrl(path), TypeError);
      continue;
    }
    assertEquals(own.toFileUrl(path).href, std.toFileUrl(path).href);
  }
  for (const url of ["file:///a%20b", "file:///a%zz", "file:///%C3%A9", "file:///a/../b?x#y"]) {
    assertEquals(own.fromFileUrl(url), std.fromFileUrl(url));
  }
  assertThrows(() => own.fromFileUrl("https://example.com/a"), TypeError);
});

Deno.test("@std/http/status stand-in: STATUS_TEXT equals std's", () => {
  assertEquals({ ...STATUS_TEXT }, { ...status.STATUS_TEXT });
});

const globs = [
  ..."*.html **/*.html a/** ** a/*/c.ts ?.ts {a,b}.ts {a,*}/c [a-c].ts".split(" "),
]
  .concat("[!a].ts", "a+b(c).ts", "a.ts/", "", "a*b*c", "/a/*");
const names = "a.html x/a.html x/y/a.html a/b a/b/c a/b/c.ts a.ts b.ts d.ts".split(" ")
  .concat("a/c", "a+b(c).ts", "abc", "a/abc", "axxbyyc", "/a/b", "a", "", "a.tsx", "éa.ts");

Deno.test("@std/path/posix/glob-to-regexp stand-in: matches the same paths as std's", () => {
  for (const glob of globs) {
    for (const name of names) {
      const [own, other] = [globToRegExp(glob), std.globToRegExp(glob, { os: "linux" })];
      assertEquals(own.test(name), other.test(name), `${glob} ${name}`);
    }
  }
});

Deno.test("@std/path: a start imports only modules of one platform, which load no process of Node", async () => {
  const forTests = /^(?:cli|tools|runtime\/testing|ai\/test_models)\//;
  const found = [...await readGraph()].filter(([path]) => !forTests.test(path)).flatMap(
    ([path, imports]) =>
      imports.filter(({ specifier }) =>
        /^@std\/path(?!\/(?:posix|windows)\/[a-z-]+$)/.test(specifier)
      )
        .map(({ specifier }) => `${path}: ${specifier}`),
  );
  assertEquals(found, []);
});
