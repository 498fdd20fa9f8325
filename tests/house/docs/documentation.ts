/** Checks of documentation: doc comments of published modules, and code blocks of the guides. */
import { dirname, join } from "@std/path";
import { exampleManifest, parseCodeBlocks } from "../../../tools/code_blocks.ts";
import type { DocModule } from "../../../tools/doc_json.ts";
import { type DenoOutput, runDeno } from "../../../tools/workspace.ts";
import { makeKeptFolder } from "../../kept_folder.ts";

/** Whether a module has a first comment that describes it and ends in `@module`. */
export function hasModuleDoc(module: DocModule): boolean {
  return (module.module_doc?.doc ?? "").trim() !== "";
}

/**
 * Finds tags after a sentence, which `deno doc` prints as text. `@default` may end the line of its
 * sentence.
 */
export function findLostTags(docs: unknown): string[] {
  if (typeof docs !== "object" || docs === null) return [];
  return Object.entries(docs).flatMap(([name, value]) => {
    if (name !== "doc" || typeof value !== "string") return findLostTags(value);
    const prose = value.replace(/```[^]*?```|`[^`]*`/g, "");
    return /\s@(?:param|returns|throws|example)\b/.test(prose) ? [value] : [];
  });
}

/** Lists the SQL blocks that name their file in the first line, such as `-- migrations/0001_a.sql`. */
export function parseSqlFiles(
  markdown: string,
): { readonly name: string; readonly code: string }[] {
  const fences = /^```sql\n(-- ((?:[\w-]+\/)*[\w-]+\.sql)\n[\s\S]*?)^```$/gm;
  return [...markdown.matchAll(fences)].map(([, code = "", name = ""]) => ({ name, code }));
}

/**
 * Finds literal paths in the TypeScript of a guide that should be `c.href`, because they leave the
 * application's base path. All blocks count, including those without imports.
 *
 * @returns The lines, from 1.
 */
export function findLiteralPaths(markdown: string): number[] {
  const found: number[] = [];
  let isCode = false;
  for (const [index, line] of markdown.split("\n").entries()) {
    if (/^\s*```/.test(line)) isCode = /^\s*```tsx?\b/.test(line);
    else if (isCode && literalPath.test(line)) found.push(index + 1);
  }
  return found;
}

const literalPath =
  /\b(?:redirect|h\.href|h\.action|formaction|navLink|brand|buttonLink|menuLink)\(["'`]\//;

/**
 * Type-checks code blocks of Markdown texts as modules of an app that uses this checkout: imports
 * by published name, and the app's own compiler options.
 *
 * @param texts The Markdown by path relative to the root.
 * @param generated The generated module of the app; it makes the compiler read all of the framework.
 * @returns The output of the compiler; a position reads `docs__guide.md/12.ts:14`, or
 * `docs__guide.md/app/page.ts:14` where the block names its file; the last number is the line in the
 * file that has the block.
 */
export async function checkCodeBlocks(
  texts: ReadonlyMap<string, string>,
  generated = "",
): Promise<DenoOutput> {
  const { path: folder, release } = await makeKeptFolder("fw_docs");
  try {
    const paths = new Set<string>();
    for (const [path, text] of texts) {
      const own = join(folder, path.replaceAll("/", "__"));
      await Deno.mkdir(own, { recursive: true });
      // A block may import the document, which a command writes and no guide shows.
      await Deno.writeTextFile(join(own, "openapi.json"), "{}\n");
      for (const { name, code } of parseSqlFiles(text)) {
        const file = join(own, name);
        await Deno.mkdir(dirname(file), { recursive: true });
        await Deno.writeTextFile(file, code);
      }
      for (const { line, language, code, name } of parseCodeBlocks(text)) {
        const named = join(own, name ?? `${line}.${language}`);
        // If a text shows a file twice, the first one keeps the name.
        const file = paths.has(named) ? join(own, `${line}.${language}`) : named;
        await Deno.mkdir(dirname(file), { recursive: true });
        await Deno.writeTextFile(file, "\n".repeat(line - 1) + code);
        paths.add(file);
      }
    }
    if (paths.size === 0) return { code: 0, stdout: "", stderr: "" };
    await Deno.writeTextFile(join(folder, "deno.json"), await exampleManifest());
    const module = join(folder, "fw_gen.ts");
    await Deno.writeTextFile(module, generated);
    return await runDeno(["check", "--no-lock", module, ...paths], { cwd: folder });
  } finally {
    await release();
  }
}

/**
 * Runs `deno doc --lint` on modules: every public symbol is documented, and no private type is
 * exposed.
 */
export function lintDocs(paths: string[]): Promise<DenoOutput> {
  return runDeno(["doc", "--lint", ...paths]);
}
