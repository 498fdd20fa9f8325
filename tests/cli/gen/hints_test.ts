/** `gen`: warnings about code that compiles but does not do what its author meant. */
import { assertEquals } from "@std/assert";
import { runGenerators } from "../../../cli/gen/generate.ts";
import { listHead } from "../../../cli/project/migrations.ts";
import { createProject } from "../../../cli/project/project.ts";
import { type Files, inProject, page } from "../support.ts";

const layout = `import * as h from "@fw/fw/h";
export const Layout = (_: unknown, body: h.Node) => h.html(h.body(body));
`;
const tsx = `export const Layout = (_: unknown, body: unknown) =>
  <html lang="en"><body>{body}</body></html>;
`;
const sql = { "migrations/0001_a.sql": "select 1;\n", "migrations/0002_b.sql": "select 1;\n" };

const rows: readonly (readonly [name: string, want: readonly string[], files: Files])[] = [
  ["a layout inside another one that writes <html>", ["E_NESTED_DOCUMENT app/a/layout.ts:2"], {
    "app/layout.ts": layout,
    "app/a/layout.ts": layout,
    "app/a/page.ts": page,
  }],
  ["the same as JSX, beside the layout of another folder", [
    "E_NESTED_DOCUMENT app/a/b/layout.tsx:2",
  ], {
    "app/a/layout.ts": layout,
    "app/a/b/layout.tsx": tsx,
    "app/a/b/page.ts": page,
    "app/c/layout.ts": layout,
    "app/c/page.ts": page,
  }],
  ["elements imported from @fw/fw", ["E_WRONG_ELEMENTS lib/view.ts:2"], {
    "app/page.ts": page,
    "lib/view.ts": '\nimport * as h from "@fw/fw";\nimport * as fw from "@fw/fw";\n',
    "lib/other.ts": 'import * as h from "@fw/fw/h";\n',
  }],
  ["a list of migrations written by hand that lacks one", ["E_MIGRATION migrations/mod.ts:1"], {
    "app/page.ts": page,
    ...sql,
    "migrations/mod.ts": 'export const migrations = [{ name: "0001_a", sql: "" }];\n',
  }],
  ["a list of migrations written by hand that has all", [], {
    "app/page.ts": page,
    ...sql,
    "migrations/mod.ts": '// 0001_a.sql\nimport b from "./0002_b.sql" with { type: "text" };\n',
  }],
  ["a generated list of migrations", [], {
    "app/page.ts": page,
    ...sql,
    "migrations/mod.ts": `${listHead}\n`,
  }],
];

for (const [name, want, files] of rows) {
  Deno.test(`gen, hints: ${name}`, () =>
    inProject(files, async (root) => {
      const { ok, problems } = await runGenerators(createProject(root));
      const found = problems.map(({ code, place }) => `${code} ${place?.file}:${place?.line}`);
      assertEquals([ok, found, problems.every(({ severity }) => severity === "warning")], [
        true,
        want,
        true,
      ]);
    }));
}
