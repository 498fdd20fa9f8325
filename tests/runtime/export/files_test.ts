import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import * as h from "../../../html/mod.ts";
import { redirect } from "../../../mod.ts";
import { writeRedirectPage, writeSitemaps } from "../../../runtime/export/made.ts";
import { exportOnce, fileRoute, inScratch, link, page, paramPage } from "./support.ts";
import type { ExportedApp } from "./support.ts";

Deno.test("export: lists skipped pages with the reason", () =>
  exportOnce({
    routes: [
      { ...paramPage("/b/{a}", undefined), source: "app/b/a_/page.ts" },
      fileRoute("/api/hello"),
      fileRoute("/api/v1.2"),
      fileRoute("/e/{a}/x.ics"),
      fileRoute("/f/{a}"),
      { pattern: "/only", methods: { POST: (c) => c.text(200, "") } },
    ],
  }, ({ report }) =>
    assertEquals(report.skipped.map(({ pattern, reason }) => [pattern, reason]), [
      ["/b/{a}", "no_paths"],
      ["/api/hello", "no_extension"],
      ["/api/v1.2", "no_extension"],
      ["/e/{a}/x.ics", "not_linked"],
      ["/f/{a}", "no_extension"],
    ])));

const ics = ["BEGIN", "text/calendar"] as const;

/** What an export writes: its files, the text or a part of some of them, and its problems. */
const written: readonly [name: string, app: ExportedApp, want: {
  readonly list?: string;
  readonly texts?: Readonly<Record<string, string>>;
  readonly parts?: Readonly<Record<string, string>>;
  readonly told?: readonly string[];
}][] = [
  ["routes whose path has an extension as files", {
    routes: [
      fileRoute("/robots.txt", "User-agent: *"),
      fileRoute("/feed.xml", "<a/>", "application/xml"),
      fileRoute("/.well-known/security.txt", "Contact: x"),
    ],
  }, {
    list: ".well-known/security.txt feed.xml robots.txt",
    texts: { "robots.txt": "User-agent: *" },
  }],
  ["files of parameterized routes that pages link to", {
    routes: [
      page("/", link("/e/a/x.ics"), h.img(h.src("/e/b/y.svg?v=1"), h.srcset("/e/c/y.svg 2x"))),
      fileRoute("/e/{a}/x.ics", ...ics),
      fileRoute("/e/{a}/y.svg", "<svg/>", "image/svg+xml"),
      fileRoute("/files/{a...}", "pdf", "application/pdf"),
      page("/more", link("/files/a/b.pdf")),
    ],
  }, {
    list: "e/a/x.ics e/b/y.svg e/c/y.svg files/a/b.pdf index.html more/index.html",
    texts: { "e/a/x.ics": "BEGIN" },
  }],
  ["nothing at or below an excluded path", {
    routes: [
      ...["/a", "/b", "/b/c", "/b/{y}", "/bb"].map((pattern) => page(pattern)),
      paramPage("/d/{x}", () => [{ x: 1 }, { x: 2 }, { x: "é" }]),
    ],
    files: { "up/load.png": "x", "z.png": "z" },
    options: { exclude: ["/b", "/d/2", "/d/é", "/up", "/typo"] },
  }, {
    list: "a/index.html bb/index.html d/1/index.html z.png",
    told: ['There is nothing at or below "/typo" to exclude.'],
  }],
  ["a slash after links to pages, not to files", {
    routes: [
      page("/", link("/feed.xml"), link("/about/node.js")),
      fileRoute("/feed.xml"),
      page("/about/node.js"),
    ],
  }, { parts: { "index.html": '<a href="/feed.xml">x</a><a href="/about/node.js/">' } }],
  ["no linked file at an excluded path", {
    routes: [
      page("/", link("/e/a/x.ics"), link("/e/b/x.ics"), link("/f/c/y.ics")),
      fileRoute("/e/{a}/x.ics", ...ics),
      fileRoute("/f/{a}/y.ics", ...ics),
    ],
    options: { exclude: ["/e/a", "/f"] },
  }, {
    list: "",
    told: [
      "/ -> /e/a/x.ics: its route is excluded",
      "/ -> /f/c/y.ics: its route is excluded",
      'There is nothing at or below "/e/a" to exclude.',
    ],
  }],
  ["no 404.html of a page that matches every path", {
    routes: [paramPage("/{path...}", () => [{ path: "a" }])],
  }, {
    list: "a/index.html",
    told: ["There is no 404.html: an unknown path gets 200 instead of 404."],
  }],
  ["no redirect to a missing page", {
    routes: [{ pattern: "/old", page: () => redirect("/nope") }],
  }, { told: ["/old -> /nope: there is no such page or file"] }],
  ["only a line of _redirects for a redirect of a file", {
    routes: [page("/new"), { pattern: "/feed.xml", methods: { GET: (c) => c.redirect("/new") } }],
  }, {
    list: "_redirects new/index.html",
    texts: { _redirects: "/feed.xml /new/ 302\n" },
    told: [
      "/feed.xml redirects to /new/, which works only on hosts that read _redirects: " +
      "its name is not that of a page.",
    ],
  }],
  ["the application's own _headers", { routes: [page("/")], files: { _headers: "own" } }, {
    texts: { _headers: "own" },
  }],
  ["no site map without a base URL", { routes: [page("/")] }, { list: "index.html" }],
  ["the application's own site map", {
    routes: [page("/"), fileRoute("/sitemap.xml", "own")],
    options: { baseUrl: "https://example.com" },
  }, { texts: { "sitemap.xml": "own" } }],
];

