import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { awaken } from "../../../../cli/scaffold/imports.ts";
import { parseUrlPath, titleOf, typeNameOf } from "../../../../cli/scaffold/url_path.ts";
import { UsageError } from "../../../../cli/stop.ts";
import { type Refusal, testRefusals } from "../../refusals.ts";
import { inProject, listTree, page, routeWith, runCli, writeFiles } from "../../support.ts";

const app = {
  "app/layout.ts": 'import * as ui from "@fw/fw/ui";\nexport function Layout() {}\n',
};

const written: [args: string[], file: string, methods: string, holds: string[]][] = [
  [["page", "/"], "app/page.ts", "GET", ["export function Page"]],
  [["page", "/blog/{slug}/"], "app/blog/slug_/page.ts", "GET", ['c.param("slug")']],
  [["page", "/docs/{path...}"], "app/docs/path__/page.ts", "GET", ["ui.pageHeader("]],
  [["page", "/contact", "--form"], "app/contact/page.ts", "GET,POST", [
    "ui.form(c, ContactInput",
    "c.tryBind(ContactInput)",
    "c.status(422)",
    "struct({",
  ]],
  [["page", "/x", "--methods", "delete, post"], "app/x/page.ts", "GET,POST,DELETE", [
    'c.redirect(c.href("/x"))',
  ]],
  [["page", "/x", "--bind"], "app/x/page.ts", "GET,POST", ["await c.bind(XInput)"]],
  [["route", "/api/items"], "app/api/items/route.ts", "GET", ["c.json(200"]],
  [
    ["route", "/api/items/{id}", "--methods", "PUT,GET,DELETE,OPTIONS,POST", "--bind"],
    "app/api/items/id_/route.ts",
    "GET,POST,PUT,DELETE,OPTIONS",
    ["await c.bind(ItemsInput)", "c.json(201", "c.noContent()"],
  ],
  [["page", "/members-/account"], "app/members-/account/page.ts", "GET", ["/** GET /account */"]],
  [["route", "/robots.txt"], "app/robots.txt/route.ts", "GET", []],
];
for (const [args, file, methods, holds] of written) {
  Deno.test(`generate ${args.join(" ")} writes ${file} and the generated file`, () =>
    inProject(app, async (cwd) => {
      const { code, stdout, stderr } = await runCli(["generate", ...args], { cwd });
      // Files with input also get a test.
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
    }));
}

Deno.test("generate page: explains how to guard a page without middleware if a sign-in exists", () =>
  inProject({
    ...app,
    "lib/sessions.ts": "export const sessions = {};\n",
    "app/staff/middleware.ts": "export function Middleware() {}\n",
  }, async (cwd) => {
    const open = await runCli(["generate", "page", "/about"], { cwd });
    assertStringIncludes(open.stdout, "/about is open to everyone.");
    assertStringIncludes(open.stdout, "app/about/middleware.ts");
    const guarded = await runCli(["generate", "page", "/staff/plan"], { cwd });
    assertEquals(guarded.stdout, "Wrote app/staff/plan/page.ts.\n");
  }));

Deno.test("generate test writes a case for each method of the route", async () => {
  const route = `${routeWith("GET")}export async function POST(c) { await c.bindJson(X); }\n`;
  await inProject({ ...app, "app/g-/api/id_/route.ts": route }, async (cwd) => {
    const output = await runCli(["generate", "test", "/api/{id}"], { cwd });
    const file = "app/g-/api/id_/route_test.ts";
    assertEquals(output, {
      code: 0,
      stdout:
        `Wrote ${file}.\nThe test requests /api/example: replace it with a URL that has data.\n` +
        `Run it with \`deno task test ${file}\`.\n`,
      stderr: "",
    });
    const text = await Deno.readTextFile(join(cwd, file));
    assertStringIncludes(text, 'import { testApp, testRequest, withJson } from "@fw/fw/testing"');
    assertStringIncludes(text, "// Replace /api/example by a URL that exists");
    assertStringIncludes(text, "  await using app = await testApp();\n");
    assertStringIncludes(text, 'testRequest(app, "GET", "/api/example")');
    assertStringIncludes(text, "response.wantStatus(200)");
    assertStringIncludes(text, "response.wantStatus(422)");
  });
});

