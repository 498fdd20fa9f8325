import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as h from "../../../html/mod.ts";
import type { Node, Route } from "../../../mod.ts";
import { shareExport, siteWith } from "./linked_site.ts";
import { cpuMs } from "../../cpu_time.ts";
import { styleUrls } from "../../../runtime/export/urls.ts";
import { type ExportedApp, exportOnce, fileRoute, page } from "./support.ts";

const broken: readonly [name: string, markup: string, reason: string | undefined][] = [
  ["a page", `<a href="/about">`, undefined],
  ["a page with a slash", `<a href="/about/">`, undefined],
  ["the page's file", `<a href="/about/index.html">`, undefined],
  ["the root", `<a href="/">`, undefined],
  ["the page itself", `<a href="">`, undefined],
  ["a fragment of the page", `<a href="#here">`, undefined],
  ["a query of the page", `<link href="?a=1">`, undefined],
  ["a static file", `<link rel="stylesheet" href="/style.css?v=abc">`, undefined],
  ["a file with a space", `<img src="/img/x%20y.png">`, undefined],
  ["a file with a raw space", `<img src="/img/x y.png">`, undefined],
  ["a parameter", `<a href="/tags/a%20b">`, undefined],
  ["a non-ASCII parameter", `<a href="/tags/é">`, undefined],
  ["a parameter with a percent sign", `<a href="/tags/100%25">`, undefined],
  ["a route", `<a href="/feed.xml">`, undefined],
  ["the site map", `<a href="/sitemap.xml">`, undefined],
  ["404.html", `<a href="/404.html">`, undefined],
  ["a relative page", `<a href="more">`, undefined],
  ["a relative page in the parent folder", `<a href="../about">`, undefined],
  ["an absolute URL of the site", `<a href="https://example.com/about">`, undefined],
  ["a URL of the site without a scheme", `<a href="//example.com/about">`, undefined],
  ["another site", `<a href="https://example.org/nope">`, undefined],
  ["another site without a scheme", `<a href="//example.org/nope">`, undefined],
  ["mail", `<a href="mailto:a@b.c">`, undefined],
  ["a telephone", `<a href="tel:123">`, undefined],
  ["data", `<img src="data:image/png,">`, undefined],
  ["a link in a comment", `<!-- <a href="/nope"> -->`, undefined],
  ["a link in a script", `<script>"<a href='/nope'>"</script>`, undefined],
  ["a link in a text field", `<textarea><a href="/nope"></textarea>`, undefined],
  ["a link in an attribute", `<p title='<a href="/nope">'>`, undefined],
  ["a host to preconnect to", `<link rel="preconnect" href="/nope">`, undefined],
  ["no page", `<a href="/nope">`, "missing"],
  ["another case", `<a href="/About">`, "missing"],
  ["a folder without a page", `<a href="/img/">`, "missing"],
  ["a file with a slash", `<a href="/style.css/">`, "missing"],
  ["no parameter", `<a href="/tags/x">`, "not_exported"],
  ["a missing relative page", `<a href="nope">`, "missing"],
  ["an image", `<img src="/img/nope.png">`, "missing"],
  ["an image in a set", `<img srcset="/img/x%20y.png 1x, /nope.png 2x">`, "missing"],
  ["an image of a picture", `<picture><source srcset="/nope.png"></picture>`, "missing"],
  ["a script", `<script src="/nope.js"></script>`, "missing"],
  ["a style sheet", `<link rel="stylesheet" href="/nope.css">`, "missing"],
  ["a frame", `<iframe src="/nope"></iframe>`, "missing"],
  ["a film and its poster", `<video poster="/nope.png"></video>`, "missing"],
  ["an object", `<object data="/nope"></object>`, "missing"],
  ["a symbol", `<svg><use href="/nope.svg#a"/></svg>`, "missing"],
  ["a symbol linked by xlink:href", `<svg><use xlink:href="/nope.svg#a"/></svg>`, "missing"],
  ["a link in SVG", `<svg><a xlink:href="/nope"></a></svg>`, "missing"],
  ["a form that asks", `<form action="/nope"></form>`, "missing"],
  ["a link in noscript", `<noscript><a href="/nope"></noscript>`, "missing"],
  ["a link in a template", `<template><a href="/nope"></template>`, "missing"],
  ["the target of a redirect", `<meta http-equiv="refresh" content="5; url=/nope">`, "missing"],
  ["an image for other sites", `<meta property="og:image" content="/nope.png">`, "missing"],
  ["the URL for other sites", `<meta name="twitter:image" content="/nope.png">`, "missing"],
  ["a text for other sites", `<meta property="og:title" content="/nope">`, undefined],
  ["an island's module", `<div data-fw-island="/nope.js?v=1"></div>`, "missing"],
  ["no quotes", `<a href=/nope>`, "missing"],
  ["capitals", `<A HREF='/nope'>`, "missing"],
  ["a reference in it", `<a href="/nop&#101;">`, "missing"],
  ["spaces around it", `<a href=" /nope ">`, "missing"],
  ["an image of a style", `<style>a { background: url(/nope.png) }</style>`, "missing"],
  ["an image of an element's style", `<p style="background: url('/nope.png')">`, "missing"],
  ["a found image of a style", `<style>a { background: url("/img/x y.png") }</style>`, undefined],
  ["an image relative to the file", `<p style="background: url('../../img/x y.png')">`, undefined],
  ["an image relative to the page", `<p style="background: url('../img/x y.png')">`, "missing"],
  ["no URL", `<a href="http://[">`, "missing"],
  ["a malformed escape", `<a href="/%zz">`, "missing"],
  ["a route without an extension", `<a href="/api/hello">`, "no_extension"],
  ["a route for another method", `<a href="/post">`, "not_exported"],
  ["an excluded page", `<a href="/secret">`, "excluded"],
  ["a path below an excluded page", `<a href="/secret/x">`, "excluded"],
];

