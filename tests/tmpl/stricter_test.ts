/** The rules that are stricter than Go's. */

import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { node, parse, TemplateError, trustAttr, trustUrl } from "../../tmpl/mod.ts";

function render(template: string, data: unknown): string {
  return node(parse(template, { name: "t.html" }), "t.html", data).render();
}

const refused: readonly [template: string, place: string][] = [
  ['<a href="{{.a}}:{{.b}}">', "t.html"],
  ['<a href="{{if .a}}{{.a}}{{end}}:{{.b}}">', "t.html"],
  ["<a href={{.a}}:{{.b}}>", "t.html"],
  ['<a href="{{range .a}}{{.}}{{end}}&#58;{{.b}}">', "t.html"],
  ['<meta http-equiv="refresh" content="0; {{.a}}">', "t.html"],
  ['<meta http-equiv="refresh" content="0 {{.a}}">', "t.html"],
  ['<meta http-equiv="refresh" content="\n 0; {{.a}}">', "t.html"],
  ["<meta http-equiv=refresh content='1.5&#9;{{.a}}'>", "t.html"],
  ['<meta http-equiv="refresh" content="0{{/* c */}} {{.a}}">', "t.html"],
  ['<meta http-equiv="refresh" content="0{{if .a}} {{end}}{{.b}}">', "t.html"],
  ['<a href="java{{.a}}:{{.b}}">', "t.html"],
  ['<a href="data:{{.a}},x">', "t.html"],
  ['<iframe src="data:image/{{.a}},{{.b}}"></iframe>', "t.html"],
  ['<iframe src="da{{/* c */}}ta:text/{{.a}}"></iframe>', "t.html"],
  ['<iframe srcdoc="<p>{{.a}}</p>"></iframe>', "t.html"],
  ['<a href="{{.a}}x{{/* c */}}:{{.b}}">', "t.html"],
  ['<animate attributeName="href" values="#a;{{.a}}:{{.b}}"/>', "t.html"],
  ['<set attributeName="href" to="java{{/* c */}}script&colon;{{.b}}"/>', "t.html"],
  ['<a href="{{if .b}}{{.a}}{{else}}/x{{end}}:?{{.b}}">', "t.html"],
];

for (const [template, place] of refused) {
  Deno.test(`a value whose context depends on another value is refused: ${template}`, () => {
    const data = { a: "javascript", b: "alert(1)" };
    const error = assertThrows(() => render(template, data), TemplateError, place);
    assertEquals(error.code, "ErrAmbigContext");
  });
}

const names: readonly string[] = [
  '<a hre{{.a}}="{{.b}}">',
  '<a {{.a}}ref="{{.b}}">',
  '<a {{.a}}{{.b}}="{{.b}}">',
  "<a hre{{.a}}={{.b}}>",
  '<a hre{{/* c */}}f="{{.b}}">',
  '<a {{if .a}}hre{{end}}f="{{.b}}">',
  '<p o{{.a}}="{{.b}}">',
  '<a xlink:{{.a}}="{{.b}}">',
  '<script type{{.a}}="text/plain" x{{.a}}="{{.b}}">',
];

for (const template of names) {
  Deno.test(`a value is refused in an attribute whose name contains one: ${template}`, () => {
    const error = assertThrows(() => render(template, { a: "f", b: "x" }), TemplateError, "name");
    assert(["ErrAmbigContext", "ErrBranchEnd"].includes(error.code), error.code);
  });
}

for (const part of ["{{/* c */}}cript", "{{if .b}}cript{{end}}", "{{if .b}}tyle{{end}}"]) {
  Deno.test(`an element name in parts that may become code is refused: <s${part}>`, () => {
    const error = assertThrows(() => render(`<s${part}>{{.b}}`, { b: "x" }), TemplateError);
    assertEquals(error.code, "ErrBadHTML");
  });
}

/** Browsers use the first `type`; a later one changes nothing. */
const types: readonly [attributes: string, isData: boolean][] = [
  ['type="text/javascript" type="text/plain"', false],
  ['type="module" {{.n}} TYPE=text/plain', false],
  ['type type="text/plain"', false],
  ['type {{.n}} type="text/plain"', false],
  ['type={{.n}} type="text/plain"', false],
  ['type="{{.n}}" type="text/plain"', false],
  ['type="mod{{if .b}}{{end}}ule" type="text/plain"', false],
  ['type{{.n}}="text/plain"', false],
  ['ty{{.n}}="module" type="text/plain"', false],
  ['{{if .b}}type="module"{{end}} type="text/plain"', false],
  ['{{if .b}}defer{{else}}type="module"{{end}} type="text/plain"', false],
  ['type="text/plain" type="text/javascript"', true],
  ['data-type="x" type="text/plain"', true],
];

for (const [attributes, isData] of types) {
  Deno.test(`a script with ${attributes} is ${isData ? "data" : "code"}`, () => {
    const html = render(`<script ${attributes}>f({{.b}})</script>`, { n: 80, b: "x" });
    assertStringIncludes(html, isData ? ">f(x)<" : '>f("x")<');
  });
}

