import { assertEquals, assertThrows } from "@std/assert";
import { node, parse, TemplateError, type TemplateFunction, trustHtml } from "../../tmpl/mod.ts";

const funcs: Readonly<Record<string, TemplateFunction>> = {
  upper: (text: string) => text.toUpperCase(),
  sum: (...all: number[]) => all.reduce((a, b) => a + b, 0),
  bold: (text: string) => trustHtml(`<b>${text}</b>`),
  pair: (a: unknown, b: unknown) => [a, b],
  print: () => "own",
};

function render(template: string, data: unknown = null): string {
  return node(parse(template, { name: "t.html", funcs }), "t.html", data).render();
}

Deno.test("funcs: are called with arguments and in a pipeline", () => {
  assertEquals(render('{{upper "a"}} {{"b" | upper}} {{sum 1 2 3}} {{3 | sum 1}}'), "A B 6 4");
  assertEquals(render('{{bold "x"}} {{index (pair 1 2) 1}} {{print 1}}'), "<b>x</b> 2 own");
});

const wrong: readonly [template: string, message: string][] = [
  ["{{upper}}", "wrong number of args for upper: want at least 1 got 0"],
  ["{{pair 1}}", "wrong number of args for pair: want at least 2 got 1"],
  ["{{len 1 2}}", "wrong number of args for len: want 1 got 2"],
  ["{{lt 1}}", "wrong number of args for lt: want 2 got 1"],
  ["{{nosuch}}", 'function "nosuch" not defined'],
];

for (const [template, message] of wrong) {
  Deno.test(`funcs: ${template} is refused when it is parsed`, () => {
    const error = assertThrows(() => parse(template, { name: "t", funcs }), TemplateError, message);
    assertEquals([error.code, error.line], ["ErrParse", 1]);
  });
}

Deno.test("funcs: names and values that cannot be called are refused immediately", () => {
  for (const name of ["", "1a", "a-b", "a b", "if", "nil", "true", "constructor()"]) {
    assertThrows(() => parse("", { name: "t", funcs: { [name]: () => 1 } }), TypeError, name);
  }
  // deno-lint-ignore no-explicit-any -- what a caller without types passes
  assertThrows(() => parse("", { name: "t", funcs: { a: 1 as any } }), TypeError, '"a"');
});

Deno.test("funcs: names of Object.prototype are not functions", () => {
  for (const name of ["toString", "constructor", "hasOwnProperty", "__proto__"]) {
    assertThrows(() => parse(`{{${name}}}`, { name: "t" }), TemplateError, "not defined");
  }
});

Deno.test("delimiters: an empty delimiter is refused", () => {
  const empty = { left: "", right: "%>" };
  assertThrows(() => parse("", { name: "t", delimiters: empty }), TypeError, "delimiters");
});

const delimiters: readonly [left: string, right: string, source: string, out: string][] = [
  ["<%", "%>", "<%.a%> {{.a}} <%- .a -%> x", "1 {{.a}}1x"],
  ["{=", "=}", "{=$x := .a=}{=$x =}", "1"],
  ["{=", "=}", "{=$x := .a=}{=$x = 2 =}{=$x=}", "2"],
];
for (const [left, right, source, out] of delimiters) {
  Deno.test(`delimiters: ${source} with ${left} and ${right}`, () => {
    const set = parse(source, { name: "t", delimiters: { left, right } });
    assertEquals(node(set, "t", { a: 1 }).render(), out);
  });
}