const brokenRow = shareExport(broken.map(([, markup]) => markup), {
  options: { baseUrl: "https://example.com" },
});

for (const [row, [name, , reason]] of broken.entries()) {
  Deno.test(`links: ${name} is ${reason ?? "found"}`, async () => {
    const { errors } = await brokenRow(row);
    assertEquals(errors.map(({ code }) => code), reason === undefined ? [] : [`link_${reason}`]);
  });
}

Deno.test("links: a file whose pattern is excluded is not exported", () =>
  exportOnce({
    routes: [page("/a", h.a(h.href("/files/a.txt"))), fileRoute("/{folder}/{file}")],
    options: { exclude: ["/{folder}"] },
  }, ({ report }) => assertEquals(report.errors.map(({ code }) => code), ["link_excluded"])));

Deno.test("links: lists every broken link once per page, as page -> link", () =>
  exportOnce({
    routes: [
      { pattern: "/a", page: () => h.raw(`<a href="/x"><a href="/x"><a href="y">`) },
      { pattern: "/b", page: () => h.raw(`<a href="/x">`) },
    ],
  }, ({ message }) =>
    assertEquals(message?.split("\n").slice(1), [
      "  /a -> /x: there is no such page or file",
      "  /a -> y: there is no such page or file",
      "  /b -> /x: there is no such page or file",
    ])));

const styles: readonly (readonly [css: string, links: readonly string[]])[] = [
  ["a { background: url(/nope.png) }", ["/nope.png"]],
  ["a { background: url( 'nope.png' ), url(\"/b (1).png\") }", ["nope.png", "/b (1).png"]],
  ["a { background: URL(nope.png?v=1#a) }", ["nope.png?v=1#a"]],
  ['@import "nope.css";@import url(more.css) print;', ["nope.css", "more.css"]],
  ['@import"nope.css";', ["nope.css"]],
  // Escapes are not read, so these URLs are not checked.
  [String.raw`a { background: url(nope\ \28 1\).png) url("no\"pe.png") url(b.png) }`, ["b.png"]],
  ["@font-face { src: url(a.woff2) format('woff2'), local(x) }", ["a.woff2"]],
  ["a { background: url(../css/site.css) url(/css/site.css) url('#a') url() }", []],
  ["/* url(nope.png) */ a { content: 'url(nope.png)'; quotes: \"url(a\" 'b)' }", []],
  ["a { background: url(data:image/png,x) url(https://example.org/x.png) }", []],
];

/** Texts of which a pattern could read each part as often as there are parts, or keep all on its stack. */
const hostileStyles: readonly (readonly [name: string, part: string, times: number])[] = [
  ["comments without an end", "/*", 200_000],
  ["escaped quotes", '\\"', 200_000],
  ["spaces in a URL", "url(".padEnd(200_000), 2],
  ["URLs without an end", "url(a", 200_000],
  ["numbers of characters in a string", `url("${"\\aaaaaa".repeat(50_000)}\n`, 1],
  ["numbers of characters in a URL", `url(${"\\aaaaaa ".repeat(50_000)}"`, 1],
  ["a long string", `"${"x".repeat(20_000_000)}"`, 1],
];

