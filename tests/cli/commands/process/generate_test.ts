import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { pageFiles } from "../../../../cli/scaffold/pages.ts";
import { parseUrlPath, titleOf, typeNameOf } from "../../../../cli/scaffold/url_path.ts";
import { inProject, listTree, page, routeWith, runCli } from "../../support.ts";

const app = { "app/layout.ts": "export function Layout() {}\n" };

const written: readonly {
  args: readonly string[];
  file: string;
  methods: string;
  holds: string[];
}[] = [
  { args: ["page", "/"], file: "app/page.ts", methods: "GET", holds: ["export function Page"] },
  {
    args: ["page", "/blog/{slug}/"],
    file: "app/blog/slug_/page.ts",
    methods: "GET",
    holds: ['c.param("slug")'],
  },
  {
    args: ["page", "/docs/{path...}", "--tsx"],
    file: "app/docs/path__/page.tsx",
    methods: "GET",
    holds: ["<h1>"],
  },
  {
    args: ["page", "/contact", "--form"],
    file: "app/contact/page.ts",
    methods: "GET,POST",
    holds: ["csrfInput(c)", "c.tryBind(ContactInput)", "c.status(422)", "struct({"],
  },
  {
    args: ["page", "/contact", "--form", "--tsx"],
    file: "app/contact/page.tsx",
    methods: "GET,POST",
    holds: ["{csrfInput(c)}", "c.tryBind(ContactInput)", "c.status(422)"],
  },
  {
    args: ["page", "/x", "--form", "--bind"],
    file: "app/x/page.ts",
    methods: "GET,POST",
    holds: ["csrfInput(c)", "c.tryBind(XInput)"],
  },
  {
    args: ["page", "/x", "--methods", "delete, post"],
    file: "app/x/page.ts",
    methods: "GET,POST,DELETE",
    holds: ['c.redirect(c.href("/x"))'],
  },
  {
    args: ["page", "/x", "--bind"],
    file: "app/x/page.ts",
    methods: "GET,POST",
    holds: ["await c.bind(XInput)"],
  },
  {
    args: ["route", "/api/items"],
    file: "app/api/items/route.ts",
    methods: "GET",
    holds: ["c.json(200"],
  },
  {
    args: ["route", "/api/items/{id}", "--methods", "PUT,GET,DELETE,OPTIONS,POST", "--bind"],
    file: "app/api/items/id_/route.ts",
    methods: "GET,POST,PUT,DELETE,OPTIONS",
    holds: ["await c.bind(ItemsInput)", "c.json(201", "c.noContent()"],
  },
  {
    args: ["page", "/members-/account"],
    file: "app/members-/account/page.ts",
    methods: "GET",
    holds: ["/** GET /account */"],
  },
  { args: ["route", "/robots.txt"], file: "app/robots.txt/route.ts", methods: "GET", holds: [] },
];
for (const { args, file, methods, holds } of written) {
  Deno.test(`generate ${args.join(" ")} writes ${file} and the generated file`, async () => {
    await inProject(app, async (cwd) => {
      const { code, stdout, stderr } = await runCli(["generate", ...args], { cwd });
      // What takes input comes with its test.
      const test = file.replace(/\.tsx?$/, "_test.ts");
      const hasTest = args.includes("--form") || args.includes("--bind");
      const said = hasTest ? `Wrote ${test}.\nRun it with \`deno task test ${test}\`.\n` : "";
      assertEquals([code, stdout, stderr], [0, `Wrote ${file}.\n${said}`, ""]);
      if (hasTest) assertStringIncludes(await Deno.readTextFile(join(cwd, test)), '"Ada"');
      const text = await Deno.readTextFile(join(cwd, file));
      for (const part of holds) assertStringIncludes(text, part);
      const { routes } = JSON.parse((await runCli(["routes", "--json"], { cwd })).stdout);
      assertEquals(routes[0].methods.join(","), methods);
      assertEquals((await runCli(["gen", "--check"], { cwd })).code, 0);
    });
  });
}

