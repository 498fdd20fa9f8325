// deno-lint-ignore-file no-import-prefix -- the parser is for tests only
import { assert, assertEquals, assertThrows } from "@std/assert";
import * as h from "@fw/fw/h";
import { jsx, jsxAttr, jsxEscape, jsxTemplate } from "@fw/fw/jsx-runtime";
import { parseFragment } from "npm:parse5@8.1.1";

interface Parsed {
  readonly nodeName: string;
  readonly value?: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly Parsed[];
}

/** The HTML of one element: every notation below must produce exactly this. */
function only(
  html: string,
): { readonly attributes: Record<string, string>; readonly text: string } {
  const nodes = (parseFragment(html) as Parsed).childNodes ?? [];
  assertEquals(nodes.length, 1, html);
  const element = nodes[0];
  const children = element?.childNodes ?? [];
  assert(children.every(({ nodeName }) => nodeName === "#text"), html);
  return {
    attributes: Object.fromEntries((element?.attrs ?? []).map((a) => [a.name, a.value])),
    text: children.map(({ value }) => value ?? "").join(""),
  };
}

// Every HTML parser changes carriage returns and NULs, so they are not among these.
const markup: readonly string[] = [
  "<script>alert(1)</script>",
  "</p><script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "'><svg/onload=alert(1)>",
  '" onmouseover="alert(1)',
  "' onfocus='alert(1)' autofocus='",
  "` onerror=`alert(1)",
  ..."<!--<script>--> --><script>alert(1)</script> ]]><script>alert(1)</script>".split(" "),
  ..."&lt;script&gt; &#60;script&#62; &amp;lt; <%00script>".split(" "),
  "</title></textarea></style></noscript></script><svg onload=alert(1)>",
  "<\u2028script>",
  "\ud800<b>",
  "{{constructor.constructor('alert(1)')()}}",
  "${alert(1)}",
  "\\u003cscript\\u003e",
  "＜script＞",
  "a=b c",
];

const textDoors: Readonly<Record<string, (text: string) => h.Child>> = {
  "a child": (text) => h.p(text),
  "h.text": (text) => h.p(h.text(text)),
  "h.textf": (text) => h.p(h.textf("%s", text)),
  "an array": (text) => h.p([[text]]),
  "h.el": (text) => h.el("p", text),
  "h.map": (text) => h.p(h.map([text], (t) => t)),
  "h.group": (text) => h.p(h.group(text)),
  "h.html": (text) => h.html`<p>${text}</p>`,
  "title in h.html": (text) => h.html`<title>${text}</title>`,
  "h.textarea": (text) => h.textarea(text),
  "jsx": (text) => jsx("p", { children: text }),
  "a component": (text) => jsx("p", { children: jsx(() => text, {}) }),
  "jsxEscape": (text) => jsxTemplate(["<p>", "</p>"], jsxEscape(text)),
  "jsxTemplate with an array": (text) => jsxTemplate(["<p>", "</p>"], [text]),
};

for (const [door, make] of Object.entries(textDoors)) {
  Deno.test(`text is escaped: ${door}`, () => {
    for (const text of markup) {
      const { attributes, text: got } = only(h.render(make(text)));
      assertEquals([got, attributes], [text, {}]);
    }
  });
}

const valueDoors: Readonly<Record<string, [string, (value: string) => h.Child]>> = {
  "h.titleAttr": ["title", (v) => h.p(h.titleAttr(v))],
  "h.class": ["class", (v) => h.p(h.class(v))],
  "merged classes": ["class", (v) => h.p(h.class(v), h.class(""))],
  "h.id after h.id": ["id", (v) => h.p(h.id("first"), h.id(v))],
  "h.attr": ["hx-vals", (v) => h.p(h.attr("hx-vals", v))],
  "h.data": ["data-x", (v) => h.p(h.data("x", v))],
  "h.aria": ["aria-label", (v) => h.p(h.aria("label", v))],
  "h.attrs": ["title", (v) => h.p(h.attrs({ title: v }))],
  "h.styleAttr": ["style", (v) => h.p(h.styleAttr(v))],
  "h.raw as a value": ["title", (v) => h.p(h.attr("title", h.raw(v)))],
  "h.raw as a handler": ["onclick", (v) => h.p(h.attr("onclick", h.raw(v)))],
  "double quotes in h.html": ["title", (v) => h.html`<p title="${v}"></p>`],
  "single quotes in h.html": ["title", (v) => h.html`<p title='${v}'></p>`],
  "class in h.html": ["class", (v) => h.html`<p class="${v}"></p>`],
  "an attribute node in h.html": ["title", (v) => h.html`<p ${h.titleAttr(v)}></p>`],
  "jsx": ["title", (v) => jsx("p", { title: v })],
  "class in jsx": ["class", (v) => jsx("p", { class: v })],
  "jsxAttr": ["title", (v) => jsxTemplate(["<p ", "></p>"], jsxAttr("title", v))],
  "class in jsxAttr": ["class", (v) => jsxTemplate(["<p ", "></p>"], jsxAttr("class", v))],
};

