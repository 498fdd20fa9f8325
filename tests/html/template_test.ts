import { assertEquals, assertMatch, assertStrictEquals, assertThrows } from "@std/assert";
import * as h from "@fw/fw/h";

const x: string = "x";
const off: boolean = false;

// Places that refuse a hole, and the advice in the message.
const refused: readonly [string, () => h.Node, string][] = [
  ["a tag's name", () => h.html`<${x}>`, "h.el"],
  ["a part of a tag's name", () => h.html`<h${x}>y</h1>`, "h.el"],
  ["an end tag's name", () => h.html`<p></${x}>`, "h.el"],
  ["an end tag", () => h.html`<p></p ${x}>`, "move it out"],
  ["an attribute's name", () => h.html`<p ${x}="1">`, "put a space on both sides"],
  ["a part of an attribute's name", () => h.html`<p data-${x}="1">`, "h.attr"],
  ["the end of an attribute's name", () => h.html`<p ${h.id(x)}y="1">`, "put a space"],
  ["an unquoted value", () => h.html`<p title=${x}>`, "put quotes around the value"],
  ["a part of an unquoted value", () => h.html`<p title=a${x}>`, "put quotes around the value"],
  ["an unquoted value after a space", () => h.html`<p title= ${x}>`, "put quotes around the value"],
  ["a comment", () => h.html`<!-- ${x} -->`, "move it out"],
  ["a comment with odd dashes", () => h.html`<!--a--b ${x} -->`, "move it out"],
  ["a document type", () => h.html`<!doctype ${x}>`, "move it out"],
  ["a processing instruction", () => h.html`<?xml ${x}?>`, "move it out"],
  ["a script", () => h.html`<script>let a = "${x}";</script>`, "data- attribute"],
  ["a script in capitals", () => h.html`<SCRIPT>${x}</SCRIPT>`, "data- attribute"],
  ["a style", () => h.html`<style>a { color: ${x} }</style>`, "h.style"],
  ["an iframe's text", () => h.html`<iframe>${x}</iframe>`, "h.iframe"],
  ["an xmp", () => h.html`<xmp>${x}</xmp>`, "h.xmp"],
  ["a boolean attribute", () => h.html`<input disabled="${x}">`, 'h.attr("disabled", condition)'],
  ["a script URL", () => h.html`<a href="javascript:f('${x}')">`, "h.raw(url)"],
  ["a data URL", () => h.html`<a href="data:text/html,${x}">`, "h.raw(url)"],
  ["a URL's scheme in parts", () => h.html`<a href="${x}${x}">`, "join them in one hole"],
  ["a URL after a reference", () => h.html`<a href="java&#115;${x}">`, "join them in one hole"],
  ["a URL before a number", () => h.html`<a href="${x}&#58;alert(1)">`, "not its reference"],
  ["a URL before a colon's name", () => h.html`<a href="${x}&colon;f()">`, "not its reference"],
  ["a part of a handler", () => h.html`<p onclick="f('${x}')">`, "use it for the whole value"],
  ["an end tag's name in a title", () => h.html`<title></${x}</title>`, "h.el"],
  ["an SVG after a style", () => h.html`<svg><style/>${x}</svg>`, "h.style"],
  ["a script of SVG", () => h.html`<svg><script>${x}</script></svg>`, "data- attribute"],
  ["a part of srcdoc", () => h.html`<iframe srcdoc="<p>${x}"></iframe>`, "whole value"],
];

for (const [where, make, fix] of refused) {
  Deno.test(`h.html refuses a hole in ${where}`, () => {
    assertThrows(make, TypeError, fix);
    assertMatch(assertThrows(make, TypeError).message, /^Cannot fill hole .+\.$/);
  });
}

const unfinished: readonly [string, () => h.Node][] = [
  ["a less-than sign", () => h.html`a <`],
  ["a tag's name", () => h.html`<p`],
  ["a tag", () => h.html`<p class="a" `],
  ["an attribute's value", () => h.html`<p class="a`],
  ["a comment", () => h.html`<!-- a`],
  ["a script", () => h.html`<script>a`],
  ["a title", () => h.html`<title>${x}`],
  ["a textarea", () => h.html`<textarea>${x}`],
  ["a script's comment", () => h.html`<script><!-- <script></script>`],
  ["a CDATA section", () => h.html`<svg><![CDATA[ a ]]></svg>`],
];

for (const [where, make] of unfinished) {
  Deno.test(`h.html refuses a template that ends in ${where}`, () => {
    assertMatch(assertThrows(make, TypeError).message, /^Cannot use the template.+\.$/);
  });
}