for (const [name, part, times] of hostileStyles) {
  Deno.test(`links: of a style sheet with ${name}`, () => {
    const startedMs = cpuMs();
    assertEquals(styleUrls(part.repeat(times)), []);
    assert(cpuMs() - startedMs < 5_000);
  });
}

for (const [css, links] of styles) {
  Deno.test(`links: of a style sheet: ${css}`, async () => {
    const sheet = h.link(h.rel("stylesheet"), h.href("/css/site.css"));
    const sites: ExportedApp[] = [
      { files: { "css/site.css": css }, routes: [page("/a")] },
      { routes: [page("/a", sheet), fileRoute("/css/site.css", css, "text/css")] },
    ];
    for (const site of sites) {
      await exportOnce(site, ({ report }) => {
        const found = report.errors.map(({ code, subject, detail }) => [code, subject, detail]);
        assertEquals(found, links.map((link) => ["link_missing", "/css/site.css", link]));
      });
    }
  });
}

Deno.test("links: does not also report a link to a failing page", () =>
  exportOnce({
    routes: [
      { pattern: "/a", page: () => h.raw(`<a href="/b">`) },
      {
        pattern: "/b",
        page: () => {
          throw new Error("x");
        },
      },
    ],
  }, ({ report }) => assertEquals(report.errors.length, 1)));

Deno.test("links: does not check paths that another server handles", () =>
  exportOnce(
    siteWith(`<a href="/shop"><a href="/shop/x"><a href="/shopping">`, {
      options: { elsewhere: ["/shop"] },
    }),
    ({ report }) => assertEquals(report.errors.map(({ detail }) => detail), ["/shopping"]),
  ));

const based: readonly [link: string, reason: string | undefined][] = [
  ["/x/about", undefined],
  ["/x/", undefined],
  ["/x", undefined],
  ["about", undefined],
  ["https://example.com/x/about", undefined],
  // Other sites on the same host are not checked.
  ["https://example.com/about", undefined],
  ["//example.com/about", undefined],
  ["/about", "outside_base"],
  ["/", "outside_base"],
  ["../about", "outside_base"],
  ["/xabout", "outside_base"],
  ["/x/nope", "missing"],
];

for (const [link, reason] of based) {
  Deno.test(`links: below a base path ${link} is ${reason ?? "found"}`, () =>
    exportOnce({
      routes: [page("/", h.a(h.href(link))), page("/about")],
      config: { basePath: "/x" },
      options: { baseUrl: "https://example.com" },
    }, ({ report }) => {
      const found = report.errors.map(({ code }) => code);
      assertEquals(found, reason === undefined ? [] : [`link_${reason}`]);
    }));
}

const warned: [name: string, markup: string, warnings: [code: string, detail: string][]][] = [
  ["an id", `<a href="/about#team">`, []],
  ["the name of an anchor", `<a href="/about#old">`, []],
  ["the name of a field", `<a href="#x"><input name="x">`, [["fragment", "#x"]]],
  ["the top", `<a href="/about#top"><a href="#">`, []],
  ["a text", `<a href="/about#:~:text=x">`, []],
  ["an id of the page", `<a href="#nope">`, [["fragment", "#nope"]]],
  ["an id on another page", `<a href="/about/#nope">`, [["fragment", "/about/#nope"]]],
  ["an escaped id", `<a href="#%C3%A9"><p id="é">`, []],
  ["an id in a file", `<a href="/feed.xml#nope">`, []],
  ["a query to a page", `<a href="/about?page=2">`, [["query", "/about?page=2"]]],
  ["a query to a file", `<a href="/feed.xml?x=1"><img src="/style.css?v=1">`, []],
  ["a form that asks", `<form action="/about">`, [["query", "/about?"]]],
  ["a form that gets its own page", `<form>`, [["query", "{page}?"]]],
  ["a form that posts", `<form method=POST>`, [["form_post", "{page}"]]],
  ["a form to another server", `<form method="post" action="/post">`, [["form_post", "/post"]]],
  ["a form that posts to another site", `<form method="post" action="https://example.org/">`, []],
  ["a form of a dialog", `<form method="dialog">`, []],
  ["button that posts", `<button formmethod="post" formaction="/post">`, [["form_post", "/post"]]],
];