for (const [door, [name, make]] of Object.entries(valueDoors)) {
  Deno.test(`an attribute's value is escaped: ${door}`, () => {
    for (const value of markup) {
      const { attributes, text } = only(h.render(make(value)));
      assertEquals([attributes, text], [{ [name]: value }, ""]);
    }
  });
}

const scriptUrls: readonly string[] = [
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "java\tscript:alert(1)",
  "java\nscript:alert(1)",
  "java\rscript:alert(1)",
  "\u0000javascript:alert(1)",
  "\u0001\u001f javascript:alert(1)",
  "  \t\n javascript:alert(1)",
  "javascript\t:alert(1)",
  "javascript:\u2028alert(1)",
  ..."javascript://%0aalert(1) vbscript:msgbox(1) VBSCRIPT:msgbox(1)".split(" "),
  ..."data:text/html,<script>alert(1)</script> data:text/html;base64,PHNjcmlwdD4=".split(" "),
  "DATA:TEXT/HTML,x",
  "da\nta:text/html,x",
  "data:image/svg+xml,<svg onload=alert(1)>",
  "data:image/x+xml,<html xmlns='http://www.w3.org/1999/xhtml'><script>alert(1)</script></html>",
  "data:video/x+xml,<html xmlns='http://www.w3.org/1999/xhtml'/>",
  ..."data:audio/a.b+xml;base64,PGh0bWw+ data:font/x+xml,<a/> data:image/xml,<a/>".split(" "),
  ..."data:image/,<a/> data:image/unheard-of,x data:image/svg+xml;base64,PHN2Zz4=".split(" "),
  ..."data:application/xhtml+xml,x data:,x".split(" "),
];

const plainUrls: readonly string[] = [
  ..."/a?b=1&c=2#d https://a.example/javascript:x mailto:a@b.example".split(" "),
  ..."javascript/file.js ./javascript:x #javascript:x ?q=javascript:x data/x.html".split(" "),
  ..."data:image/png;base64,iVBORw0KGgo= data:image/webp,x".split(" "),
  ..."data:image/avif;base64,AAAA data:image/apng,x data:IMAGE/JPEG;charset=x,x".split(" "),
  ..."data:image/jpg,x data:image/gif,x data:image/bmp,x data:image/x-icon,x".split(" "),
  ..."data:image/vnd.microsoft.icon,x data:video/mp4;base64,AAAA".split(" "),
  ..."data:video/webm;codecs=vp9;base64,AAAA data:audio/mpeg,x data:audio/wav,x".split(" "),
  ..."data:audio/ogg;base64,T2dnUw== data:font/woff2;base64,d09GMg==".split(" "),
  "",
];

const urlDoors: Readonly<Record<string, [string, (url: string) => h.Child]>> = {
  "h.href": ["href", (u) => h.a(h.href(u))],
  "h.src": ["src", (u) => h.iframe(h.src(u))],
  "h.action": ["action", (u) => h.form(h.action(u))],
  "h.formaction": ["formaction", (u) => h.button(h.formaction(u))],
  "h.poster": ["poster", (u) => h.video(h.poster(u))],
  "h.citeAttr": ["cite", (u) => h.q(h.citeAttr(u))],
  "h.ping": ["ping", (u) => h.a(h.ping(u))],
  "h.attr href": ["href", (u) => h.a(h.attr("href", u))],
  "h.attr HREF": ["href", (u) => h.a(h.attr("HREF", u))],
  "h.attr xlink:href": ["xlink:href", (u) => h.a(h.attr("xlink:href", u))],
  "data of object": ["data", (u) => h.object(h.attr("data", u))],
  "manifest": ["manifest", (u) => h.div(h.attr("manifest", u))],
  "background": ["background", (u) => h.div(h.attr("background", u))],
  "to of an animation": ["to", (u) => h.div(h.attr("to", u))],
  "values of an animation": ["values", (u) => h.div(h.attr("values", u))],
  "h.attrs": ["href", (u) => h.a(h.attrs({ href: u }))],
  "jsx": ["href", (u) => jsx("a", { href: u })],
  "jsxAttr": ["href", (u) => jsxTemplate(["<a ", "></a>"], jsxAttr("href", u))],
  "h.html": ["href", (u) => h.html`<a href="${u}"></a>`],
  "h.html with a static start": ["href", (u) => h.html`<a href=" ${u}"></a>`],
  "h.html with a static end": ["href", (u) => h.html`<a href="${u}#end"></a>`],
};

