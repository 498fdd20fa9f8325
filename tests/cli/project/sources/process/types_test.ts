import { assert, assertEquals, assertMatch } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { createProject } from "../../../../../cli/project/project.ts";
import type { ProjectTypes } from "../../../../../cli/project/sources/types.ts";
import { type Files, inProject } from "../../../support.ts";

/** Lists the type errors of the project's own files in a folder, as `file: message`. */
function errorsIn({ program }: ProjectTypes, root: string, folder = ""): string[] {
  const own = program.getSourceFiles().filter(({ fileName }) =>
    !fileName.startsWith("/") && fileName.startsWith(folder)
  );
  return own.flatMap((file) =>
    program.getSemanticDiagnostics(file).map(({ messageText }) => {
      const text = typeof messageText === "string" ? messageText : messageText.messageText;
      return `${file.fileName.replace(`${root}/`, "")}: ${text}`;
    })
  );
}

const rows: readonly [name: string, files: Files, errors: readonly string[]][] = [
  [
    "imports of the project, of text and of JSON",
    {
      "app/a.ts":
        'import { b } from "../lib/one.ts";\nimport text from "./t.sql" with { type: "text" };' +
        '\nimport data from "./d.json" with { type: "json" };\n' +
        "export const a: [number, string, number] = [b, text, data.n];\n",
      "app/t.sql": "select 1",
      "app/d.json": '{ "n": 1 }',
      "lib/one.ts": "export const b = 1;\n",
    },
    [],
  ],
  [
    "Deno, the web platform and built-ins of Node",
    {
      "platform.ts": 'import { join } from "node:path";\nexport const at: string = join("a");\n' +
        "export const timer: number = setTimeout(() => {}, 1);\n" +
        'export const text: Promise<string> = Deno.readTextFile("a");\n' +
        'export const url: string = new URL("http://a").href;\n',
    },
    [],
  ],
  [
    "an error",
    {
      "lib/wrong.ts": 'export const b: number = "";\n',
      "wrong.ts": 'export { b } from "./lib/wrong.ts";\n',
    },
    ["lib/wrong.ts: Type 'string' is not assignable to type 'number'."],
  ],
  [
    "what is not there",
    { "missing.ts": 'import { b } from "./none.ts";\nexport const a = b;\n' },
    ["missing.ts: Cannot find module './none.ts' or its corresponding type declarations."],
  ],
];

// One project for all rows, so the compiler reads the platform's declarations once.
Deno.test("Project.types: finds type errors in a project's files and their imports", async (t) => {
  const files = Object.assign({}, ...rows.map(([, each]) => each));
  await inProject(files, async (root) => {
    const types = await createProject(root).types();
    assert(types !== undefined);
    const found = errorsIn(types, root);
    for (const [name, files, errors] of rows) {
      await t.step(name, () => {
        const own = found.filter((error) => error.slice(0, error.indexOf(": ")) in files);
        assertEquals(own, errors);
      });
    }
    assertEquals(found.length, rows.flatMap(([, , errors]) => errors).length);
  });
});

Deno.test("Project.types: the routes of the example are free of errors, and their calls have types", async () => {
  const root = fromFileUrl(new URL("../../../../../examples/events", import.meta.url));
  const project = createProject(root);
  const types = await project.types();
  assert(types !== undefined);
  // Its database layer uses types of Node's built-ins, which the compiler lacks here.
  assertEquals(errorsIn(types, root, "app/"), []);
  const shown = (await project.calls(["json"])).flatMap(({ file, node }) => {
    const [, body] = node.arguments;
    if (file !== "app/api/events/slug_/route.ts" || body === undefined) return [];
    return [types.checker.typeToString(types.checker.getTypeAtLocation(body))];
  });
  assertEquals(shown, ["EventJson"]);
  const { routes } = await project.routes();
  const page = routes.find(({ pattern }) => pattern === "/events/{slug}");
  const tree = types.program.getSourceFile(page?.file.path ?? "");
  assert(tree === (await project.sources()).read(page?.file.path ?? "")?.tree);
  assertMatch(tree?.fileName ?? "", /page\.tsx?$/);
});

Deno.test("Project.types: projects share the platform's declarations but none of their own", async () => {
  const declared =
    "declare global {\n  interface Navigator {\n    own: string;\n  }\n}\nexport {};\n";
  const files = { "app/a.ts": "export const a: string = navigator.own;\n" };
  const platforms: unknown[] = [];
  for (const isDeclared of [true, false, true]) {
    await inProject(isDeclared ? { ...files, "lib/own.ts": declared } : files, async (root) => {
      const types = await createProject(root).types();
      assert(types !== undefined);
      const missing = "app/a.ts: Property 'own' does not exist on type 'Navigator'.";
      assertEquals(errorsIn(types, root), isDeclared ? [] : [missing]);
      platforms.push(types.program.getSourceFile("/fw_platform.d.ts"));
    });
  }
  assert(platforms[0] !== undefined);
  assertEquals(new Set(platforms).size, 1);
});
