/**
 * A slash whose meaning one token cannot decide: a value after it is harmless, or the template is
 * refused.
 */

import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { node, parse, TemplateError } from "../../tmpl/mod.ts";

/** Closes a regular expression that is read as a division, runs, and opens it again. */
const attack = "./;alert(1);var q=/.";

function render(template: string): string {
  return node(parse(template, { name: "t.html" }), "t.html", attack).render();
}

const asRegexp = "\\.\\/;alert\\(1\\)";
const asString = '"./;alert(1);var q=/."';

const written: readonly [code: string, value: string][] = [
  // Regular expressions.
  ["if (ok) /{{.}}/.test(s)", asRegexp],
  ["if (f('x', (1))) /{{.}}/.test(s)", asRegexp],
  ["while(ok) /{{.}}/.test(s)", asRegexp],
  ["for (const a of b) /{{.}}/.test(a)", asRegexp],
  ["with (o) /{{.}}/.test(s)", asRegexp],
  ["class A extends /{{.}}/.constructor {}", asRegexp],
  ["export default /{{.}}/", asRegexp],
  ["x = new /{{.}}/.constructor", asRegexp],
  ["return /{{.}}/.test(s)", asRegexp],
  ["f(.../{{.}}/)", asRegexp],
  ["x = {return: /{{.}}/}", asRegexp],
  ["if ({{.}}) /{{.}}/.test(s)", asRegexp],
  // Divisions.
  ["x.return / {{.}} / 2", asString],
  ["x?.return / {{.}} / 2", asString],
  ["x. /* c */ return / {{.}} / 2", asString],
  ["x.if(a) / {{.}} / 2", asString],
  ["x.#in / {{.}} / 2", asString],
  ["éreturn / {{.}} / 2", asString],
  ["f(a, 'b', (c)) / {{.}} / 2", asString],
  ["(a + b) / {{.}} / 2", asString],
  ["i++ / {{.}} / 2", asString],
  ["a[1]-- / {{.}} / 2", asString],
  ["1. / {{.}} / 2", asString],
  ["x = /a/g / {{.}} / 2", asString],
  // An ambiguous slash ends with its line, or both readings continue alike.
  ["if (ok) { f() }\n /^\\d+[/]$/.test(s) && f({{.}})", asString],
  ["function f() {}\n x = {} / 2;\n f({{.}})", asString],
  ["x = {} /it's/.source;\n f({{.}})", asString],
  ["x = {} / 2 + y / 3; f({{.}})", asString],
  ["x = {} / 2 + ' / ';\n f({{.}})", asString],
];

for (const [code, value] of written) {
  Deno.test(`an unambiguous slash: ${code}`, () => {
    assertStringIncludes(render(`<script>${code}</script>`), value);
  });
}

const refused: readonly string[] = [
  "x = {} /{{.}}/ 2",
  "function f() {} /{{.}}/.test(s)",
  "yield /{{.}}/.test(s)",
  "await /{{.}}/.test(s)",
  "for (const a of /{{.}}/.source) f()",
  "x = ++/{{.}}/.lastIndex",
  "i\n++ /{{.}}/.lastIndex",
  "return ++ /{{.}}/.lastIndex",
  "typ{{/* c */}}eof /{{.}}/",
  "return{{/* c */}} /{{.}}/",
  "if (a{{if .}}){{else}} + (b{{end}}) /{{.}}/",
  "{{if .}}if ({{else}}f({{end}}a) /{{.}}/",
  "x = {} / 2 + f({{.}}) / 3",
  "x = {} / 2 + [/'/, {{.}}]",
  "x = {} /it's/.source; f({{.}})",
  "x = {} / 2 /* it's */ + {{.}}",
  "x = {} / 2 + '<script' / {{.}}",
  "x = {} / 2; // it's\n f({{.}})",
  "x = {} / 2; #! it's\n f({{.}})",
  "x = {} / [{} / 2];\n f({{.}})",
  "x = {} / 2 + ` /\n f({{.}})`",
  "x = {} / 2; '<!--<script>'</script><p>{{.}}",
];

for (const code of refused) {
  Deno.test(`a value after an ambiguous slash is refused: ${code}`, () => {
    const error = assertThrows(() => render(`<script>${code}</script>`), TemplateError);
    assertEquals(error.code, "ErrSlashAmbig");
  });
}

Deno.test("an event handler resolves slashes as a script does", () => {
  assertStringIncludes(render('<p onclick="return /{{.}}/.test(a)">'), asRegexp);
  assertStringIncludes(render('<p onclick="if (&quot;a&quot;) /{{.}}/.test(a)">'), asRegexp);
  const error = assertThrows(() => render('<p onclick="f = {} /{{.}}/ 2">'), TemplateError);
  assertEquals(error.code, "ErrSlashAmbig");
});

Deno.test("a script may have any slash if no value follows", () => {
  const script =
    "<script>function f() {} /it's/.test(s); x = {} / 2 / 3; // c\n i++ /2/ 1</script>";
  assertEquals(render(`${script}<p>{{.}}</p>`), `${script}<p>${attack}</p>`);
});
