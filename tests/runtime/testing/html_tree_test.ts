import { assert, assertEquals, assertThrows } from "@std/assert";
import { cpuMs } from "../../cpu_time.ts";
import { parseHtml } from "../../../runtime/testing/html_tree.ts";

const page = `<!doctype html><html lang="en"><head><title>A &amp; B</title>
<style>p > b { color: red }</style><script>document.write("<p id=no>")</script></head>
<body><!-- <p id="commented"> --><h1 class="big  title">Hello,&nbsp;<em>you</em></h1>
<ul id="list"><li class=one>1<li class="two" data-x="a b">2<ul><li>inner</ul><li>3</ul>
<p>first<p>second<div>third</div>
<svg><path d="M0"/><path d="M1"/><title>drawing</title></svg>
<template><p class="hidden">later</p></template>
<a href="/x?a=1&amp;b=2" hreflang="en-GB" title='single "quotes"'>link</a><br>tail
<input type=checkbox checked><input disabled><textarea>
<b>no tag</b></textarea>
<table><tr><td>1<td>2<tr><td>3</table></body></html>`;

const selections: readonly [selector: string, want: readonly string[]][] = [
  ["title", ["A & B", "drawing"]],
  ["head > title", ["A & B"]],
  ["h1.big.title", ["Hello,\u00a0you"]],
  ["H1 EM", ["you"]],
  ["#no, #commented, .hidden", []],
  ["#list > li", ["1", "2inner", "3"]],
  ["li li", ["inner"]],
  ["#list>li:not(.one, .two)", ["3"]],
  ["li:not(#list > li)", ["inner"]],
  ["a[TITLE*=single]", ["link"]],
  ["p", ["first", "second"]],
  ["body > div", ["third"]],
  ["svg > path", ["", ""]],
  ['a[href^="/x"][href$="b=2"][href*="a=1"]', ["link"]],
  ['a[title="SINGLE \\"quotes"]', []],
  ["textarea", ["<b>no tag</b>"]],
  ["td", ["1", "2", "3"]],
  ["*[lang=en] *[href]", ["link"]],
  [".a\\:b", []],
];

for (const [selector, want] of selections) {
  Deno.test(`queryAll finds ${selector}`, () => {
    const root = parseHtml(page);
    if (selector.includes('\\"')) {
      assertThrows(() => root.queryAll(selector), TypeError, "Cannot use the selector");
      return;
    }
    assertEquals(root.queryAll(selector).map(({ text }) => text), want);
    assertEquals(root.query(selector)?.text, want[0]);
  });
}

Deno.test("a malformed or unsupported selector is refused with its place", () => {
  const rows = [
    "",
    " ",
    "p >",
    "> p",
    ..."p,,q p[ p[a=] p:hover p::before p:nth-child(2) p:has(b)".split(" "),
    "p + b",
    ..."p[a~=b] p:not( p) # . p:constructor".split(" "),
  ];
  for (const selector of rows) {
    assertThrows(() => parseHtml(page).query(selector), TypeError, "Cannot use the selector");
  }
});

Deno.test("attributes are decoded, and an absent one is undefined", () => {
  const link = parseHtml(page).query("a");
  assertEquals(link?.attribute("HREF"), "/x?a=1&b=2");
  assertEquals([link?.attribute("title"), link?.attribute("id")], ['single "quotes"', undefined]);
  assertEquals(parseHtml(page).query("input")?.attribute("checked"), "");
});

Deno.test("hostile documents are parsed in linear time", () => {
  const rows: readonly string[] = [
    "<div>".repeat(10_000),
    "</p>".repeat(50_000),
    "<p".repeat(50_000),
    "<p a='".repeat(5_000),
    "<table><tr><td>".repeat(10_000),
    "<select><option><optgroup>".repeat(10_000),
    "<!--".repeat(50_000),
    "<svg></p></svg>".repeat(10_000),
  ];
  for (const html of rows) {
    const startMs = cpuMs();
    parseHtml(html).queryAll("x y > z");
    assert(cpuMs() - startMs < 2_500, html.slice(0, 20));
  }
});