const warnedRow = shareExport(warned.map(([, markup]) => markup));

for (const [row, [name, , wanted]] of warned.entries()) {
  Deno.test(`links: warns about ${name}: ${wanted.length === 0 ? "no" : "yes"}`, async () => {
    const { path, warnings } = await warnedRow(row);
    const found = warnings.map(({ code, detail }) => [code, detail]);
    assertEquals(found, wanted.map(([code, detail]) => [code, detail.replace("{page}", path)]));
  });
}

const written: readonly [link: string, expected: string][] = [
  ["/about", "/about/"],
  ["/about/", "/about/"],
  ["/about?a=1&b#team", "/about/?a=1&amp;b#team"],
  ["/", "/"],
  ["more", "/docs/more/"],
  ["./more", "/docs/more/"],
  ["../about", "/about/"],
  [".", "/docs/"],
  ["../style.css", "/style.css"],
  ["/style.css", "/style.css"],
  ["/tags/é", "/tags/%C3%A9/"],
  ["#here", "#here"],
  ["?a", "?a"],
  ["", ""],
  ["https://example.com/about", "https://example.com/about/"],
  ["//example.com/about", "https://example.com/about/"],
  ["https://example.org/about", "https://example.org/about"],
  ["mailto:a@b.c", "mailto:a@b.c"],
];

const writtenRow = shareExport(written.map(([link]) => `<a href="${link}">`), {
  options: { baseUrl: "https://example.com" },
});

for (const [row, [link, expected]] of written.entries()) {
  Deno.test(`links: rewrites "${link}" to "${expected}"`, async () => {
    const { html, errors } = await writtenRow(row);
    assertStringIncludes(html, `<a href="${expected}">`);
    assertEquals(errors, []);
  });
}

const markups: readonly [name: string, before: string, after: string][] = [
  ["attributes around it", `<a class=x href=/about id="y">`, `<a class=x href="/about/" id="y">`],
  ["single quotes", `<a href='/about'>`, `<a href="/about/">`],
  [
    "a set of images",
    `<img srcset="../img/x%20y.png 1x,  /a.png?v 2x">`,
    `<img srcset="/img/x%20y.png 1x,  /a.png?v 2x">`,
  ],
  [
    "a valid set of images",
    `<img srcset="/img/x%20y.png 1x,  /a.png 2x">`,
    `<img srcset="/img/x%20y.png 1x,  /a.png 2x">`,
  ],
  [
    "the target of a page's own redirect",
    `<meta http-equiv=refresh content="3;URL='../about'">`,
    `<meta http-equiv=refresh content="3;URL=/about/">`,
  ],
  ["not markup", `<script>"<a href='/about'>"</script>`, `<script>"<a href='/about'>"</script>`],
  ["a quote in a link", `<a href='more?a="'>`, `<a href="/docs/more/?a=%22">`],
];

const markupRow = shareExport(markups.map(([, before]) => before), {
  files: { "img/x y.png": "x", "a.png": "a" },
});

for (const [row, [name, , after]] of markups.entries()) {
  Deno.test(`links: rewriting keeps ${name}`, async () => {
    const { html } = await markupRow(row);
    assertStringIncludes(html, `<main id="here">${after}</main>`);
  });
}

Deno.test("links: resolves against the page's base element, which is unchanged", () => {
  const head = (href: string): Node => h.raw(`<base href="${href}"><a href="about"><a href="#x">`);
  const bases: readonly [href: string, base: string, link: string][] = [
    ["/docs/", "/docs/", "/docs/about/"],
    ["/", "/", "/about/"],
    ["../", "/", "/about/"],
    ["", "/docs/intro", "/docs/about/"],
    ["https://example.org/", "https://example.org/", "about"],
  ];
  return Promise.all(bases.map(([href, base, link]) => {
    const route: Route = { pattern: "/docs/intro", page: () => head(href) };
    return exportOnce({
      routes: [page("/"), page("/docs"), page("/about"), page("/docs/about"), route],
    }, ({ read }) =>
      assertStringIncludes(
        read("docs/intro/index.html"),
        `<base href="${base}"><a href="${link}"><a href="#x">`,
      ));
  })).then(() => {});
});