/** Whether a browser would run or open something for this value. */
function isInert(value: string): boolean {
  const url = URL.parse(value, "https://base.example/");
  return url === null || !["javascript:", "vbscript:", "data:"].includes(url.protocol);
}

for (const [door, [name, make]] of Object.entries(urlDoors)) {
  Deno.test(`a script URL is replaced: ${door}`, () => {
    for (const url of scriptUrls) {
      const value = only(h.render(make(url))).attributes[name] ?? "";
      assert(value.includes("about:invalid"), `${JSON.stringify(url)} gave ${value}`);
      assert(isInert(value), value);
    }
  });
  Deno.test(`a plain URL is kept: ${door}`, () => {
    for (const url of plainUrls) {
      // `values` is a list, whose separator also occurs in data URLs.
      if (name === "values" && url.includes(";")) continue;
      const value = only(h.render(make(url))).attributes[name] ?? "";
      assert(value.includes(url), `${url} gave ${value}`);
    }
  });
}

Deno.test("a template's text and value cannot form a script URL together", () => {
  const [a, b] = ["java", "script:alert(1)"];
  assertThrows(() => h.html`<a href="${a}${b}">x</a>`, TypeError, "join them in one hole");
  for (
    const node of [
      h.html`<a href="java${b}">x</a>`,
      h.html`<a href="${a}script:alert(1)">x</a>`,
      h.html`<a href="${"javascript"}:${"alert(1)"}">x</a>`,
    ]
  ) assert(isInert(only(h.render(node)).attributes["href"] ?? ""), node.render());
});

Deno.test("a character reference that cannot be part of a scheme is kept", () => {
  const got = [
    h.html`<a href="${"/a?b"}&amp;c=1">`,
    h.html`<a href="${"/a?b"}&c=1">`,
    h.html`<a href="${"/a"}?b=1&#38;c=2">`,
    h.html`<a href="${"/a"}/&#58;x">`,
  ].map((node) => node.render());
  assertEquals(got, [
    '<a href="/a?b&amp;c=1">',
    '<a href="/a?b&c=1">',
    '<a href="/a?b=1&#38;c=2">',
    '<a href="/a/&#58;x">',
  ]);
});

Deno.test("one script URL invalidates a list of animation values", () => {
  const values = "/a;java\tscript:alert(1)";
  assertEquals(h.render(h.g(h.attr("values", values))), '<g values="about:invalid"></g>');
});

const badNames: readonly string[] = [
  "",
  "a b",
  "a\tb",
  "a\nb",
  'a"b',
  ..."a'b a>b a<b a/b a=b a`b".split(" "),
  "a\0b",
  "a\u0085b",
  "a\ufffeb",
  "x onload=alert(1)",
  "><script>",
];

const nameDoors: Readonly<Record<string, (name: string) => unknown>> = {
  "h.attr": (name) => h.attr(name, "x"),
  "h.bool": (name) => h.bool(name),
  "h.data": (name) => name === "" ? h.attr("", 1) : h.data(name, "x"),
  "h.aria": (name) => name === "" ? h.attr("", 1) : h.aria(name, "x"),
  "h.attrs": (name) => h.attrs({ [name]: "x" }),
  "jsx": (name) => jsx("p", { [name]: "x" }),
  "jsxAttr": (name) => jsxAttr(name, "x"),
};

for (const [door, make] of Object.entries(nameDoors)) {
  Deno.test(`an attribute's name is checked: ${door}`, () => {
    for (const name of badNames) {
      assertThrows(() => make(name), TypeError, "Cannot write the attribute", JSON.stringify(name));
      assertThrows(() => make(name), TypeError, "Cannot write the attribute", "a second time too");
    }
  });
}

