import { assertEquals, assertStringIncludes } from "@std/assert";
import * as h from "../../../html/mod.ts";
import type { PathParams, Route } from "../../../mod.ts";
import { exportOnce, page, paramPage } from "./support.ts";

const paths: readonly [name: string, route: Route, files: string[]][] = [
  ["an array", paramPage("/{a}", () => [{ a: "x" }, { a: "y" }]), ["x", "y"]],
  [
    "a generator",
    paramPage("/{a}", function* (): Generator<PathParams> {
      yield { a: "x" };
    }),
    ["x"],
  ],
  ["a promise", paramPage("/{a}", () => Promise.resolve([{ a: "x" }])), ["x"]],
  [
    "an async generator",
    paramPage("/{a}", async function* (): AsyncGenerator<PathParams> {
      yield await Promise.resolve({ a: "x" });
    }),
    ["x"],
  ],
  ["numbers", paramPage("/{a}/{b}", () => [{ a: 1, b: 2.5 }]), ["1/2.5"]],
  ["a set of names", paramPage("/{a}", () => new Set([{ a: "x" }])), ["x"]],
  ["none", paramPage("/{a}", () => []), []],
  ["a rest", paramPage("/{a...}", () => [{ a: "x/y" }, { a: "z" }]), ["x/y", "z"]],
  [
    "non-ASCII letters, spaces and percent signs",
    paramPage("/{a}", () => [{ a: "é" }, { a: "a b" }, { a: "50%" }, { a: "%2F" }]),
    ["%2F", "50%", "a b", "é"],
  ],
  ["dots that do not climb", paramPage("/{a}", () => [{ a: "a..b" }]), ["a..b"]],
  ["a page without parameters, listed twice", paramPage("/p", () => []), []],
  ["a page without parameters, listed once", paramPage("/p", () => [{}]), ["p"]],
];

for (const [name, route, files] of paths) {
  Deno.test(`export: Paths returns ${name}`, () =>
    exportOnce({ routes: [route] }, ({ message }, scratch) => {
      const found = [message, scratch.list()];
      assertEquals(found, [undefined, files.map((file) => `${file}/index.html`)]);
    }));
}

Deno.test("export: passes the application to Paths", () =>
  exportOnce({
    routes: [paramPage("/{a}", (app) => app.routes.map((_, i) => ({ a: String(i) })))],
  }, (_, scratch) => assertEquals(scratch.list(), ["0/index.html"])));

Deno.test("export: handlers receive the parameters as Paths returned them", async () => {
  const values = ["é", "a b", "50%", "%2F", "a+b", "a&b;c=d", "'", "~", "日本"];
  const seen: string[] = [];
  await exportOnce({
    routes: [{
      pattern: "/{a}",
      paths: () => values.map((a) => ({ a })),
      page: (c) => {
        seen.push(c.param("a"));
        return h.p();
      },
    }],
    parts: { notFound: () => h.p() },
  }, () => assertEquals(seen.sort(), [...values, "404.html"].sort()));
});

// deno-lint-ignore no-explicit-any -- what no compiler would let pass
const wrong = (list: any): Route["paths"] => () => list;

