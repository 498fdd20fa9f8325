import * as h from "@fw/fw/h";
import {
  assert,
  assertEquals,
  assertFalse,
  assertMatch,
  assertThrows,
  unreachable,
} from "@std/assert";
import { copy } from "@std/fs";
import { fromFileUrl } from "@std/path";
import { jsx } from "@fw/fw/jsx-runtime";

const voidElements: readonly string[] =
  "area base br col embed hr img input link meta source track wbr".split(" ");

const conversions: readonly [name: string, convert: (node: h.Node) => string][] = [
  ["${node}", (node) => `${node}`],
  ["String(node)", (node) => String(node)],
  ["node + text", (node) => node + "x"],
  ["[node].join()", (node) => [node].join("")],
];

for (const [name, convert] of conversions) {
  Deno.test(`Node: ${name} is refused with a hint to h.render`, () => {
    for (const node of [h.p("x"), h.id("x"), h.fragment("x"), h.text("x")]) {
      assertThrows(() => convert(node), TypeError, "h.render(node)");
    }
  });
}

for (const name of voidElements) {
  Deno.test(`${name} accepts attributes only`, () => {
    const functions = h as unknown as Record<string, (...children: h.Child[]) => h.Node>;
    const make = functions[name];
    assert(make !== undefined);
    const ignored = [null, undefined, [], [null], h.when("", "x"), h.fragment()];
    assertEquals(make(h.id("a"), ...ignored, h.class("b")).render(), `<${name} id="a" class="b">`);
    for (const child of ["x", 0, h.b("x"), ["x"], [[h.b("x")]], h.group(h.id("a"), "x")]) {
      assertThrows(() => make(child), TypeError, `Cannot put content into "<${name}>"`);
      assertThrows(() => h.el(name, child), TypeError, "takes attributes only");
    }
    assertThrows(() => jsx(name, { children: "x" }), TypeError, "place the content beside it");
  });
}

const merged: readonly [string, () => h.Node, string][] = [
  ["merged at the first", () => h.p(h.class("a"), h.id("i"), h.class("b")), 'class="a b" id="i"'],
  ["three classes", () => h.p(h.class("a"), h.class("b", "c"), h.class("d")), 'class="a b c d"'],
  ["an empty class between", () => h.p(h.class("a"), h.class(""), h.class("b")), 'class="a b"'],
  ["a class by attr", () => h.p(h.class("a"), h.attr("CLASS", "b")), 'class="a b"'],
  ["a class in a list", () => h.p(h.attrs(h.class("a")), h.class("b")), 'class="a b"'],
  ["a class in an array", () => h.p([h.class("a")], [[h.class("b")]]), 'class="a b"'],
  ["the last one counts", () => h.p(h.id("a"), h.lang("l"), h.id("b")), 'id="b" lang="l"'],
  ["in any case", () => h.p(h.id("a"), h.attr("ID", "b")), 'ID="b"'],
  ["an absent one replaces nothing", () => h.p(h.id("a"), h.id(undefined)), 'id="a"'],
  ["void too", () => h.hr(h.class("a"), h.id("i"), h.class("b"), h.id("j")), 'class="a b" id="j"'],
  [
    "many attributes of one length",
    () => h.p(h.attr("aa", 1), h.attr("ab", 2), h.attr("ba", 3), h.attr("bb", 4)),
    'aa="1" ab="2" ba="3" bb="4"',
  ],
];

for (const [name, make, expected] of merged) {
  Deno.test(`attributes: ${name}`, () => {
    assertEquals(/<(?:p|hr) ([^>]*)>/.exec(make().render())?.[1], expected);
  });
}

Deno.test("h.class returns correct nodes for lists that share a cache entry", () => {
  const lists = Array.from({ length: 5000 }, (_, i) => `c${i} "x"`);
  for (const list of [...lists, ...lists]) {
    assertEquals(h.p(h.class(list)).render(), `<p class="${h.escape(list)}"></p>`);
  }
});

Deno.test("attribute names that share a cache entry stay distinct", () => {
  const names = Array.from({ length: 3000 }, (_, i) => `x-${i}`);
  for (const name of [...names, ...names]) {
    assertEquals(h.p(h.attr(name, 1)).render(), `<p ${name}="1"></p>`);
  }
});

Deno.test("attributes and elements may be named like reserved words", () => {
  const all = h as unknown as Record<string, unknown>;
  for (const name of ["class", "for", "var"]) assertEquals(typeof all[name], "function");
  assertEquals(h.render(h.label(h.for("a"), h.var("v"))), '<label for="a"><var>v</var></label>');
});

Deno.test("nodes from two copies of the package can be mixed", async () => {
  const folder = await Deno.makeTempDir();
  await copy(fromFileUrl(new URL("../../html", import.meta.url)), folder, { overwrite: true });
  const other: typeof h = await import(`file://${folder}/mod.ts`);
  await Deno.remove(folder, { recursive: true });
  assertFalse(other.p("x") instanceof h.Node);
  assert(h.isNode(other.p("x")));
  const made = h.div(
    other.class("a"),
    h.class("b"),
    other.attrs(other.id("i")),
    other.p("<x>"),
    other.group(h.lang("pt"), other.raw("<hr>")),
    h.html`<i ${other.hidden()}>${other.b("y")}</i>`,
  );
  const expected =
    '<div class="a b" id="i" lang="pt"><p>&lt;x&gt;</p><hr><i  hidden><b>y</b></i></div>';
  assertEquals(h.render(made), expected);
  assertEquals(h.render(h.script(other.raw("1 < 2"))), "<script>1 < 2</script>");
  assertEquals(h.render(other.html()), "<!doctype html><html></html>");
});

