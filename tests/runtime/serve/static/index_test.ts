import { assert, assertEquals, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { App, type Env, type FileSource, type Settings } from "../../../../mod.ts";
import { longText, openSite, type StaticSite } from "./site.ts";

type Mounts = NonNullable<Settings["mounts"]>;

const files = {
  "site/index.html": "root",
  "site/a/index.html": longText,
  "site/a b/index.html": "space",
  "site/a/only.txt": "text",
  "site/bare/x.txt": "x",
  "site/.git/index.html": "secret",
  "site/file.html": "file",
  "site/xindex.html": "x",
};

function open(settings: Settings = {}, index: boolean | "absent" = true): Promise<StaticSite> {
  return openSite(files, (folder) => {
    const from = join(folder, "site");
    const mount = index === "absent" ? { from } : { from, index };
    return { public: undefined, mounts: { "/docs": mount }, ...settings };
  });
}

const paths: readonly (readonly [path: string, status: number, result?: string])[] = [
  ["/docs", 301, "/docs/"],
  ["/docs/", 200, "root"],
  ["/docs/a", 301, "/docs/a/"],
  ["/docs/a?x=1&y=%2F", 301, "/docs/a/?x=1&y=%2F"],
  ["/docs/a/", 200, longText],
  ["/docs/a/index.html", 200, longText],
  ["/docs/a%20b", 301, "/docs/a%20b/"],
  ["/docs/a%20b/", 200, "space"],
  ["/docs/a/only.txt", 200, "text"],
  ["/docs/a/only.txt/", 404],
  ["/docs/file.html", 200, "file"],
  ["/docs/xindex.html", 200, "x"],
  ["/docs/a/%69ndex.html", 200, longText],
  ["/docs/file.html/", 404],
  ["/docs/bare", 404],
  ["/docs/bare/", 404],
  ["/docs/none/", 404],
  ["/docs/.git/", 404],
  ["/docsa", 404],
  ["/docsa/", 404],
];

for (const env of ["prod", "dev"] satisfies readonly Env[]) {
  for (const [path, status, result] of paths) {
    Deno.test(`index: ${path} is ${status} (${env})`, async () => {
      await using site = await open({ env });
      const { headers, ...answer } = await site.ask(path);
      assertEquals(answer.status, status);
      if (status === 200) assertEquals(answer.text, result);
      assertEquals(headers.get("location"), status === 301 ? result ?? "" : null);
    });
  }
}

Deno.test("index: is off by default and if false", async () => {
  for (const index of ["absent", false] as const) {
    await using site = await open({}, index);
    for (const path of ["/docs", "/docs/", "/docs/a", "/docs/a/"]) {
      assertEquals((await site.ask(path)).status, 404, path);
    }
    assertEquals((await site.ask("/docs/a/index.html")).status, 200);
  }
});

Deno.test("index: has the validators, ranges and HEAD of the file", async () => {
  await using site = await open();
  const file = await site.ask("/docs/a/index.html");
  const index = await site.ask("/docs/a/");
  assertEquals([...index.headers], [...file.headers]);
  assertEquals(index.headers.get("content-type"), "text/html; charset=utf-8");
  const tag = file.headers.get("etag") ?? "";
  assert(tag !== "");
  assertEquals((await site.ask("/docs/a/", { "if-none-match": tag })).status, 304);
  const part = await site.ask("/docs/a/", { range: "bytes=2-5" });
  assertEquals([part.status, part.text], [206, longText.slice(2, 6)]);
  const head = await site.ask("/docs/a/", {}, "HEAD");
  assertEquals([head.status, head.text, [...head.headers]], [200, "", [...file.headers]]);
  const moved = await site.ask("/docs/a", {}, "HEAD");
  assertEquals([moved.status, moved.headers.get("location")], [301, "/docs/a/"]);
  for (const path of ["/docs/a", "/docs/a/"]) {
    const refused = await site.ask(path, {}, "DELETE");
    assertEquals([refused.status, refused.headers.get("allow")], [405, "GET, HEAD"], path);
  }
});

Deno.test("index: follows added, changed and removed files", async () => {
  await using site = await open();
  const path = join(site.folder, "site/a/index.html");
  assertEquals((await site.ask("/docs/a/")).text, longText);
  await Deno.writeTextFile(path, "changed");
  assertEquals((await site.ask("/docs/a/")).text, "changed");
  await Deno.remove(path);
  assertEquals((await site.ask("/docs/a/")).status, 404);
  assertEquals((await site.ask("/docs/a")).status, 404);
  await Deno.writeTextFile(join(site.folder, "site/bare/index.html"), "new");
  assertEquals((await site.ask("/docs/bare/")).text, "new");
});

Deno.test("index: works under a base path and at the root", async () => {
  await using based = await open({ basePath: "/shop" });
  const moved = await based.ask("/shop/docs/a?x");
  assertEquals([moved.status, moved.headers.get("location")], [301, "/shop/docs/a/?x"]);
  assertEquals((await based.ask("/shop/docs/a/")).text, longText);
  await using site = await openSite(files, (folder) => ({
    public: undefined,
    mounts: { "/": { from: join(folder, "site"), index: true } },
  }));
  assertEquals((await site.ask("/")).text, "root");
  assertEquals((await site.ask("/a")).headers.get("location"), "/a/");
  // Two slashes would name another host.
  assertEquals((await site.ask("//a")).headers.get("location"), null);
});

Deno.test("index: a literal route takes precedence, and a route with parameters does not", async () => {
  await using site = await open();
  site.app.route({ pattern: "/docs", methods: { GET: (c) => c.text(200, "route") } });
  site.app.route({ pattern: "/docs/{name}", methods: { GET: (c) => c.text(200, "parameter") } });
  assertEquals((await site.ask("/docs")).text, "route");
  assertEquals((await site.ask("/docs/a")).headers.get("location"), "/docs/a/");
  assertEquals((await site.ask("/docs/a/")).text, longText);
  assertEquals((await site.ask("/docs/none")).text, "parameter");
});

Deno.test("index: of a synchronous or asynchronous source", async () => {
  const bytes = new TextEncoder().encode("source");
  const get = (path: string): ReturnType<FileSource["get"]> =>
    path === "a/index.html"
      ? { size: bytes.length, read: ({ start, end }) => bytes.slice(start, end) }
      : undefined;
  for (const from of [{ get }, { get: (path: string) => Promise.resolve(get(path)) }]) {
    await using site = await open({ mounts: { "/docs": { from, index: true } } });
    assertEquals((await site.ask("/docs/a")).headers.get("location"), "/docs/a/");
    assertEquals((await site.ask("/docs/a/")).text, "source");
    assertEquals((await site.ask("/docs/b")).status, 404);
    assertEquals((await site.ask("/docs/b/")).status, 404);
  }
});

Deno.test("index: refuses an invalid setting", () => {
  const mounts = (value: unknown): Mounts => ({ "/docs": value }) as unknown as Mounts;
  const rows: readonly (readonly [value: unknown, text: string])[] = [
    [{ from: "public", index: "index.htm" }, 'Cannot serve config.mounts["/docs"]: index must be'],
    [{ index: true }, 'Cannot serve config.mounts["/docs"] "undefined"'],
    [{ from: { from: "public" } }, "an object without a function get"],
  ];
  for (const [value, text] of rows) {
    assertThrows(() => new App({ mounts: mounts(value) }).handler(), TypeError, text);
  }
});