const functions: readonly (readonly [title: string, given: string, isAwaited: boolean])[] = [
  ["a context", "(c: Ctx): Node {\n  await c;", true],
  [
    "an object and a function",
    "(\n  c: Ctx,\n  { a }: { a: () => void },\n): Node {\n  await c;",
    true,
  ],
  ["no await", "(): void {\n}\nfunction g() {\n  await c;", false],
  ["a promise", "(): Promise<void> {\n  return a;\n}\nfunction g(): void {\n  await c;", false],
];
for (const [title, given, isAwaited] of functions) {
  Deno.test(`awaken ${isAwaited ? "changes" : "keeps"} a function with ${title}`, () => {
    const text = awaken(`export function f${given}\n}\n`, "f");
    assertEquals(/^export async function f\(.*\): Promise<Node> \{/s.test(text), isAwaited);
    assertEquals(/\basync\b/.test(text), isAwaited);
  });
}

const schemas: readonly (readonly [schema: string, status: number])[] = [
  ['struct({ a: text("max=9"), b: int() })', 201],
  ['struct({ a: text("required") })', 422],
  ["struct(fields)", 422],
];
for (const [schema, status] of schemas) {
  Deno.test(`generate test expects ${status} for an empty body of ${schema}`, () => {
    const route = 'import { int, struct, text } from "@fw/fw";\n' +
      'const fields = { a: text("required") };\n' +
      `const Item = ${schema};\nexport async function POST(c) { await c.bindJson(Item); }\n`;
    return inProject({ ...app, "app/api/items/route.ts": route }, async (cwd) => {
      assertEquals((await runCli(["generate", "test", "/api/items"], { cwd })).code, 0);
      const text = await Deno.readTextFile(join(cwd, "app/api/items/route_test.ts"));
      assertEquals(text.match(/wantStatus\(\d+\)/g), [`wantStatus(${status})`]);
      assertStringIncludes(text, "withJson({})");
    });
  });
}

/** A guard, and the parts of a sign-in by `generate auth` that the command reads. */
const guarded = {
  ...app,
  "app/staff/page.ts": page,
  "app/staff/middleware.ts": 'import { createSessions } from "@fw/fw/auth";\n' +
    'export const Middleware = createSessions().requireRole("editor", "admin");\n',
  "app/staff/new/page.ts": page,
  "app/staff/new/middleware.ts": 'import { createSessions } from "@fw/fw/auth";\n' +
    'export const Middleware = createSessions().requireRole("writer");\n',
  "app/own/page.ts": page,
  "app/own/middleware.ts": 'import { createSessions } from "@fw/fw/auth";\n' +
    "export const Middleware = createSessions().require;\n",
  "app/open/page.ts": page,
};
const accountTesting = { "lib/account_testing.ts": "export function withAccount() {}\n" };

const guards: [url: string, files: Record<string, string>, holds: string[]][] = [
  ["/staff", accountTesting, [
    '"../../lib/account_testing.ts"',
    'testRequest(app, "GET", "/staff", await withAccount(app, { role: "editor" }))',
    "testApp({ config })",
  ]],
  ["/staff/new", accountTesting, ['withAccount(app, { role: "editor writer" })']],
  ["/own", accountTesting, ['testRequest(app, "GET", "/own", await withAccount(app))']],
  ["/own", {}, ["// The guard require refuses", 'testRequest(app, "GET", "/own")', "testApp()"]],
  ["/open", accountTesting, ['testRequest(app, "GET", "/open")', "testApp()"]],
];

for (const [url, files, holds] of guards) {
  Deno.test(`generate test ${url} signs in, or names what to add: ${holds[0]}`, () =>
    inProject({ ...guarded, ...files }, async (cwd) => {
      const { code, stderr } = await runCli(["generate", "test", url], { cwd });
      assertEquals([code, stderr], [0, ""]);
      const written = await Deno.readTextFile(join(cwd, `app${url}/page_test.ts`));
      const text = written.replace(/\(\s+/g, "(").replace(/,?\s+\)/g, ")").replace(/\s+/g, " ");
      for (const part of holds) assertStringIncludes(text, part);
    }));
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
  // With its own POST, which handles a request without an action name.
  const both = page + actions + "export function POST(): void {}\n";
  await inProject({ ...app, "app/basket/page.ts": both }, async (cwd) => {
    await runCli(["generate", "test", "/basket"], { cwd });
    const text = await Deno.readTextFile(join(cwd, "app/basket/page_test.ts"));
    assertStringIncludes(text, '"POST", "/basket")');
  });
});

