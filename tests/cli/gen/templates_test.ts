// test: child, runs `deno info` and `deno types`
import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Problem } from "../../../cli/problem.ts";
import { type Files, inProject, page, runCli } from "../support.ts";

const types = `export interface Person { readonly name: string; readonly tags: readonly Tag[] }
interface Tag { readonly label: string }
export interface View extends Base {
  readonly user: Person | undefined;
  readonly n: number;
  readonly any: unknown;
  readonly byId: ReadonlyMap<string, Tag>;
  readonly counts: Record<string, Tag>;
  readonly format: (style: string) => Person;
  readonly box: Box<Person>;
  readonly picked: Pick<Person, "name">;
  readonly kind: { readonly a: string } | { readonly b: Tag };
}
export interface Base { readonly title: string }
export interface Box<T> { readonly value: T; readonly all: Set<T> }
export class Place { readonly city = ""; street(): string { return ""; } }
export const load = () => ({ rows: [1, 2].map((id) => ({ id, place: new Place() })) });
export const loadLater = async () => ({ when: await Promise.resolve({ day: 1 }) });
`;

const head = `import { must, node, parse, text, wrap } from "@fw/fw/tmpl";
import * as tmpl from "@fw/fw/tmpl";
import { type Box, load, loadLater, type Person, Place, type View } from "./types.ts";
`;

/** Runs the check of a project with these files. */
async function check(files: Files): Promise<{ readonly code: number; readonly lines: string[] }> {
  let found: { code: number; lines: string[] } = { code: -1, lines: [] };
  await inProject({ "app/page.ts": page, "lib/types.ts": types, ...files }, async (root) => {
    await runCli(["gen"], { cwd: root });
    const { code, stderr } = await runCli(["gen", "--check"], { cwd: root });
    found = { code, lines: stderr.split("\n").filter((line) => line !== "") };
  });
  return found;
}

/** One module with one template for each row: one program of the compiler for all. */
function filesOf(templates: readonly string[]): Files {
  const renders = templates.map((_, i) => `  node(views, "t${i}.gohtml", data),`).join("\n");
  return {
    ...Object.fromEntries(templates.map((text, i) => [`views/t${i}.gohtml`, text])),
    "lib/show.ts": `${head}export const views = must("views");\n` +
      `export const show = (data: View): unknown => [\n${renders}\n];\n`,
  };
}

const fine: readonly string[] = [
  "{{.title}} {{.n}} {{.any.thing.else}} {{$.title}}",
  "{{with .user}}{{.name}}{{range $i, $t := .tags}}{{$t.label}}{{.label}}{{$.n}}{{end}}{{end}}",
  "{{len .title}} {{.title | print}} {{(index .user.tags 0).whatever}}",
  '{{template "b" .user}}{{define "b"}}{{.name}}{{end}}',
  "{{range .n}}{{.}}{{end}}{{range .any}}{{.x}}{{end}}",
  "{{range .byId}}{{.label}}{{end}}{{.byId.some.label}}{{range .counts}}{{.label}}{{end}}",
  "{{.counts.some.label}}{{.user.tags.length}}",
  "{{.box.value.name}}{{range .box.all}}{{.name}}{{end}}{{.picked.name}}",
  "{{.kind.a}}{{.kind.b.label}}",
];

Deno.test("gen --check accepts what the type of the data has", async () => {
  assertEquals(await check(filesOf(fine)), { code: 0, lines: [] });
});