const badPaths: readonly [name: string, paths: Route["paths"], code: string, text: string][] = [
  [
    "a throw",
    () => {
      throw new Error("no table");
    },
    "paths_failed",
    'Paths of "/{a}" (app/page.ts) failed: no table',
  ],
  ["a rejection", () => Promise.reject(new Error("late")), "paths_failed", "failed: late"],
  [
    "a throw half-way",
    function* (): Generator<PathParams> {
      yield { a: "x" };
      throw new Error("cut");
    },
    "paths_failed",
    "failed: cut",
  ],
  ["no list", wrong(undefined), "paths_failed", "it returns no list"],
  ["a text", wrong("abc"), "paths_failed", "it returns no list"],
  ["an object", wrong({ a: "x" }), "paths_failed", "it returns no list"],
  ["texts", wrong(["x"]), "paths_value", "gives x;"],
  ["null", wrong([null]), "paths_value", "gives null"],
  ["no value", wrong([{}]), "paths_value", "gives {};"],
  ["other name", wrong([{ a: "x", b: "y" }]), "paths_value", 'gives {"a":"x","b":"y"};'],
  ["undefined", wrong([{ a: undefined }]), "paths_value", "gives {};"],
  ["NaN", wrong([{ a: NaN }]), "paths_value", 'gives {"a":null};'],
  ["a bigint", wrong([{ a: 5n }]), "paths_value", 'gives {"a":"5n"};'],
  ["an object as the value", wrong([{ a: {} }]), "paths_value", 'gives {"a":{}};'],
  ["the same twice", wrong([{ a: "x" }, { a: "x" }]), "paths_duplicate", "gives /x twice"],
  ["a number and its string", wrong([{ a: 1 }, { a: "1" }]), "paths_duplicate", "gives /1 twice"],
  ["an empty value", wrong([{ a: "" }]), "paths_value", '{"a":""}'],
  ["a way up", wrong([{ a: ".." }]), "paths_value", '{"a":".."}'],
  ["a dot", wrong([{ a: "." }]), "paths_value", '{"a":"."}'],
  ["way up and on", wrong([{ a: "../../etc/passwd" }]), "paths_value", '"a":"../../etc/passwd"'],
  ["a way up with backslashes", wrong([{ a: "..\\..\\x" }]), "paths_value", '"..\\\\..\\\\x"'],
  ["an absolute path", wrong([{ a: "/etc/passwd" }]), "paths_value", '"a":"/etc/passwd"'],
  ["a slash", wrong([{ a: "a/b" }]), "paths_value", '"a":"a/b"'],
  ["NUL", wrong([{ a: "a\0b" }]), "paths_value", '"a\\u0000b"'],
  ["a line break", wrong([{ a: "a\nb" }]), "paths_value", '"a\\nb"'],
  ["a lone surrogate", wrong([{ a: "\ud800" }]), "paths_value", '"a":"\\ud800"'],
  ["a backslash", wrong([{ a: "a\\b" }]), "bad_name", '"a\\b" is not a valid name'],
  ["a dot file", wrong([{ a: ".env" }]), "bad_name", '".env" is not a valid name'],
  ["a drive", wrong([{ a: "c:" }]), "bad_name", '"c:" is not a valid name'],
  ["a stream of a file", wrong([{ a: "a:b" }]), "bad_name", '"a:b" is not a valid name'],
  ["a device", wrong([{ a: "CON" }]), "bad_name", '"CON" is not a valid name'],
  [
    "a device with an extension",
    wrong([{ a: "nul.txt" }]),
    "bad_name",
    '"nul.txt" is not a valid name',
  ],
  ["a dot at the end", wrong([{ a: "a." }]), "bad_name", '"a." is not a valid name'],
  ["a space at the end", wrong([{ a: "a " }]), "bad_name", '"a " is not a valid name'],
  ["a star", wrong([{ a: "a*" }]), "bad_name", '"a*" is not a valid name'],
  ["a question", wrong([{ a: "why?" }]), "bad_name", '"why?" is not a valid name'],
  ...[
    ..."404.html _headers _Redirects _routes.json _worker.js CNAME netlify.toml".split(" "),
    ..."staticwebapp.config.json vercel.json Web.config".split(" "),
  ].map((a): typeof badPaths[number] => [
    `what hosts obey, ${a}`,
    wrong([{ a }]),
    "reserved_name",
    `/${a} would be "${a}", which hosts read`,
  ]),
  ["a very long name", wrong([{ a: "é".repeat(130) }]), "bad_name", "is not a valid name"],
  [
    "names that differ only in case",
    wrong([{ a: "About" }, { a: "about" }]),
    "collision",
    "/about and /About would be one file",
  ],
  ["two forms of é", wrong([{ a: "\u00e9" }, { a: "e\u0301" }]), "collision", "would be one file"],
];

for (const [name, list, code, text] of badPaths) {
  Deno.test(`export: refuses Paths: ${name}`, () =>
    exportOnce(
      { routes: [page("/ok"), paramPage("/{a}", list)] },
      ({ message, report }, scratch) => {
        assertStringIncludes(message ?? "", text);
        assertEquals(report.errors.map((error) => error.code), [code]);
        // Nothing is written for an invalid plan.
        assertEquals([scratch.list(), scratch.list("")], [[], []]);
      },
    ));
}

const badRests: readonly [name: string, value: string][] = [
  ["a way up", "a/../../b"],
  ["a path that climbs at the start", "../b"],
  ["an absolute path", "/etc/passwd"],
  ["an empty part", "a//b"],
  ["a slash at the end", "a/"],
  ["a dot file below", "a/.git/config"],
];

for (const [name, value] of badRests) {
  Deno.test(`export: refuses Paths of a catch-all: ${name}`, () =>
    exportOnce({ routes: [paramPage("/{a...}", () => [{ a: value }])] }, ({ report }, scratch) => {
      assertEquals([report.errors.length, scratch.list()], [1, []]);
    }));
}

Deno.test("export: reports at most ten entries for one mistake in a list", () =>
  exportOnce({
    routes: [paramPage("/{a}", () => Array.from({ length: 50 }, () => ({ b: "x" })) as never)],
  }, ({ report }) => assertEquals(report.errors.length, 10)));

Deno.test("export: stops reading an endless list", () => {
  let read = 0;
  return exportOnce({
    routes: [paramPage("/{a}", function* (): Generator<PathParams> {
      for (;;) yield { a: read++ };
    })],
  }, ({ message }) => {
    assertStringIncludes(
      message ?? "",
      `Paths of "/{a}" (app/page.ts) gives more than 50000 pages`,
    );
    assertEquals(read, 50_001);
  });
});

Deno.test("export: refuses file names reserved by hosts, and paths below them", () =>
  exportOnce({
    routes: [paramPage("/{a...}", () => [{ a: "_worker.js/index" }, { a: "ok/_headers" }])],
  }, ({ report }) => {
    assertEquals(report.errors.map(({ code, subject }) => [code, subject]), [
      ["reserved_name", "/_worker.js/index"],
    ]);
  }));

Deno.test("export: accepts a route with such a name", () =>
  exportOnce({
    routes: [page("/"), {
      pattern: "/vercel.json",
      methods: { GET: (c) => c.json(200, { trailingSlash: false }) },
    }],
  }, ({ report }) => assertEquals(report.errors, [])));
