/**
 * The examples of doc comments as tests. `deno test --doc` starts a worker for each of them, which loads
 * the framework 240 times: here they share a few.
 */
import { dirname, join } from "@std/path";
import { exampleManifest, keepDocComments, parseCodeBlocks } from "./code_blocks.ts";
import { listPackageFiles, root } from "./workspace.ts";

const workers = 4;

/** An example that throws fails its test. */
export async function writeExamples(folder: string): Promise<string[]> {
  await Deno.writeTextFile(join(folder, "deno.json"), await exampleManifest());
  const tests: string[] = [];
  for (const path of await listPackageFiles()) {
    const text = keepDocComments(await Deno.readTextFile(join(root, path)));
    for (const { line, language, code } of parseCodeBlocks(text)) {
      const module = `./${path}/${line}.${language}`;
      const file = join(folder, module);
      await Deno.mkdir(dirname(file), { recursive: true });
      // The lines of an error are those of the source.
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
