import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { runGenerators } from "../../../../cli/gen/generate.ts";
import { createProject } from "../../../../cli/project/project.ts";
import { cpuMs } from "../../../cpu_time.ts";
import {
  denoOutput,
  type Files,
  inProject,
  page,
  routeWith,
  runCli,
  writeFiles,
} from "../../support.ts";

const rich: Files = {
  "app/layout.tsx": "export function Layout() {}\n",
  "app/page.ts": `${page}export const POST = () => {};\n`,
  "app/not_found.ts": "export const NotFound = () => null;\n",
  "app/error.ts": "function ErrorPage() {}\nexport { ErrorPage as Error };\n",
  "app/setup.ts":
    "export function Setup() {}\nexport async function Shutdown() {}\nexport const Config = 1;\n",
  "app/middleware.ts": routeWith("Middleware", "MiddlewarePOST"),
  "app/blog/page.tsx": 'export { View as Page } from "./view.tsx";\n',
  "app/blog/view.tsx": "export const View = () => null;\n",
  "app/books/id_/page.ts":
    `${page}export const Actions = { borrow: () => null, "giveBack": () => null } satisfies A;\n`,
  "app/books/page.ts": `${page}export { many as Actions } from "./actions.ts";\n`,
  "app/books/actions.ts": `export const many = { ${
    Array.from({ length: 12 }, (_, at) => `action${at}() {}`).join(", ")
  } };\n`,
  "app/blog/slug_/page.ts": `${page}export function* Paths() {}\nexport const CSRF = false;\n`,
  "app/blog/new/page.ts": 'import { Page } from "../view.tsx";\nexport { Page };\n',
  "app/(x)/_ignored.ts": "",
  "app/admin-/layout.ts": "export function Layout() {}\n",
  "app/admin-/middleware.ts": routeWith("MiddlewareGET"),
  "app/admin-/users/id_/page.ts": page,
  "app/admin-/users/id_/posts/post_id_/comments/comment_id_/page.ts": page,
  "app/api/kind.ts": 'import { KindAPI } from "@fw/fw";\nexport const Kind = KindAPI;\n',
  "app/api/items/route.ts": routeWith("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"),
  "app/api/forms/route.ts": `${
    routeWith("POST")
  }export const Kind = "page";\nexport const CORS = {};\n`,
  "app/files/path__/route.ts": routeWith("GET"),
  "app/robots.txt/route.ts": routeWith("GET"),
};
// The re-export in blog/new needs a View named Page.
const viewWithPage = "export const View = () => null;\nexport const Page = View;\n";
const app: Files = { ...rich, "app/blog/view.tsx": viewWithPage };

const golden = new URL("../fw_gen.golden", import.meta.url);

async function generated(root: string): Promise<string> {
  return await Deno.readTextFile(join(root, "fw_gen.ts"));
}

Deno.test("gen writes the generated file of an app with one route of each kind", () =>
  inProject(app, async (root) => {
    const { code, stdout, stderr } = await runCli(["gen"], { cwd: join(root, "app", "blog") });
    assertEquals({ code, stdout, stderr }, {
      code: 0,
      stdout: "Wrote fw_gen.ts (12 routes).\n",
      stderr: "",
    });
    const text = await generated(root);
    if (Deno.env.get("UPDATE_GOLDEN")) await Deno.writeTextFile(golden, text);
    assertEquals(text, await Deno.readTextFile(golden));
  }));

Deno.test("gen writes a file that passes deno fmt and deno lint", () =>
  inProject(app, async (root) => {
    await runCli(["gen"], { cwd: root });
    const text = await generated(root);
    await writeFiles(root, {
      "bare.ts": text.replaceAll(/^\/\/ deno-(fmt|lint)-ignore.*\n/gm, ""),
      "deno.json": '{ "fmt": { "lineWidth": 60, "semiColons": false } }\n',
    });
    await denoOutput(["fmt", "--check", "--no-config", "bare.ts"], root);
    await denoOutput(["fmt", "--check", "fw_gen.ts"], root);
    await denoOutput(["lint", "fw_gen.ts"], root);
  }));

Deno.test("gen writes only if the content differs; --check reports a stale file and writes nothing", () =>
  inProject({ "app/page.ts": page }, async (root) => {
    const check = (): ReturnType<typeof runCli> => runCli(["gen", "--check"], { cwd: root });
    const missing = await check();
    assertEquals([missing.code, missing.stdout], [1, ""]);
    assertStringIncludes(missing.stderr, "Fix: Run `deno task gen`");
    await runCli(["gen"], { cwd: root });
    assertEquals(await check(), { code: 0, stdout: "fw_gen.ts is up to date.\n", stderr: "" });
    const before = await Deno.stat(join(root, "fw_gen.ts"));
    assertEquals((await runCli(["gen"], { cwd: root })).stdout, "fw_gen.ts is up to date.\n");
    assertEquals((await Deno.stat(join(root, "fw_gen.ts"))).mtime, before.mtime);
    await writeFiles(root, { "app/x/page.ts": page });
    const text = await generated(root);
    assertEquals((await check()).code, 1);
    assertEquals(await generated(root), text);
    await runCli(["gen"], { cwd: root });
    const unix = await generated(root);
    await writeFiles(root, { "fw_gen.ts": unix.replaceAll("\n", "\r\n") });
    assertEquals((await check()).code, 0, "a checkout with other line endings");
  }));