const wrong: readonly [template: string, problem: string][] = [
  ["<p>\n {{.titel}}</p>", ":2:4 E_TEMPLATE_MEMBER: View has no member titel"],
  ["{{.user.nam}}", ":1:8 E_TEMPLATE_MEMBER: Person has no member nam"],
  ["{{with .user}}{{.titl}}{{end}}", ":1:17 E_TEMPLATE_MEMBER: Person has no member titl"],
  ["{{range .user.tags}}{{.lable}}{{end}}", ":1:23 E_TEMPLATE_MEMBER: Tag has no member lable"],
  ["{{$u := .user}}{{$u.nmae}}", ":1:20 E_TEMPLATE_MEMBER: Person has no member nmae"],
  [
    '{{template "b1" .user}}{{define "b1"}}{{.nam}}{{end}}',
    ":1:41 E_TEMPLATE_MEMBER: Person has no member nam",
  ],
  ["{{.title.length}}", ":1:9 E_TEMPLATE_MEMBER: string has no member length"],
  ["{{.user.tags.join}}", ":1:13 E_TEMPLATE_MEMBER: readonly Tag[] has no member join"],
  ["{{.byId.some.lable}}", ":1:13 E_TEMPLATE_MEMBER: Tag has no member lable"],
  ["{{range .counts}}{{.lable}}{{end}}", ":1:20 E_TEMPLATE_MEMBER: Tag has no member lable"],
  ["{{.box.value.nmae}}", ":1:13 E_TEMPLATE_MEMBER: Person has no member nmae"],
  ["{{range .box.all}}{{.nmae}}{{end}}", ":1:21 E_TEMPLATE_MEMBER: Person has no member nmae"],
  ["{{.picked.tags}}", ':1:10 E_TEMPLATE_MEMBER: Pick<Person, "name"> has no member tags'],
  ["{{.kind.c}}", ":1:8 E_TEMPLATE_MEMBER: the data has no member c"],
];

Deno.test("gen --check refuses what the type of the data does not have", async () => {
  await inProject(
    { "app/page.ts": page, "lib/types.ts": types, ...filesOf(wrong.map(([t]) => t)) },
    async (root) => {
      await runCli(["gen"], { cwd: root });
      const { code, stdout } = await runCli(["gen", "--check", "--json"], { cwd: root });
      assertEquals(code, 1);
      const { problems } = JSON.parse(stdout) as { readonly problems: readonly Problem[] };
      const shown = problems.map(({ place, code, message }) =>
        `${place?.file}:${place?.line}:${place?.column} ${code}: ${message}`
      );
      assertEquals(
        shown.toSorted(),
        wrong.map(([, problem], i) => `views/t${i}.gohtml${problem}`).sort(),
      );
    },
  );
});

const renders: readonly [what: string, code: string, problem: string | undefined][] = [
  ["an object literal", 'node(views, "a", { titel: 1 })', "the data has no member titl"],
  ["a cast", 'text(views, "a", JSON.parse("{}") as View)', "View has no member titl"],
  ["satisfies", 'text(views, "a", { title: "" } satisfies object)', "has no member titl"],
  ["a type parameter", "(<T extends Person>(d: T) => node(views, 'a', d))", "has no member titl"],
  ["a generic type", 'node(views, "a", {} as Box<View>)', "Box<View> has no member titl"],
  [
    "a result of a call",
    'node(views, "rows", load())',
    "the data has no member nr",
  ],
  ["a method of a class", 'node(views, "street", new Place())', "Place has no member street"],
  ["an awaited result", 'loadLater().then((d) => node(views, "when", d))', "has no member dy"],
  ["a list of the code", 'node(views, "list", { list: [{ name: "a" }] })', "has no member nmae"],
  ["a namespace", 'tmpl.node(views, "a", { title: 1 })', "has no member titl"],
  ["a shell", 'shell.node({ title: "" }, null)', "has no member titl"],
  ["any", 'node(views, "a", JSON.parse("{}"))', undefined],
  ["an open type parameter", "(<T,>(d: T) => node(views, 'a', d))", undefined],
  ["a name that is computed", "node(views, Deno.args[0], { title: 1 })", undefined],
];

for (const [what, code, problem] of renders) {
  Deno.test({
    name: `gen --check reads the type of ${what}`,
    fn: async () => {
      const show =
        `${head}const views = must({ "a": "{{.titl}}", "rows": "{{range .rows}}{{.nr}}{{end}}",
  "street": "{{.city}}{{.street}}", "when": "{{.when.dy}}", "list": "{{range .list}}{{.nmae}}{{end}}",
  "shell": '{{.titl}}{{template "slot"}}' });
const shell = wrap(views, "shell", "slot");
export const shown: unknown = [${code}, shell];
`;
      const { lines } = await check({ "lib/show.ts": show });
      const [line = ""] = lines;
      if (problem === undefined) assertEquals(lines, []);
      else {assertStringIncludes(
          line.replace(/\{ id.*\}/, "{ id: number; place: Place; }"),
          problem,
        );}
    },
  });
}

