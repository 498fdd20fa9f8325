import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import * as h from "../../html/mod.ts";
import { html, node, parse, TemplateError, text, trustJs } from "../../tmpl/mod.ts";

function render(template: string, data: unknown): string {
  return node(parse(template, { name: "t.html" }), "t.html", data).render();
}

class Price {
  readonly cents: number;
  readonly note = "<net>";
  constructor(cents: number) {
    this.cents = cents;
  }
  format(): string {
    return `${this.cents}`;
  }
}

class Label {
  toString(): string {
    return "label <1>";
  }
}

const when = new Date("2026-11-22T10:00:00Z");

const written: readonly [what: string, template: string, data: unknown, expected: string][] = [
  ["a big integer", "{{.}} {{eq . 5}}", 5n, "5 true"],
  ["minus zero", "{{.}}", -0, "0"],
  ["a large number", "{{.}}", 1e21, "1e&#43;21"],
  ["a whole number as a decimal", '{{printf "%.2f" .}}', 10, "10.00"],
  ["an integer and a fraction", "{{lt 1 .}} {{eq . 1.5}}", 1.5, "true true"],
  [
    "NaN in a script",
    "<script>{{.}}</script>",
    NaN,
    "<script> /* json: unsupported value: NaN */null </script>",
  ],
  ["a date", "{{.}}", when, "2026-11-22T10:00:00.000Z"],
  ["a date, script", "<script>{{.}}</script>", when, '<script>"2026-11-22T10:00:00.000Z"</script>'],
  [
    "a URL",
    '<a href="{{.}}">',
    new URL("https://a.example/?b=1&c"),
    '<a href="https://a.example/?b=1&amp;c">',
  ],
  ["an error", "{{.}}", new Error("<x>"), "&lt;x&gt;"],
  ["an object of a class", "{{.cents}} {{.note}}", new Price(5), "5 &lt;net&gt;"],
  ["an object of a class as text", "{{.}}", new Price(5), "{5 &lt;net&gt;}"],
  ["a class with toString", "{{.}}", new Label(), "label &lt;1&gt;"],
  [
    "a Map",
    "{{.a}} {{len .}} {{range $k, $v := .}}{{$k}}{{$v}};{{end}}",
    new Map([["b", 2], ["a", 1]]),
    "1 2 a1;b2;",
  ],
  [
    "a Map with numbers",
    "{{range $k, $v := .}}{{$k}}{{$v}};{{end}}{{index . 2}}",
    new Map([[10, "x"], [2, "y"]]),
    "2y;10x;y",
  ],
  ["a Set", "{{len .}}{{range $i, $x := .}}{{$i}}{{$x}}{{end}}", new Set(["a", "b"]), "20a1b"],
  ["an empty Set", "{{if .}}a{{else}}b{{end}}", new Set(), "b"],
  ["bytes", "{{len .}} {{index . 1}} {{range .}}{{.}},{{end}}", new Uint8Array([7, 8]), "2 8 7,8,"],
  ["a record without a prototype", "{{.a}}", Object.assign(Object.create(null), { a: 1 }), "1"],
  ["keys in order", "{{range $k, $v := .}}{{$k}}{{end}}", { b: 1, a: 2, "9": 3, "10": 4 }, "109ab"],
  ["a method", "{{.greet}}", {
    name: "Ana",
    greet(this: { name: string }): string {
      return `<${this.name}>`;
    },
  }, "&lt;Ana&gt;"],
  ["two arguments", "{{.add 1 2}} {{3 | .add 4}}", { add: (a: number, b: number) => a + b }, "3 7"],
  ["a method of a member", '{{.user.greet "x"}}', {
    user: {
      n: 1,
      greet(this: { n: number }, s: string): string {
        return s + this.n;
      },
    },
  }, "x1"],
  ["a method in a chain", "{{.user.name}}", { user: () => ({ name: "Ana" }) }, "Ana"],
  ["call", "{{call .add 1 2}} {{call .o.f}}", {
    add: (a: number, b: number) => a + b,
    o: {
      n: 4,
      f(this: { n: number }): number {
        return this.n;
      },
    },
  }, "3 4"],
  ["a node of h", "<p>{{.}}</p>", h.b("<"), "<p><b>&lt;</b></p>"],
  ["a node of h in an attribute", '<p title="{{.}}">', h.b("<"), '<p title="&lt;">'],
  ["a node in a title", "<title>{{.}}</title>", h.b("x"), "<title>&lt;b&gt;x&lt;/b&gt;</title>"],
  [
    "a node of h in a script",
    "<script>{{.}}</script>",
    h.b("x"),
    '<script>"\\u003cb\\u003ex\\u003c/b\\u003e"</script>',
  ],
  ["html of a node", "<p>{{.}}</p>", html(h.i("x")), "<p><i>x</i></p>"],
  ["JavaScript in text", "<p>{{.}}</p>", trustJs("a < b"), "<p>a &lt; b</p>"],
  [
    "an imitation of a safe text",
    "<p>{{.text}}</p>",
    JSON.parse('{"text":"<b>","kind":"html","$safe":"html"}'),
    "<p>&lt;b&gt;</p>",
  ],
  ["own bad names", "{{.constructor}} {{.toString}}", { constructor: "c", toString: "t" }, "c t"],
  ["__proto__ as an own key", "{{.__proto__}}", JSON.parse('{"__proto__":"p"}'), "p"],
  ["the length of a text in UTF-8", "{{len .}}", "é😀", "6"],
  ["a slice of a text", "{{slice . 2}}", "éa", "a"],
  ["the order of code points", '{{lt . "\u{103ff}"}}', "\u{103fe}", "true"],
  ["lone surrogates", '<a href="?q={{.}}">', "\ud800", '<a href="?q=%ef%bf%bd">'],
  ["undefined value", "<script>{{.}}</script>", { a: undefined, b: 1 }, '<script>{"b":1}</script>'],
  ["toJSON", "<script>{{.}}</script>", { toJSON: () => ["<"] }, '<script>["\\u003c"]</script>'],
];

