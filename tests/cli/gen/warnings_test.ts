/** `gen`: warnings about code that compiles but does not do what its author meant. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { runGenerators } from "../../../cli/gen/generate.ts";
import { createProject } from "../../../cli/project/project.ts";
import { type Files, inProject, page, runCli } from "../support.ts";

const mib = 1_024 * 1_024;

function upload(code: string): string {
  return `import { type Ctx, struct, text } from "@fw/fw";
export const Page = (c: Ctx) => null;
${code}
`;
}

const direct = upload(`export async function POST(c: Ctx) {
  await c.file("photo", { maxSizeBytes: 3 * 1_024 * 1_024 });
}`);

function allow(code: string): string {
  return `import type { Ctx, Next } from "@fw/fw";
export function MiddlewarePOST(c: Ctx, next: Next) {
  c.allowBody(${code});
  return next();
}
`;
}

const emitted = '"photo": 3145728';
const warned = ["E_FILE_LIMIT app/page.ts:4"];

const layout = `import * as h from "@fw/fw/h";
export const Layout = (_: unknown, body: h.Node) => h.html(h.body(body));
`;
const tsx = `export const Layout = (_: unknown, body: unknown) =>
  <html lang="en"><body>{body}</body></html>;
`;
const sql = { "migrations/0001_a.sql": "select 1;\n", "migrations/0002_b.sql": "select 1;\n" };

const rows: [name: string, warnings: string[], emitted: string | undefined, files: Files][] = [[
  "c.file",
  warned,
  emitted,
  { "app/page.ts": direct },
], [
  "the files of tryBind, in a constant of another file",
  ["E_FILE_LIMIT lib/files.ts:2"],
  emitted,
  {
    "app/page.ts": upload(`import { files } from "../lib/files.ts";
export async function POST(c: Ctx) {
  await c.tryBind(struct({ title: text() }), { files });
}`),
    "lib/files.ts": `const most = 3_072 * 1_024;
export const files = { photo: { accept: ["image/png"], maxSizeBytes: most } } as const;
`,
  },
], ["an action", ["E_FILE_LIMIT app/page.ts:5"], emitted, {
  "app/page.ts": upload(`export const Actions = {
  async add(c: Ctx) {
    await c.file("photo", { maxSizeBytes: 3 * 1_024 * 1_024 });
  },
};`),
}], ["an allowBody that is too small", warned, emitted, {
  "app/page.ts": direct,
  "app/middleware.ts": allow("2 * 1_024 * 1_024"),
}], ["an allowBody of the middleware", [], undefined, {
  "app/page.ts": direct,
  "app/middleware.ts": allow("4 * 1_024 * 1_024"),
}], ["an allowBody with a minimum", [], undefined, {
  "app/page.ts": direct,
  "app/middleware.ts": allow("Math.max(c.app.config.maxBodyBytes, 4_096 * 1_024)"),
}], ["a computed allowBody", [], undefined, {
  "app/page.ts": direct,
  "app/middleware.ts": allow("Number(c.header)"),
}], ["a sufficient setting that the environment may lower", [], emitted, {
  "app/page.ts": direct,
  "app/setup.ts": `import type { App, Config } from "@fw/fw";
export function Setup(_app: App): void {}
export function Config(config: Config): void {
  config.maxBodyBytes = 8 * 1_024 * 1_024;
}
`,
}], ["a rule below the default", [], '"photo": 1024000', {
  "app/page.ts": direct.replace("3 * 1_024", "1_000"),
}], [
  "a layout inside another one that writes <html>",
  ["E_NESTED_DOCUMENT app/a/layout.ts:2"],
  undefined,
  { "app/layout.ts": layout, "app/a/layout.ts": layout, "app/a/page.ts": page },
], [
  "the same as JSX, beside the layout of another folder",
  [
    "E_NESTED_DOCUMENT app/a/b/layout.tsx:2",
  ],
  undefined,
  {
    "app/a/layout.ts": layout,
    "app/a/b/layout.tsx": tsx,
    "app/a/b/page.ts": page,
    "app/c/layout.ts": layout,
    "app/c/page.ts": page,
  },
], ["elements imported from @fw/fw", ["E_WRONG_ELEMENTS lib/view.ts:2"], undefined, {
  "app/page.ts": page,
  "lib/view.ts": '\nimport * as h from "@fw/fw";\nimport * as fw from "@fw/fw";\n',
  "lib/other.ts": 'import * as h from "@fw/fw/h";\n',
}], [
  "a list of migrations written by hand that lacks one",
  ["E_MIGRATION migrations/mod.ts:1"],
  undefined,
  {
    "app/page.ts": page,
    ...sql,
    "migrations/mod.ts": 'export const migrations = [{ name: "0001_a", sql: "" }];\n',
  },
], ["a list of migrations written by hand that has all", [], undefined, {
  "app/page.ts": page,
  ...sql,
  "migrations/mod.ts": '// 0001_a.sql\nimport b from "./0002_b.sql" with { type: "text" };\n',
}]];

for (const [name, warnings, emitted, files] of rows) {
  Deno.test(`gen warns: ${name}`, () =>
    inProject(files, async (root) => {
      const result = await runGenerators(createProject(root));
      assertEquals(
        result.problems.map(({ code, place }) => `${code} ${place?.file}:${place?.line}`),
        warnings,
      );
      const text = await Deno.readTextFile(`${root}/fw_gen.ts`);
      assertEquals(/fileLimits: \{\s*([^}]*),\s*\}/.exec(text)?.[1], emitted);
    }));
}

Deno.test("gen: prints the file limit warning, writes the file and exits with 0", () =>
  inProject({ "app/page.ts": direct }, async (root) => {
    const { code, stderr } = await runCli(["gen"], { cwd: root });
    assertEquals(code, 0);
    assertStringIncludes(stderr, 'the limit of the file "photo" exceeds the body limit of /');
  }));

Deno.test("boot: warns about a file limit above the body limit", async () => {
  const { App, createLogger } = await import("@fw/fw");
  for (const [maxBodyBytes, count] of [[2 * mib, 1], [3 * mib, 0]] as const) {
    const lines: string[] = [];
    const logger = createLogger({ format: "json", write: (line) => void lines.push(line) });
    const app = new App({ maxBodyBytes, logger, logRequest: () => false });
    app.route({ pattern: "/", page: () => null, fileLimits: { photo: 3 * mib } });
    await app.fetch(new Request("http://localhost/"));
    await app.shutdown();
    const found = lines.filter((line) => line.includes("maxSizeBytes is over the limit"));
    assertEquals(found.length, count, lines.join(""));
  }
});
