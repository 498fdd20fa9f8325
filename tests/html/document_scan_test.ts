import { randomFrom } from "../random.ts";
import { cpuMs } from "../cpu_time.ts";
import { assert, assertEquals } from "@std/assert";
import { SAXParser } from "npm:parse5-sax-parser@8.0.0";
import { attributeOf, scanDocument } from "../../html/document_scan.ts";
import { decodeReferences } from "../../html/escape.ts";

/** Lists the tags of a source as `name attr=value`, with raw text after a colon. */
function tagsOf(source: string): string[] {
  return Array.from(scanDocument(source), ({ name, attributes, code }) => {
    const list = attributes.map((attribute) => ` ${attribute.name}=${attribute.value}`).join("");
    return `${name}${list}${code === undefined ? "" : `: ${code}`}`;
  });
}

const rows: readonly [name: string, source: string, tags: string[]][] = [
  ["text alone", "a < b > c & d", []],
  ["a tag", "<p>", ["p"]],
  ["capitals", "<A HREF=X>", ["a href=X"]],
  ["an end tag", "</p>", []],
  ["double quotes", `<a href="x y">`, ["a href=x y"]],
  ["single quotes", `<a href='x"y'>`, [`a href=x"y`]],
  ["no quotes", "<a href=x/y>", ["a href=x/y"]],
  ["no value", "<input disabled>", ["input disabled="]],
  ["an empty value before the end", "<a href=>x", ["a href="]],
  ["spaces around the equals sign", "<a href \n = \t x>", ["a href=x"]],
  ["the first of two attributes with one name", "<a id=x ID=y>", ["a id=x"]],
  ["a bracket in a value", `<a title="a>b" href=c>`, ["a title=a>b href=c"]],
  ["a slash before the bracket", "<br/><br /><a href=x/>", ["br", "br", "a href=x/"]],
  ["slashes between attributes", "<a/href=x/id=y>", ["a href=x/id=y"]],
  ["an equals sign at the start of a name", "<a =x>", ["a =x="]],
  ["references", `<a href="?a=1&amp;b=2&#39;&#x27;&quot;">`, [`a href=?a=1&b=2''"`]],
  ["a tag cut off", `<p><a href="x`, ["p"]],
  ["a comment", `<!-- <a> --><p>`, ["p"]],
  ["a comment that ends immediately", "<!--><p><!---><b>", ["p", "b"]],
  ["a comment that ends with an exclamation mark", "<!-- <a> --!><p>", ["p"]],
  ["an unterminated comment", "<p><!-- <a>", ["p"]],
  ["a doctype", "<!doctype html><p>", ["p"]],
  ["a bogus comment", "<?php <a> ?><p></ <a>><b>", ["p", "b"]],
  ["a CDATA section in HTML", "<![CDATA[<a>]]><p>", ["p"]],
  ["a script", `<script nonce="n">if (a < b) "<p>"</script><p>`, [
    `script nonce=n: if (a < b) "<p>"`,
    "p",
  ]],
  ["a script, its end in a string", `<script>"</p>" "</script >"<b>`, [`script: "</p>" "`, "b"]],
  ["a script in a comment in a script", "<script><!-- <script></script> --></script><p>", [
    "script: <!-- <script></script> -->",
    "p",
  ]],
  ["a comment that ends immediately in a script", "<script><!--><script></script><p>", [
    "script: <!--><script>",
    "p",
  ]],
  ["line breaks and NUL in a script", "<script>a\r\nb\rc\0</script>", ["script: a\nb\nc\ufffd"]],
  ["an unterminated script", "<p><script>a <b>", ["p", "script: a <b>"]],
  ["a style", "<style>a::after { content: '<p>' }</style><p>", [
    "style: a::after { content: '<p>' }",
    "p",
  ]],
  ["text content", "<title><a></title><textarea><b></textarea><p>", ["title", "textarea", "p"]],
  ["what stands in noscript", "<noscript><a href=x></noscript>", ["noscript", "a href=x"]],
  ["what stands in template", "<template><a href=x></template>", ["template", "a href=x"]],
  ["plaintext", "<p><plaintext><b></plaintext><i>", ["p", "plaintext"]],
  // Browsers run and hash only the text.
  ["SVG style", "<svg><style>x<!-- y -->&lt;<a></style></svg><p>", ["svg", "style: x<", "a", "p"]],
  ["a script in SVG with signs that begin no tag", "<svg><script>a < b<!-->c<?d>e<![CDATA[<f>]]>", [
    "svg",
    "script: a < bce<f>",
  ]],
  ["a style in SVG", "<svg><style>a<style>b</style></svg>", ["svg", "style: a", "style: b"]],
  ["a script in SVG is decoded", "<svg><script>a &lt; b</script></svg>", ["svg", "script: a < b"]],
  ["a CDATA section in SVG", "<svg><script><![CDATA[a < '<b>']]></script><g/></svg>", [
    "svg",
    "script: a < '<b>'",
    "g",
  ]],
  ["a title in SVG contains markup", "<svg><title><a></title></svg>", ["svg", "title", "a"]],
  ["HTML in SVG", "<svg><foreignObject><style><a></style></foreignObject><style><b></style>", [
    "svg",
    "foreignobject",
    "style: <a>",
    "style: ",
    "b",
  ]],
  ["HTML that ends SVG", "<svg><g><p><style><b></style>", ["svg", "g", "p", "style: <b>"]],
  ["end tags that end SVG", "<svg></p><style><b></style><svg></br><style><i></style>", [
    "svg",
    "style: <b>",
    "svg",
    "style: <i>",
  ]],
  ["a self-closing SVG", "<svg/><style><b></style>", ["svg", "style: <b>"]],
  ["MathML", "<math><mi><style><b></style></mi><style><b></style>", [
    "math",
    "mi",
    "style: <b>",
    "style: ",
    "b",
  ]],
  ["a glyph of MathML", "<math><mtext><mglyph><style><b></style></mglyph><style><b></style>", [
    "math",
    "mtext",
    "mglyph",
    "style: ",
    "b",
    "style: <b>",
  ]],
];