const mainRules: readonly (readonly [name: string, manifest: string, isMain: boolean])[] = [
  ["an app starts when it is run", "{}", true],
  ["a library does not start", '{ "exports": "./fw_gen.ts" }', false],
  [
    "comments and trailing commas in deno.json are ignored",
    '{\n  // "exports": "./a.ts",\n  "tasks": { "a": "echo //", },\n}',
    true,
  ],
];
for (const [name, manifest, isMain] of mainRules) {
  Deno.test(`gen: ${name}`, () =>
    inProject({ "app/page.ts": page, "deno.json": manifest }, async (root) => {
      assertEquals((await runCli(["gen"], { cwd: root })).code, 0);
      assertEquals((await generated(root)).includes("import.meta.main"), isMain);
      assertMatch(await generated(root), /export function newApp\(/);
    }));
}

Deno.test("gen reads deno.jsonc above another deno.json, or else uses the working directory", () =>
  inProject({
    "app/page.ts": page,
    "app/parts/deno.json": "{}",
    "deno.jsonc": '{ "exports": "./fw_gen.ts" }',
  }, async (root) => {
    await Deno.remove(join(root, "deno.json"));
    assertEquals((await runCli(["gen"], { cwd: join(root, "app", "parts") })).code, 0);
    assert(!(await generated(root)).includes("import.meta.main"));
    await Deno.remove(join(root, "deno.jsonc"));
    assertEquals((await runCli(["gen"], { cwd: root })).code, 0);
    assertStringIncludes(await generated(root), "import.meta.main");
  }));

Deno.test("gen without an app folder reports E_NO_APP", () =>
  inProject({ "src/x.ts": "" }, async (root) => {
    const { code, stderr } = await runCli(["gen"], { cwd: join(root, "src") });
    assertEquals(code, 1);
    assertStringIncludes(stderr, `app:1:1 E_NO_APP: ${root} has no app/ folder`);
  }));

Deno.test("gen names a malformed deno.json", async () => {
  const manifest = '{\n  // a comment,\n  "a": [1,],\n  nonsense\n}';
  await inProject({ "app/page.ts": page, "deno.json": manifest }, async (root) => {
    const { code, stderr } = await runCli(["gen"], { cwd: root });
    assertEquals(code, 1);
    assertMatch(stderr, /^deno\.json:4:3 E_PARSE: /);
  });
});

const patterns: readonly (readonly [name: string, files: Files, want: readonly string[]])[] = [
  ["literal before parameter before catch-all", {
    "app/page.ts": page,
    "app/x/id_/page.ts": page,
    "app/x/new/page.ts": page,
    "app/x/r__/page.ts": page,
  }, ["/", "/x/new", "/x/{id}", "/x/{r...}"]],
  ["an accent as a combining character", { "app/cafe\u0301/page.ts": page }, ["/caf\u00e9"]],
];
for (const [name, files, want] of patterns) {
  Deno.test(`gen: patterns: ${name}`, () =>
    inProject(files, async (root) => {
      const result = await runGenerators(createProject(root));
      assert(result.ok);
      assertEquals(result.routes.map(({ pattern }) => pattern), want);
    }));
}

const kinds: readonly [name: string, kind: string, want: string, files: Files][] = [
  ["a route is an API by default", "api", "", {}],
  ["the deepest declaration wins", "api", "./app/a/kind.ts", {
    "app/kind.ts": 'export const Kind = "page";',
    "app/a/kind.ts": 'export const Kind = "api";',
  }],
  ["a declaration applies through a group", "page", "./app/a/kind.ts", {
    "app/a/kind.ts": 'import { KindPage } from "@fw/fw";\nexport const Kind = KindPage;',
  }],
  ["a layout may declare it", "page", "./app/layout.ts", {
    "app/layout.ts": 'export function Layout() {}\nexport const Kind = "page";',
  }],
  ["a route's own declaration overrides its folder's", "page", "./app/a/g-/b/route.ts", {
    "app/a/g-/b/kind.ts": 'export const Kind = "api";',
    "app/a/g-/b/route.ts": `${routeWith("GET")}export const Kind = "page";`,
  }],
  ["a re-exported declaration is followed", "page", "./app/kind.ts", {
    "app/kind.ts": 'export { K as Kind } from "./_kinds.ts";',
    "app/_kinds.ts": 'export const K = "page" as const;',
  }],
];
for (const [name, kind, want, files] of kinds) {
  Deno.test(`gen: Kind: ${name}`, () =>
    inProject({ "app/a/g-/b/route.ts": routeWith("GET"), ...files }, async (root) => {
      const result = await runGenerators(createProject(root));
      assert(result.ok);
      assertEquals(result.routes.map((route) => route.kind), [kind]);
      const text = await generated(root);
      const name = /kind: (f\d+)\.Kind/.exec(text)?.[1];
      const from = name === undefined ? "" : new RegExp(`${name} from "(.*)"`).exec(text)?.[1];
      assertEquals(from, want);
    }));
}

Deno.test("a watching project notices edited, new, renamed and deleted files", () =>
  inProject({ "app/page.ts": page }, async (root) => {
    const project = createProject(root);
    const outcome = async (changed?: readonly string[]): Promise<unknown> => {
      project.refresh(changed);
      const result = await runGenerators(project);
      return result.ok
        ? [result.changed, ...result.routes.map(({ pattern, methods }) => `${methods} ${pattern}`)]
        : result.problems.map(({ code }) => code);
    };
    assertEquals(await outcome(), [true, "GET /"]);
    assertEquals(await outcome(), [false, "GET /"]);
    // The same size within one tick of the clock: only the named change shows it.
    await writeFiles(root, { "app/page.ts": "export function Pags(): void {}\n" });
    assertEquals(await outcome([join(root, "app", "page.ts")]), ["E_NO_PAGE_FUNC"]);
    await writeFiles(root, { "app/page.ts": `${page}export function POST() {}\n` });
    assertEquals(await outcome(), [true, "GET,POST /"]);
    await writeFiles(root, { "app/a/route.ts": routeWith("GET") });
    assertEquals(await outcome(["app/a/route.ts"]), [true, "GET,POST /", "GET /a"]);
    await Deno.rename(join(root, "app", "a"), join(root, "app", "b_"));
    assertEquals(await outcome(), [true, "GET,POST /", "GET /{b}"]);
    await Deno.remove(join(root, "app", "b_"), { recursive: true });
    assertEquals(await outcome(), [true, "GET,POST /"]);
    await Deno.remove(join(root, "fw_gen.ts"));
    assertEquals(await outcome(), [true, "GET,POST /"]);
    await Deno.remove(join(root, "app"), { recursive: true });
    assertEquals(await outcome(), ["E_NO_APP"]);
  }));

Deno.test("gen: an app without routes has an empty table", () =>
  inProject({ "app/layout.ts": "export function Layout() {}\n" }, async (root) => {
    assertEquals((await runCli(["gen"], { cwd: root })).code, 0);
    assertStringIncludes(await generated(root), "const routes: Route[] = [];");
    assert(!/declare module|checkedHandler/.test(await generated(root)));
  }));

Deno.test("gen reads 1,000 routes in under 2 s, and again in under 0.5 s", async () => {
  const files: Record<string, string> = { "app/layout.ts": "export function Layout() {}\n" };
  const body = "\nconst filler = { a: 1, b: [1, 2, 3] };\n".repeat(10);
  for (let index = 0; index < 1000; index++) {
    files[`app/section_${index % 20}/item_${index}/id_/page.ts`] = page + body;
  }
  await inProject(files, async (root) => {
    const project = createProject(root);
    const first = await timed(() => runGenerators(project));
    assert(first.result.ok);
    assertEquals(first.result.routes.length, 1000);
    assert(first.ms < 2000, `${first.ms} ms`);
    await writeFiles(root, {
      "app/section_1/item_1/id_/page.ts": `${page}export const PUT = () => null;\n`,
    });
    project.refresh();
    const second = await timed(() => runGenerators(project));
    assert(second.ms < 500, `${second.ms} ms`);
    assert(second.result.ok && second.result.changed);
  });
});

async function timed<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly ms: number }> {
  const start = cpuMs();
  const result = await work();
  return { result, ms: cpuMs() - start };
}

Deno.test("gen --json prints the result and problems in the shared shape", () =>
  inProject({ "app/page.ts": page }, async (root) => {
    const run = async (...args: string[]): Promise<[number, unknown]> => {
      const { code, stdout } = await runCli(["gen", "--json", ...args], { cwd: root });
      return [code, JSON.parse(stdout)];
    };
    const fresh = { file: "fw_gen.ts", routes: 1, bundles: { written: [], removed: [] } };
    assertEquals(await run(), [0, { ok: true, problems: [], changed: true, ...fresh }]);
    assertEquals(await run("--check"), [0, { ok: true, problems: [], changed: false, ...fresh }]);
    await writeFiles(root, { "app/a/page.ts": page });
    const [code, report] = await run("--check");
    assertEquals([code, report], [1, {
      ok: false,
      problems: [{
        code: "E_STALE",
        severity: "error",
        place: { file: "fw_gen.ts", line: 1, column: 1 },
        message: "fw_gen.ts is missing or out of date",
        fix: "Run `deno task gen` and commit the file.",
      }],
      changed: false,
      ...fresh,
      routes: 0,
    }]);
  }));