for (const [name, app, { list, texts = {}, parts = {}, told = [] }] of written) {
  Deno.test(`export: writes ${name}`, () =>
    exportOnce(app, ({ report, read }, scratch) => {
      if (list !== undefined) assertEquals(scratch.list().join(" "), list);
      for (const [file, text] of Object.entries(texts)) assertEquals(read(file), text);
      for (const [file, part] of Object.entries(parts)) assertStringIncludes(read(file), part);
      const problems = [...report.errors, ...report.warnings];
      assertEquals(problems.map(({ message }) => message), told);
      assertEquals(report.skipped, []);
    }));
}

const chosen: readonly (readonly [only: string[], pages: string[], told: string[]])[] = [
  [["/"], ["index.html"], ["link_left_out /b"]],
  [["/b"], ["b/c/index.html", "b/index.html"], ["link_left_out /"]],
  [["/d/é"], ["d/é/index.html"], ["link_left_out /"]],
  [["/d/2", "/b/c"], ["b/c/index.html", "d/2/index.html"], ["link_left_out /"]],
  [["/", "/b", "/b/c"], ["b/c/index.html", "b/index.html", "index.html"], []],
  [["/b", "/typo"], [], ["error: unused_only /typo"]],
  [["/b", "/secret"], [], ["error: unused_only /secret"]],
];
for (const [only, pages, told] of chosen) {
  Deno.test(`export: only ${only.join(", ")} omits other pages and keeps files`, () =>
    exportOnce({
      routes: [
        page("/", link("/b")),
        page("/b"),
        page("/b/c", link("/feed.rss")),
        page("/bb"),
        paramPage("/d/{x}", () => [{ x: 1 }, { x: 2 }, { x: "é" }]),
        fileRoute("/feed.rss", "BEGIN", "application/rss+xml"),
        fileRoute("/other.rss", "BEGIN", "application/rss+xml"),
        page("/e/{y}"),
        page("/secret"),
      ],
      files: { "z.png": "z" },
      options: { only, exclude: ["/secret"] },
    }, ({ report }) => {
      const files = report.files.filter(({ kind }) => kind !== "made").map(({ file }) => file);
      const feed = pages.includes("b/c/index.html") ? ["feed.rss"] : [];
      if (pages.length > 0) assertEquals(files.sort(), [...pages, ...feed, "z.png"].sort());
      assertEquals(report.skipped, []);
      const { errors, warnings } = report;
      assertEquals(
        [
          ...errors.map(({ code, subject }) => `error: ${code} ${subject}`),
          ...warnings.map(({ code, detail }) => `${code} ${detail}`),
        ],
        told,
      );
    }));
}

Deno.test("export: accepts a link to the index of a mounted folder", () =>
  inScratch(async (scratch) => {
    scratch.write({ "docs/a b/index.html": "a", "docs/index.html": "top", "docs/c/x.txt": "x" });
    const from = `${scratch.root}/docs`;
    const links = ["/docs", "/docs/", "/docs/a%20b", "/docs/a%20b/", "/docs/c/"];
    for (const index of [true, false]) {
      const { report } = await scratch.export({
        routes: [{ pattern: "/", page: () => h.main(links.map((to) => h.a(h.href(to), "x"))) }],
        config: { mounts: { "/docs": { from, index } } },
      });
      const broken = report.errors.map(({ detail }) => detail);
      assertEquals(broken, index ? ["/docs/c/"] : links);
      assert(report.files.some(({ file }) => file === "docs/a b/index.html"));
    }
  }));