Deno.test("generate test writes a case for each method of the route", async () => {
  const route = `${routeWith("GET")}export async function POST(c) { await c.bindJson(X); }\n`;
  await inProject({ ...app, "app/g-/api/id_/route.ts": route }, async (cwd) => {
    const output = await runCli(["generate", "test", "/api/{id}"], { cwd });
    const file = "app/g-/api/id_/route_test.ts";
    assertEquals(output, {
      code: 0,
      stdout: `Wrote ${file}.\nIt requests /api/example: replace that with a URL for which the ` +
        `application has data.\nRun it with \`deno task test ${file}\`.\n`,
      stderr: "",
    });
    const text = await Deno.readTextFile(join(cwd, file));
    assertStringIncludes(text, 'import { testApp, testRequest, withJson } from "@fw/fw/testing"');
    assertStringIncludes(text, "// Put an address in the place of /api/example for which");
    assertStringIncludes(text, "  await using app = await testApp();\n");
    assertStringIncludes(text, 'testRequest(app, "GET", "/api/example")');
    assertStringIncludes(text, "response.wantStatus(200)");
    assertStringIncludes(text, "response.wantStatus(422)");
  });
});

/** A guard, and a sign-in as `generate auth` writes it, as far as the command looks at it. */
const guarded = {
  ...app,
  "app/staff/page.ts": page,
  "app/staff/middleware.ts": 'import { createSessions } from "@fw/fw/auth";\n' +
    'export const Middleware = createSessions().requireRole("editor", "admin");\n',
  "app/own/page.ts": page,
  "app/own/middleware.ts": 'import { createSessions } from "@fw/fw/auth";\n' +
    "export const Middleware = createSessions().require;\n",
  "app/open/page.ts": page,
};
const accountTesting = { "lib/account_testing.ts": "export function withAccount() {}\n" };

const guards: readonly (readonly [
  url: string,
  files: Readonly<Record<string, string>>,
  holds: readonly string[],
])[] = [
  ["/staff", accountTesting, [
    '"../../lib/account_testing.ts"',
    'testRequest(app, "GET", "/staff", await withAccount(app, { role: "editor" }))',
    "testApp({ config })",
  ]],
  ["/own", accountTesting, ['testRequest(app, "GET", "/own", await withAccount(app))']],
  ["/own", {}, ["// The guard require refuses", 'testRequest(app, "GET", "/own")', "testApp()"]],
  ["/open", accountTesting, ['testRequest(app, "GET", "/open")', "testApp()"]],
];

for (const [url, files, holds] of guards) {
  Deno.test(`generate test ${url} signs in, or says what to add: ${holds[0]}`, async () => {
    await inProject({ ...guarded, ...files }, async (cwd) => {
      const { code, stderr } = await runCli(["generate", "test", url], { cwd });
      assertEquals([code, stderr], [0, ""]);
      const written = await Deno.readTextFile(join(cwd, `app${url}/page_test.ts`));
      const text = written.replace(/\(\s+/g, "(").replace(/,?\s+\)/g, ")").replace(/\s+/g, " ");
      for (const part of holds) assertStringIncludes(text, part);
    });
  });
}

Deno.test("generate test writes a case for each action of a page without POST", async () => {
  const actions = `export const Actions = {
  async add(c) {
    await c.tryBind(Item);
  },
  clear: (c) => c.redirect("/basket"),
};
`;
  await inProject({ ...app, "app/basket/page.ts": page + actions }, async (cwd) => {
    assertEquals((await runCli(["generate", "test", "/basket"], { cwd })).code, 0);
    const written = await Deno.readTextFile(join(cwd, "app/basket/page_test.ts"));
    // The formatter breaks long calls.
    const text = written.replace(/\(\s+/g, "(").replace(/,?\s+\)/g, ")").replace(/\s+/g, " ");
    assertStringIncludes(text, 'Deno.test("POST /basket?/add refuses an empty body"');
    assertStringIncludes(text, 'testRequest(app, "POST", "/basket?/add", withForm({}))');
    assertStringIncludes(text, 'Deno.test("POST /basket?/clear answers 303"');
    assertEquals(text.match(/testRequest\(app, "(?:GET|POST)", "[^"]*"/g), [
      'testRequest(app, "GET", "/basket"',
      'testRequest(app, "POST", "/basket?/add"',
      'testRequest(app, "POST", "/basket?/clear"',
    ]);
  });
  // With a POST of its own, that answers a request without the name of an action.
  const both = page + actions + "export function POST(): void {}\n";
  await inProject({ ...app, "app/basket/page.ts": both }, async (cwd) => {
    await runCli(["generate", "test", "/basket"], { cwd });
    const text = await Deno.readTextFile(join(cwd, "app/basket/page_test.ts"));
    assertStringIncludes(text, '"POST", "/basket")');
  });
});

