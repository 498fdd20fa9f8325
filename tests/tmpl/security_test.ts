// deno-lint-ignore-file no-import-prefix -- the parser is for this test only
import { assert, assertEquals, assertMatch } from "@std/assert";
import { parse as parseHtml } from "npm:parse5@8.1.1";
import { node, parse, type Templates } from "../../tmpl/mod.ts";
import { hostileContexts, hostileValues } from "./hostile_values.ts";

interface ParsedNode {
  readonly nodeName: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly ParsedNode[];
  readonly content?: ParsedNode;
}

/** Returns the elements with the names of their attributes; texts and values may differ. */
function shapeOf(html: string): string {
  const shape = (at: ParsedNode): string => {
    const children = [...(at.childNodes ?? []), ...(at.content === undefined ? [] : [at.content])]
      .filter(({ nodeName }) => nodeName !== "#text").map(shape);
    const names = (at.attrs ?? []).map(({ name }) => name).join(" ");
    return `<${at.nodeName} ${names}>${children.join("")}</>`;
  };
  return shape(parseHtml(html) as ParsedNode);
}

function render(set: Templates, value: unknown): string {
  return node(set, "t.html", value).render();
}

Deno.test("there are 500 hostile values", () => assertEquals(new Set(hostileValues).size, 500));

for (const template of hostileContexts) {
  Deno.test(`500 hostile values keep the tree of a harmless one: ${template}`, () => {
    const set = parse(template, { name: "t.html" });
    const expected = shapeOf(render(set, "harmless"));
    for (const value of hostileValues) {
      const html = render(set, value);
      assertEquals(shapeOf(html), expected, `${JSON.stringify(value)}: ${html}`);
    }
  });
}

const contexts = ["<p {{.}}>x</p>", '<p {{.}}="v">x</p>', '<p data-{{.}}="v">x</p>', "<h{{.}}>x"];

for (const template of contexts) {
  Deno.test(`500 hostile values keep a plain name: ${template}`, () => {
    const set = parse(template, { name: "t.html" });
    for (const value of [...hostileValues, "onclick", "href", "style", "srcdoc", "a b", "é"]) {
      assertMatch(render(set, value), /^<[a-z]+ ?(?:data-)?[A-Za-z0-9]+(?:="v")?>x/, value);
    }
  });
}

/** One in eleven values, of every kind. */
const someHostileValues = hostileValues.filter((_, at) => at % 11 === 0);

/** Values of other types than text to insert in the contexts. */
const structures: readonly ((text: string) => unknown)[] = [
  (text) => [text],
  (text) => ({ [text]: text }),
  (text) => new Map([[text, [text]]]),
  (text) => new Set([text]),
  (text) => new Error(text),
  (text) => ({ toJSON: () => text }),
  (text) => ({ text, kind: "html", html: text }),
];

Deno.test("hostile texts in lists, records and errors keep the tree of harmless ones", () => {
  for (const template of hostileContexts) {
    const set = parse(template, { name: "t.html" });
    for (const wrap of structures) {
      const expected = shapeOf(render(set, wrap("harmless")));
      for (const value of someHostileValues) {
        assertEquals(shapeOf(render(set, wrap(value))), expected, `${template} ${value}`);
      }
    }
  }
});

Deno.test("a hostile value never yields a URL that runs code", () => {
  const set = parse('<a href="{{.}}"></a>', { name: "t.html" });
  for (const value of hostileValues) {
    const html = render(set, value);
    const [, href = ""] = /href="([^"]*)"/.exec(html) ?? [];
    const decoded = href.replaceAll("&amp;", "&").replaceAll("&#43;", "+").replaceAll("&#39;", "'");
    // An invalid URL opens nothing.
    const { protocol } = URL.parse(decoded, "https://example.com/") ?? { protocol: "https:" };
    assert(["https:", "http:", "mailto:"].includes(protocol), `${value}: ${href}`);
  }
});