for (const [name, source, tags] of rows) {
  Deno.test(`scanDocument: ${name}`, () => assertEquals(tagsOf(source), tags));
}

Deno.test("scanDocument: positions refer to the source", () => {
  const source = `<p>é</p>\n<a class=x  href="y">`;
  const [, tag] = [...scanDocument(source)];
  assertEquals(source.slice(tag?.start, tag?.end), `<a class=x  href="y">`);
  const places = tag?.attributes.map(({ start, end }) => source.slice(start, end));
  assertEquals(places, ["class=x", 'href="y"']);
});

Deno.test("attributeOf: returns a value, or undefined", () => {
  const [tag] = [...scanDocument("<a href=x>")];
  assertEquals(tag && [attributeOf(tag, "href"), attributeOf(tag, "id")], ["x", undefined]);
});

const references: readonly [text: string, decoded: string][] = [
  ["a", "a"],
  ["a&b", "a&b"],
  ["&amp;lt;", "&lt;"],
  ["&lt&gt", "<>"],
  ["?a=1&lt=2", "?a=1&lt=2"],
  ["?a=1&ltb", "?a=1&ltb"],
  ["&apos", "&apos"],
  ["&apos;&nbsp;", "'\u00a0"],
  ["&copy=1&unknown;", "&copy=1&unknown;"],
  ["&#233;&#xE9;&#233=", "éé\u00e9="],
  ["&#0;&#xD800;&#x110000;", "\ufffd\ufffd\ufffd"],
  ["&#x1F600;", "😀"],
];

for (const [text, decoded] of references) {
  Deno.test(`decodeReferences: ${text}`, () => assertEquals(decodeReferences(text), decoded));
}

const longRows: readonly [begin: string, repeated: string, end?: string][] = [
  ["<svg>".repeat(20_000), "</x>"],
  ["<svg>".repeat(20_000), "</math>"],
  ["<svg><desc>".repeat(20_000), "</title>"],
  ["<svg><g>".repeat(20_000), "</p>"],
  ["<svg>", "<style>"],
  ["<svg>", "<script>", "</script>"],
  ["<svg>", "<style><!---->"],
  ["<svg><style>", "<![CDATA["],
];
for (const [begin, repeated, end = ""] of longRows) {
  const name = `${begin.slice(0, 12)}…${repeated}…${end}`;
  Deno.test(`scanDocument stays linear: ${name}`, () => {
    const startMs = cpuMs();
    assert(Array.from(scanDocument(begin + repeated.repeat(20_000) + end)).length > 0);
    const ms = cpuMs() - startMs;
    assert(ms < 500, `${ms} ms`);
  });
}

const pieces = [
  ..."< > </ /> = \" ' ! -- --> --!> <!-- <!--> <!---> <![CDATA[ ]]> <?x".split(" "),
  ..." |\n|\t|/|\0|é|text|a|b|p|script|style|title|textarea|iframe|xmp|use|img|select|tr".split(
    "|",
  ),
  ..." href=\"/a?b=1&amp;c=2\"| id='q'| src=a/b|&amp;|&#39;|&#x41;|x=1".split("|"),
  ..."<script>|</script>|<script |</script |<style>|</style>|<title>|</title>|<br>|</p>|<a href=x>"
    .split("|"),
  ..."<svg>|</svg>|<foreignObject>|</foreignObject>|<g/>|<desc>|</desc>|<textarea>|</textarea>"
    .split("|"),
];

/** Lists the tags of a source as parse5 finds them. */
async function tagsByPeer(source: string): Promise<string[]> {
  const tags: string[] = [];
  const parser = new SAXParser();
  parser.on("startTag", ({ tagName, attrs }) => {
    const list = attrs.map(({ prefix, name, value }) => {
      return ` ${prefix ? `${prefix}:` : ""}${name.toLowerCase()}=${value}`;
    });
    tags.push(tagName.toLowerCase() + list.join(""));
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  parser.on("finish", () => resolve());
  parser.end(source);
  await promise;
  return tags;
}

Deno.test("scanDocument: reads 6,000 random documents as parse5 does", async () => {
  const random = randomFrom(8);
  for (let round = 0; round < 6_000; round++) {
    const length = 1 + Math.floor(random() * 14);
    const source = Array.from(
      { length },
      () => pieces[Math.floor(random() * pieces.length)] ?? "",
    ).join("");
    // The peer tracks only the last SVG element: it takes any end tag for that element's, and no
    // HTML tag ends it.
    if (/<svg[^]*<svg|<svg[^>]*\/>|<svg[^]*<\/(?:title|desc|foreignObject|p)/.test(source)) {
      continue;
    }
    const ours = Array.from(scanDocument(source), ({ name, attributes }) => {
      return name + attributes.map((one) => ` ${one.name}=${one.value}`).join("");
    });
    const theirs = await tagsByPeer(source);
    const readable = (tags: string[]): string => tags.join("|").replaceAll("\0", "\ufffd");
    assertEquals(readable(ours), readable(theirs), JSON.stringify(source));
  }
});