const refused: readonly { args: readonly string[]; code: number; en: string; pt: string }[] = [
  {
    args: ["page", "/taken"],
    code: 1,
    en: "app/g-/taken/page.tsx already handles /taken",
    pt: "app/g-/taken/page.tsx já responde a /taken",
  },
  {
    args: ["page", "/jsx", "--force"],
    code: 1,
    en:
      "Cannot replace app/jsx/page.tsx: this command writes app/jsx/page.ts. Use --tsx for a page.tsx alone.",
    pt:
      "Não é possível substituir app/jsx/page.tsx: este comando escreve app/jsx/page.ts. Use --tsx só para um page.tsx.",
  },
  {
    args: ["page", "/tested", "--tsx", "--force"],
    code: 1,
    en: "writes app/tested/page.tsx.",
    pt: "escreve app/tested/page.tsx.",
  },
  { args: ["route", "/taken"], code: 1, en: "nothing was written", pt: "nada foi escrito" },
  { args: ["test", "/nope"], code: 1, en: "No route handles /nope", pt: "Nenhuma rota responde" },
  {
    args: ["test", "/tested"],
    code: 1,
    en: "page_test.ts already exists",
    pt: "page_test.ts já existe",
  },
  { args: ["page", "/blog/{id}"], code: 1, en: "E_AMBIGUOUS_SEGMENT", pt: "mesmo ponto da URL" },
  { args: ["page", "/docs/{path...}/x"], code: 2, en: "nothing can follow", pt: "nada pode vir" },
  { args: ["pag", "/x"], code: 2, en: 'Did you mean "page"?', pt: 'Queria dizer "page"?' },
  { args: ["page", "x"], code: 2, en: 'starts with "/"', pt: 'começa com "/"' },
  { args: ["page", "/a//b"], code: 2, en: "is not a valid segment", pt: "não é um segmento" },
  { args: ["page", "/../x"], code: 2, en: '".." is not a valid segment', pt: '".." não é' },
  { args: ["page", "/draft_"], code: 2, en: '"draft_" a parameter', pt: '"draft_" um parâm' },
  { args: ["page", "/1_"], code: 2, en: '"1_" a parameter', pt: '"1_" um parâmetro' },
  { args: ["page", "/foo-"], code: 2, en: '"foo-" a group', pt: '"foo-" um grupo' },
  { args: ["page", "/x_-"], code: 2, en: '"x_-" a group', pt: '"x_-" um grupo' },
  { args: ["page", "/_x"], code: 2, en: 'start with "_"', pt: 'começam com "_"' },
  { args: ["page", "/testdata"], code: 2, en: '"testdata" and', pt: '"testdata" e' },
  { args: ["page", "/.git"], code: 2, en: "only .well-known", pt: "só .well-known" },
  { args: ["page", "/my posts"], code: 2, en: "contains a character", pt: "contém um caractere" },
  {
    args: ["route", "/a*/;globalThis.pwned=1;/*", "--bind"],
    code: 2,
    en: '"a*" contains a character that',
    pt: '"a*" contém um caractere que',
  },
  { args: ["page", "/C:"], code: 2, en: '"C:" contains a character', pt: '"C:" contém um' },
  { args: ["page", "/a;b"], code: 2, en: "letters, digits", pt: "letras, dígitos" },
  { args: ["page", "/{a-b}"], code: 2, en: '"{a-b}" is not a valid segment', pt: '"{a-b}" não é' },
  { args: ["page", "/[id]"], code: 2, en: "another framework; write {id}", pt: "escreva {id}" },
  { args: ["page", "/{id}/{id}"], code: 2, en: "{id} occurs twice", pt: "{id} aparece duas" },
  { args: ["page", "/x", "--methods", "HEAD"], code: 2, en: 'for "HEAD"', pt: 'para "HEAD"' },
  {
    args: ["page", "/x", "--methods", "OPTIONS"],
    code: 2,
    en: "allows GET, POST",
    pt: "aceita GET, POST",
  },
];
for (const { args, code, en, pt } of refused) {
  Deno.test(`generate ${args.join(" ")} is refused and writes no source`, async () => {
    const files = {
      "app/g-/taken/page.tsx": page,
      "app/blog/slug_/page.ts": page,
      "app/jsx/page.tsx": page,
      "app/tested/page.ts": page,
      "app/tested/page_test.ts": "mine",
    };
    await inProject(files, async (cwd) => {
      const english = await runCli(["generate", ...args], { cwd });
      assertEquals([english.code, english.stdout], [code, ""]);
      assertStringIncludes(english.stderr, en);
      const portuguese = await runCli(["generate", ...args], { cwd, env: { FW_LANG: "pt" } });
      assertStringIncludes(portuguese.stderr, pt);
      const sources = (await listTree(cwd)).filter((file) => file.startsWith("app/"));
      assertEquals(sources, Object.keys(files).sort());
      assertEquals(await Deno.readTextFile(join(cwd, "app/tested/page_test.ts")), "mine");
    });
  });
}

