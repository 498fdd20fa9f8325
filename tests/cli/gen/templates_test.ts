import { assertEquals, assertStringIncludes } from "@std/assert";
import { type Files, inProject, page, runCli } from "../support.ts";

const types = `export interface Person { readonly name: string; readonly tags: readonly Tag[] }
interface Tag { readonly label: string }
export interface View extends Base { readonly user: Person | undefined; readonly n: number; readonly any: unknown }
export interface Base { readonly title: string }
`;

/** A module that renders \`data\` with the templates of the folder \`views\`. */
function moduleWith(render: string): string {
  return `import { must, node, text } from "@fw/fw/tmpl";
import type { View } from "./types.ts";

export const views = must(new URL("../views/", import.meta.url));

export function show(data: View): unknown {
  return ${render};
}
`;
}

const render = 'node(views, "a.gohtml", data)';

async function check(files: Files): Promise<{ readonly code: number; readonly lines: string[] }> {
  let found: { code: number; lines: string[] } = { code: -1, lines: [] };
  await inProject({ "app/page.ts": page, "lib/types.ts": types, ...files }, async (root) => {
    await runCli(["gen"], { cwd: root });
    const { code, stderr } = await runCli(["gen", "--check"], { cwd: root });
    found = { code, lines: stderr.split("\n").filter((line) => line !== "") };
  });
  return found;
}

const fine: readonly [what: string, template: string][] = [
  ["members", "{{.title}} {{.n}} {{.any.thing.else}} {{$.title}}"],
  [
    "with, range and variables",
    "{{with .user}}{{.name}}{{range $i, $t := .tags}}{{$t.label}}{{.label}}{{$.n}}{{end}}{{end}}",
  ],
  ["functions of the app", "{{upper .title}} {{.title | upper}} {{(index .user.tags 0).whatever}}"],
  ["a part", '{{template "b" .user}}{{define "b"}}{{.name}}{{end}}'],
  ["a slot", '<main>{{template "content" .}}</main>'],
];

for (const [what, template] of fine) {
  Deno.test(`gen --check accepts a template with ${what}`, async () => {
    const files = { "views/a.gohtml": template, "lib/show.ts": moduleWith(render) };
    assertEquals(await check(files), { code: 0, lines: [] });
  });
}

const wrong: readonly [what: string, template: string, line: string][] = [
  [
    "a misspelt member",
    "<p>\n {{.titel}}</p>",
    "views/a.gohtml:2:4 E_TEMPLATE_MEMBER: View has no member titel",
  ],
  [
    "a misspelt member of a member",
    "{{.user.nam}}",
    "views/a.gohtml:1:8 E_TEMPLATE_MEMBER: Person has no member nam",
  ],
  [
    "one in with",
    "{{with .user}}{{.titl}}{{end}}",
    "views/a.gohtml:1:17 E_TEMPLATE_MEMBER: Person has no member titl",
  ],
  [
    "one in range",
    "{{range .user.tags}}{{.lable}}{{end}}",
    "views/a.gohtml:1:23 E_TEMPLATE_MEMBER: Tag has no member lable",
  ],
  [
    "one of a variable",
    "{{$u := .user}}{{$u.nmae}}",
    "views/a.gohtml:1:20 E_TEMPLATE_MEMBER: Person has no member nmae",
  ],
  [
    "one in a part",
    '{{template "b" .user}}{{define "b"}}{{.nam}}{{end}}',
    "views/a.gohtml:1:39 E_TEMPLATE_MEMBER: Person has no member nam",
  ],
  [
    "no end",
    "{{if .n}}x",
    "views/a.gohtml:1:11 E_TEMPLATE: the template cannot be used: unexpected EOF",
  ],
  [
    "an open tag",
    '<p\n title="{{.n}}"',
    "views/a.gohtml:2:16 E_TEMPLATE: the template cannot be used: ends in a non-text context",
  ],
];

for (const [what, template, line] of wrong) {
  Deno.test(`gen --check refuses a template with ${what}`, async () => {
    const files = { "views/a.gohtml": template, "lib/show.ts": moduleWith(render) };
    const { code, lines } = await check(files);
    assertEquals(code, 1);
    assertEquals(lines[0]?.slice(0, line.length), line);
  });
}

const data: readonly [what: string, render: string][] = [
  ["an object literal", 'node(views, "a.gohtml", { titel: 1, user: data.user })'],
  ["a cast", 'text(views, "a.gohtml", JSON.parse("{}") as View)'],
  ["satisfies", 'text(views, "a.gohtml", { ...data } satisfies View)'],
];

for (const [what, call] of data) {
  Deno.test(`gen --check reads the type of ${what}`, async () => {
    const files = { "views/a.gohtml": "{{.titl}}", "lib/show.ts": moduleWith(call) };
    const { code, lines } = await check(files);
    assertEquals(code, 1);
    assertStringIncludes(lines.join("\n"), "no member titl");
  });
}

const sets: readonly [what: string, make: string, file: string][] = [
  ["a folder by its path", 'must("views", "*.gohtml")', "views/a.gohtml:1:3"],
  ["a record", 'must({ "a.gohtml": "{{.titl}}" })', "lib/show.ts:4:22"],
  ["a text", 'parse("{{.titl}}", { name: "a.gohtml" })', "lib/show.ts:4:22"],
];

for (const [what, make, place] of sets) {
  Deno.test(`gen --check finds the templates of ${what}`, async () => {
    const module = moduleWith(render).replace(/must\(new URL.*\)/, make)
      .replace("{ must, node, text }", "{ must, node, parse }");
    const { lines } = await check({ "views/a.gohtml": "{{.titl}}", "lib/show.ts": module });
    assertStringIncludes(lines.join("\n"), `${place} E_TEMPLATE_MEMBER: View has no member titl`);
    assertStringIncludes(lines.join("\n"), "Write .title.");
  });
}

Deno.test("gen --check follows text imports and imported sets", async () => {
  const { lines } = await check({
    "views/a.gohtml": "x\n{{.titl}}",
    "lib/views.ts": 'import { must } from "@fw/fw/tmpl";\n' +
      'import a from "@/views/a.gohtml" with { type: "text" };\n' +
      'export const views = must({ "a.gohtml": a });\n',
    "lib/show.ts": 'import { node } from "@fw/fw/tmpl";\nimport { views } from "./views.ts";\n' +
      'import type { View } from "./types.ts";\n' +
      'export const show = (data: View): unknown => node(views, "a.gohtml", data);\n',
  });
  assertStringIncludes(
    lines.join("\n"),
    "views/a.gohtml:2:3 E_TEMPLATE_MEMBER: View has no member titl",
  );
});

Deno.test("gen --check lets pass what it cannot tell", async () => {
  const module = 'import { must, node } from "@fw/fw/tmpl";\n' +
    'const views = must(Deno.args[0] ?? "views");\n' +
    'const known = must("views", { delimiters: { left: "<%", right: "%>" } });\n' +
    'export const a = (data: any): unknown => node(views, "a.gohtml", data);\n' +
    'export const b = <T,>(data: T): unknown => node(known, "a.gohtml", data);\n' +
    'export const c = (data: Record<string, number>): unknown => node(known, "a.gohtml", data);\n';
  assertEquals(await check({ "views/a.gohtml": "{{.x}}", "lib/show.ts": module }), {
    code: 0,
    lines: [],
  });
});
