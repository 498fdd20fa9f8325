import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { join, toFileUrl } from "@std/path";
import * as h from "../../html/mod.ts";
import { must, node, parse, TemplateError, text, wrap } from "../../tmpl/mod.ts";
import { App, createLogger, type Ctx } from "../../mod.ts";
import { testRoute } from "../../runtime/testing/mod.ts";
import { newFolder } from "../new_folder.ts";

const views = {
  "page.html": '<main>{{template "part/head.html" .}}{{.body}}</main>',
  "part/head.html": "<h1>{{.title}}</h1>",
  "mail/welcome.txt": "Dear {{.title}} <x>,\n",
  "style.css": "{{",
};

async function withFolder(
  files: Readonly<Record<string, string>>,
  run: (folder: string) => Promise<void> | void,
): Promise<void> {
  await using folder = await newFolder();
  for (const [name, content] of Object.entries(files)) {
    await Deno.mkdir(join(folder.path, name, ".."), { recursive: true });
    await Deno.writeTextFile(join(folder.path, name), content);
  }
  await run(folder.path);
}

Deno.test("must: a record, a folder and a URL load the same templates", async () => {
  await withFolder(views, (folder) => {
    for (const source of [views, folder, toFileUrl(folder + "/")]) {
      const set = must(source);
      assertEquals(set.names.toSorted(), ["mail/welcome.txt", "page.html", "part/head.html"]);
      const data = { title: "A&B", body: h.p("<") };
      const html = node(set, "page.html", data).render();
      assertEquals(html, "<main><h1>A&amp;B</h1><p>&lt;</p></main>");
      assertEquals(text(set, "mail/welcome.txt", data), "Dear A&B <x>,\n");
    }
  });
});

const patterns: readonly [patterns: string[], names: string[]][] = [
  [["*.html"], ["page.html"]],
  [["**/*.html"], ["page.html", "part/head.html"]],
  [["part/*"], ["part/head.html"]],
  [["*.html", "mail/*"], ["mail/welcome.txt", "page.html"]],
  [["page.html"], ["page.html"]],
];

for (const [globs, names] of patterns) {
  Deno.test(`must: ${globs.join(" and ")} selects ${names.join(" and ")}`, () => {
    assertEquals(must(views, ...globs).names.toSorted(), names);
  });
}

Deno.test("must: refuses more than 5,000 files, and a file of more than 4 MiB", async () => {
  const some = Object.fromEntries(Array.from({ length: 71 }, (_, at) => [`a/${at}.css`, ""]));
  await withFolder(some, (folder) => {
    for (let at = 0; at < 71; at++) Deno.symlinkSync("a", join(folder, `${at}`), { type: "dir" });
    assertThrows(() => must(folder), RangeError, "more than 5000 files; name the folder");
  });
  await withFolder({ "a.html": "x".repeat(4 * 1024 * 1024 + 1) }, (folder) => {
    assertThrows(() => must(folder), RangeError, "4194305 bytes, and a template may have 4194304");
  });
});

Deno.test("must: throws at once for a template that cannot be parsed or escaped", async () => {
  assertThrows(() => must({ "a.html": "{{if}}" }), TemplateError, 'parse "a.html:1:5"');
  assertThrows(() => must({ "a.html": '<p title={{.}}"x>' }), TemplateError, 'escape "a.html:1:');
  assertThrows(() => must({ "a.html": '\n\n<b title="' }), TemplateError, 'escape "a.html:3:');
  assertThrows(() => must({ "a.html": "x" }, "*.txt"), TypeError, "no name matches *.txt");
  assertThrows(
    () => must("/nowhere/at/all"),
    TypeError,
    'Cannot read the templates of "/nowhere/at/all": it does not exist',
  );
  const run = () => must({ "a.html": "x" }, { missingKey: "error" }, "*.html");
  assertThrows(run, TypeError, "then at most one object of options");
  // deno-lint-ignore no-explicit-any -- what a caller without types passes
  assertThrows(() => must({ "a.html": 1 as any }), TypeError, "it is not a string");
  await withFolder({ "b.html": "{{.a" }, (folder) => {
    const error = assertThrows(() => must(folder), TemplateError);
    assertEquals([error.file, error.line, error.column], [join(folder, "b.html"), 1, 5]);
  });
});