const refused: readonly Refusal[] = [
  [
    ["page", "/taken"],
    1,
    "app/g-/taken/page.tsx already handles /taken",
    "app/g-/taken/page.tsx já responde a /taken",
  ],
  [["route", "/taken"], 1, "nothing was written", "nada foi escrito"],
  [["test", "/nope"], 1, "No route handles /nope", "Nenhuma rota responde"],
  [["test", "/tested"], 1, "page_test.ts already exists", "page_test.ts já existe"],
  [["page", "/blog/{id}"], 1, "E_AMBIGUOUS_SEGMENT", "mesmo ponto do URL"],
  [["page", "/docs/{path...}/x"], 2, "nothing can follow", "nada pode vir"],
  [["pag", "/x"], 2, 'Did you mean "page"?', 'Queria dizer "page"?'],
  [["page", "x/{id"], 2, 'with "/", as in /x/{id', 'com "/", como em /x/{id'],
  [["page", "/a/NUL.txt"], 2, '"NUL.txt" is the name of a device', '"NUL.txt" é o nome'],
  [["page", "/Blog"], 1, "differs only in case", "só difere nas maiúsculas"],
  [["page", "/a//b"], 2, "is not a valid segment", "não é um segmento"],
  [["page", "/../x"], 2, '".." is not a valid segment', '".." não é'],
  [["page", "/draft_"], 2, '"draft_" cannot be a part', '"draft_" não pode fazer parte'],
  [["route", "/a*/;globalThis.pwned=1;/*", "--bind"], 2, '"a*" cannot be', '"a*" não pode'],
  [["page", "/{a-b}"], 2, '"{a-b}" is not a valid segment', '"{a-b}" não é'],
  [["page", "/[id]"], 2, '"[id]" cannot be a part', '"[id]" não pode fazer parte'],
  [["page", "/{id}/{id}"], 2, "{id} occurs twice", "{id} aparece duas"],
  ["island ../x", 2, 'the island "../x"', '"../x"'],
  ["island X", 2, 'the island "X"', '"X"'],
  [["page", "/y", "--methods", "HEAD"], 2, 'for "HEAD"', 'para "HEAD"'],
  [["page", "/y", "--methods", "OPTIONS"], 2, "allows GET, POST", "aceita GET, POST"],
];
testRefusals("generate", refused, {
  "app/g-/taken/page.tsx": page,
  "app/blog/slug_/page.ts": page,
  "app/tested/page.ts": page,
  "app/tested/page_test.ts": "mine",
});

testRefusals("generate page", [
  ["/x", 1, "app/x/page.ts already exists and was not changed", "app/x/page.ts já existe"],
], { ...app, "app/x/page.ts": "half done" });

const links: readonly [name: string, link: string, file: string, isWritten: boolean][] = [
  ["out of the project", "../../outside", "outside/x/page.ts", false],
  ["to nowhere", "../../nowhere", "nowhere/x/page.ts", false],
  ["to itself", "out", "project/app/out/x/page.ts", false],
  ["to a folder with the same prefix", "../../project2", "project2/x/page.ts", false],
  ["within the project", "../lib", "project/lib/x/page.ts", true],
];
for (const [name, link, file, isWritten] of links) {
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

Deno.test("generate in a broken app writes the file, then prints the problems", () =>
  inProject({ "app/page.ts": "export const =" }, async (cwd) => {
    const { code, stdout, stderr } = await runCli(["generate", "page", "/x"], { cwd });
    assertEquals([code, stdout], [1, "Wrote app/x/page.ts.\n"]);
    assertStringIncludes(stderr, "app/page.ts:1:14 E_PARSE");
    assert((await listTree(cwd)).includes("app/x/page.ts"));
  }));

const urls: readonly [string, string | undefined][] = [
  ["/", "app"],
  ["/a/b", "app/a/b"],
  ["/a/", "app/a"],
  ["/{id}/x/{rest...}", "app/id_/x/rest__"],
  ["/.well-known/x", "app/.well-known/x"],
  ...["/.git", "/testdata", "/a-", "/1_", "/x_-", "/_x", "/my posts", "/C:"]
    .map((url): [string, undefined] => [url, undefined]),
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
    if (want === undefined) assertThrows(() => parseUrlPath(url), UsageError);
    else assertEquals(parseUrlPath(url).folder, want);
  });
}

