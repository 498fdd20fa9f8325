// deno-lint-ignore-file no-import-prefix -- the parser is for tests only
import { assertEquals } from "@std/assert";
import * as h from "@fw/fw/h";
import { type DefaultTreeAdapterTypes as Tree, parseFragment } from "npm:parse5@8.1.1";

/** Returns the text of an element as a browser reads it from a response in UTF-8. */
function parsedText(html: string): string {
  const sent = new TextDecoder().decode(new TextEncoder().encode(html));
  const [element] = parseFragment(sent).childNodes;
  const children = (element as Tree.Element).childNodes;
  return children.map((child) => (child as Tree.TextNode).value).join("");
}

const values: [name: string, value: string, expected: string][] = [
  ["a newline", "\nfoo", "\nfoo"],
  ["CRLF, as browsers send it", "\r\nfoo", "\nfoo"],
  ["a carriage return", "\rfoo", "\nfoo"],
  ["two blank lines", "\r\n\r\nfoo", "\n\nfoo"],
  ["a newline and CRLF", "\n\r\nfoo", "\n\nfoo"],
  ["a newline alone", "\n", "\n"],
  ["nothing", "", ""],
  ["newlines inside and at the end", "a\r\nb\n", "a\nb\n"],
  ["a form feed", "\ffoo", "\ffoo"],
  ["a lone surrogate", "\ud800\nfoo", "\ufffd\nfoo"],
  ["a newline before a lone surrogate", "\n\udc00", "\n\ufffd"],
];

const forms: [name: string, render: (value: string) => h.Node][] = [
  ["h.textarea", (value) => h.textarea(value)],
  ["h.textarea of several texts", (value) => h.textarea("", value, "")],
  ["h.pre", (value) => h.pre(value)],
  ['h.el("TextArea")', (value) => h.el("TextArea", value)],
  ['h.el("listing")', (value) => h.el("listing", value)],
  ["h.html textarea", (value) => h.html`<textarea>${value}</textarea>`],
  ["h.html textarea, an empty hole first", (v) => h.html`<textarea>${""}${v}</textarea>`],
  ["h.html pre with a class", (value) => h.html`<pre class="c">${value}</pre>`],
  ["h.html pre, an empty hole first", (value) => h.html`<pre>${null}${value}</pre>`],
  ["h.html listing", (value) => h.html`<listing>${value}</listing>`],
  ["JSX textarea", (value) => <textarea>{value}</textarea>],
  ["JSX textarea, an absent child first", (v) => <textarea>{null}{v}</textarea>],
  ["JSX pre", (value) => <pre>{value}</pre>],
  ["h.title", (value) => h.title(value)],
  ["h.html title", (value) => h.html`<title>${value}</title>`],
  ["h.p", (value) => h.p(value)],
];

for (const [form, render] of forms) {
  for (const [name, value, expected] of values) {
    Deno.test(`${form} keeps ${name}`, () => {
      assertEquals(parsedText(h.render(render(value))), expected);
    });
  }
}

// A parser replaces a NUL in the text of a control and drops it elsewhere; neither starts a tag.
for (const [form, render] of forms) {
  Deno.test(`${form}: a NUL does not end the text`, () => {
    assertEquals(parsedText(h.render(render("a\0<b>"))).replace(/[\0\ufffd]/, ""), "a<b>");
  });
}

Deno.test("h.html: static text after an empty hole keeps its newline", () => {
  assertEquals(
    parsedText(h.render(h.html`<textarea>${""}
foo</textarea>`)),
    "\nfoo",
  );
});
