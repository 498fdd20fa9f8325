import { assertEquals } from "@std/assert";
import * as h from "../../../html/mod.ts";
import { App, createLogger, type Ctx, type Env, type Node } from "../../../mod.ts";
import { findMisplaced } from "../../../runtime/app/dev_checks.ts";

const titleFix = 'for the attribute write titleAttr(…), in a template or JSX title="…"';

const rows: readonly (readonly [name: string, node: () => Node, expected: readonly string[]])[] = [
  ["a title in a span", () => h.span(h.title("x")), ['A "title" element stands in a "span"']],
  ["a title in a link in a list", () => h.ul(h.li("a", h.a(h.href("/"), h.title("x"), "b"))), [
    'A "title" element stands in a "a"',
  ]],
  ["a title of a template", () => h.html`<p>a<b>c</b><title>x</title></p>`, [
    'A "title" element stands in a "p"',
  ]],
  ["a title in the head", () => h.html(h.head(h.title("x")), h.body("y")), []],
  ["a title without a head", () => h.html`<!doctype html><title>x</title><p>y</p>`, []],
  ["a title in SVG", () => h.div(h.svg(h.title("x"), el("g", h.title("y")))), []],
  ["the attribute", () => h.span(h.titleAttr("x"), h.styleAttr("display:none"), "y"), []],
  ["a style that is an attribute's", () => h.div(h.style(h.raw("display: none")), "x"), [
    'A "style" element holds declarations without a rule',
  ]],
  ["a style sheet", () => h.div(h.style(h.raw("a { color: red }")), h.style(h.raw(" "))), []],
  ["an imported style sheet", () => h.style(h.raw("@import 'a.css';")), []],
  ["a label of nothing", () => h.div(h.label("x"), "y"), ['A "label" element has no control']],
  ["a label", () => h.div(h.label("x"), h.input(h.id("a"))), ['A "label" element has no control']],
  ["a label with for", () => h.label(h.for("a"), "x"), []],
  ["a label around its control", () => h.label(h.span("x"), h.input(h.name("a")), h.b("y")), []],
  ["a label around a select", () => h.label("x", h.select(h.option("y"))), []],
  ["a label around an element of its own", () => h.label("x", h.el("my-field")), []],
  ["two labels", () => h.div(h.label(h.input()), h.label("x"), h.label(h.input())), [
    'A "label" element has no control',
  ]],
  ["form in a button", () => h.button(h.form("a"), "x"), ['A "form" element stands in a "button"']],
  ["a link's address on a div", () => h.div(h.href("/x"), "y"), [
    'The attribute "href" means nothing on a "div" element',
  ]],
  ["an image's address on a div", () => h.div(h.src("/x.png")), [
    'The attribute "src" means nothing on a "div" element',
  ]],
  [
    "addresses in their places",
    () => h.div(h.a(h.href("/x")), h.img(h.src("/a.png")), h.el("my-link", h.href("/x"))),
    [],
  ],
  ["an address in SVG", () => h.svg(el("use", h.href("#a"))), []],
  ["text that looks like markup", () => h.p("<div href=x><span><title>"), []],
  ["code that looks like markup", () => h.script(h.raw("'<div href=x>'")), []],
];

function el(name: string, ...children: readonly h.Child[]): Node {
  return h.el(name, ...children);
}

for (const [name, node, expected] of rows) {
  Deno.test(`misplaced markup: ${name}`, () => {
    const found = findMisplaced(h.render(node()));
    assertEquals(
      found.map(({ message }, index) => message.slice(0, expected[index]?.length)),
      expected,
    );
  });
}

/** The warnings of an application, each page asked for twice. */
async function warningsOf(env: Env): Promise<readonly (readonly [string, string, string])[]> {
  const lines: string[] = [];
  const app = new App({
    env,
    secret: "k".repeat(32),
    logger: createLogger({ format: "json", write: (line) => void lines.push(line) }),
  });
  const layout = (c: Ctx, inner: Node): Node =>
    h.html(h.head(h.title(c.title)), h.body(h.footer(h.title("layout")), inner));
  const node = (): Node => h.main(h.id("m"), h.span(h.title("a")), h.span(h.title("b")));
  app.route({ pattern: "/a", page: node, layouts: [layout] });
  app.route({ pattern: "/b", page: node });
  for (let turn = 0; turn < 2; turn++) {
    for (const path of ["/a", "/b"]) {
      await (await app.fetch(new Request(`http://localhost${path}`))).text();
    }
  }
  await app.shutdown();
  return lines.flatMap((text) => text.trim().split("\n")).map((line) => JSON.parse(line))
    .filter(({ level }) => level === "WARN" || level === "warn")
    .map(({ msg, message, route, fix }) => [msg ?? message, route, fix]);
}

Deno.test("misplaced markup: once for each route in development, layouts too", async () => {
  assertEquals(await warningsOf("dev"), [
    ['A "title" element stands in a "footer"', "/a", titleFix],
    ['A "title" element stands in a "span"', "/a", titleFix],
    ['A "title" element stands in a "span"', "/b", titleFix],
  ]);
});

Deno.test("misplaced markup: not looked for in production", async () => {
  assertEquals(await warningsOf("prod"), []);
});
