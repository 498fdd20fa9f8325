/**
 * Documentation that is checked: doc comments of what is published, code blocks of the guides.
 *
 * @module
 */
import { join } from "@std/path";
import type { DocModule } from "../../tools/doc_json.ts";
import { type DenoOutput, root, runDeno } from "../../tools/workspace.ts";

/** Whether a module says what it is for: a first comment that ends in `@module`. */
export function hasModuleDoc(module: DocModule): boolean {
  return (module.module_doc?.doc ?? "").trim() !== "";
}

/** One code block of a Markdown file. */
export interface CodeBlock {
  /** The line of its first line of code, from 1. */
  line: number;
  /** `"ts"` or `"tsx"`. */
  language: "ts" | "tsx";
  /** The code. */
  code: string;
}

/**
 * Lists the TypeScript blocks that carry imports. A block without one is a fragment of something
 * explained around it; a block that is meant not to compile is opened with `ts ignore`.
 */
export function parseCodeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  const fences = /^([ \t]*)(`{3,})(tsx?)([^\n]*)\n([\s\S]*?)^\1\2[ \t]*$/gm;
  for (const [whole, , , language, info = "", code = ""] of markdown.matchAll(fences)) {
    if (/\bignore\b/.test(info) || !/^\s*import\b/m.test(code)) continue;
    const before = markdown.slice(0, markdown.indexOf(whole));
    const line = before.split("\n").length + 1;
    blocks.push({ line, language: language === "tsx" ? "tsx" : "ts", code });
  }
  return blocks;
}

/**
 * Type-checks the code blocks of Markdown texts as a reader's modules: imports by published name.
 *
 * @param texts The Markdown by path relative to the root.
 * @returns What the compiler said; a position reads `docs__guide.md_12.ts:14`, the second number
 * being the line in the Markdown file.
 */
export async function checkCodeBlocks(texts: ReadonlyMap<string, string>): Promise<DenoOutput> {
  const folder = await Deno.makeTempDir({ prefix: "fw_docs_" });
  try {
    const paths: string[] = [];
    for (const [path, text] of texts) {
      for (const { line, language, code } of parseCodeBlocks(text)) {
        const file = join(folder, `${path.replaceAll("/", "__")}_${line}.${language}`);
        await Deno.writeTextFile(file, "\n".repeat(line - 1) + code);
        paths.push(file);
      }
    }
    if (paths.length === 0) return { code: 0, stdout: "", stderr: "" };
    // The blocks lie outside the workspace, so its manifest is named.
    return await runDeno(["check", "--config", join(root, "deno.json"), ...paths]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Runs `deno doc --lint` on modules: every public symbol documented, no private type exposed. */
export function lintDocs(paths: string[]): Promise<DenoOutput> {
  return runDeno(["doc", "--lint", ...paths]);
}