const misused: readonly [string, () => unknown, string][] = [
  ["an attribute alone", () => h.render(h.id("a")), "pass it to the element"],
  ["an attribute in a fragment", () => h.fragment(h.id("a")), "h.group"],
  ["an attribute in a map", () => h.map([1], () => h.id("a")), "h.attrs"],
  ["a promise", () => h.p(Promise.resolve("x") as unknown as h.Node), "await it first"],
  ["a function", () => h.p((() => "x") as unknown as h.Node), "call it"],
  ["a date", () => h.p(new Date() as unknown as h.Node), "format it, such as with c.time"],
  ["a symbol", () => h.p(Symbol("x") as unknown as string), 'Cannot render "symbol"'],
  ["an object in an attribute", () => h.attr("title", {} as string), "pass a string"],
  ["an array in an attribute", () => h.attr("title", ["a"]), "type Array"],
  ["an object as a class", () => h.class({} as string), "pass strings"],
  ["raw of no string", () => h.raw(undefined as unknown as string), "pass a string"],
  ["a verb too many", () => h.textf("%s %s", 1), "add or remove a verb"],
  ["a value too many", () => h.textf("%s", 1, 2), "add or remove a verb"],
  ["an unknown verb", () => h.textf("%y", 1), "the verbs are"],
];

for (const [what, make, fix] of misused) {
  Deno.test(`${what} is refused with the fix`, () => {
    assertMatch(assertThrows(make, TypeError, fix).message, /^Cannot .+: .+\.$/);
  });
}

class Odd extends h.Node {
  override render(): string {
    return 7 as unknown as string;
  }
}

Deno.test("a custom node that does not return a string is refused by name", () => {
  assertThrows(
    () => h.p(new Odd()),
    TypeError,
    'Cannot render "Odd": its render() returned number',
  );
});

Deno.test("h.textf formats", () => {
  const made = h.textf("%s %v %d %.2f %f %q 100%%", "<a>", null, 7.9, 1.005, 2, 'b"');
  assertEquals(h.render(made), "&lt;a&gt; null 7 1.00 2.000000 &quot;b\\&quot;&quot; 100%");
});

Deno.test("h.when narrows its value and calls nothing if the value is empty", () => {
  for (const empty of [undefined, null, false, 0, "", 0n]) {
    assertEquals(h.when(empty, () => unreachable()), undefined);
  }
  assertEquals(h.when({ n: 1 }, (v) => v.n), 1);
});

Deno.test("h.either calls only the chosen side", () => {
  assertEquals(h.either(1, (n) => n + 1, unreachable), 2);
  assertEquals(h.either("", unreachable, () => "no"), "no");
});

Deno.test("h.map accepts any iterable and undefined", () => {
  assertEquals(h.render(h.map(new Set(["a", "<b>"]), (s) => s)), "a&lt;b&gt;");
  assertEquals(h.render(h.map(undefined, () => "x")), "");
  assertEquals(h.render(h.mapIndex(["a", "b"], (s, i) => `${i}${s}`)), "0a1b");
});

const documents: readonly [string, h.Child, boolean][] = [
  ["the html element", h.html(), true],
  ["by h.el", h.el("HTML"), true],
  ["raw HTML", h.raw("<html><p>"), true],
  ["after a comment", h.raw(" <!-- a --> <!-- b -->\n<HTML lang=en>"), true],
  ["in a fragment", h.fragment(h.html()), true],
  [
    "a template with leading space",
    h.html`
    <html></html>`,
    true,
  ],
  ["with its own type", h.fragment(h.doctype(), h.html()), true],
  ["another element", h.p(), false],
  ["a custom element", h.el("html-view"), false],
  ["text", "<html>", false],
  ["an open comment", h.raw("<!-- <html>"), false],
  ["nothing", undefined, false],
];

for (const [name, node, isDocument] of documents) {
  Deno.test(`h.render and the document type: ${name}: ${isDocument ? "one" : "none"}`, () => {
    const html = h.render(node);
    assertEquals(html.match(/<!doctype html>/g)?.length ?? 0, isDocument ? 1 : 0);
    assertEquals(html.startsWith("<!doctype html>"), isDocument);
  });
}

Deno.test("h.render reads many comments in linear time", () => {
  const html = "<!-- x -->".repeat(20_000);
  assertEquals(h.render(h.raw(html)), html);
});

Deno.test("an element used as the attribute of the same name: the error names the attribute", () => {
  // @ts-expect-error -- text does not compile where it throws
  assertThrows(() => h.style("display:none"), TypeError, "the attribute is styleAttr");
  // @ts-expect-error -- the same for scripts
  assertThrows(() => h.script("alert(1)"), TypeError, "pass h.raw(code)");
  assertThrows(() => h.img(h.title("x")), TypeError, "for the attribute write titleAttr");
  assertThrows(() => h.input(h.name("a"), h.form("b")), TypeError, "write formAttr");
  assertThrows(() => h.br(h.p("x")), TypeError, "place the content beside it");
  assertEquals(h.render(h.style(h.nonce("n"), [h.raw("a{}")])), '<style nonce="n">a{}</style>');
});

/** Values that type checks do not see: a body read with `json()` has any type. */
const unchecked: readonly (readonly [name: string, value: unknown])[] = [
  ["an array whose string contains markup", ["x".repeat(300) + "<"]],
  ["an object whose string contains markup", { toString: () => "x".repeat(300) + "<" }],
  ["a number", 7],
  ["null", null],
  ["undefined", undefined],
];

for (const [name, value] of unchecked) {
  Deno.test(`escape refuses ${name} and escapes the next text`, () => {
    assertThrows(() => Reflect.apply(h.escape, undefined, [value]), TypeError, "use a string");
    assertEquals(h.escape("<script>"), "&lt;script&gt;");
  });
}