Deno.test("generate never overwrites a file that makes no route", async () => {
  await inProject({ ...app, "app/x/page.ts": "half done" }, async (cwd) => {
    const { code, stderr } = await runCli(["generate", "page", "/x"], { cwd });
    assertEquals(code, 1);
    assertStringIncludes(stderr, "app/x/page.ts already exists and was not changed");
    assertEquals(await Deno.readTextFile(join(cwd, "app/x/page.ts")), "half done");
  });
});

const links: readonly { name: string; link: string; file: string; isWritten: boolean }[] = [
  {
    name: "out of the project",
    link: "../../outside",
    file: "outside/x/page.ts",
    isWritten: false,
  },
  { name: "to nowhere", link: "../../nowhere", file: "nowhere/x/page.ts", isWritten: false },
  { name: "to itself", link: "out", file: "project/app/out/x/page.ts", isWritten: false },
  {
    name: "to a folder whose name starts alike",
    link: "../../project2",
    file: "project2/x/page.ts",
    isWritten: false,
  },
  { name: "within the project", link: "../lib", file: "project/lib/x/page.ts", isWritten: true },
];
for (const { name, link, file, isWritten } of links) {
  Deno.test(`generate ${isWritten ? "follows" : "refuses"} a link ${name}`, async () => {
    const files = { ...app, "lib/a.ts": "", "../outside/a.ts": "", "../project2/a.ts": "" };
    await inProject({ ...files, "app/out": `-> ${link}` }, async (cwd) => {
      const english = await runCli(["generate", "page", "/out/x"], { cwd });
      assertEquals((await listTree(join(cwd, ".."))).includes(file), isWritten);
      if (isWritten) return;
      assertEquals([english.code, english.stdout], [1, ""]);
      assertStringIncludes(english.stderr, "app/out/x/page.ts: a link in its path leads out");
      const portuguese = await runCli(["generate", "page", "/out/x"], {
        cwd,
        env: { FW_LANG: "pt" },
      });
      assertStringIncludes(portuguese.stderr, "um link no caminho leva para fora");
    });
  });
}

Deno.test("generate in a broken app writes the file, then shows the problems", async () => {
  await inProject({ "app/page.ts": "export const =" }, async (cwd) => {
    const { code, stdout, stderr } = await runCli(["generate", "page", "/x"], { cwd });
    assertEquals([code, stdout], [1, "Wrote app/x/page.ts.\n"]);
    assertStringIncludes(stderr, "app/page.ts:1:14 E_PARSE");
    assert((await listTree(cwd)).includes("app/x/page.ts"));
  });
});