// `precompile` renames these two itself, so the compiler never passes them to `jsxAttr`.
for (const [name, real] of [["className", "class"], ["htmlFor", "for"]] as const) {
  for (const [door, make] of Object.entries(nameDoors)) {
    if (door === "h.data" || door === "h.aria") continue;
    Deno.test(`${name} is refused with HTML's own name: ${door}`, () => {
      const message = `Cannot write the attribute "${name}": it is a property of the DOM; ` +
        `write "${real}".`;
      assertThrows(() => make(name), TypeError, message);
      assertThrows(() => make(name), TypeError, message, "the second time too");
    });
  }
}

Deno.test("a precompiled tag does not repeat an attribute", () => {
  for (
    const parts of [
      ['<a class="a" class="b">x</a>'],
      ["<p><input checked ", ' id="a" CHECKED></p>'],
      ['<label for="a" for="b">', "</label>"],
    ]
  ) {
    assertThrows(() => jsxTemplate(parts, ""), TypeError, "twice");
  }
  const attrs = jsxAttr("attrs", [h.class("a"), h.id("b")]);
  const rows: [string, string][] = [['CLASS="a"', ""], ["", 'id="c"'], ["", 'class="c"'], [
    'id="c"',
    "",
  ]];
  for (const [own, text] of rows) {
    for (const values of [[attrs, text], [text, attrs]]) {
      const parts = [`<b>x</b><p ${own} `, " ", "></p>"];
      assertThrows(() => jsxTemplate(parts, ...values), TypeError, "twice");
    }
  }
  const parts = ['<p class="a" title="class=&quot;b&quot; class">class="c"<b class="d"></b></p>'];
  assertEquals(jsxTemplate(parts).render(), parts[0]);
});

const badTags: readonly string[] = [
  "",
  "1a",
  "a b",
  "a>b",
  "a/b",
  "a<b",
  'a"',
  "a=b",
  "a\0",
  "!--",
  "/p",
  "p onclick=x",
  "script>alert(1)</script",
];

for (
  const [door, make] of Object.entries<(name: string) => unknown>({
    "h.el": (name) => h.el(name),
    "h.void_": (name) => h.void_(name),
    "jsx": (name) => jsx(name, {}),
  })
) {
  Deno.test(`an element's name is checked: ${door}`, () => {
    for (const name of badTags) {
      assertThrows(() => make(name), TypeError, "Cannot write the element", JSON.stringify(name));
    }
  });
}

const handlers = ["onclick", "ONERROR", "onLoad", "onfocus"];

for (
  const [door, make] of Object.entries<(name: string) => unknown>({
    "h.attr": (name) => h.attr(name, "alert(1)"),
    "h.attrs": (name) => h.attrs({ [name]: "alert(1)" }),
    "h.bool": (name) => h.bool(name),
    "jsx": (name) => jsx("p", { [name]: "alert(1)" }),
    "a function in jsx": (name) => jsx("p", { [name]: () => "x" }),
    "jsxAttr": (name) => jsxAttr(name, "alert(1)"),
  })
) {
  Deno.test(`an event handler accepts only raw code: ${door}`, () => {
    for (const name of handlers) assertThrows(() => make(name), TypeError, "JavaScript");
  });
}

// Imitations of a node's fields and brand that a JSON body can contain.
const forged: readonly unknown[] = [
  '{"kind":1,"html":"<script>alert(1)</script>","name":""}',
  '{"kind":1,"html":"<script>alert(1)</script>","name":"#raw"}',
  '{"fw.node":true,"kind":1,"html":"<b>"}',
  '{"Symbol(fw.node)":true,"@@fw.node":true,"kind":1,"html":"<b>"}',
  '{"__proto__":{"kind":1},"html":"<b>"}',
  '{"render":"<b>","toString":"<b>"}',
  '{"raw":["<b>"],"length":1,"0":"<b>"}',
  '{"type":"p","props":{"children":"x"}}',
].map((json) => JSON.parse(json));

for (
  const [door, make] of Object.entries<(value: h.Node) => unknown>({
    "a child": (value) => h.p(value),
    "an array": (value) => h.p([value]),
    "h.render": (value) => h.render(value),
    "h.html as an element": (value) => h.html(value),
    "a hole": (value) => h.html`<p>${value}</p>`,
    "a hole between attributes": (value) => h.html`<p ${value}></p>`,
    "an attribute": (value) => h.attr("title", value),
    "a URL": (value) => h.href(value),
    "a handler": (value) => h.attr("onclick", value),
    "a class": (value) => h.class(value as unknown as string),
    "a script": (value) => h.script(value as h.CodeChild),
    "srcdoc": (value) => h.attr("srcdoc", value),
    "jsx": (value) => jsx("p", { children: value }),
    "jsxEscape": (value) => jsxEscape(value),
    "jsxTemplate": (value) => jsxTemplate(["<p>", "</p>"], value),
  })
) {
  Deno.test(`an object from JSON is not a node: ${door}`, () => {
    for (const value of forged) {
      assert(!h.isNode(value));
      assertThrows(() => make(value as h.Node), TypeError, "Cannot");
    }
  });
}

