import { listPackageFiles, readManifest, root } from "./workspace.ts";
import { dirname, join } from "@std/path";

export interface CodeBlock {
  line: number;
  language: "ts" | "tsx";
  code: string;
  /** The file named in the first line, such as `app/setup.ts`, which other blocks may import. */
  name: string | undefined;
}

/**
 * Lists the TypeScript blocks with imports. A block without imports is a fragment; a block that
 * must not compile is opened with `ts ignore`.
 */
export function parseCodeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  const fences = /^([ \t]*)(`{3,})(tsx?)([^\n]*)\n([\s\S]*?)^\1\2[ \t]*$/gm;
  for (const match of markdown.matchAll(fences)) {
    const [, , , language, info = "", code = ""] = match;
    if (/\bignore\b/.test(info) || !/^\s*import\b/m.test(code)) continue;
    const line = markdown.slice(0, match.index).split("\n").length + 1;
    const name = code.match(/^\/\/ ((?:[\w-]+\/)*[\w-]+\.tsx?)\n/)?.[1];
    blocks.push({ line, language: language === "tsx" ? "tsx" : "ts", code, name });
  }
  return blocks;
}

/** Keeps only the text of a source's doc comments, with the same line numbers. */
export function keepDocComments(source: string): string {
  let kept = "";
  let end = 0;
  for (const match of source.matchAll(/^[ \t]*\/\*\*[\s\S]*?\*\//gm)) {
    const [comment] = match;
    kept += blank(source.slice(end, match.index));
    kept += comment.replace(/[ \t]*\*\/$/, "").replace(/^[ \t]*(\/\*\*|\*) ?/gm, "");
    end = match.index + comment.length;
  }
  return kept + blank(source.slice(end));
}

function blank(text: string): string {
  return "\n".repeat(text.split("\n").length - 1);
}

/** Returns the manifest for examples, which may declare names that they do not use. */
export async function exampleManifest(): Promise<string> {
  const { imports, version, compilerOptions, test = {} } = await readManifest("");
  return JSON.stringify({
    links: [root],
    test,
    imports: { ...imports, "@fw/fw": `jsr:@fw/fw@^${version}` },
    compilerOptions: { ...compilerOptions, noUnusedLocals: false, noUnusedParameters: false },
  });
}

const workers = 4;

/** Writes a test for each example, which fails if the example throws. */
export async function writeExamples(folder: string): Promise<string[]> {
  await Deno.writeTextFile(join(folder, "deno.json"), await exampleManifest());
  const tests: string[] = [];
  for (const path of await listPackageFiles()) {
    const text = keepDocComments(await Deno.readTextFile(join(root, path)));
    for (const { line, language, code } of parseCodeBlocks(text)) {
      const module = `./${path}/${line}.${language}`;
      const file = join(folder, module);
      await Deno.mkdir(dirname(file), { recursive: true });
      // Keep the line numbers of the source for errors.
      await Deno.writeTextFile(file, "\n".repeat(line - 1) + code);
      const name = JSON.stringify(`${path} => example in line ${line}`);
      tests.push(`Deno.test(${name}, async () => void await import(${JSON.stringify(module)}));\n`);
    }
  }
  const size = Math.ceil(tests.length / workers);
  return await Promise.all(Array.from({ length: workers }, async (_, index) => {
    const file = join(folder, `examples_${index}_test.ts`);
    await Deno.writeTextFile(file, tests.slice(index * size, (index + 1) * size).join(""));
    return file;
  }));
}