Deno.test("h.html names the hole and the text before it", () => {
  const run = () => h.html`<p class="${x}">${x}</p><p title=${x}>`;
  assertThrows(run, TypeError, 'Cannot fill hole 3 of the template, after "</p><p title="');
});

// Values that do not fit their place are refused on each use.
const unfit: readonly [string, () => h.Node, string][] = [
  ["text between attributes", () => h.html`<p ${x}></p>`, "pass attribute nodes"],
  ["content between attributes", () => h.html`<p ${h.b(x)}></p>`, "move content after the tag"],
  ["an attribute in text", () => h.html`<p>${h.id(x)}</p>`, "an element's own children"],
  ["a second class", () => h.html`<p class="a" ${h.class("b")}></p>`, "remove one"],
  ["an earlier name", () => h.html`<p ${h.id("b")} id="a"></p>`, "remove one"],
  ["a class in two holes", () => h.html`<p ${h.class("a")} ${[h.class("b")]}></p>`, "remove one"],
  ["text in a handler", () => h.html`<p onclick="${x}"></p>`, "h.raw(code)"],
  ["false in hidden", () => h.html`<p hidden="${off}"></p>`, 'h.attr("hidden", value)'],
  ["a static attribute twice", () => h.html`<p id="a" title="${x}" ID="b">`, "remove one"],
  ["an element in a value", () => h.html`<p title="${h.b(x)}"></p>`, "pass a string"],
];

for (const [what, make, fix] of unfit) {
  Deno.test(`h.html refuses ${what}`, () => {
    assertMatch(assertThrows(make, TypeError, fix).message, /^Cannot .+: .+\.$/);
  });
}

const written: readonly [string, () => h.Node, string][] = [
  ["static text untouched", () => h.html`a & b < c`, "a & b < c"],
  ["a comment", () => h.html`<!-- a --><p>${x}</p>`, "<!-- a --><p>x</p>"],
  ["an abrupt comment", () => h.html`<!--><p>${x}</p>`, "<!--><p>x</p>"],
  ["a static script", () => h.html`<script>1 < 2</script>${x}`, "<script>1 < 2</script>x"],
  ["a static script's comment", () => h.html`<script><!--</script>${x}`, "<script><!--</script>x"],
  ["a title of SVG", () => h.html`<svg><title>${x}</title></svg>`, "<svg><title>x</title></svg>"],
  ["unquoted static values", () => h.html`<p class=a>${x}`, "<p class=a>x"],
  ["a URL's later part", () => h.html`<a href="/a/${"javascript:"}">`, '<a href="/a/javascript:">'],
  ["a self-closing tag", () => h.html`<path d="${"M0"}"/>`, '<path d="M0"/>'],
  ["two attribute nodes", () => h.html`<p ${h.id("a")}${h.lang("b")}>`, '<p  id="a" lang="b">'],
  ["two nodes in a hole", () => h.html`<p ${[h.class("a"), h.class("b")]}>`, '<p  class="a b">'],
  ["numbers", () => h.html`<p title="${1}">${2}</p>`, '<p title="1">2</p>'],
  ["null in a value", () => h.html`<p title="${null}${undefined}${off}">`, '<p title="">'],
  ["false in aria", () => h.html`<p aria-hidden="${off}">`, '<p aria-hidden="false">'],
];

for (const [what, make, expected] of written) {
  Deno.test(`h.html writes ${what}`, () => assertEquals(make().render(), expected));
}

Deno.test("h.html scans a template once", () => {
  const seen: TemplateStringsArray[] = [];
  const row = (name: string): h.Node => {
    const keep = (parts: TemplateStringsArray, ...values: string[]): h.Node => {
      seen.push(parts);
      return h.html(parts, ...values);
    };
    return keep`<li>${name}</li>`;
  };
  assertEquals([row("a"), row("<b>")].map((n) => n.render()), ["<li>a</li>", "<li>&lt;b&gt;</li>"]);
  assertStrictEquals(seen[0], seen[1]);
});

Deno.test("h.html keeps two alternating templates distinct", () => {
  const a = (s: string): h.Node => h.html`<i>${s}</i>`;
  const b = (s: string): h.Node => h.html`<b title="${s}"></b>`;
  const html = [a("1"), b("2"), a("3"), b("4")].map((node) => node.render()).join("");
  assertEquals(html, '<i>1</i><b title="2"></b><i>3</i><b title="4"></b>');
});

Deno.test("h.html refuses a malformed escape", () => {
  assertThrows(() => h.html`<p>\u{zz}${x}</p>`, TypeError, "malformed escape");
});