Deno.test("export: copies static files byte by byte, including mounted and compressed ones", () =>
  inScratch(async (scratch) => {
    scratch.write({ "photos/a b.jpg": "jpg", "photos/.secret": "s" });
    const mounts = { "/uploads": `${scratch.root}/photos` };
    const files = {
      "style.css": "a{}",
      "style.css.br": "x",
      ".env": "secret",
      "img/é.svg": "<svg/>",
      ".well-known/a.txt": "a",
    };
    const routes = [page("/", link("/style.css?v=abc"))];
    const { report } = await scratch.export({ files, config: { mounts }, routes });
    assertEquals(scratch.list(), [
      ...".well-known/a.txt img/é.svg index.html style.css style.css.br".split(" "),
      "uploads/a b.jpg",
    ]);
    assertEquals(report.errors, []);
  }));

Deno.test("export: copies linked files of a source that cannot be listed", () => {
  const text = new TextEncoder().encode("hello");
  const source = {
    get: (path: string) =>
      path === "a.txt" || path === "noext" ? { size: 5, read: () => text } : undefined,
  };
  return exportOnce({
    routes: [page("/", link("/m/a.txt"), link("/m/noext"), link("/m/b.txt"))],
    config: { mounts: { "/m": source } },
  }, ({ report }) => {
    assert(report.files.some(({ file }) => file === "m/a.txt"));
    assertStringIncludes(report.warnings[0]?.message ?? "", 'config.mounts["/m"] cannot be listed');
    const found = report.errors.map(({ code, detail }) => [code, detail]);
    assertEquals(found, [["link_missing", "/m/b.txt"], ["not_html", "application/octet-stream"]]);
  });
});

Deno.test("export: a literal route overrides a file of its name, and a page's file does not", async () => {
  await exportOnce(
    { routes: [fileRoute("/robots.txt", "route")], files: { "robots.txt": "file" } },
    ({ read }) => assertEquals(read("robots.txt"), "route"),
  );
  const clashes: readonly [ExportedApp, string][] = [
    [
      { routes: [page("/a")], files: { "a/index.html": "x" } },
      "/index.html and /a would be one file",
    ],
    [{ routes: [page("/a")], files: { "a": "x" } }, "/a and /a would be one file"],
    [{ routes: [page("/")], files: { "index.html": "x" } }, "/index.html and / would be one file"],
    [{ routes: [page("/a/b"), fileRoute("/a/B.txt"), fileRoute("/A/c.txt")] }, "/A/c.txt and /a/b"],
    [{ routes: [fileRoute("/a.txt"), page("/a.txt/b")] }, "/a.txt/b and /a.txt"],
    [{
      routes: [paramPage("/{x}", () => [{ x: "a.html" }])],
      files: { "a.html": "x" },
    }, "/a.html and /a.html would be one file"],
  ];
  for (const [app, text] of clashes) {
    await exportOnce(app, ({ message }, scratch) => {
      assertStringIncludes(message ?? "", text);
      assertEquals(scratch.list(), []);
    });
  }
});

Deno.test("export: 404.html is the page for an unknown path", () =>
  exportOnce({
    routes: [page("/")],
    parts: {
      notFound: () => h.p("lost", h.img(h.src("logo.png"))),
      layout: (_, children) => h.main(children),
    },
    files: { "logo.png": "x" },
    options: { baseUrl: "https://example.com" },
  }, ({ read }) => {
    // A host shows it at any depth.
    assertStringIncludes(read("404.html"), '<main><p>lost<img src="/logo.png"></p></main>');
    assert(!read("sitemap.xml").includes("404"));
  }));

Deno.test("export: 404.html of an application without one is the framework's, identical each time", () =>
  inScratch(async (scratch) => {
    const [first, second] = [
      (await scratch.export({ routes: [page("/")] })).read("404.html"),
      (await scratch.export({ routes: [page("/")] })).read("404.html"),
    ];
    assertMatch(first, /404/);
    assertEquals(second, first);
  }));

const notFounds: readonly [name: string, app: ExportedApp, text: string][] = [
  ["a route", { routes: [page("/404.html", "own page")] }, "own page"],
  ["a file", { files: { "404.html": "own file" } }, "own file"],
];

for (const [name, app, text] of notFounds) {
  Deno.test(`export: 404.html may be the application's own: ${name}`, () =>
    exportOnce(app, ({ read }) => assertStringIncludes(read("404.html"), text)));
}

