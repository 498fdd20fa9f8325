/**
 * Handwritten rows for changes in versions of Go after the one that recorded `go_outputs.json`:
 * 1.20.4 (empty unquoted values, `<` and `>` in CSS, white space of JavaScript), 1.21 (template
 * literals, comments from HTML, special tags in literals), 1.22 (`range` over integers), 1.23
 * (`else with`, `range` over functions), 1.26 (URLs in `meta`).
 */
import { assertEquals, assertThrows } from "@std/assert";
import { node, parse, TemplateError, trustHtml } from "../../tmpl/mod.ts";

function render(template: string, data: unknown): string {
  return node(parse(template, { name: "main" }), "main", data).render();
}

const hostile = "`${alert(1)}</script>\"'\\";

const rows: readonly [what: string, template: string, data: unknown, expected: string][] = [
  ["range over an integer", "{{range 3}}{{.}}{{end}}", null, "012"],
  ["range over an integer with a variable", "{{range $i := .}}{{$i}},{{end}}", 2, "0,1,"],
  ["range over zero", "{{range .}}x{{else}}none{{end}}", 0, "none"],
  ["range over a negative integer", "{{range .}}x{{else}}none{{end}}", -2, "none"],
  [
    "range over a function",
    "{{range .lines}}{{.}};{{end}}",
    {
      *lines(): Generator<string> {
        yield "a";
        yield "<";
      },
    },
    "a;&lt;;",
  ],
  [
    "range over a function that stops early",
    "{{range $i, $e := .lines}}{{$i}}{{$e}}{{if $i}}{{break}}{{end}}{{end}}",
    {
      *lines(): Generator<string> {
        for (;;) yield "x";
      },
    },
    "0x1x",
  ],
  ["range that assigns", "{{$x := 0}}{{range $x = .}}{{end}}{{$x}}", [1, 2], "2"],
  [
    "range that assigns both variables",
    "{{$i := 0}}{{$x := 0}}{{range $i, $x = .}}{{end}}{{$i}}{{$x}}",
    ["a", "b"],
    "1b",
  ],
  ["else with", "{{with .a}}a{{else with .b}}{{.}}{{else}}c{{end}}", { b: "B" }, "B"],
  ["else with, none", "{{with .a}}a{{else with .b}}{{.}}{{else}}c{{end}}", {}, "c"],
  [
    "a template literal",
    "<script>f(`a{{.}}b`)</script>",
    hostile,
    "<script>f(`a\\u0060\\u0024\\u007balert(1)\\u007d\\u003c\\/script\\u003e\\u0022\\u0027\\\\b`)</script>",
  ],
  ["an expression", "<script>f(`a${ {{.}} }b`)</script>", "x", '<script>f(`a${ "x" }b`)</script>'],
  [
    "braces in an expression in a template literal",
    "<script>f(`a${ {b: {{.}}} } {{.}}`)</script>",
    "x",
    '<script>f(`a${ {b: "x"} } x`)</script>',
  ],
  [
    "a nested template literal",
    "<script>f(`a${ `{{.}}` + {{.}} } {{.}}`); g({{.}})</script>",
    "x",
    '<script>f(`a${ `x` + "x" } x`); g("x")</script>',
  ],
  ["an escaped backquote", "<script>f(`\\`{{.}}`)</script>", "x", "<script>f(`\\`x`)</script>"],
  ["an event handler", '<p onclick="f(`{{.}}`)">', "`<", '<p onclick="f(`\\u0060\\u003c`)">'],
  ["an empty unquoted value", "<p title={{.}} id=x>", "", "<p title=ZgotmplZ id=x>"],
  ["a missing unquoted value", "<p title={{.}}>", null, "<p title=ZgotmplZ>"],
  ["only tags in an unquoted value", "<p title={{.}}>", trustHtml("<b></b>"), "<p title=ZgotmplZ>"],
  ["< in CSS", "<style>p { color: {{.}} }</style>", "a<b", "<style>p { color: ZgotmplZ }</style>"],
  [
    "special tags in a string",
    '<script>f("<!-- <script </Script", {{.}})</script>',
    1,
    '<script>f("\\x3C!-- \\x3Cscript \\x3C/Script",  1 )</script>',
  ],
  [
    "an end tag in a string",
    '<script>f("</script>", {{.}})</script>',
    1,
    '<script>f("\\x3C/script>",  1 )</script>',
  ],
  [
    "special tags in a regular expression",
    "<script>/<script/.test({{.}})</script>",
    1,
    "<script>/\\x3Cscript/.test( 1 )</script>",
  ],
  [
    "an end tag in a regular expression",
    "<script>/</script/.test({{.}})</script>",
    1,
    "<script>/\\x3C/script/.test( 1 )</script>",
  ],
  ["tags in a literal", "<script>f(`<!--{{.}}`)</script>", "x", "<script>f(`\\x3C!--x`)</script>"],
  ["<!--", "<script>a <!-- {{.}}\nb({{.}})</script>", 1, "<script>a \nb( 1 )</script>"],
  ["-->", "<script>a\n--> {{.}}\nb({{.}})</script>", 1, "<script>a\n\nb( 1 )</script>"],
  [
    "a decrement and a comparison",
    "<script>while (n --> 0) f({{.}})</script>",
    1,
    "<script>while (n --> 0) f( 1 )</script>",
  ],
  ["a first line", "<script>#! {{.}}\nb</script>", 1, "<script>\nb</script>"],
  ["white space", "<script>x\u00a0/ {{.}} /y</script>", 1, "<script>x\u00a0/  1  /y</script>"],
  [
    "an import map",
    '<script type="importmap">{"imports": {{.}}}</script>',
    { a: "/a.js" },
    '<script type="importmap">{"imports": {"a":"/a.js"}}</script>',
  ],
  [
    "a URL in meta",
    '<meta http-equiv="refresh" content="0; url={{.}}">',
    "javascript:f()",
    '<meta http-equiv="refresh" content="0; url=#ZgotmplZ">',
  ],
  [
    "a good URL in meta",
    '<meta http-equiv="refresh" content="0; URL=\'{{.}}\'">',
    "/a?b=c&d",
    '<meta http-equiv="refresh" content="0; URL=\'/a?b=c&amp;d\'">',
  ],
  ["other meta", '<meta name="x" content="{{.}}">', "a: b", '<meta name="x" content="a: b">'],
];

for (const [what, template, data, expected] of rows) {
  Deno.test(`newer Go: ${what}`, () => assertEquals(render(template, data), expected));
}

const refused: readonly [what: string, template: string, code: string][] = [
  ["two variables over an integer", "{{range $i, $x := 3}}{{end}}", "ErrExec"],
  ["else with after if", "{{if .}}{{else with .}}{{end}}", "ErrParse"],
  ["an unterminated template literal", "<script>f(`a</script>", "ErrEndContext"],
  ["half an escape in a template literal", "<script>f(`\\{{.}}`)</script>", "ErrPartialEscape"],
  ["branches of two depths", "<script>`${ {{if .}}{{{else}}{{end}} }`</script>", "ErrParse"],
  ["an end tag that does not end the element", "<script></scripty {{.}}</script>", "ErrEndContext"],
];

for (const [what, template, code] of refused) {
  Deno.test(`newer Go refuses ${what}`, () => {
    assertEquals(assertThrows(() => render(template, {}), TemplateError).code, code);
  });
}
