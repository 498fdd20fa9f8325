import { assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { browserTypes } from "../../../../cli/gen/emit.ts";
import { keepDocComments, parseCodeBlocks } from "../../../../tools/code_blocks.ts";
import { type DocModule, readDocs } from "../../../../tools/doc_json.ts";
import { listFiles, listPackageFiles, readEntries, root } from "../../../../tools/workspace.ts";
import {
  checkCodeBlocks,
  findLiteralPaths,
  findLostTags,
  hasModuleDoc,
  lintDocs,
} from "../documentation.ts";

const entries = await readEntries();

/** A single process reads the modules shared by the entries once. */
let reading: Promise<DocModule[]> | undefined;

Deno.test("documentation: each entry has a module doc", async () => {
  const modules = await (reading ??= readDocs(entries));
  const bare = entries.filter((_, at) => !hasModuleDoc(modules[at] ?? { symbols: [] }));
  assertEquals(bare.map(({ path }) => path), []);
});

Deno.test("documentation: each tag of a public symbol starts a line", async () => {
  assertEquals(findLostTags(await (reading ??= readDocs(entries))), []);
});

const docs: readonly [name: string, doc: string, isLost: boolean][] = [
  ["behind a sentence", "Reads x. @throws {TypeError} if y.", true],
  ["behind another tag", "if y. @returns The z.", true],
  ["in code", "Writes `x @throws y` and\n```ts\n// @example\n```", false],
];
for (const [name, doc, isLost] of docs) {
  Deno.test(`findLostTags: a tag ${name}`, () => {
    const module = { symbols: [{ declarations: [{ jsDoc: { doc } }] }] };
    assertEquals(findLostTags(module), isLost ? [doc] : []);
  });
}

Deno.test("documentation: every public symbol passes deno doc --lint", async () => {
  const { code, stderr } = await lintDocs([...new Set(entries.map(({ path }) => path))]);
  assertEquals(code, 0, stderr);
});

const guides = ["README.md", "API.md", "SECURITY.md", ...await listFiles("docs", [".md"])];

const block = (code: string): string => `\n\`\`\`ts\n${code}\n\`\`\`\n`;

/** Texts with type errors, one of them in a block's import from another block. */
const wrongTexts: readonly (readonly [path: string, text: string])[] = [
  [
    "wrong/a.md",
    `# A\n${block('import { join } from "@std/path";\nexport const path: number = join("a");')}`,
  ],
  [
    "wrong/b.md",
    block('// app/setup.ts\nimport "@std/path";\nexport const count = 1;') +
    block('// app/page.ts\nimport { count } from "./setup.ts";\nexport const a: string = count;'),
  ],
];

Deno.test("documentation: code blocks with type errors are refused, with their lines", async () => {
  const { code, stderr } = await checkCodeBlocks(new Map(wrongTexts));
  assertNotEquals(code, 0);
  const places = [...stderr.matchAll(/^ +at \S+\/fw_docs[^/]*\/(\S+):\d+$/gm)];
  assertEquals(
    places.map(([, place]) => place).sort(),
    ["wrong__a.md/4.ts:5", "wrong__b.md/app/page.ts:11"],
    stderr,
  );
  assertStringIncludes(stderr, "Found 2 errors.");
  assertStringIncludes(stderr, "not assignable to type 'string'");
});

// In one run, because the compiler then reads the packages once.
Deno.test("documentation: code blocks with imports and examples of doc comments type-check", async () => {
  const texts = new Map<string, string>();
  for (const path of guides) texts.set(path, await Deno.readTextFile(join(root, path)));
  for (const path of await listPackageFiles()) {
    texts.set(path, keepDocComments(await Deno.readTextFile(join(root, path))));
  }
  // The declarations in the generated module of an application with islands.
  const { code, stderr } = await checkCodeBlocks(texts, `export {};\n${browserTypes}`);
  assertEquals(code, 0, stderr);
});

Deno.test("documentation: the guides use c.href instead of literal paths", async () => {
  const places: string[] = [];
  for (const path of guides) {
    const lines = findLiteralPaths(await Deno.readTextFile(join(root, path)));
    places.push(...lines.map((line) => `${path}:${line}`));
  }
  assertEquals(places, []);
});

Deno.test("lintDocs: refuses a symbol without a doc comment", async () => {
  const path = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(path, "export const a: number = 1;\n");
    const { code, stderr } = await lintDocs([path]);
    assertNotEquals(code, 0);
    assertStringIncludes(stderr, "missing-jsdoc");
  } finally {
    await Deno.remove(path);
  }
});

const fence = "```";

const rows: [name: string, markdown: string, lines: number[]][] = [
  ["with an import", `a\n\n${fence}ts\nimport "x";\n${fence}\n`, [4]],
  ["a type import after a comment", `${fence}ts\n// a.ts\nimport type { A } from "x";\n${fence}`, [
    2,
  ]],
  ["a fragment", `${fence}ts\na.b();\n${fence}\n`, []],
  ["opted out", `${fence}ts ignore\nimport "x";\n${fence}\n`, []],
];

for (const [name, markdown, lines] of rows) {
  Deno.test(`parseCodeBlocks: ${name}`, () => {
    assertEquals(parseCodeBlocks(markdown).map(({ line }) => line), lines);
  });
}

const literals: [name: string, code: string, lines: number[]][] = [
  ["a redirect", 'return redirect("/login");', [2]],
  ["a link of the kit", 'ui.navLink("/", "Home")', [2]],
  ["c.href", 'c.redirect(c.href("/login"))', []],
];

for (const [name, code, lines] of literals) {
  Deno.test(`findLiteralPaths: ${name}`, () => {
    assertEquals(findLiteralPaths(`${fence}ts\n${code}\n${fence}\n\n${code}\n`), lines);
  });
}