const urls: readonly [string, string | undefined][] = [
  ["/", "app"],
  ["/a/b", "app/a/b"],
  ["/a/", "app/a"],
  ["/{id}/x/{rest...}", "app/id_/x/rest__"],
  ["/.well-known/x", "app/.well-known/x"],
  ["/.git", undefined],
  ["/testdata", undefined],
  ["/a-", undefined],
  ["/a-/b", "app/a-/b"],
  ["/x/a-/{id}", "app/x/a-/id_"],
  ["/-/b", undefined],
  ["/a_-/b", undefined],
  ["/{a-b}", undefined],
  ["/{}", undefined],
  ["/{rest...}/x", undefined],
  ["/sobre-nós", "app/sobre-nós"],
  ["/@ada/a+b,c=d~1", "app/@ada/a+b,c=d~1"],
  ...[..."*:;$'()!&"].map((sign): [string, undefined] => [`/a${sign}b`, undefined]),
];
for (const [url, want] of urls) {
  Deno.test(`parseUrlPath ${url} is ${want ?? "refused"}`, () => {
    const result = parseUrlPath(url);
    assertEquals(result.ok ? result.path.folder : undefined, want);
  });
}

const foreign: readonly [url: string, segment: string, wanted: string][] = [
  ["/blog/[id]", "[id]", "{id}"],
  ["/blog/[[...path]]", "[[...path]]", "{path...}"],
  ["/:id/x", ":id", "{id}"],
  ["/(shop)/x", "(shop)", "shop-"],
  ["/files/$", "$", "{path...}"],
];
for (const [url, segment, wanted] of foreign) {
  Deno.test(`generate page ${url} says what that is here`, () =>
    inProject(app, async (root) => {
      const { code, stderr } = await runCli(["generate", "page", url], { cwd: root });
      assertEquals([code, stderr], [
        2,
        `Cannot generate "${url}": "${segment}" uses the syntax of another framework; ` +
        `write ${wanted}.\nSee \`fw generate page --help\`.\n`,
      ]);
    }));
}

const seen: readonly [args: readonly string[], help: string][] = [
  [["page"], "fw generate page --help"],
  [["page", "/x", "--bnd"], "fw generate page --help"],
  [["test", "x"], "fw generate test --help"],
  [["island"], "fw generate island --help"],
  [["migration"], "fw generate migration --help"],
  [["resource"], "fw generate resource --help"],
  [["language"], "fw generate language --help"],
  [["serve", "x"], "fw generate serve --help"],
  [["auth"], "fw generate auth --help"],
  [["auth", "--tsx"], "fw generate auth --help"],
  [["pge"], "fw generate --help"],
  [[], "fw generate --help"],
];
for (const [args, help] of seen) {
  Deno.test(`generate ${args.join(" ")} points to ${help}`, () =>
    inProject(app, async (root) => {
      const { code, stderr } = await runCli(["generate", ...args], { cwd: root });
      assertEquals([code, stderr.split("\n").at(-2)], [2, `See \`${help}\`.`]);
    }));
}

