import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { ManifestError } from "../../../cli/project/manifest.ts";
import { createProject } from "../../../cli/project/project.ts";
import { inProject, page, writeFiles } from "../support.ts";

Deno.test("Project: reads a fact once until a refresh", () =>
  inProject({ "app/page.ts": page }, async (root) => {
    const project = createProject(root);
    const first = await project.routes();
    assert(first === await project.routes());
    assertEquals(await project.manifest(), {});
    await writeFiles(root, { "deno.json": '{"exports":"./fw_gen.ts"}', "app/a/page.ts": page });
    assertEquals([(await project.routes()).routes.length, await project.isLibrary()], [1, false]);
    project.refresh();
    assertEquals([(await project.routes()).routes.length, await project.isLibrary()], [2, true]);
  }));

Deno.test("Project: parses a file once for all facts, and again after a change", async () => {
  const file = "app/page.ts";
  const text = '/** The start page. */\nexport function Page(c: Ctx) { c.asset("/a.css"); }\n';
  await inProject({ [file]: text }, async (root) => {
    const project = createProject(root);
    const sources = await project.sources();
    const tree = sources.read(file)?.tree;
    const { routes: [route] } = await project.routes();
    const [call] = await project.calls(["asset"]);
    assertEquals([route?.file.path, call?.node.arguments[0]?.getText()], [file, '"/a.css"']);
    assert(call?.node.getSourceFile() === tree, "calls lie in the same tree");
    project.refresh();
    assert(sources.read(file)?.tree === tree, "an unchanged file keeps its tree");
    project.refresh([join(root, file)]);
    assert(sources.read(file)?.tree !== tree, "a file that is named is parsed again");
  });
});

Deno.test("Project: the environment combines the process, the start task and its files", () =>
  inProject({
    "deno.json": JSON.stringify({
      tasks: { start: "A=task deno run --env-file --env-file=more.env -A fw_gen.ts" },
    }),
    ".env": "A=file\nB=file\nC=file\n",
    "more.env": "C=more\nD=more\n",
  }, async (root) => {
    const project = createProject(root, { env: { B: "process" } });
    assertEquals(await project.environment(), { A: "task", B: "process", C: "file", D: "more" });
    assertEquals((await project.startTask())?.file, "fw_gen.ts");
  }));

Deno.test("Project: a malformed deno.json is a problem of the routes and an error elsewhere", () =>
  inProject({ "deno.json": "{\n", "app/page.ts": page }, async (root) => {
    const project = createProject(root);
    const { problems } = await project.routes();
    assertEquals(problems.map(({ code, place }) => [code, place?.file]), [[
      "E_PARSE",
      "deno.json",
    ]]);
    await assertRejects(() => project.environment(), ManifestError);
  }));

Deno.test("Project: the sources exclude tests, outputs and generated files", () =>
  inProject({
    "app/page.ts": page,
    "app/page_test.ts": "",
    "lib/a.tsx": "",
    "lib/types.d.ts": "",
    "fw_gen.ts": "",
    "dist/x.js": "",
    "node_modules/x/i.js": "",
    "public/x.js": "",
    ".git/x.ts": "",
    "readme.md": "",
  }, async (root) => {
    const sources = await createProject(root).sources();
    assertEquals([...sources.list()].sort(), ["app/page.ts", "lib/a.tsx"]);
    assertEquals(sources.read("lib/none.ts"), undefined);
  }));

const islands: readonly (readonly [source: string, isLive: boolean])[] = [
  ['import { live } from "@fw/fw/island";', true],
  ['import { other, live as mount } from "jsr:@fw/fw@^0.1.0/island";', true],
  ['import { live } from "./island.ts";', false],
  ['import * as island from "@fw/fw/island";', false],
  // A search in the text took cubic time here.
  [`/*\n${"import {live\n".repeat(3_000)}*/`, false],
];

Deno.test("Project: an island is live if it imports live of the framework", async () => {
  const files = Object.fromEntries(
    islands.map(([source], at) => [`islands/i${at}.ts`, `${source}\nexport default () => {};\n`]),
  );
  await inProject({ "app/page.ts": page, ...files }, async (root) => {
    const found = (await createProject(root).routes()).islands;
    assertEquals(found.map(({ isLive }) => isLive), islands.map(([, isLive]) => isLive));
  });
});