testRefusals(
  "generate",
  [
    ["page", "page --help"],
    ["page /x --bnd", "page --help"],
    ["test x", "test --help"],
    ["island", "island --help"],
    ["migration", "migration --help"],
    ["resource", "resource --help"],
    ["language", "language --help"],
    ["serve x", "serve --help"],
    ["auth", "auth --help"],
    ["auth --tmpl", "auth --help"],
    ["pge", "--help"],
    ["", "--help"],
  ].map(([line = "", help]): Refusal => [line, 2, `\`fw generate ${help}\`.`]),
);

const names: readonly [string, string, string][] = [
  ["/", "Home", "HomeInput"],
  ["/blog/new-post", "New post", "NewPostInput"],
  ["/blog/{slug}", "Blog", "BlogInput"],
  ["/404", "404", "Form404Input"],
  ["/sobre-nós", "Sobre nós", "SobreNosInput"],
  ["/feed.xml", "Feed", "FeedInput"],
];
for (const [url, title, type] of names) {
  Deno.test(`titleOf and typeNameOf name ${url}`, () => {
    const { segments } = parseUrlPath(url);
    assertEquals([titleOf(segments), typeNameOf(segments)], [title, type]);
  });
}

Deno.test("generate serve writes the files for several processes, once", () =>
  inProject(
    {
      ...app,
      "lib/auth.ts": 'read("FW_OIDC_ISSUER", "https://id.example");',
      "app/import/page.ts": `${page}\nexport const POST = Page;\n`,
      "app/import/middleware.ts": `import type { Ctx, Next } from "@fw/fw";

export function Middleware(c: Ctx, next: Next): Promise<Response> {
  c.allowBody(Math.max(c.app.config.maxBodyBytes, 16 * 1_024 * 1_024));
  return next();
}
`,
    },
    async (cwd) => {
      const { code, stdout, stderr } = await runCli(["generate", "serve"], { cwd });
      assertEquals([code, stderr], [0, ""]);
      for (const file of ["serve.ts", "Dockerfile", "deploy/compose.yaml", "deploy/nginx.conf"]) {
        assertStringIncludes(stdout, `Wrote ${file}.`);
        assert((await Deno.readTextFile(join(cwd, file))).length > 100, file);
      }
      // Layers of an image would keep the secrets.
      const ignored = (await Deno.readTextFile(join(cwd, ".dockerignore"))).split("\n");
      for (const path of ["/.git/", "/.env", "/data/"]) assert(ignored.includes(path), path);
      await writeFiles(cwd, { ".dockerignore": "mine\n" });
      // The sign-in does not start without the variables of its provider.
      const compose = await Deno.readTextFile(join(cwd, "deploy/compose.yaml"));
      assertStringIncludes(compose, "      FW_MAIL_FROM:\n      FW_OIDC_ISSUER:\n    deploy:");
      assertStringIncludes(compose, "redis:7");
      // The largest body that a route accepts, and a megabyte.
      const nginx = await Deno.readTextFile(join(cwd, "deploy/nginx.conf"));
      assertStringIncludes(nginx, "client_max_body_size 17m;");
      await Deno.remove(join(cwd, "deploy"), { recursive: true });
      for (const file of ["serve.ts", "Dockerfile"]) await Deno.remove(join(cwd, file));
      await writeFiles(cwd, { "lib/database.ts": "export const db = openPostgres();\n" });
      assertEquals((await runCli(["generate", "serve"], { cwd })).code, 0);
      const shared = await Deno.readTextFile(join(cwd, "deploy/compose.yaml"));
      assert(!/redis/i.test(shared), shared);
      assertEquals(await Deno.readTextFile(join(cwd, ".dockerignore")), "mine\n");
      assertEquals((await runCli(["generate", "serve"], { cwd })).code, 1);
    },
  ));

Deno.test("generate island writes a source that bundles and type-checks", () =>
  inProject(app, async (cwd) => {
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
  }));
