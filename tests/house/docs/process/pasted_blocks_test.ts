import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { scaffoldProject } from "../../../../cli/scaffold/project.ts";
import { parseCodeBlocks } from "../../../../tools/code_blocks.ts";
import { listFiles, root, runDeno } from "../../../../tools/workspace.ts";
import { newFolder } from "../../../new_folder.ts";

const manifest = scaffoldProject("app").find(({ file }) => file === "deno.json")?.text ?? "";

/** Formats every block of the guides as a file of a new project; returns the blocks that change. */
async function changedBlocks(settings: string): Promise<string[]> {
  await using folder = await newFolder();
  await Deno.writeTextFile(join(folder.path, "deno.json"), settings);
  const guides = ["README.md", "API.md", ...await listFiles("docs", [".md"])];
  const blocks = await Promise.all(guides.map(async (guide) => {
    const markdown = await Deno.readTextFile(join(root, guide));
    return parseCodeBlocks(markdown).map((block) => ({ guide, ...block }));
  }));
  const files = new Map(
    blocks.flat().map(({ guide, line, language, code }, index) => {
      const written = { place: `${guide}:${line}`, code };
      return [join(folder.path, `block_${index}.${language}`), written];
    }),
  );
  assert(files.size > 100);
  await Promise.all([...files].map(([path, { code }]) => Deno.writeTextFile(path, code)));
  const { code, stderr } = await runDeno(["fmt", "--quiet"], { cwd: folder.path });
  assertEquals(code, 0, stderr);
  const changed = [...files].map(async ([path, { place, code }]) =>
    await Deno.readTextFile(path) === code ? [] : [place]
  );
  return (await Promise.all(changed)).flat();
}

Deno.test("guides: blocks to paste into a new project are formatted", async () => {
  const { fmt } = JSON.parse(manifest);
  assertEquals(await changedBlocks(JSON.stringify({ fmt })), []);
});