Deno.test("export: a redirect becomes a page with a link and a line of _redirects", () =>
  exportOnce({
    routes: [
      { pattern: "/old", page: () => redirect("/new?a=1&b=2#x", 301) },
      { pattern: "/away", page: () => redirect("https://example.org/a b") },
      { pattern: "/up/down", page: () => redirect("../new", 308) },
      { pattern: "/moved", methods: { GET: (c) => c.redirect("/new", 301) } },
      { pattern: "/sign-in", methods: { GET: (c) => c.redirect("https://example.org/") } },
      { pattern: "/con", methods: { GET: (c) => c.redirect("/new", 308) } },
      page("/new", h.p(h.id("x"))),
    ],
    options: { baseUrl: "https://example.com" },
  }, ({ read, message, report }) => {
    assertEquals(message, undefined);
    assertEquals(report.skipped.map(({ pattern }) => pattern), ["/sign-in", "/con"]);
    const html = read("old/index.html");
    assertStringIncludes(html, '<meta http-equiv="refresh" content="0; url=/new/?a=1&amp;b=2#x">');
    assertStringIncludes(read("moved/index.html"), 'content="0; url=/new/"');
    assertStringIncludes(html, '<meta name="robots" content="noindex">');
    assertStringIncludes(read("away/index.html"), "https://example.org/a%20b");
    assertEquals(read("_redirects").trim().split("\n"), [
      "/away https://example.org/a%20b 302",
      "/away/ https://example.org/a%20b 302",
      "/moved /new/ 301",
      "/moved/ /new/ 301",
      "/old /new/?a=1&b=2#x 301",
      "/old/ /new/?a=1&b=2#x 301",
      "/up/down /new/ 301",
      "/up/down/ /new/ 301",
    ]);
    assertEquals(read("sitemap.xml").match(/<loc>/g)?.length, 1);
  }));

Deno.test("writeRedirectPage: a URL cannot leave its attribute", () =>
  assert(!writeRedirectPage(`/b?"><script>alert(1)</script>`).includes("<script")));

Deno.test("export: the site map lists the pages for search engines", () =>
  exportOnce({
    routes: [
      page("/"),
      page("/b&c"),
      {
        pattern: "/a",
        page: (c) => {
          c.lastModified(new Date("2026-05-14T10:00:00Z"));
          return h.p();
        },
      },
      {
        pattern: "/hidden",
        page: (c) => {
          c.header("x-robots-tag", "noindex");
          return h.p();
        },
      },
      page("/meta", h.meta(h.name("robots"), h.content("noindex, nofollow"))),
      fileRoute("/feed.xml"),
    ],
    config: { basePath: "/docs" },
    options: { baseUrl: "https://example.com/docs/" },
  }, ({ read }) =>
    assertEquals(read("sitemap.xml").split("\n").slice(2, -2), [
      "<url><loc>https://example.com/docs/</loc></url>",
      "<url><loc>https://example.com/docs/a/</loc><lastmod>2026-05-14T10:00:00.000Z</lastmod></url>",
      "<url><loc>https://example.com/docs/b&amp;c/</loc></url>",
    ])));

const lengths: readonly [urls: number, maps: number[]][] = [
  [50_000, [50_000]],
  [50_001, [2, 50_000, 1]],
  [100_000, [2, 50_000, 50_000]],
];

for (const [count, maps] of lengths) {
  Deno.test(`export: a site of ${count} URLs has site maps of at most 50,000 (sitemaps.org)`, () => {
    const listed = Array.from(
      { length: count },
      (_, at) => ({ url: `/${at}`, lastModified: null }),
    );
    const files = writeSitemaps(listed, "https://example.com/docs/");
    assertEquals(files.map(([, text]) => text.match(/<loc>/g)?.length), maps);
    const parts = files.slice(1).map(([name]) => `<loc>https://example.com/docs/${name}</loc>`);
    const names = ["sitemap.xml", "sitemap-1.xml", "sitemap-2.xml"].slice(0, maps.length);
    assertEquals(files.map(([name]) => name), names);
    for (const part of parts) assertStringIncludes(files[0]?.[1] ?? "", part);
  });
}

Deno.test("export: _headers contains the headers that a page cannot carry", () =>
  exportOnce(
    { routes: [page("/")], options: { baseUrl: "https://example.com" } },
    ({ read }) =>
      assertEquals(read("_headers").split("\n"), [
        "/*",
        "  x-frame-options: DENY",
        "  x-content-type-options: nosniff",
        "  referrer-policy: strict-origin-when-cross-origin",
        "  permissions-policy: camera=(), geolocation=(), microphone=()",
        "  cross-origin-opener-policy: same-origin",
        "  strict-transport-security: max-age=31536000",
        "  content-security-policy: frame-ancestors 'none'",
        "",
      ]),
  ));

Deno.test("export: writes no _headers if a host sends them", () =>
  exportOnce(
    { routes: [page("/")], config: { security: { delegated: true } } },
    ({ report, read }) => {
      assert(!report.files.some(({ file }) => file === "_headers"));
      assert(!read("index.html").includes("Content-Security-Policy"));
    },
  ));
