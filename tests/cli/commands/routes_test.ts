import { assertEquals, assertStringIncludes } from "@std/assert";
import { type Files, inProject, listTree, page, routeWith, runCli } from "../support.ts";

const files: Files = {
  "app/page.ts": page,
  "app/shop-/layout.ts": "export function Layout(): void {}\n",
  "app/shop-/middleware.ts": "export function Middleware(): void {}\n",
  "app/shop-/cart/page.tsx": page + routeWith("POST", "DELETE"),
  "app/api/items/route.ts": routeWith("POST", "GET"),
  "app/api/items/id_/route.ts": `${routeWith("GET")}export const Kind = "page";\n`,
};

Deno.test("routes prints a table of METHODS, PATTERN and SOURCE, and writes nothing", () =>
  inProject(files, async (cwd) => {
    const before = await listTree(cwd);
    assertEquals(await runCli(["routes"], { cwd, env: { FW_LANG: "pt" } }), {
      code: 0,
      stdout: `METHODS          PATTERN          SOURCE
GET              /                app/page.ts
GET,POST         /api/items       app/api/items/route.ts (sem token, outros sites recusados)
GET              /api/items/{id}  app/api/items/id_/route.ts
GET,POST,DELETE  /cart            app/shop-/cart/page.tsx
`,
      stderr: "",
    });
    assertEquals(await listTree(cwd), before);
  }));

Deno.test("routes --json prints methods, pattern, parameters, kind, source and folder facts", () =>
  inProject(files, async (cwd) => {
    const { code, stdout } = await runCli(["routes", "--json"], { cwd });
    assertEquals(code, 0);
    const bare = { params: [], layouts: [], middleware: [] };
    assertEquals(JSON.parse(stdout), {
      ok: true,
      problems: [],
      routes: [
        { ...bare, methods: ["GET"], pattern: "/", kind: "page", source: "app/page.ts" },
        {
          ...bare,
          methods: ["GET", "POST"],
          pattern: "/api/items",
          kind: "api",
          source: "app/api/items/route.ts",
          csrf: "site",
        },
        {
          ...bare,
          methods: ["GET"],
          pattern: "/api/items/{id}",
          params: ["id"],
          kind: "page",
          source: "app/api/items/id_/route.ts",
          kindSource: "app/api/items/id_/route.ts",
        },
        {
          ...bare,
          methods: ["GET", "POST", "DELETE"],
          pattern: "/cart",
          kind: "page",
          source: "app/shop-/cart/page.tsx",
          layouts: ["app/shop-/layout.ts"],
          middleware: ["app/shop-/middleware.ts"],
        },
      ],
    });
  }));

Deno.test("routes lists the Actions of a page as the log names them", async () => {
  const actions = "export const Actions = { borrow() {}, giveBack() {} };\n";
  await inProject({ "app/books/page.ts": page + actions }, async (cwd) => {
    const { stdout } = await runCli(["routes"], { cwd });
    assertEquals(stdout.split("\n").slice(1, 4).map((line) => line.split(/ +/)), [
      ["GET", "/books", "app/books/page.ts"],
      ["POST", "/books?/borrow", "app/books/page.ts"],
      ["POST", "/books?/giveBack", "app/books/page.ts"],
    ]);
    const { routes } = JSON.parse((await runCli(["routes", "--json"], { cwd })).stdout);
    assertEquals(routes[0].actions, ["borrow", "giveBack"]);
  });
});

Deno.test("routes of an empty app prints a hint or an empty list", () =>
  inProject({ "app/x.ts": "" }, async (cwd) => {
    assertStringIncludes((await runCli(["routes"], { cwd })).stdout, "create app/page.ts");
    const { stdout } = await runCli(["routes", "--json"], { cwd });
    assertEquals(JSON.parse(stdout), { ok: true, problems: [], routes: [] });
  }));

Deno.test("routes of a broken app prints its problems and exits with 1", () =>
  inProject({ "app/page.ts": "" }, async (cwd) => {
    const { code, stdout, stderr } = await runCli(["routes"], { cwd });
    assertEquals([code, stdout], [1, ""]);
    assertStringIncludes(stderr, "app/page.ts:1:1 E_NO_PAGE_FUNC: ");
    const json = await runCli(["routes", "--json"], { cwd });
    const { ok, problems, routes } = JSON.parse(json.stdout);
    assertEquals([json.code, json.stderr, ok, routes], [1, "", false, []]);
    assertEquals(Object.keys(problems[0]), ["code", "severity", "place", "message", "fix"]);
    assertEquals(problems[0].place, { file: "app/page.ts", line: 1, column: 1 });
  }));

Deno.test("routes marks a route whose CSRF check is off", async () => {
  const hook = `${routeWith("POST")}export const Kind = "page";\nexport const CSRF = false;\n`;
  await inProject({ "app/hook/route.ts": hook }, async (cwd) => {
    const { stdout } = await runCli(["routes"], { cwd });
    assertStringIncludes(stdout, "POST     /hook    app/hook/route.ts (no CSRF check)\n");
    const json = JSON.parse((await runCli(["routes", "--json"], { cwd })).stdout);
    assertEquals(json.routes.map(({ csrf }: { csrf: unknown }) => csrf), [false]);
  });
});