const sets: readonly [what: string, make: string, problem: string][] = [
  ["a folder by its path", 'must("views", "*.gohtml")', "views/a.gohtml:1:3 E_TEMPLATE_MEMBER"],
  [
    "a folder by its address",
    'must(new URL("../views/", import.meta.url))',
    "views/a.gohtml:1:3 E_TEMPLATE_MEMBER",
  ],
  ["a record", 'must({ "a.gohtml": "{{.titl}}" })', "lib/show.ts:4:22 E_TEMPLATE_MEMBER"],
  ["a text", 'parse("{{.titl}}", { name: "a.gohtml" })', "lib/show.ts:4:22 E_TEMPLATE_MEMBER"],
  [
    "other delimiters",
    'parse("<%.titl%>", { name: "a.gohtml", delimiters: { left: "<%", right: "%>" } })',
    "E_TEMPLATE_MEMBER: View has no member titl",
  ],
  ["a missing folder", 'must("viws")', "E_TEMPLATE: the template cannot be used: Cannot read"],
  [
    "a function that is missing",
    'must({ "a.gohtml": "{{prise .n}}" }, { funcs: { price: (n: number) => n } })',
    'function "prise" not defined',
  ],
  [
    "a call with too few arguments",
    'must({ "a.gohtml": "{{price}}" }, { funcs: { price: { call: String, params: ["number"] } } })',
    "wrong number of args for price",
  ],
  ["no end", 'parse("{{if .n}}x", { name: "a.gohtml" })', "E_TEMPLATE: the template cannot be"],
  ["an open tag", "parse('<p a=\"{{.n}}', { name: 'a.gohtml' })", "ends in a non-text context"],
  [
    "a part that is missing",
    'must({ "a.gohtml": "{{template `heder`}}", "header": "x" })',
    'E_TEMPLATE_NAME: there is no template "heder"',
  ],
  [
    "a name that is misspelt",
    'must({ "b.gohtml": "x" })',
    'lib/show.ts:5:52 E_TEMPLATE_NAME: there is no template "a.gohtml"',
  ],
];

for (const [what, make, problem] of sets) {
  Deno.test(`gen --check finds the templates of ${what}`, async () => {
    const show = `${head}export const views = ${make};\n` +
      'export const f = (d: View): unknown => node(views, "a.gohtml", d);\n';
    const { lines } = await check({ "views/a.gohtml": "{{.titl}}", "lib/show.ts": show });
    assertStringIncludes(lines.join("\n"), problem);
  });
}

Deno.test("gen --check follows text imports, and sets that are imported", async () => {
  const { lines } = await check({
    "views/a.gohtml": "x\n{{.titl}}",
    "lib/views.ts": 'import { must } from "@fw/fw/tmpl";\n' +
      'import a from "@/views/a.gohtml" with { type: "text" };\n' +
      'export default must({ "a.gohtml": a });\n',
    "lib/show.ts": 'import { node } from "@fw/fw/tmpl";\nimport views from "./views.ts";\n' +
      'import type { View } from "./types.ts";\n' +
      'export const show = (data: View): unknown => node(views, "a.gohtml", data);\n',
  });
  const shown = lines.join("\n");
  assertStringIncludes(shown, "views/a.gohtml:2:3 E_TEMPLATE_MEMBER: View has no member titl");
  assertStringIncludes(shown, "Write .title.");
});

Deno.test("gen --check lets pass what it cannot tell", async () => {
  const show = `${head}
const views = must(Deno.args[0] ?? "views");
const known = must("views", { funcs: JSON.parse("{}") });
export const a = (data: View): unknown => node(views, "a.gohtml", data);
export const b = (data: Record<string, number>): unknown => node(known, "a.gohtml", data);
`;
  const files = { "views/a.gohtml": "{{f .x}}", "lib/show.ts": show };
  assertEquals(await check(files), { code: 0, lines: [] });
});