for (const [what, template, data, expected] of written) {
  Deno.test(`tmpl writes ${what}`, () => assertEquals(render(template, data), expected));
}

const throwing = {
  get name(): string {
    throw new Error("no database");
  },
};
const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;

const refused: readonly [what: string, template: string, data: unknown, message: string][] = [
  ...["constructor", "__proto__", "toString", "valueOf", "hasOwnProperty", "__defineGetter__"].map((
    name,
  ) =>
    [`the inherited ${name}`, `{{.${name}}}`, {}, `can't evaluate field ${name}`] as [
      string,
      string,
      unknown,
      string,
    ]
  ),
  ["inherited, by index", '{{index . "constructor"}}', {}, "can't evaluate field constructor"],
  ["a method of a class", "{{.format}}", new Price(1), "can't evaluate field format in type Price"],
  ["what a record inherits", "{{.a}}", Object.create({ a: 1 }), "can't evaluate field a"],
  ["function's member", "{{.f.prototype}}", { f: () => () => 1 }, "can't evaluate field prototype"],
  ["a member of a text", "{{.a.length}}", { a: "x" }, "can't evaluate field length in type string"],
  ["a list's method", "{{.map}}", [1], "can't evaluate field map in type []interface {}"],
  ["a misspelt member", "{{.naem}}", new Price(1), "can't evaluate field naem in type Price"],
  ["a getter that throws", "<b>{{.name}}</b>", throwing, "error reading the data: no database"],
  ["a function that throws", "{{.f}}", {
    f: () => {
      throw new Error("no");
    },
  }, "error calling f: no"],
  ["a cyclic value as text", "{{.}}", cyclic, "holds itself"],
  ["a cyclic value in a script", "<script>{{.}}</script>", cyclic, "holds itself"],
  ["a cyclic value in printf", '{{printf "%v" .}}', cyclic, "holds itself"],
  ["a promise", "{{.}}", Promise.resolve(1), "await it before"],
  ["a symbol", "{{.}}", Symbol("x"), "can't print a symbol"],
  ["a function as text", "{{.}}", () => 1, "can't print a function"],
  ["one argument", "{{.add 1}}", { add: (a: number, b: number) => a + b }, "want at least 2 got 1"],
  ["arguments for a value", "{{.a 1}}", { a: 1 }, "a is not a method but has arguments"],
  ["a lone surrogate", "{{slice . 1}}", "é", "cut a character in two"],
  [
    "a range over a class",
    "{{range .}}{{end}}",
    new Price(1),
    "range can't iterate over a value of type Price",
  ],
];

for (const [what, template, data, message] of refused) {
  Deno.test(`tmpl refuses ${what}`, () => {
    const error = assertThrows(() => render(template, data), TemplateError, message);
    assertEquals([error.code, error.template, error.line], ["ErrExec", "t.html", 1]);
  });
}

const thrown: readonly [cause: unknown, text: string][] = [
  [new Error("no"), "no"],
  [Object.create(null), "{}"],
];
for (const [cause, text] of thrown) {
  Deno.test(`tmpl keeps what a function or a getter throws: ${text}`, () => {
    const fail = (): never => {
      throw cause;
    };
    const data = Object.defineProperty({ f: fail }, "g", { get: fail, enumerable: true });
    for (const [template, doing] of [["{{.f}}", "calling f"], ["{{.g}}", "reading the data"]]) {
      const error = assertThrows(() => render(template ?? "", data), TemplateError);
      assert(error.cause === cause);
      assertStringIncludes(error.message, `error ${doing}: ${text}`);
    }
  });
}

Deno.test("tmpl reads no member of a polluted prototype", () => {
  Object.defineProperty(Object.prototype, "polluted", {
    value: "yes",
    enumerable: true,
    configurable: true,
  });
  try {
    const rows = ["{{.polluted}}", "{{if .polluted}}x{{end}}", "{{range .l}}{{.polluted}}{{end}}"];
    for (const template of rows) {
      assertThrows(() => render(template, { l: [{}] }), TemplateError, "can't evaluate field");
    }
  } finally {
    delete (Object.prototype as { polluted?: unknown }).polluted;
  }
});

Deno.test("missingKey: a missing key is an error where it is used", () => {
  const set = parse("{{.a}}{{.b}}", { name: "t.html", missingKey: "error" });
  assertEquals(node(set, "t.html", { a: 1, b: 2 }).render(), "12");
  assertThrows(() => node(set, "t.html", { a: 1 }), TemplateError, 'no entry for key "b"');
  assertEquals(text(parse("{{.a}}{{.b}}", { name: "t.txt" }), "t.txt", { a: 1 }), "1<no value>");
});