const code: readonly string[] = [
  "<a href=\"javascript:f('{{.b}}')\">",
  '<a href="javascript:f({{.b}})">',
  '<a href="&#106;avascript:{{.b}}">',
  '<a href="JavaScript&colon;{{.b}}">',
  '<a href=" java&Tab;script:{{.b}}">',
  "<a href='&#1;java\nscript:{{.b}}'>",
  '<a href="vbscript:{{.b}}">',
  "<a href=javascript:{{.b}}>",
  '<form action="javascript:f(`?{{.b}}`)">',
  '<a href="javascript:f({{if .a}}?{{else}}#{{end}}{{.b}})">',
  '<a href="{{if .a}}javascript:{{else}}javascript:f(){{end}}{{.b}}">',
  '<meta http-equiv="refresh" content="0; url=javascript:{{.b}}">',
  '<a href="java{{/* c */}}script:{{.b}}">',
  '<a href="{{/* c */}} JAVA{{/* c */}}&Tab;script{{/* c */}}:{{.b}}">',
  '<a href="{{with .a}}{{end}}java{{with .a}}{{end}}script:{{.b}}">',
  '{{define "p"}}java{{end}}<a href="{{template "p"}}script:{{.b}}">',
  '<a href="{{if .a}}java{{end}}script:f(?{{.b}})">',
  '<a href="{{if .a}}java{{else}}vb{{end}}script:f(?{{.b}})">',
  '<a href="{{if .a}}/x{{end}}javascript:f(?{{.b}})">',
  '<a href="{{if .a}}javascript:{{end}}f(?{{.b}})">',
  '<meta http-equiv="refresh" content="0; url=java{{/* c */}}script:{{.b}}">',
  '<a href="data:text/html,{{.b}}">',
  '<iframe src="DATA&colon;text/html;base64,{{.b}}"></iframe>',
  '<object data=" da&Tab;ta:image/svg+xml,<svg>{{.b}}"></object>',
  '<embed src="data:application/xhtml+xml,{{if .b}}x{{end}}{{.b}}">',
  '<a href="{{if .a}}data:text/html{{else}}data:image/png{{end}},{{.b}}">',
  '<meta http-equiv="refresh" content="0; url=data:text/html,{{.b}}">',
];

for (const template of code) {
  Deno.test(`a value in a URL that runs code is refused: ${template}`, () => {
    const error = assertThrows(() => render(template, { b: "x" }), TemplateError, "trustUrl");
    assertEquals(error.code, "ErrAmbigContext");
  });
}

Deno.test("a template with plaintext is refused, because nothing can end the element", () => {
  const run = () => render("<plaintext>{{.b}}</plaintext>", { b: "x" });
  const error = assertThrows(run, TemplateError);
  assertEquals(error.code, "ErrEndContext");
});

