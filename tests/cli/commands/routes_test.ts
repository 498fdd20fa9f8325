import { assertEquals, assertStringIncludes } from "@std/assert";
import { type Files, inProject, listTree, page, routeWith, runCli } from "../support.ts";

const files: Files = {
  "app/page.ts": page,
  "app/shop-/cart/page.tsx": page + routeWith("POST", "DELETE"),
  "app/api/items/route.ts": routeWith("POST", "GET"),
  "app/api/items/id_/route.ts": `${routeWith("GET")}export const Kind = "page";\n`,
};

Deno.test("routes prints a table of METHODS, PATTERN and SOURCE, and writes nothing", async () => {
  await inProject(files, async (cwd) => {
    const before = await listTree(cwd);
    assertEquals(await runCli(["routes"], { cwd, env: { FW_LANG: "pt" } }), {
      code: 0,
      stdout: `METHODS          PATTERN          SOURCE
GET              /                app/page.ts
GET,POST         /api/items       app/api/items/route.ts
GET              /api/items/{id}  app/api/items/id_/route.ts
GET,POST,DELETE  /cart            app/shop-/cart/page.tsx
`,
      stderr: "",
    });
    assertEquals(await listTree(cwd), before);
  });
});

Deno.test("routes --json prints an array of methods, pattern, kind, source and where the kind is from", async () => {
  await inProject(files, async (cwd) => {
    const { code, stdout } = await runCli(["routes", "--json"], { cwd });
    assertEquals(code, 0);
    assertEquals(JSON.parse(stdout), [
      { methods: ["GET"], pattern: "/", kind: "page", source: "app/page.ts" },
      {
        methods: ["GET", "POST"],
        pattern: "/api/items",
        kind: "api",
        source: "app/api/items/route.ts",
      },
      {
        methods: ["GET"],
        pattern: "/api/items/{id}",
        kind: "page",
        source: "app/api/items/id_/route.ts",
        kindSource: "app/api/items/id_/route.ts",
      },
      {
        methods: ["GET", "POST", "DELETE"],
        pattern: "/cart",
        kind: "page",
        source: "app/shop-/cart/page.tsx",
      },
    ]);
  });
});

Deno.test("routes of an empty app: a hint, or an empty array", async () => {
  await inProject({ "app/x.ts": "" }, async (cwd) => {
    assertStringIncludes((await runCli(["routes"], { cwd })).stdout, "make app/page.ts");
    assertEquals((await runCli(["routes", "--json"], { cwd })).stdout, "[]\n");
  });
});

Deno.test("routes of a broken app prints its problems, with 1", async () => {
  await inProject({ "app/page.ts": "" }, async (cwd) => {
    const { code, stdout, stderr } = await runCli(["routes"], { cwd });
    assertEquals([code, stdout], [1, ""]);
    assertStringIncludes(stderr, "app/page.ts:1:1 E_NO_PAGE_FUNC");
  });
});

Deno.test("routes marks a route whose CSRF check is off", async () => {
  const hook = `${routeWith("POST")}export const Kind = "page";\nexport const CSRF = false;\n`;
  await inProject({ "app/hook/route.ts": hook }, async (cwd) => {
    const { stdout } = await runCli(["routes"], { cwd });
    assertStringIncludes(stdout, "POST     /hook    app/hook/route.ts (no CSRF check)\n");
    const json = JSON.parse((await runCli(["routes", "--json"], { cwd })).stdout);
    assertEquals(json.map(({ csrf }: { csrf: unknown }) => csrf), [false]);
  });
});
