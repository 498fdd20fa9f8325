import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { keepDocComments, writeExamples } from "../../../tools/code_blocks.ts";
import { listPackageFiles, root } from "../../../tools/workspace.ts";
import { newFolder } from "../../new_folder.ts";

/** The examples that `deno test --doc` would run too. */
const runnable = /^[ \t]*```(?:[jt]sx?|m[jt]s|typescript|javascript)\b(?!.*\bignore\b)/gm;

Deno.test("examples of doc comments: each becomes a test", async () => {
  await using folder = await newFolder();
  const modules = await writeExamples(folder.path);
  const texts = await Promise.all(modules.map((path) => Deno.readTextFile(path)));
  const found = texts.join("").match(/^Deno\.test\(.*$/gm) ?? [];
  let count = 0;
  for (const path of await listPackageFiles()) {
    const text = keepDocComments(await Deno.readTextFile(join(root, path)));
    const blocks = text.match(runnable) ?? [];
    count += blocks.length;
    const tests = found.filter((line) => line.includes(`"${path} => `));
    // A block without an import is not an example: add its imports, or mark it with "ts ignore".
    assertEquals(tests.length, blocks.length, path);
  }
  assert(count > 200);
  assertEquals(new Set(found).size, count);
  // An import replaced by a module with another name would fail, whatever the example says.
  for (const line of found) {
    const [, module = ""] = /import\("([^"]+)"\)/.exec(line) ?? [];
    assert((await Deno.readTextFile(join(folder.path, module))).includes("import "), line);
  }
});