Deno.test("parse: an unterminated action is an error with the action's line", () => {
  assertThrows(
    () => parse("<p>\n{{if .a}}\n{{range .b}}{{end}}\n</p>\n", { name: "a" }),
    TemplateError,
    'Cannot parse "a:5:1": unexpected EOF. Fix: close the action of line 2 with {{end}}.',
  );
});

Deno.test("must: finds errors after a call of an undefined template", () => {
  const make = () => must({ "a.html": '<p>{{template "slot" .}}<a href=' });
  assertThrows(make, TemplateError, "ends in a non-text context");
});

Deno.test("must: follows links to folders and refuses a link to itself", async () => {
  await withFolder({ "a/b.html": "{{.}}" }, (folder) => {
    Deno.symlinkSync(join(folder, "a"), join(folder, "c"));
    assertEquals(must(folder).names, ["a/b.html", "c/b.html"]);
    Deno.symlinkSync(folder, join(folder, "self"));
    assertThrows(() => must(folder), Error, "Cannot read the templates of");
  });
});

Deno.test("must: escapes a part that is only valid in its caller's context there", () => {
  const set = must({ "a.html": '<p {{template "b.html" .}}>', "b.html": 'title="{{.}}"' });
  assertEquals(node(set, "a.html", "<").render(), '<p title="&lt;">');
});

Deno.test("must: does not parse text as HTML", () => {
  const set = must({ "a.txt": '<{{.}}> <p title="', "b.txt.tmpl": "<b title={{.}}'>" });
  assertEquals(text(set, "a.txt", "x@y"), '<x@y> <p title="');
});

Deno.test("node: lists the existing templates in the error for an unknown one", () => {
  const error = assertThrows(() => node(must(views), "nope", 1), TemplateError, "page.html");
  assertEquals(error.code, "ErrNoSuchTemplate");
  // deno-lint-ignore no-explicit-any -- what a caller without types passes
  assertThrows(() => node({ names: [] } as any, "x", 1), TypeError, "the result of parse or must");
});

Deno.test("node: nodes can be used in h, and their text is escaped there", () => {
  const set = parse("<b>{{.}}</b>", { name: "b" });
  assertEquals(h.render(h.p(h.class("x"), node(set, "b", "<"))), '<p class="x"><b>&lt;</b></p>');
  assertEquals(h.render(h.p(text(set, "b", "<"))), "<p>&lt;b&gt;&lt;&lt;/b&gt;</p>");
  assertThrows(() => h.render(h.a(h.attr("onclick", node(set, "b", "x")))), TypeError);
});

Deno.test("node: a document gets its document type once", () => {
  const bare = parse("<html><body>{{.}}</body></html>", { name: "t" });
  const full = parse("<!DOCTYPE html><html>{{.}}</html>", { name: "t" });
  assertEquals(h.render(node(bare, "t", "x")), "<!doctype html><html><body>x</body></html>");
  assertEquals(h.render(node(full, "t", "x")), "<!DOCTYPE html><html>x</html>");
});

const layout = '<html><title>{{.}}</title>{{template "content" .}}</html>';

Deno.test("wrap: shows a node in the layout's slot", () => {
  const shell = wrap(must({ "layout.html": layout }), "layout.html", "content");
  const html = shell.node("T<", h.p("<")).render();
  assertEquals(html, "<html><title>T&lt;</title><p>&lt;</p></html>");
  const found = h.render(shell.node("T", h.p("2")));
  assertEquals(found, "<!doctype html><html><title>T</title><p>2</p></html>");
});

Deno.test("wrap: fills a slot in place of a block", () => {
  const set = parse('<main>{{block "content" .}}default{{end}}</main>', { name: "l" });
  assertEquals(wrap(set, "l", "content").node(null, h.b("x")).render(), "<main><b>x</b></main>");
  assertEquals(node(set, "l", null).render(), "<main>default</main>");
});