const written: readonly [template: string, html: string][] = [
  ['<a href="{{.b}}:80">', '<a href="b:80">'],
  ['<a href="javascript:f()" title="{{.b}}">', '<a href="javascript:f()" title="b">'],
  ['<a href="java{{/* c */}}/script:{{.b}}">', '<a href="java/script:b">'],
  ['<a href="ja{{.b}}/x:{{.n}}">', '<a href="jab/x:80">'],
  ['<a href="j{{/* c */}}k:{{.b}}">', '<a href="jk:b">'],
  ['<a href="mail{{/* c */}}to:{{.b}}">', '<a href="mailto:b">'],
  ['<a href="/javascript:{{.b}}">', '<a href="/javascript:b">'],
  ['<img src="data:image/png;base64,{{.b}}">', '<img src="data:image/png;base64,b">'],
  ['<a href="data:,{{.b}}">', '<a href="data:,b">'],
  ['<a href="data:text/plain;charset=utf-8,{{.b}}">', "charset=utf-8,b"],
  ['<img src="data:image/{{if .b}}png{{else}}gif{{end}},{{.b}}">', "image/png,b"],
  ['<p style="background: url(data:image/svg+xml,{{.b}})">', "svg+xml,b"],
  ['<p style="a: {{.moz}}">', 'style="a: ZgotmplZ"'],
  ['<p style="a: {{.escaped}}">', 'style="a: ZgotmplZ"'],
  ['<p style="a: {{.expression}}">', 'style="a: ZgotmplZ"'],
  ['<p style="a: \\75 r\\00006c({{.js}})">', "ZgotmplZ)"],
  ['<a href="java{{.end}}">', 'href="java#ZgotmplZ"'],
  ["<a href=j{{.b}}{{.end}}>", "href=jb#ZgotmplZ>"],
  ['<form action="{{.b}}t{{.end}}">', 'action="bt#ZgotmplZ"'],
  ['<a href="{{range .path}}v{{.}}{{end}}">', 'href="v1v/x?y:z"'],
  ["<svg><style>p { fill: {{.entity}} }</style>", "fill: ZgotmplZ }"],
  ["<svg><style>p { fill: url({{.entities}}) }</style>", "url(/?a=1&b=\\26 #41;\\26 quot)"],
  [`<svg><style>p { fill: url('{{.entities}}') }</style>`, `url('/?a=1&b=\\26 #41;\\26 quot')`],
  ['<a href="{{.b}}/x:y">', '<a href="b/x:y">'],
  ['<a href="{{.b}}?x:y">', '<a href="b?x:y">'],
  ['<a href="//{{.b}}:{{.n}}/">', '<a href="//b:80/">'],
  ['<a href="{{if .b}}{{.b}}{{end}}{{.b}}">', '<a href="bb">'],
  ['<a href="{{if .n}}/x{{else}}{{.b}}{{end}}">', '<a href="/x">'],
  ['<script type="text&#47;javascript">f({{.b}})</script>', 'f("b")'],
  ['<script type="mod{{if .b}}{{end}}ule">f({{.b}})</script>', 'f("b")'],
  ['<script type="{{.n}}/plain">f({{.b}})</script>', 'f("b")'],
  ['<meta name="keywords" content="{{.b}}, {{.n}}">', 'content="b, 80"'],
  ['<meta http-equiv="refresh" content="{{.n}}; url={{.js}}">', "url=#ZgotmplZ"],
  [`<meta http-equiv="refresh" content="0; url={{/* c */}}'{{.js}}'">`, "url='#ZgotmplZ'"],
  ['<a href="&#1;{{if eq .n 1}}a{{end}}{{.js}}">', 'href="&#1;#ZgotmplZ"'],
  ['<set attributeName="href" to="{{.js}}">', 'to="#ZgotmplZ"'],
  ['<animate attributeName="href" values="#a;{{.js}}"/>', 'values="#a;#ZgotmplZ"'],
  ['<animate values="https://a/{{.b}};#{{.b}}:"/>', 'values="https://a/b;#b:"'],
  ['<animate values="{{.list}}"/>', 'values="#ZgotmplZ"'],
  ['<animate values="{{.colors}}" from="{{.url}}"/>', 'values="#fff;#000" from="tel:1"'],
  ['<x-range to="{{.js}}">', 'to="javascript:f()"'],
  ['<img srcset="{{.images}}">', 'srcset="a.jpg 1.5x,#ZgotmplZ"'],
  ['<link imagesrcset="{{.images}}">', 'imagesrcset="a.jpg 1.5x,#ZgotmplZ"'],
  ['<img srcset="{{.link}} 2x">', 'srcset="/a%2cb 2x"'],
  ['<p style="a: {{.hex}}">', 'style="a: red"'],
  ['<a ping="{{.js}}">', 'ping="#ZgotmplZ"'],
  ['<p data-{{.b}}="{{.b}}" aria-{{.b}}-x="{{.b}}">', '<p data-b="b" aria-b-x="b">'],
  ['<p on{{.b}}="f({{.b}})">', '<p onb="f(&#34;b&#34;)">'],
  ['<p title {{.b}}="{{.b}}">', '<p title b="b">'],
  ['<p {{if .b}}data-x{{else}}title{{end}}="{{.b}}">', '<p data-x="b">'],
  ["<option{{if .b}} selected{{end}}>", "<option selected>"],
  ["<h{{.n}}>{{.b}}</h{{.n}}>", "<h80>b</h80>"],
  ["<t{{.b}}>", "<tb>"],
  ["<s{{.b}}>{{.b}}", "<sZgotmplZ>b"],
  ['<m{{.b}} http-equiv="refresh" content="0; url={{.js}}">', "<mZgotmplZ http"],
  ['<a{{.b}} attributeName="href" values="{{.js}}">', "<aZgotmplZ attr"],
  ['<a{{if .b}} href="/{{.n}}"{{end}}>', '<a href="/80">'],
  ["<script{{.defer}}>f({{.b}})</script>", '<script defer>f("b")'],
  ["<script>f({{.polluted}})</script>", 'f({"a":1})'],
  ['<p data-x="{{.polluted.a}}">', 'data-x="1"'],
];

for (const [template, html] of written) {
  Deno.test(`a value whose context is fixed is written: ${template}`, () => {
    const data = {
      b: "b",
      n: 80,
      js: "javascript:f()",
      end: "script:f()",
      link: trustUrl("/a,b"),
      hex: "r\\65 d",
      path: ["1", "/x?y:z"],
      entity: "red&#125",
      entities: "/?a=1&b=&#41;&quot",
      moz: "-moz-binding",
      escaped: "\\2d m\\6fz-b\\00069nding",
      expression: "ex-pr\\65ssion",
      list: "https:x;javascript:f()",
      colors: "#fff;#000",
      images: "a.jpg 1.5x, javascript:f() 2x",
      url: trustUrl("tel:1"),
      defer: trustAttr(" defer"),
      polluted: JSON.parse('{"__proto__":{"isAdmin":true},"a":1}'),
    };
    assertStringIncludes(render(template, data), html);
  });
}