Deno.test("an array from JSON is not a template", () => {
  const parts = JSON.parse('["<script>alert(1)</script>"]');
  assert(h.render(h.html(parts)).includes("&lt;script&gt;"));
});

Deno.test("script content cannot end its element", () => {
  for (const end of ["</script>", "</SCRIPT >", "</script/x", "<!--<script>"]) {
    const html = h.render(h.script(h.type("application/json"), h.raw(JSON.stringify({ end }))));
    const { text } = only(html);
    assertEquals(JSON.parse(text), { end });
  }
});

Deno.test("style content cannot end its element", () => {
  assertThrows(() => h.style(h.raw("</style><script>")), TypeError, "would end the element");
});

Deno.test("script and style refuse text", () => {
  // The compiler refuses a text too; values it cannot check must throw.
  const makers: readonly ((child: h.Child) => unknown)[] = [
    (child) => h.script(child as h.CodeChild),
    (child) => h.style(child as h.CodeChild),
    (child) => jsx("script", { children: child }),
    (child) => jsx("style", { children: child }),
  ];
  for (const make of makers) {
    for (const child of ["alert(1)", 1, h.b("x"), [["x"]], [h.raw("a"), "x"]]) {
      assertThrows(() => make(child), TypeError, "h.raw");
    }
  }
});

// The calls that the compiler generates under `precompile`.
const codeParts: readonly (readonly string[])[] = [
  ["<script>", "</script>"],
  ["<SCRIPT>", "</SCRIPT>"],
  ['<p title="">x</p><script nonce="a>b" data-x="&lt;/script&gt;">', "</script>"],
  ["<style>", "</style>"],
  ["<svg><style>", "</style></svg>"],
];

Deno.test("precompiled script and style refuse text", () => {
  for (const parts of codeParts) {
    for (const text of [...markup, "alert(1)", "</style", 0, 1n, [["x"]], h.b("x")]) {
      const value = jsxEscape(text);
      assertThrows(() => jsxTemplate(parts, value), TypeError, "h.raw");
      assertThrows(() => jsxTemplate(parts, value), TypeError, "h.raw", "the second time too");
      assertThrows(() => jsxTemplate(parts, jsx(() => text, {})), TypeError, "h.raw");
    }
    for (const none of ["", null, undefined, false, true, [], [null]]) {
      assertEquals(jsxTemplate(parts, jsxEscape(none)).render(), parts.join(""));
    }
  }
});

Deno.test("precompiled script and style contain only holes", () => {
  for (
    const parts of [
      ["<script>var a = ", ";</script>"],
      ["<script>", ";</script>"],
      ["<script><b>", "</b></script>"],
      ["<script><script>", "</script></script>"],
      ["<script>", ""],
      ["<style>\0", "</style>"],
      ["<style>a { color: ", " }</style>"],
    ]
  ) assertThrows(() => jsxTemplate(parts, h.raw("1")), TypeError, "h.raw");
});

Deno.test("a NUL in a static part does not shift a hole", () => {
  const parts = ["<p>\0</p><script>", "</script><i>", "</i>"];
  assertThrows(() => jsxTemplate(parts, jsxEscape("alert(1)"), ""), TypeError, "h.raw");
  const found = jsxTemplate(parts, h.raw("a<b"), jsxEscape("a<b")).render();
  assertEquals(found, "<p>\0</p><script>a<b</script><i>a&lt;b</i>");
});

Deno.test("srcdoc escapes text before it becomes the inner document", () => {
  const { attributes } = only(h.render(h.iframe(h.attr("srcdoc", "<script>alert(1)</script>"))));
  assertEquals(attributes["srcdoc"], "&lt;script&gt;alert(1)&lt;/script&gt;");
});

// In SVG, which may surround the template, these elements contain markup.
for (const name of ["title", "textarea", "iframe", "xmp"]) {
  for (const inner of ["script", "style"]) {
    Deno.test(`jsxTemplate: text in <${inner}> in <${name}> is refused`, () => {
      const parts = [`<${name}><${inner}>`, `</${inner}></${name}>`];
      assertThrows(() => jsxTemplate(parts, jsxEscape("alert(1)")), TypeError, `<${inner}>`);
    });
  }
}
