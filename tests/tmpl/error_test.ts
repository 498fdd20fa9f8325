import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { App, createLogger, Off } from "../../mod.ts";
import { must, node, parse, TemplateError, type TemplateErrorCode } from "../../tmpl/mod.ts";

/** Each code with a template that causes it, and the place of the error. */
const rows: readonly [code: TemplateErrorCode, template: string, line: number, column: number][] = [
  ["ErrAmbigContext", '<a href="{{if .}}/a?b={{end}}\n  {{.}}">', 2, 5],
  ["ErrBadHTML", '<p>\n<p a\'b="{{.}}">', 2, 5],
  ["ErrBranchEnd", '<p>\n  {{if .}}<a title="{{end}}', 2, 8],
  ["ErrEndContext", "<p>\n<a title='", 2, 11],
  ["ErrNoSuchTemplate", '<p>\n {{template "none"}}', 2, 13],
  [
    "ErrOutputContext",
    '{{define "a"}}{{if .}}{{template "a"}}{{end}}"{{end}}<script>\n{{template "a"}}',
    1,
    15,
  ],
  ["ErrPartialCharset", "<script>\nf(/[a{{.}}]/)", 2, 4],
  ["ErrPartialEscape", "<script>\nf('\\{{.}}')</script>", 2, 4],
  ["ErrPartialEscape", "<p>\n<a onclick='&#102;(\"\\{{.}}\")'>", 2, 13],
  ["ErrPartialEscape", "<style>\na{b:'\\{{.}}'}</style>", 2, 6],
  ["ErrSlashAmbig", "<script>\n{{if .}}f(){{else}}x = {{end}}/a/", 2, 31],
  ["ErrPredefinedEscaper", "<p>\n{{html . | print}}", 2, 3],
  ["ErrParse", "<p>\n {{if}}", 2, 6],
  ["ErrExec", "<p>\n {{.a.b.c}}", 2, 4],
  ["ErrLimit", "<p>\n {{range 99999999999}}{{end}}", 2, 10],
];

for (const [code, template, line, column] of rows) {
  Deno.test(`${code} has the template, the line, the column and a fix: ${template}`, () => {
    const run = () => node(parse(template, { name: "a.html" }), "a.html", { a: { b: 1 } });
    const error = assertThrows(run, TemplateError);
    const found = [error.code, error.template, error.line, error.column];
    assertEquals(found, [code, "a.html", line, column]);
    assert(error.fix.length > 10, error.fix);
    const seen = error.message.replace(/^Cannot (?:parse|escape|render) /, "");
    assertEquals(seen, `"a.html:${line}:${column}": ${error.description}. Fix: ${error.fix}.`);
  });
}

for (const [template, part] of [['<a href="/x', "PreQuery"], ['<a href="{{.}}', "None"]] as const) {
  Deno.test(`the context in an error is written as Go does: ${template}`, () => {
    const context =
      `{stateURL delimDoubleQuote urlPart${part} jsCtxRegexp attrURL elementNone <nil>}`;
    assertThrows(() => must({ "a.html": template }), TemplateError, context);
  });
}

const scripts: readonly [type: string, written: string][] = [
  ["application/ld+json", '{"a":"\\u003c/script\\u003e"}'],
  ["importmap", '{"a":"\\u003c/script\\u003e"}'],
  ["speculationrules", '{"a":"\\u003c/script\\u003e"}'],
  ["module", '{"a":"\\u003c/script\\u003e"}'],
  ["text/html", "map[a:&lt;/script&gt;]"],
];

for (const [type, written] of scripts) {
  Deno.test(`an object in a script of type ${type} is ${written}`, () => {
    const views = must({ "a.html": `<script type="${type}">{{.}}</script>` });
    const found = node(views, "a.html", { a: "</script>" }).render();
    assertEquals(found, `<script type="${type}">${written}</script>`);
  });
}

Deno.test("the development error page shows the file, the line and a frame of the template", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(join(folder, "a.html"), "<p>\n  {{.user.name}}\n</p>\n");
  const set = must(folder);
  const logger = createLogger({ write: () => {} });
  const app = new App({ env: "dev", devReload: Off, logger }, { dir: folder });
  app.route({ pattern: "/", page: () => node(set, "a.html", { user: null }) });
  const response = await app.fetch(new Request("http://localhost/"));
  const body = await response.text();
  await Deno.remove(folder, { recursive: true });
  assertEquals(response.status, 500);
  for (const part of ["a.html:2:5", "{{.user.name}}"]) assertStringIncludes(body, part);
});
