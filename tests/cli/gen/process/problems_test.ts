import { assert, assertEquals } from "@std/assert";
import { runGenerators } from "../../../../cli/gen/generate.ts";
import { createProject } from "../../../../cli/project/project.ts";
import { scaffoldProject } from "../../../../cli/scaffold/project.ts";
import { shareFolder } from "../../shared_folder.ts";
import { type Files, inProject, page, routeWith, runCli, writeFiles } from "../../support.ts";
import { checkTypes } from "../../type_check.ts";

const own = "export function Problems() { return {}; }\n";
const route = routeWith("GET");

/**
 * For each tree of files: the entry of the route in `api/v1/g-/a`, and the lines of the folders.
 */
const rows: readonly [name: string, want: readonly string[], files: Files][] = [
  ["without Problems nothing changes", ["kind: api/kind.Kind"], {
    "app/api/kind.ts": 'export const Kind = "api";',
  }],
  ["Problems without Kind makes a folder an api", [
    'kind: "api"',
    "problems: api/kind",
    "/api: api/kind",
  ], {
    "app/api/kind.ts": own,
  }],
  ["an adjacent Kind is kept", [
    "kind: api/kind.Kind",
    "problems: api/kind",
    "/api: api/kind",
  ], { "app/api/kind.ts": `export const Kind = "api";\n${own}` }],
  ["at the root Problems applies to every path", [
    'kind: "api"',
    "problems: ./app/kind",
    "/: ./app/kind",
  ], {
    "app/kind.ts": own,
  }],
  ["the deepest Problems comes first", [
    'kind: "api"',
    "problems: v1/kind",
    "/api/v1: v1/kind",
    "/api: api/kind",
  ], { "app/api/kind.ts": own, "app/api/v1/kind.ts": own }],
  ["a deeper Kind keeps it", ["kind: v1/kind.Kind", "problems: api/kind", "/api: api/kind"], {
    "app/api/kind.ts": own,
    "app/api/v1/kind.ts": 'export const Kind = "api";',
  }],
  ["below a Kind of pages none apply", ["kind: v1/kind.Kind"], {
    "app/api/kind.ts": own,
    "app/api/v1/kind.ts": 'export const Kind = "page";',
  }],
  ["a literal comes before a parameter", [
    'kind: "api"',
    "problems: v1/kind",
    "/api/v1: v1/kind",
    "/api/{id}: id_/kind",
    "/api: api/kind",
  ], {
    "app/api/kind.ts": own,
    "app/api/v1/kind.ts": own,
    "app/api/id_/kind.ts": own,
    "app/api/id_/route.ts": route,
  }],
  ["a group has routes but no paths", ['kind: "api"', "problems: g-/kind"], {
    "app/api/v1/g-/kind.ts": own,
  }],
];
for (const [name, want, files] of rows) {
  Deno.test(`gen: Problems: ${name}`, async () => {
    const tree = { "app/api/v1/g-/a/route.ts": route, "app/api/v1/page.ts": page, ...files };
    await inProject(tree, async (root) => {
      const result = await runGenerators(createProject(root));
      assert(result.ok, JSON.stringify(result));
      const text = await Deno.readTextFile(`${root}/fw_gen.ts`);
      const named = (value: string): string =>
        value.replace(
          /^f\d+/,
          (id) =>
            new RegExp(`as ${id} from "(.*)\\.ts"`).exec(text)?.[1]?.split("/").slice(-2).join("/")
              .replace(/^app\//, "./app/") ?? id,
        );
      const part = /"\/api\/v1\/a",[^]*?\}\),/.exec(text)?.[0] ?? "";
      const [, kind = ""] = /\bkind: (.*),/.exec(part) ?? [];
      const [, problems] = /\bproblems: (f\d+)\.Problems,/.exec(part) ?? [];
      const folders = [...text.matchAll(/"(\/.*)": (f\d+)\.Problems/g)];
      assertEquals([
        `kind: ${named(kind)}`,
        ...(problems === undefined ? [] : [`problems: ${named(problems)}`]),
        ...folders.map(([, pattern, file = ""]) => `${pattern}: ${named(file)}`),
      ], want);
    });
  });
}

const config = scaffoldProject("app").find(({ file }) => file === "deno.json")?.text ?? "";
const head = 'import type { Ctx, ProblemDocument } from "@fw/fw";\n';

/**
 * One `kind.ts` per folder; the generated file names the folder in the line with the compiler
 * error.
 */
const signatures: readonly [folder: string, isRefused: boolean, text: string][] = [
  [
    "both",
    false,
    `${head}interface Failure { code: string; seats?: number }
export function Problems({ code }: ProblemDocument, _c: Ctx): Failure { return { code }; }
`,
  ],
  [
    "record",
    false,
    `${head}export const Problems = (problem: ProblemDocument) =>
  ({ ...problem, ok: false }) as Record<string, unknown>;
`,
  ],
  ["document", true, "export const Problems = (p: { no: string }) => p;\n"],
  ["nothing", true, "export function Problems(): void {}\n"],
  ["async", true, "export async function Problems() { return {}; }\n"],
  ["bigint", true, "export const Problems = () => 1n;\n"],
];
let output = "";
shareFolder("problems_types", async (root) => {
  const files = signatures.flatMap(([folder, , text]) => [
    [`app/${folder}/kind.ts`, text],
    [`app/${folder}/route.ts`, "export function GET(): void {}\n"],
  ]);
  await writeFiles(root, { ...Object.fromEntries(files), "deno.json": config });
  assertEquals((await runCli(["gen"], { cwd: root })).code, 0);
  output = (await checkTypes(["fw_gen.ts"], root)).output;
});
for (const [folder, isRefused] of signatures) {
  Deno.test(`gen: Problems: the compiler ${isRefused ? "refuses" : "accepts"} ${folder}`, () => {
    assertEquals(output.includes(`"/${folder}": f`), isRefused, output);
  });
}