Deno.test("a pattern in a doc comment cannot end the comment", () => {
  // parseUrlPath refuses this; the writer must not depend on it.
  const path = {
    pattern: "/a*/;globalThis.pwned=1;/*",
    folder: "app/a",
    segments: [{ kind: "literal", text: "a" } as const],
  };
  const methods = ["GET", "POST", "DELETE"];
  const plain = { bind: true, form: false, tsx: false, tmpl: false, kit: false, languages: [] };
  const sources = [
    pageFiles(path, { ...plain, subject: "route", methods }),
    pageFiles(path, { ...plain, subject: "page", methods }),
    pageFiles(path, { ...plain, subject: "page", methods, bind: false, tsx: true }),
    pageFiles(path, { ...plain, subject: "page", methods, form: true }),
  ].map(([{ text }]) => text);
  for (const source of sources) {
    const withoutTexts = source.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
    assert(!withoutTexts.replaceAll(/\/\*[^]*?\*\//g, "").includes("pwned"), source);
  }
});

const names: readonly [string, string, string][] = [
  ["/", "Home", "HomeInput"],
  ["/blog/new-post", "New post", "NewPostInput"],
  ["/blog/{slug}", "Blog", "BlogInput"],
  ["/404", "404", "Form404Input"],
  ["/sobre-nós", "Sobre nós", "SobreNosInput"],
  ["/feed.xml", "Feed", "FeedInput"],
];
for (const [url, title, type] of names) {
  Deno.test(`titles and types of ${url}`, () => {
    const result = parseUrlPath(url);
    const segments = result.ok ? result.path.segments : [];
    assertEquals([titleOf(segments), typeNameOf(segments)], [title, type]);
  });
}

Deno.test("generate page --tmpl writes a page and the template that it shows", () =>
  inProject(app, async (root) => {
    const args = ["generate", "page", "/orders/{id}", "--tmpl"];
    const { code, stdout } = await runCli(args, { cwd: root });
    const [page, view] = ["app/orders/id_/page.ts", "app/orders/id_/view.gohtml"];
    assertEquals([code, stdout], [0, `Wrote ${page}.\nWrote ${view}.\n`]);
    const text = await Deno.readTextFile(join(root, page));
    assertStringIncludes(text, 'import viewText from "./view.gohtml" with { type: "text" };');
    assertStringIncludes(text, 'title: c.title,\n    id: c.param("id"),\n');
    assertStringIncludes(await Deno.readTextFile(join(root, view)), "<p>id: {{.id}}</p>");
    assertEquals((await runCli(["gen", "--check"], { cwd: root })).code, 0);
    assertEquals((await runCli([...args, "--form"], { cwd: root })).code, 2);
  }));

Deno.test("generate page --tmpl leaves nothing where the template is in the way", () =>
  inProject({ ...app, "app/orders/view.gohtml": "mine" }, async (root) => {
    const { code } = await runCli(["generate", "page", "/orders", "--tmpl"], { cwd: root });
    assertEquals(code, 1);
    assertEquals(await Deno.readTextFile(join(root, "app/orders/view.gohtml")), "mine");
    assert(!(await listTree(root)).includes("app/orders/page.ts"));
  }));

Deno.test("generate serve writes what runs several processes, once", () =>
  inProject(app, async (cwd) => {
    const { code, stdout, stderr } = await runCli(["generate", "serve"], { cwd });
    assertEquals([code, stderr], [0, ""]);
    for (const file of ["serve.ts", "Dockerfile", "deploy/compose.yaml", "deploy/nginx.conf"]) {
      assertStringIncludes(stdout, `Wrote ${file}.`);
      assert((await Deno.readTextFile(join(cwd, file))).length > 100, file);
    }
    assertEquals((await runCli(["generate", "serve"], { cwd })).code, 1);
  }));

Deno.test("generate island writes a source that is bundled and typed", async () => {
  await inProject(app, async (cwd) => {
    const { code, stdout, stderr } = await runCli(["generate", "island", "counter"], { cwd });
    assertEquals([code, stderr], [0, ""]);
    assertEquals(
      stdout,
      'Wrote islands/counter.ts.\nPlace it in a page: c.island("/islands/counter.js", { start: 1 }, ' +
        'h.button(h.type("button"), "1")).\n',
    );
    assertStringIncludes(await Deno.readTextFile(join(cwd, "fw_gen.ts")), "/islands/counter.js");
    const again = await runCli(["generate", "island", "counter"], { cwd });
    assertEquals(again.code, 1);
    assertStringIncludes(again.stderr, "islands/counter.ts");
  });
});

for (
  const [args, message] of [
    [["island", "../x"], 'Cannot generate the island "../x"'],
    [["island", "X"], 'Cannot generate the island "X"'],
  ] as const
) {
  Deno.test(`generate ${args.join(" ")} is refused`, async () => {
    await inProject(app, async (cwd) => {
      const { code, stderr } = await runCli(["generate", ...args], { cwd });
      assertEquals(code, 2);
      assertStringIncludes(stderr, message);
    });
  });
}