Deno.test("wrap: a slot in a title shows the text of the node", () => {
  const shell = wrap(parse('<title>{{template "c"}}</title>', { name: "l" }), "l", "c");
  assertEquals(shell.node(null, h.b("x")).render(), "<title>&lt;b&gt;x&lt;/b&gt;</title>");
});

Deno.test("wrap: throws an error naming a shell that does not reach its slot", () => {
  const set = parse('{{if .}}{{template "content"}}{{end}}', { name: "l.html" });
  const shell = wrap(set, "l.html", "content");
  assertEquals(shell.node({ on: 1 }, h.b("x")).render(), "<b>x</b>");
  const error = assertThrows(() => shell.node({}, h.b("x")), TemplateError, 'slot "content"');
  assertEquals(error.template, "l.html");
});

Deno.test("wrap: refuses an invalid layout and an already rendered set", () => {
  assertThrows(() => wrap(parse('<p "', { name: "l" }), "l", "c"), TemplateError);
  assertThrows(() => wrap(parse("x", { name: "l" }), "nope", "c"), TemplateError, "undefined");
  const set = parse("x", { name: "l" });
  node(set, "l", null);
  assertThrows(() => wrap(set, "l", "c"), TypeError, "was rendered already");
});

const nonces: readonly [what: string, template: string, expected: string][] = [
  ["a script", "<script>f()</script>", '<script nonce="abc=">f()</script>'],
  ["style", "<p><STYLE media=print>p{}</STYLE>", '<p><STYLE nonce="abc=" media=print>p{}</STYLE>'],
  [
    "two scripts",
    "<script></script><script src=/a></script>",
    '<script nonce="abc="></script><script nonce="abc=" src=/a></script>',
  ],
  ["a script with a nonce", '<script nonce="{{.}}">f()</script>', '<script nonce="x">f()</script>'],
  ["a branch script", "{{if .}}<script>{{.}}</script>{{end}}", '<script nonce="abc=">"x"</script>'],
  ["a script in a text", "<textarea><script></textarea>", "<textarea>&lt;script></textarea>"],
  ["a script in a comment", "<!-- <script> -->", ""],
  ["other elements", "<p><scripty></scripty>", "<p><scripty></scripty>"],
];

for (const [what, template, expected] of nonces) {
  Deno.test(`nonce: ${what}`, () => {
    const set = parse(template, { name: "t" });
    assertEquals(node(set, "t", "x", { nonce: "abc=" }).render(), expected);
    assert(!node(set, "t", "x").render().includes("abc"));
  });
}

Deno.test("nonce: scripts in data get none, and an invalid nonce is refused", () => {
  const set = parse("{{.}}", { name: "t" });
  const html = node(set, "t", h.raw("<script></script>"), { nonce: "abc" }).render();
  assertEquals(html, "<script></script>");
  assertThrows(() => node(set, "t", "x", { nonce: '"><script>' }), TypeError, "not base64");
});

Deno.test("scripts of a template's page run under the policy of the app", async () => {
  const set = parse("<html><script>f({{.}})</script></html>", { name: "t" });
  const page = (c: Ctx) => node(set, "t", "x", { nonce: c.nonce });
  const { body, headers } = await testRoute({ pattern: "/", page }, "GET", "/");
  const [, nonce = ""] = /<script nonce="([^"]+)">f\("x"\)/.exec(body) ?? [];
  const found = headers.get("content-security-policy") ?? "";
  assertMatch(found, new RegExp(`'nonce-${RegExp.escape(nonce)}'`));
});

Deno.test("a failing template is a 500 without any of its output", async () => {
  const set = parse("<p>secret{{.a.b}}</p>", { name: "t" });
  const app = new App({ env: "prod", logger: createLogger({ write: () => {} }) });
  app.route({ pattern: "/", page: () => node(set, "t", { a: null }) });
  const response = await app.fetch(new Request("http://localhost/"));
  assertEquals(response.status, 500);
  assert(!(await response.text()).includes("secret"));
});
